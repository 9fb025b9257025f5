// Pascal's public reads. No key; an envelope of success or error around everything.

import type { VenueCore } from '../restVenue.ts'
import { type LabReply, type LabRequest, type LabRoute, ok } from '../venueServer.ts'
import type { PascalListing, PascalMarket } from './marketGenerator.ts'
import { bookRow, marketRow, tradeRow } from './rows.ts'
import type { States } from './states.ts'

const booksMax = 50
const tradedSymbolsMax = 30
const tradesMax = 500
const tradesUsual = 100

export const refused = (status: number, code: string, message: string): LabReply => ({
  status,
  body: { status: 'error', data: { code, message } },
})
export function readRoutes(
  { engine, isKnown, shown, nowMs }: VenueCore,
  listing: PascalListing,
  states: States,
): LabRoute[] {
  const success = (data: unknown): LabReply => ok({ status: 'success', data, ...states.stamp(states.atMs, nowMs()) })
  const row = (market: PascalMarket) => marketRow(market, engine.glance(market.key)!)
  const get = (path: string, handle: (request: LabRequest) => LabReply): LabRoute => ({ method: 'GET', path, handle })
  /** Null when there are too many. */
  const requestedMarkets = (query: URLSearchParams, most: number): PascalMarket[] | null => {
    const symbols = (query.get('symbols') ?? '').split(',').filter((symbol) => symbol !== '')
    if (symbols.length === 0 || symbols.length > most) return null
    return symbols.flatMap((symbol) => listing.bySymbol.get(symbol) ?? []).filter(({ key }) => isKnown(key))
  }
  return [
    get('/api/v1/time', () => success({ server_time_ms: String(nowMs()) })),
    get('/api/v1/markets', () =>
      success(listing.markets.filter(({ key }) => isKnown(key) && engine.statusOf(key) !== 'resolved').map(row)),
    ),
    {
      method: 'POST',
      path: '/api/v1/markets/search',
      handle({ body }) {
        const { symbols = [], events = [] } = (body ?? {}) as { symbols?: string[]; events?: string[] }
        const found = listing.markets.filter(
          ({ key, symbol, event }) => isKnown(key) && (symbols.includes(symbol) || events.includes(event.code)),
        )
        return success(found.map(row))
      },
    },
    get('/api/v1/books', ({ query }) => {
      const markets = requestedMarkets(query, booksMax)
      if (markets === null) return refused(400, 'INVALID_SYMBOLS', `symbols must name 1 to ${booksMax} markets`)
      return success({ books: Object.fromEntries(markets.map(({ key, symbol }) => [symbol, bookRow(shown(key))])) })
    }),
    get('/api/v1/trades', ({ query }) => {
      const markets = requestedMarkets(query, tradedSymbolsMax)
      if (markets === null) return refused(400, 'INVALID_SYMBOLS', `symbols must name 1 to ${tradedSymbolsMax} markets`)
      const limit = Number(query.get('limit') ?? tradesUsual)
      if (!Number.isInteger(limit) || limit < 1 || limit > tradesMax) {
        return refused(400, 'INVALID_LIMIT', `limit must be from 1 to ${tradesMax}`)
      }
      const [before, until] = [query.get('before_cursor'), query.get('at_or_before_seq')]
      if (before !== null && until !== null) return refused(400, 'INVALID_CURSOR', 'one starting point at most')
      const trades = markets
        .flatMap((market) =>
          engine
            .glance(market.key)!
            .recentTrades()
            .map((trade) => ({ market, trade, cursor: cursorOf(trade) })),
        )
        .sort((a, b) => (a.cursor < b.cursor ? 1 : -1))
        .filter(({ trade, cursor }) => cursor < (before ?? '~') && trade.atMs <= Number(until ?? Infinity))
      const page = trades.slice(0, limit)
      return success({
        items: page.map(({ market, trade }) => tradeRow(market, trade)),
        next_cursor: page.length < trades.length ? page.at(-1)!.cursor : null,
      })
    }),
  ]
}

/** `00000001790000000000:0000000042` */
const cursorOf = ({ atMs, ordinal }: { atMs: number; ordinal: number }): string =>
  `${String(atMs).padStart(20, '0')}:${String(ordinal).padStart(10, '0')}`
