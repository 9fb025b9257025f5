// Finds the markets of a run, which books their outcomes read, and the tape of each.
import { booksOf } from '#history/paced/depth'
import { type EmittedFrame, tradesOf } from '#history/paced/sources'
import { paperFeesOf } from '#paper/accounts/fees'
import type { Market } from '#schemas/market'
import { canonicalVenue } from '#schemas/venues'
import type { VenueManifest } from '#venues/venue'
import { type BacktestMarket, type Feed, settlementOfRow } from '../markets/market.ts'
import { type BacktestOptions, BacktestRefusal } from '../runBacktest.ts'
import type { TapeSource } from '../tape/tapeReader.ts'
import type { BacktestData } from './ports.ts'

/** Rows of the tape per page and source. */
const pageRows = 20_000

export type LoadedMarkets = Pick<BacktestOptions, 'markets' | 'feeds' | 'sources' | 'gaps'>

export interface MarketName {
  venue: string
  marketId: string
}

/** `venue:marketId`, separated by commas. */
export function readMarketNames(text: string): MarketName[] {
  const names = text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .map((each) => {
      const colon = each.indexOf(':')
      if (colon < 1 || colon === each.length - 1)
        throw new BacktestRefusal(`--markets takes venue:marketId, separated by commas; this is not one: ${each}`)
      return { venue: canonicalVenue(each.slice(0, colon)), marketId: each.slice(colon + 1) }
    })
  if (names.length === 0) throw new BacktestRefusal('--markets names no market')
  return names
}

export async function loadMarkets(
  data: BacktestData,
  manifests: ReadonlyMap<string, VenueManifest>,
  names: readonly MarketName[],
  window: { sinceMs: number; untilMs: number },
  signal: AbortSignal,
): Promise<LoadedMarkets> {
  const markets: BacktestMarket[] = []
  const feeds: Feed[] = []
  for (const { venue, marketId } of names) {
    const manifest = manifests.get(venue)
    if (manifest === undefined) throw new BacktestRefusal(`there is no venue ${venue}`)
    const market = await data.findMarket(venue, marketId)
    if (market === null) throw new BacktestRefusal(`unknown market: ${venue}:${marketId}`)
    if (markets.some((other) => other.venue === venue && other.market.marketId === market.marketId)) continue
    markets.push(marketOf(manifest, marketId, market, feeds))
  }
  const sources: TapeSource[] = []
  const gaps: { feed: number; frame: EmittedFrame }[] = []
  for (const [feed, { venue, outcomeIds, catalogMarketId }] of feeds.entries()) {
    const taped = { venue, marketId: outcomeIds[0]!, outcomeIds, catalogMarketId }
    sources.push({ feed, pages: booksOf(data.tape, taped, window, pageRows, signal) })
    sources.push({ feed, pages: tradesOf(data.tape, taped, window, pageRows, signal) })
    const outcome = { venue, outcomeId: outcomeIds[0]!, marketId: catalogMarketId! }
    for (const frame of await data.gaps(outcome, window)) gaps.push({ feed, frame })
  }
  return { markets, feeds, sources, gaps }
}

/** Adds the feeds of the market that are not there yet. */
export function marketOf(manifest: VenueManifest, requested: string, market: Market, feeds: Feed[]): BacktestMarket {
  const venue: string = manifest.slug
  const books = new Map<string, number>()
  const bookOf = (outcomeId: string) =>
    manifest.data.bookRef(outcomeId, market.marketId) ?? { bookId: outcomeId, complement: false }
  // The side that a book belongs to comes first: the tape has its rows as they are.
  const ordered = [...market.outcomes].sort(
    (a, b) => Number(bookOf(a.outcomeId).complement) - Number(bookOf(b.outcomeId).complement),
  )
  const mirroredIn = new Map<number, boolean>()
  for (const { outcomeId } of ordered) {
    const { bookId, complement } = bookOf(outcomeId)
    if (books.has(bookId)) continue
    books.set(bookId, feeds.length)
    // A book whose own side is not an outcome of the market is read from the other side.
    mirroredIn.set(feeds.length, complement)
    feeds.push({ venue, outcomeIds: [outcomeId], catalogMarketId: market.marketId })
  }
  const outcomes = market.outcomes.map(({ outcomeId, label }) => {
    const { bookId, complement } = bookOf(outcomeId)
    const feed = books.get(bookId)!
    return { outcomeId, label, feed, mirrored: complement !== mirroredIn.get(feed)! }
  })
  const { collateral } = market.sourceMetadata
  const symbol = typeof collateral === 'string' && collateral !== '' ? collateral : manifest.deposit?.symbol
  return {
    ...{ venue, requested, market, outcomes },
    fees: paperFeesOf(market, manifest.data.feeModel(market).fee),
    currency: symbol ?? 'USD',
    settlement: settlementOfRow(market),
  }
}
