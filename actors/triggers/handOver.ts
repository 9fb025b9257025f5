// Decisions on their way to the store. They wait here while it is away, one for each order at most; one whose book leaves meanwhile is
// withdrawn by the worker and is not handed over: the order has to qualify anew.
import type { FiringClaim, FirstTurn } from '#storage/postgres/conditional/firing'
import type { ConditionalStore, TriggerDecision } from '#storage/postgres/conditional/store'
import type { Decision, Notices } from '#triggers/decision'
import type { ArmedSet } from './armedSet.ts'

/** In one statement. */
const decisionsAtOnce = 100

/** Whoever fires, in this process, what triggers here. */
export interface FiresHere {
  /** What may be leased along with the trigger of so many, with room kept for their turns until it is released; null: nothing now. */
  claim(limit: number, at: Date): FiringClaim | null
  release(claim: FiringClaim): void
  begin(turns: readonly FirstTurn[]): void
  /** There is more than what began. */
  wake(): void
}

export interface HandOverOptions {
  store: Pick<ConditionalStore, 'trigger' | 'triggerAndClaim'>
  set: ArmedSet
  now(): number
  fires?: FiresHere | undefined
}

export class HandOver {
  /** Orders triggered by this process, and decisions that the store refused: canceled meanwhile, expired, or another process was first. */
  triggered = 0
  refused = 0
  private readonly options: HandOverOptions
  /** By handle. */
  private readonly waiting = new Map<number, Decision>()

  constructor(options: HandOverOptions) {
    this.options = options
  }

  get waitingCount(): number {
    return this.waiting.size
  }

  /** True: something waits. */
  hear({ decisions, withdrawn }: Notices): boolean {
    for (const { handle } of withdrawn) this.waiting.delete(handle)
    for (const decision of decisions) this.waiting.set(decision.handle, decision)
    return this.waiting.size > 0
  }

  /** The worker that decided is gone: what it said of a book is not judged any more. */
  forget(): void {
    this.waiting.clear()
  }

  /** Rejects when the store is away: then they wait on. True: there are more. */
  async run(): Promise<boolean> {
    const { set, now } = this.options
    const batch: TriggerDecision[] = []
    const handles: number[] = []
    for (const [handle, decision] of this.waiting) {
      const id = set.idOf(decision)
      if (id === null) {
        this.waiting.delete(handle)
        continue
      }
      handles.push(handle)
      if (batch.push({ id, evidence: { ...decision.evidence } }) === decisionsAtOnce) break
    }
    if (batch.length === 0) return false
    const moved = await this.write(batch, new Date(now()))
    this.triggered += moved
    this.refused += batch.length - moved
    for (const [i, { id }] of batch.entries()) {
      this.waiting.delete(handles[i]!)
      // Refused or not, this order is armed no more.
      set.drop(id)
    }
    return this.waiting.size > 0
  }

  /** How many of them triggered. */
  private async write(batch: readonly TriggerDecision[], at: Date): Promise<number> {
    const { store, fires } = this.options
    const claim = fires?.claim(batch.length, at) ?? null
    if (fires === undefined || claim === null) {
      const rows = await store.trigger(batch, at)
      if (rows.length > 0) fires?.wake()
      return rows.length
    }
    try {
      const { rows, turns } = await store.triggerAndClaim(batch, claim, (made) => fires.begin(made.turns))
      fires.begin(turns)
      if (rows.length > turns.length) fires.wake()
      return rows.length
    } finally {
      fires.release(claim)
    }
  }
}
