// Decisions on their way to the store. They wait here while it is away, one for each order at most; one whose book leaves meanwhile is
// withdrawn by the worker and is not handed over, nor committed if it is under way: the order has to qualify anew.
import type { FiringClaim } from '#storage/postgres/conditional/firing'
import type { FirstTurn, TriggerDecision } from '#storage/postgres/conditional/firstTurn'
import type { ConditionalStore } from '#storage/postgres/conditional/store'
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
  /**
   * Triggers one order, and fires it: claimed with its trigger, while nobody takes the decision back. False: it was not triggered by this, and
   * goes the longer way. Never rejects.
   */
  beginAtOnce(decision: TriggerDecision, given: { lease: FiringClaim; isRecalled(): boolean }): Promise<boolean>
  /** There is more than what began. */
  wake(): void
}

export interface HandOverOptions {
  store: Pick<ConditionalStore, 'triggerUnlessRecalled'>
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
  /** Handles of the batch that is being written; null between two. */
  private underWay: ReadonlySet<number> | null = null
  private isRecalled = false

  constructor(options: HandOverOptions) {
    this.options = options
  }

  get waitingCount(): number {
    return this.waiting.size
  }

  /** True: something waits. */
  hear({ decisions, withdrawn }: Notices): boolean {
    for (const { handle } of withdrawn) {
      this.waiting.delete(handle)
      if (this.underWay?.has(handle) === true) this.isRecalled = true
    }
    for (const decision of decisions) this.waiting.set(decision.handle, decision)
    return this.waiting.size > 0
  }

  /** The worker that decided is gone: what it said of a book is not judged any more. */
  forget(): void {
    this.waiting.clear()
    this.isRecalled = true
  }

  /** Rejects when the store is away: then they wait on. True: there are more. */
  async run(): Promise<boolean> {
    const { set } = this.options
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
    const moved = await this.write(batch, new Set(handles))
    // Of those that were not taken back the next run tells.
    if (moved === null) return this.waiting.size > 0
    this.triggered += moved
    this.refused += batch.length - moved
    for (const [i, { id }] of batch.entries()) {
      this.waiting.delete(handles[i]!)
      // Refused or not, this order is armed no more.
      set.drop(id)
    }
    return this.waiting.size > 0
  }

  /** How many of them triggered; null: one was taken back before it was committed, and nothing was written. */
  private async write(batch: readonly TriggerDecision[], handles: ReadonlySet<number>): Promise<number | null> {
    const { store, now, fires } = this.options
    const at = new Date(now())
    const claim = fires?.claim(batch.length, at) ?? null
    this.underWay = handles
    this.isRecalled = false
    const isRecalled = (): boolean => this.isRecalled
    try {
      // One that is alone: nobody waits while it is prepared.
      if (claim !== null && batch.length === 1 && (await fires!.beginAtOnce(batch[0]!, { lease: claim, isRecalled })))
        return 1
      const made = await store.triggerUnlessRecalled(batch, {
        at,
        claim,
        isRecalled,
        late: ({ turns }) => fires?.begin(turns),
      })
      if (made === null) return null
      fires?.begin(made.turns)
      if (made.rows.length > made.turns.length) fires?.wake()
      return made.rows.length
    } finally {
      this.underWay = null
      if (claim !== null) fires?.release(claim)
    }
  }
}
