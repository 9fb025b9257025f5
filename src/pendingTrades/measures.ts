// What was measured of a node lately: how long before their block it hears of settlements, and of how many of them.
const leadsMax = 31
const settledMax = 1_000
/** Fewer say nothing about a share. */
const settledMin = 20

export class Measures {
  private readonly leads: number[] = []
  /** Of the newest settlements, by transaction: whether each was seen before its block. */
  private readonly settled = new Map<string, boolean>()
  private seenCount = 0

  lead(ms: number): void {
    this.leads.push(Math.max(0, Math.round(ms)))
    if (this.leads.length > leadsMax) this.leads.shift()
  }

  /** The first word about a settlement counts. */
  settle(hash: string, wasSeen: boolean): void {
    if (this.settled.has(hash)) return
    this.settled.set(hash, wasSeen)
    if (wasSeen) this.seenCount++
    if (this.settled.size <= settledMax) return
    const [oldest, wasOldestSeen] = this.settled.entries().next().value!
    this.settled.delete(oldest)
    if (wasOldestSeen) this.seenCount--
  }

  /** The middle of the newest; null: none yet. */
  get leadMs(): number | null {
    return this.leads.toSorted((a, b) => a - b)[Math.floor(this.leads.length / 2)] ?? null
  }

  /** Of the newest settlements, how many were seen before; null: too few to say. */
  get seen(): { of: number; count: number } | null {
    const of = this.settled.size
    return of < settledMin ? null : { of, count: this.seenCount }
  }
}
