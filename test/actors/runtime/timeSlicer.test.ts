import { expect, it } from 'vitest'
import { CooperativeReads } from '#actors/arbitrage/cooperativeReads'
import { TimeSlicer } from '#actors/runtime/timeSlicer'
import { ManualClock, type Timer } from '#core/clock'

/** Work in which every step takes a millisecond of this clock. */
class WorkClock extends ManualClock {
  private spent = 0
  private count = 0
  private longest = 0

  override now(): number {
    return super.now() + this.spent
  }

  override monotonic(): number {
    return super.monotonic() + this.spent
  }

  *work(steps: number, result = 0): Generator<void, number, void> {
    for (let i = 0; i < steps; i++) {
      this.spent++
      yield
    }
    return result
  }

  /** Every timer is a turn of the event loop. */
  override after(delayMs: number, run: () => void): Timer {
    return super.after(delayMs, () => {
      const before = this.now()
      run()
      this.longest = Math.max(this.longest, this.now() - before)
      this.count++
    })
  }

  /** Runs until nothing is pending: returns the number of turns, and the longest in milliseconds. */
  turns(): { count: number; longest: number } {
    this.advance(0)
    return { count: this.count, longest: this.longest }
  }
}

function* silent(work: Generator<void, number, void>): Generator<void, void, void> {
  yield* work
}

it('ends a slice after some milliseconds, and gives what follows a long one a slice of its own', () => {
  const clock = new WorkClock()
  const slices = new TimeSlicer(clock)
  const ended: number[] = []
  const begun = clock.now()
  slices.run(silent(clock.work(20)), () => {
    ended.push(clock.now() - begun)
    slices.run(silent(clock.work(20)), () => ended.push(clock.now() - begun))
  })
  const { count, longest } = clock.turns()
  expect(ended).toEqual([20, 40])
  expect(longest).toBeLessThanOrEqual(3)
  expect(count).toBeGreaterThan(10)
})

it('lets many short works share slices without making one long', () => {
  const clock = new WorkClock()
  const slices = new TimeSlicer(clock)
  let left = 30
  const next = (): void => {
    if (left-- > 0) slices.run(silent(clock.work(1)), next)
  }
  next()
  expect(clock.turns().longest).toBeLessThanOrEqual(3)
  expect(left).toBe(-1)
})

it('ends work that throws with its error, and accepts other work', () => {
  const clock = new WorkClock()
  const slices = new TimeSlicer(clock)
  const errors: unknown[] = []
  slices.run(
    (function* () {
      yield
      throw new Error('broke off')
    })(),
    (error) => errors.push(error),
  )
  clock.turns()
  expect(errors).toEqual([new Error('broke off')])
  expect(slices.busy).toBe(false)
})

it('completes reads in order, and one too many or abandoned by a stop with null', async () => {
  const clock = new WorkClock()
  const reads = new CooperativeReads(clock)
  const answers = Array.from({ length: 66 }, (_, i) => reads.read(clock.work(5, i)))
  // One running and 64 waiting.
  expect(await answers[65]).toBeNull()
  clock.turns()
  for (let i = 0; i < 65; i++) expect(await answers[i]).toBe(i)
  const broken = reads.read(
    (function* (): Generator<void, number, void> {
      yield
      throw new Error('broke off')
    })(),
  )
  const failed = expect(broken).rejects.toThrow('broke off')
  clock.turns()
  await failed
  const left = [reads.read(clock.work(5)), reads.read(clock.work(5))]
  reads.stop()
  expect(await Promise.all(left)).toEqual([null, null])
  expect(await reads.read(clock.work(1))).toBeNull()
})
