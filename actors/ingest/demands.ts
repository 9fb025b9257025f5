// The demand for a venue's books as each sender last announced it, and the inboxes that a book or trade therefore goes to.
import { type Demand, everyMarket } from '#schemas/topics'

export interface ActiveDemand extends Pick<Demand, 'purpose' | 'near' | 'inbox'> {
  marketIds: ReadonlySet<string>
  /** When it was announced, on the monotonic clock. */
  at: number
}

export type InboxKind = 'books' | 'trades'

export class Demands {
  private readonly senders = new Map<string, ActiveDemand>()
  /** Inboxes of all senders; null: not found since demand last changed. */
  private every: readonly number[] | null = null
  /** Market → inboxes, found at the first message since demand last changed. */
  private readonly found: Record<InboxKind, Map<string, readonly number[]>> = { books: new Map(), trades: new Map() }

  get size(): number {
    return this.senders.size
  }

  get(sender: string): ActiveDemand | undefined {
    return this.senders.get(sender)
  }

  /** `isSame`: it only renews the one before. */
  set(sender: string, demand: ActiveDemand, isSame = false): void {
    this.senders.set(sender, demand)
    if (!isSame) this.changed()
  }

  delete(sender: string): void {
    if (this.senders.delete(sender)) this.changed()
  }

  values(): Iterable<ActiveDemand> {
    return this.senders.values()
  }

  [Symbol.iterator](): Iterator<[string, ActiveDemand]> {
    return this.senders[Symbol.iterator]()
  }

  /** Each inbox once. Only readers have a use for trades, and none reads those of a whole venue. */
  inboxesOf(kind: InboxKind, marketId: string): readonly number[] {
    const known = this.found[kind].get(marketId)
    if (known !== undefined) return known
    const inboxes = new Set<number>()
    for (const { inbox, marketIds, purpose = 'readers' } of this.senders.values()) {
      if (inbox === undefined || (kind === 'trades' && purpose !== 'readers')) continue
      if (marketIds.has(marketId) || (kind === 'books' && marketIds.has(everyMarket))) inboxes.add(inbox)
    }
    const found = [...inboxes]
    this.found[kind].set(marketId, found)
    return found
  }

  /** Of all senders, each once. */
  inboxes(): readonly number[] {
    if (this.every !== null) return this.every
    const inboxes = new Set<number>()
    for (const { inbox } of this.senders.values()) if (inbox !== undefined) inboxes.add(inbox)
    this.every = [...inboxes]
    return this.every
  }

  private changed(): void {
    this.every = null
    this.found.books.clear()
    this.found.trades.clear()
  }
}
