// Which contracts to look for trades of: those of the markets whose books are watched. They come from the catalog; a market not in it yet is looked
// up again later.
import type { Clock } from '#core/clock'
import type { Market } from '#schemas/market'

const lookUpAgainMs = 60_000

export class WatchedContracts {
  private readonly found = new Map<string, Market | null>()
  private readonly lookedUpAt = new Map<string, number>()
  private markets = new Map<string, Market[]>()
  private readonly options: {
    /** The book's market; null when the catalog does not know it. */
    findMarket(bookId: string): Promise<Market | null>
    contractsOf(market: Market): readonly string[]
    clock: Clock
    onFailure(error: unknown): void
  }

  constructor(options: WatchedContracts['options']) {
    this.options = options
  }

  /** Returns the books whose contracts are known and therefore watched. */
  async look(bookIds: Iterable<string>): Promise<string[]> {
    const { findMarket, contractsOf, clock, onFailure } = this.options
    const wanted = new Set(bookIds)
    for (const bookId of this.found.keys()) if (!wanted.has(bookId)) this.forget(bookId)
    const now = clock.monotonic()
    const due = [...wanted].filter((bookId) => {
      const lookedUpAt = this.lookedUpAt.get(bookId)
      return lookedUpAt === undefined || (this.found.get(bookId) == null && now - lookedUpAt >= lookUpAgainMs)
    })
    try {
      for (const bookId of due) {
        this.found.set(bookId, await findMarket(bookId))
        this.lookedUpAt.set(bookId, now)
      }
    } catch (error) {
      // Known ones are still looked for.
      onFailure(error)
    }
    this.markets = new Map()
    const known: string[] = []
    for (const [bookId, market] of this.found) {
      const contracts = market === null ? [] : contractsOf(market)
      if (market === null || contracts.length === 0) continue
      known.push(bookId)
      for (const contract of contracts) {
        const address = contract.toLowerCase()
        const there = this.markets.get(address) ?? []
        if (!there.some(({ marketId }) => marketId === market.marketId)) this.markets.set(address, [...there, market])
      }
    }
    return known
  }

  get addresses(): string[] {
    return [...this.markets.keys()].sort()
  }

  /** Markets that trade on a contract. */
  of(address: string): readonly Market[] {
    return this.markets.get(address) ?? []
  }

  private forget(bookId: string): void {
    this.found.delete(bookId)
    this.lookedUpAt.delete(bookId)
  }
}
