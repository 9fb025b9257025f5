import { describe, expect, it } from 'vitest'
import { lowerBoundNow, ManualClock, upperBoundNow } from '#core/clock'

describe('the manual clock', () => {
  it('fires timers in due order, ties in the order they were set', () => {
    const clock = new ManualClock(0)
    const fired: string[] = []
    clock.after(10, () => fired.push('b'))
    clock.after(5, () => fired.push('a'))
    clock.after(10, () => fired.push('c'))
    clock.advance(10)
    expect(fired).toEqual(['a', 'b', 'c'])
  })

  it('shows each timer the time it was due at', () => {
    const clock = new ManualClock(100)
    const seen: number[] = []
    clock.every(30, () => seen.push(clock.now()))
    clock.advance(100)
    expect(seen).toEqual([130, 160, 190])
    expect(clock.now()).toBe(200)
  })

  it('is adjusted like the wall clock: monotonic time does not change, and no timer moves', () => {
    const clock = new ManualClock(1_000)
    let fired = 0
    clock.after(10, () => fired++)
    clock.step(-3_600_000)
    expect([clock.now(), clock.monotonic(), fired]).toEqual([1_000 - 3_600_000, 0, 0])
    clock.step(7_200_000)
    clock.advance(9)
    expect([clock.now(), clock.monotonic(), fired]).toEqual([1_009 + 3_600_000, 9, 0])
    clock.advance(1)
    expect(fired).toBe(1)
  })

  it('reports the time without adjustments', () => {
    const clock = new ManualClock(1_000)
    clock.step(-500)
    clock.advance(10)
    expect([clock.steady(), lowerBoundNow(clock), upperBoundNow(clock)]).toEqual([1_010, 510, 1_010])
    clock.step(1_000)
    expect([clock.steady(), lowerBoundNow(clock), upperBoundNow(clock)]).toEqual([1_010, 1_010, 1_510])
  })

  it('lets a timer cancel itself and others', () => {
    const clock = new ManualClock()
    const other = clock.after(2, () => expect.unreachable())
    const own = clock.every(1, () => {
      own.cancel()
      other.cancel()
    })
    clock.advance(10)
    expect(clock.pendingCount).toBe(0)
  })
})
