// Gemini's public reads: events, books and trades.

import type { VenueCore } from '../restVenue.ts'
import { type LabReply, type LabRoute, ok } from '../venueServer.ts'
import { refused } from './auth.ts'
import type { GeminiContract, GeminiListing } from './marketGenerator.ts'
import { bookRow, eventRow, tradeRow } from './rows.ts'

const pageMax = 500
const pageUsual = 50
const tradesMax = 500
const tradesUsual = 50

const unknownSymbol = (symbol: string): LabReply => refused(400, 'InvalidSymbol', `'${symbol}' is not a valid symbol`)

export function readRoutes({ engine, isKnown, shown }: VenueCore, listing: GeminiListing): LabRoute[] {
  const live = (contract: GeminiContract) => engine.glance(contract.key)!
  const events = '/v1/prediction-markets/events'
  const rowsOf = (statuses: readonly string[]) =>
    listing.events
      .map((event) => eventRow(event, live))
      .filter(({ status }) => statuses.length === 0 || statuses.includes(status))
  return [
    {
      method: 'GET',
      path: events,
      handle: ({ query }) => paged(rowsOf([...query.getAll('status'), ...query.getAll('status[]')]), query),
    },
    {
      method: 'GET',
      path: `${events}/recently-settled`,
      handle: ({ query }) =>
        paged(
          rowsOf(['settled']).sort((a, b) => Date.parse(b.resolvedAt ?? '') - Date.parse(a.resolvedAt ?? '')),
          query,
        ),
    },
    {
      method: 'GET',
      path: `${events}/:ticker`,
      handle({ params }) {
        const event = listing.byTicker.get(params.ticker!)
        return event === undefined ? refused(404, 'EventNotFound', 'event not found') : ok(eventRow(event, live))
      },
    },
    {
      method: 'GET',
      path: '/v1/book/:symbol',
      handle({ params, query }) {
        const contract = listing.bySymbol.get(params.symbol!)
        if (contract === undefined || !isKnown(contract.key)) return unknownSymbol(params.symbol!)
        const most = (name: string) => Number(query.get(name) ?? 50)
        return ok(bookRow(shown(contract.key), { bids: most('limit_bids'), asks: most('limit_asks') }))
      },
    },
    {
      method: 'GET',
      path: '/v1/trades/:symbol',
      handle({ params, query }) {
        const contract = listing.bySymbol.get(params.symbol!)
        if (contract === undefined || !isKnown(contract.key)) return unknownSymbol(params.symbol!)
        const limit = Number(query.get('limit_trades') ?? tradesUsual)
        if (!Number.isInteger(limit) || limit < 1 || limit > tradesMax) {
          return refused(400, 'InvalidLimit', `limit_trades must be from 1 to ${tradesMax}`)
        }
        return ok(
          live(contract)
            .recentTrades()
            .slice(0, limit)
            .map((trade) => tradeRow(contract, trade)),
        )
      },
    },
  ]
}

function paged(rows: readonly unknown[], query: URLSearchParams): LabReply {
  const limit = Math.min(pageMax, Number(query.get('limit') ?? pageUsual))
  const offset = Number(query.get('offset') ?? 0)
  if (!Number.isInteger(limit) || limit < 1 || !Number.isInteger(offset) || offset < 0) {
    return refused(400, 'InvalidQuery', 'limit and offset must be whole numbers')
  }
  return ok({ data: rows.slice(offset, offset + limit), pagination: { limit, offset, total: rows.length } })
}
