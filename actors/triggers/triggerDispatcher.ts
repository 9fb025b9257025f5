// Decisions on their way to the store. They wait here while it is unreachable, at most one per order. If a book leaves its level meanwhile, the
// worker withdraws the decision: it is not handed over, and not committed if it is in progress; the order has to qualify again. A decision whose row
// is locked is skipped and retried separately (queue.ts), so no order waits for another one's row.

import type { Decision, TriggerEvents } from '#orders/triggers/decision'
import type { ClaimedTurn } from '#storage/postgres/conditional/claimTriggered'
import type { FiringClaim } from '#storage/postgres/conditional/firing'
import type { ConditionalStore } from '#storage/postgres/conditional/store'
import type { TriggerDecision } from '#storage/postgres/conditional/trigger'
import type { Claim } from '#storage/postgres/executions/claim'
import type { ArmedSet } from './armedOrders.ts'
import { Queue } from './triggerQueue.ts'

/** The firing side, in this process, for orders that trigger here. */
export interface LocalClaims {
  /** Reserves slots to lease up to `limit` orders along with their trigger, held until released; null: none free now. */
  claim(limit: number, at: Date): FiringClaim | null
  release(claim: FiringClaim): void
  /** The claim of an order that was leased alone, to be committed with its trigger. Null: it is claimed after that. Never rejects. */
  prepare(turn: ClaimedTurn): Promise<Claim | null>
  /** `isLate`: committed after the store had given up. What was claimed with its trigger is then not sent as claimed. */
  begin(turns: readonly ClaimedTurn[], options?: { isLate?: boolean }): void
  /** More is waiting than what was begun. */
  wake(): void
}

export interface HandOverOptions {
  store: Pick<ConditionalStore, 'triggerUnlessRecalled'>
  set: ArmedSet
  now(): number
  /** A monotonic clock. */
  monotonic(): number
  fires?: LocalClaims | undefined
  /** The worker is responsive: a stalled worker may have been unable to withdraw a decision. */
  isAwake(): boolean
}

/** Until the worker is checked again. */
const asleepMs = 50

type Written = { moved: number; held: ReadonlySet<string>; stopped: ReadonlySet<string> }

export class TriggerDispatcher {
  /** Orders triggered by this process, and decisions that the store refused: cancelled meanwhile, expired, or another process was first. */
  triggered = 0
  refused = 0
  private readonly options: HandOverOptions
  private readonly queue = new Queue()
  /** Handles of the batch being written; null between batches. */
  private underWay: ReadonlySet<number> | null = null
  private isRecalled = false

  constructor(options: HandOverOptions) {
    this.options = options
  }

  get waitingCount(): number {
    return this.queue.size
  }

  /** True: something waits. */
  receive({ decisions, withdrawn }: TriggerEvents): boolean {
    for (const { handle } of withdrawn) {
      this.queue.delete(handle)
      if (this.underWay?.has(handle) === true) this.isRecalled = true
    }
    for (const decision of decisions) this.queue.put(decision)
    return this.queue.size > 0
  }

  /** The worker that decided is gone: its decisions no longer count. */
  forget(): void {
    this.queue.clear()
    this.isRecalled = true
  }

  /**
   * Rejects when the store is unavailable: then they keep waiting. Otherwise the milliseconds until there is more to do; null: nothing
   * waits.
   */
  async run(): Promise<number | null> {
    const { set, monotonic, isAwake } = this.options
    const { queue } = this
    if (!isAwake()) return queue.size > 0 ? asleepMs : null
    const batch: TriggerDecision[] = []
    const taken: Decision[] = []
    for (const decision of queue.take(monotonic())) {
      const id = set.idOf(decision)
      if (id === null) {
        queue.delete(decision.handle)
        continue
      }
      if (!this.isTimely(decision)) {
        queue.rest(decision, monotonic())
        continue
      }
      taken.push(decision)
      batch.push({ id, evidence: { ...decision.evidence } })
    }
    if (batch.length === 0) return queue.nextInMs(monotonic())
    const written = await this.write(batch, new Set(taken.map(({ handle }) => handle))).catch((error: unknown) => {
      queue.failed(taken, monotonic())
      throw error
    })
    // The next run reports on those that were not withdrawn.
    if (written !== null) {
      const { moved, held, stopped } = written
      queue.written()
      this.triggered += moved
      this.refused += batch.length - moved - held.size - stopped.size
      for (const [i, { id }] of batch.entries()) {
        const decision = taken[i]!
        if (held.has(id)) {
          queue.rest(decision, monotonic())
          continue
        }
        queue.delete(decision.handle)
        if (stopped.has(id)) set.stopArming(decision, monotonic())
        // Refused or not, it is no longer armed; if it was armed again meanwhile, that is another arming.
        else set.dropArming(decision)
      }
    }
    return queue.nextInMs(monotonic())
  }

  /**
   * False for a time that has not come by the clock of all processes, or whose book may be too old: a time needs no new book, so the worker may
   * not have been notified yet.
   */
  private isTimely(decision: Decision): boolean {
    const { set, now } = this.options
    const { at } = decision.evidence
    return at === undefined || (Date.parse(at) <= now() && set.isProven(decision))
  }

  /** Null: one was withdrawn before the commit, and nothing was written. */
  private async write(batch: readonly TriggerDecision[], handles: ReadonlySet<number>): Promise<Written | null> {
    const { store, now, fires, isAwake } = this.options
    const at = new Date(now())
    const claim = fires?.claim(batch.length, at) ?? null
    this.underWay = handles
    this.isRecalled = false
    try {
      const made = await store.triggerUnlessRecalled(batch, {
        at,
        claim,
        prepare: fires && ((turn) => fires.prepare(turn)),
        isRecalled: () => this.isRecalled || !isAwake(),
        late: ({ turns }) => fires?.begin(turns, { isLate: true }),
      })
      if (made === null) return null
      fires?.begin(made.turns)
      if (made.rows.length > made.turns.length) fires?.wake()
      return { moved: made.rows.length, held: new Set(made.held), stopped: new Set(made.stopped) }
    } finally {
      this.underWay = null
      if (claim !== null) fires?.release(claim)
    }
  }
}
