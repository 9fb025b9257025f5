// Recent measurements of a node: how long before their block it reports settlements, and what share of them.
const leadsMax = 31
const settledMax = 1_000
/** Fewer are not enough for a share. */
const settledMin = 20

export class Metrics {
  private readonly leads: number[] = []
  /** The newest settlements, by transaction: whether each was seen before its block. */
  private readonly settled = new Map<string, boolean>()
  private seenCount = 0

  lead(ms: number): void {
    this.leads.push(Math.max(0, Math.round(ms)))
    if (this.leads.length > leadsMax) this.leads.shift()
  }

  /** The first report of a settlement counts. */
  settle(hash: string, wasSeen: boolean): void {
    if (this.settled.has(hash)) return
    this.settled.set(hash, wasSeen)
    if (wasSeen) this.seenCount++
    if (this.settled.size <= settledMax) return
    const [oldest, wasOldestSeen] = this.settled.entries().next().value!
    this.settled.delete(oldest)
    if (wasOldestSeen) this.seenCount--
  }

  /** Median of the newest; null: none yet. */
  get leadMs(): number | null {
    return this.leads.toSorted((a, b) => a - b)[Math.floor(this.leads.length / 2)] ?? null
  }

  /** Among the newest settlements, how many were seen before; null: too few. */
  get seen(): { of: number; count: number } | null {
    const of = this.settled.size
    return of < settledMin ? null : { of, count: this.seenCount }
  }
}
