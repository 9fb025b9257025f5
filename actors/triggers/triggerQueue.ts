// Which decisions are written next. Decisions without earlier trouble go together; one whose row was locked, or that failed alone, waits separately
// with growing delays, and its attempts come in between: however many of those there are, every other write belongs to the rest.
import type { Decision } from '#orders/triggers/decision'

/** Per statement. */
export const decisionsAtOnce = 100
const restMs = 50
export const restMaxMs = 2_000

interface Resting {
  decision: Decision
  dueAt: number
  /** Consecutive. */
  tries: number
}

export class Queue {
  /** Both by handle. */
  private readonly fresh = new Map<number, Decision>()
  private readonly resting = new Map<number, Resting>()
  /** Halved by every failing batch, so that the decision at fault is soon alone. */
  private width = decisionsAtOnce
  private wasFresh = false

  get size(): number {
    return this.fresh.size + this.resting.size
  }

  put(decision: Decision): void {
    this.resting.delete(decision.handle)
    this.fresh.set(decision.handle, decision)
  }

  delete(handle: number): void {
    this.fresh.delete(handle)
    this.resting.delete(handle)
  }

  clear(): void {
    this.fresh.clear()
    this.resting.clear()
  }

  /** They stay until they are deleted or postponed. */
  take(now: number): Decision[] {
    const rested = this.wasFresh || this.fresh.size === 0 ? this.firstRested(now) : null
    this.wasFresh = rested === null
    if (rested !== null) return [rested]
    const next: Decision[] = []
    for (const decision of this.fresh.values()) if (next.push(decision) === this.width) break
    return next
  }

  written(): void {
    this.width = Math.min(decisionsAtOnce, this.width * 2)
  }

  /** None of these was written. A single one is postponed; of several, others are tried first. */
  failed(taken: readonly Decision[], now: number): void {
    this.width = Math.max(1, Math.floor(taken.length / 2))
    if (taken.length === 1) this.rest(taken[0]!, now)
    for (const decision of taken) {
      // One that was decided again meanwhile is a different decision.
      if (this.fresh.get(decision.handle) !== decision) continue
      this.fresh.delete(decision.handle)
      this.fresh.set(decision.handle, decision)
    }
  }

  /** No effect when it was withdrawn or decided again meanwhile. */
  rest(decision: Decision, now: number): void {
    const { handle } = decision
    const before = this.resting.get(handle)
    if (before !== undefined ? before.decision !== decision : this.fresh.get(handle) !== decision) return
    const tries = (before?.tries ?? 0) + 1
    this.delete(handle)
    const delayMs = Math.min(restMaxMs, restMs * 2 ** Math.min(tries - 1, 10))
    this.resting.set(handle, { decision, dueAt: now + delayMs, tries })
  }

  /** Null: nothing waits. */
  nextInMs(now: number): number | null {
    if (this.fresh.size > 0) return 0
    let next = Number.POSITIVE_INFINITY
    for (const { dueAt } of this.resting.values()) next = Math.min(next, dueAt)
    return next === Number.POSITIVE_INFINITY ? null : Math.max(0, Math.ceil(next - now))
  }

  private firstRested(now: number): Decision | null {
    for (const { decision, dueAt } of this.resting.values()) if (dueAt <= now) return decision
    return null
  }
}
