// Reads what a venue reports of one wallet, and where in the catalog it belongs.
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import type { Market } from '#schemas/market'
import type { TraderTrade } from '#schemas/traders'
import type { TradersPlace } from '#venues/traderData'
import type { VenueContext } from '#venues/venueContext'
import type { TraderVenue } from '../ports.ts'
import { SharedReads } from '../sharedReads.ts'
import type { RecordCatalog, TradedMarket } from './ports.ts'
import type { Reading } from './venueReported.ts'

const rowsPerPage = 100
export const pagesMax = 10
/** For all pages of a wallet. */
const readingMs = 120_000
/** Outcomes looked up in the catalog at once. */
const placesAtOnce = 50
/** Maximum markets of a wallet looked up at the venue because the catalog never had them; the most recently traded ones. */
export const marketsQueried = 20
/** For all of them. */
const marketsMs = 120_000

export interface WalletReaderOptions {
  catalog: Pick<RecordCatalog, 'findPlace'>
  clock: Clock
  log: Log
}

export interface ReadWallet {
  reading: Reading
  /** The known places among its outcomes. */
  places: ReadonlyMap<string, TradedMarket>
  /** Markets that the catalog never had, as the venue has them now. */
  unlisted: readonly Market[]
}

export class WalletReader {
  private readonly reads: SharedReads
  private readonly options: WalletReaderOptions

  constructor(options: WalletReaderOptions) {
    this.options = options
    this.reads = new SharedReads(options.clock)
  }

  /** `venue`: one that reports on wallets. */
  async read(venue: TraderVenue, wallet: string): Promise<ReadWallet> {
    const reading = await this.pages(venue, wallet)
    const places = await this.places(venue.slug, reading.rows)
    const unlisted = await this.unlisted(venue, reading, places)
    return { reading, places, unlisted }
  }

  /**
   * From the newest page to the oldest that is taken. Rejects when one cannot be read: a partial result would be unreliable.
   */
  private pages(venue: TraderVenue, wallet: string): Promise<Reading> {
    const { slug, traders } = venue
    return this.reads.request(
      venue,
      wallet,
      async (within) => {
        const readAt = this.options.clock.now()
        const rows: TraderTrade[] = []
        let after: TradersPlace | null = null
        for (let page = 0; page < pagesMax; page++) {
          within.signal.throwIfAborted()
          const answer = await traders!.fetchWalletTrades!(within, wallet, { limit: rowsPerPage, after })
          // Truncated, it would be incomplete; read in full, it might never end.
          if (answer.rows.length > rowsPerPage) throw new Error(`a page of ${answer.rows.length} rows`)
          rows.push(...answer.rows)
          after = answer.next
          if (after === null) break
        }
        return { venue: slug, wallet, rows, isWhole: after === null, readAt }
      },
      readingMs,
    )
  }

  private async places(venue: string, rows: readonly TraderTrade[]): Promise<Map<string, TradedMarket>> {
    const outcomes = [...new Set(rows.flatMap(({ outcomeId }) => outcomeId ?? []))]
    const places = new Map<string, TradedMarket>()
    for (let from = 0; from < outcomes.length; from += placesAtOnce) {
      await Promise.all(
        outcomes.slice(from, from + placesAtOnce).map(async (outcomeId) => {
          const place = await this.options.catalog.findPlace(venue, outcomeId)
          if (place !== null) places.set(outcomeId, place)
        }),
      )
    }
    return places
  }

  /**
   * Markets that ended before the catalog first walked the venue are in no list: their payouts are only looked up at the venue here. Unreadable ones
   * stay unsettled. Their outcomes are added to `places`.
   */
  private async unlisted(
    venue: TraderVenue,
    { wallet, rows }: Reading,
    places: Map<string, TradedMarket>,
  ): Promise<Market[]> {
    const unknown = rows.filter(({ outcomeId }) => outcomeId !== null && !places.has(outcomeId))
    const ids = [...new Set(unknown.map(({ marketId }) => marketId))].slice(0, marketsQueried)
    const markets: Market[] = []
    if (ids.length === 0) return markets
    const readThem = async (within: VenueContext): Promise<void> => {
      for (const id of ids) {
        within.signal.throwIfAborted()
        const found = await venue.fetchMarket(within, id)
        if (found !== null && !within.signal.aborted) markets.push(found.market)
      }
    }
    await this.reads
      .request(venue, `markets of ${wallet}`, readThem, marketsMs)
      .catch((error: unknown) =>
        this.options.log.debug({ venue: venue.slug, err: error }, 'markets of a wallet could not be read'),
      )
    for (const { marketId, outcomes } of markets)
      for (const { outcomeId } of outcomes) places.set(outcomeId, { marketId, outcomeId, closesAt: null })
    return markets
  }
}
