// Decisions on their way to the store. They wait here while it is away, one for each order at most; one whose book leaves meanwhile is
// withdrawn by the worker and is not handed over: the order has to qualify anew.
import type { ConditionalStore, TriggerDecision } from '#storage/postgres/conditional/store'
import type { Decision, Notices } from '#triggers/decision'
import type { ArmedSet } from './armedSet.ts'

/** In one statement. */
const decisionsAtOnce = 100

export interface HandOverOptions {
  store: Pick<ConditionalStore, 'trigger'>
  set: ArmedSet
  now(): number
  /** Some have triggered here. */
  onTriggered?: (() => void) | undefined
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
    const { store, set, now, onTriggered } = this.options
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
    const moved = await store.trigger(batch, new Date(now()))
    this.triggered += moved.length
    if (moved.length > 0) onTriggered?.()
    this.refused += batch.length - moved.length
    for (const [i, { id }] of batch.entries()) {
      this.waiting.delete(handles[i]!)
      // Refused or not, this order is armed no more.
      set.drop(id)
    }
    return this.waiting.size > 0
  }
}
