import fc from 'fast-check'
import { expect, it } from 'vitest'
import { VirtualClock } from '#backtest/engine/virtualClock'

it('fires timers in due order, ties in the order they were set', () => {
  const property = fc.property(fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 60 }), (delays) => {
    const clock = new VirtualClock(1_000)
    const fired: number[] = []
    for (const [i, delay] of delays.entries()) clock.after(delay, () => fired.push(i))
    for (let at = clock.nextAt(); at !== null; at = clock.nextAt()) {
      clock.moveTo(at)
      clock.fireDue()
    }
    const expected = delays.map((delay, i) => [delay, i] as const).sort((a, b) => a[0] - b[0] || a[1] - b[1])
    expect(fired).toEqual(expected.map(([, i]) => i))
  })
  fc.assert(property)
})

it('does not fire a cancelled timer, however many there are', () => {
  const clock = new VirtualClock(0)
  let fired = 0
  for (let i = 0; i < 20_000; i++) clock.after(5, () => fired++)()
  clock.after(10, () => fired++)
  expect(clock.nextAt()).toBe(10)
  clock.moveTo(20)
  expect(clock.fireDue()).toBe(true)
  expect(fired).toBe(1)
  expect(clock.nextAt()).toBeNull()
})

it('leaves a timer that a timer sets for the next call', () => {
  const clock = new VirtualClock(0)
  const fired: string[] = []
  clock.after(0, () => {
    fired.push('first')
    clock.after(0, () => fired.push('second'))
  })
  clock.fireDue()
  expect(fired).toEqual(['first'])
  clock.fireDue()
  expect(fired).toEqual(['first', 'second'])
})

it('never moves back, and rounds a fraction of a millisecond up', () => {
  const clock = new VirtualClock(100)
  clock.moveTo(50)
  expect(clock.now()).toBe(100)
  clock.after(0.4, () => undefined)
  expect(clock.nextAt()).toBe(101)
})
