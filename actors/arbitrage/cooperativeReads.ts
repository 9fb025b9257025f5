// Reads that take several milliseconds each, run in slices one after another, so that the thread can do other work in between.

import { TimeSlicer } from '#actors/runtime/timeSlicer'
import type { Clock } from '#core/clock'

/** Maximum queued reads. */
const waitingMax = 64

export class CooperativeReads {
  private readonly slices: TimeSlicer
  private readonly waiting: { begin(): void; giveUp(): void }[] = []
  private current: (() => void) | null = null
  private stopped = false

  constructor(clock: Clock) {
    this.slices = new TimeSlicer(clock)
  }

  /** Null: too many are queued, or we are stopping. Rejects with what the work throws. */
  read<T>(work: Generator<void, T, void>): Promise<T | null> {
    if (this.stopped || this.waiting.length >= waitingMax) return Promise.resolve(null)
    return new Promise((resolve, reject) => {
      const giveUp = (): void => resolve(null)
      const begin = (): void => {
        let result: T | null = null
        const steps = function* (): Generator<void, void, void> {
          result = yield* work
        }
        this.current = giveUp
        this.slices.run(steps(), (error) => {
          this.current = null
          if (error === null) resolve(result)
          else reject(error as Error)
          this.waiting.shift()?.begin()
        })
      }
      if (this.slices.busy) this.waiting.push({ begin, giveUp })
      else begin()
    })
  }

  stop(): void {
    this.stopped = true
    this.slices.stop()
    this.current?.()
    for (const { giveUp } of this.waiting.splice(0)) giveUp()
  }
}
