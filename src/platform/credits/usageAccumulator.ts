// Usage since the last settlement, by UTC day, key and route.
import type { UsageEntry } from '#storage/postgres/credits/settleUsage'

const dayMs = 86_400_000

/** `YYYY-MM-DD`. */
export const dayOf = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, 10)
/** `YYYY-MM-01`. */
export const monthOf = (epochMs: number): string => `${new Date(epochMs).toISOString().slice(0, 7)}-01`

/** Holds one entry per day, key and route used since the last `drain`. */
export class UsageAccumulator {
  private entries: UsageEntry[] = []
  /** Of today: by key, by operation. */
  private byKey = new Map<string, Map<string, UsageEntry>>()
  private today = -1
  private day = ''

  get size(): number {
    return this.entries.length
  }

  add(call: Pick<UsageEntry, 'accountId' | 'keyId' | 'operationId' | 'credits'>, now: number): void {
    const today = Math.floor(now / dayMs)
    if (today !== this.today) {
      this.today = today
      this.day = dayOf(now)
      this.byKey = new Map()
    }
    const { accountId, keyId, operationId, credits } = call
    let byOperation = this.byKey.get(keyId)
    if (byOperation === undefined) {
      byOperation = new Map()
      this.byKey.set(keyId, byOperation)
    }
    const entry = byOperation.get(operationId)
    if (entry !== undefined) {
      entry.calls++
      entry.credits += credits
      return
    }
    const first = { accountId, keyId, operationId, day: this.day, calls: 1, credits }
    byOperation.set(operationId, first)
    this.entries.push(first)
  }

  list(): readonly UsageEntry[] {
    return this.entries
  }

  drain(): UsageEntry[] {
    const { entries } = this
    this.entries = []
    this.byKey = new Map()
    return entries
  }
}
