// Orders of which the events could not be stored, while those of the others could. Their events are tried again after a pause; after some tries
// they are given up, and the order is read again from what is stored, as after a crash of this order alone.
import { backoffMs } from '#core/backoff'

const pause = { baseMs: 500, capMs: 10_000 }
const triesMax = 5
/** Between giving up and reading the order again. */
const outMs = 60_000

interface Held {
  tries: number
  /** Monotonic ms. */
  until: number
  /** Its events were given up: it is not matched until then. */
  isOut: boolean
}

export class HeldOrders {
  private readonly byId = new Map<string, Held>()
  private readonly random: () => number

  constructor(random: () => number) {
    this.random = random
  }

  get size(): number {
    return this.byId.size
  }

  /** Its events are not to be tried now. */
  waits(executionId: string, now: number): boolean {
    const held = this.byId.get(executionId)
    return held !== undefined && now < held.until
  }

  /** It is not to be matched now. */
  isOut(executionId: string, now: number): boolean {
    return this.byId.get(executionId)?.isOut === true && this.waits(executionId, now)
  }

  /** True: its events are to be given up. */
  refuse(executionId: string, now: number): boolean {
    const tries = (this.byId.get(executionId)?.tries ?? 0) + 1
    const isOut = tries % triesMax === 0
    const until = now + (isOut ? outMs : backoffMs(tries - 1, pause, this.random))
    this.byId.set(executionId, { tries, until, isOut })
    return isOut
  }

  stored(executionId: string): void {
    this.byId.delete(executionId)
  }

  /** The others have ended. */
  keep(executionIds: ReadonlySet<string>): void {
    for (const id of this.byId.keys()) if (!executionIds.has(id)) this.byId.delete(id)
  }
}
