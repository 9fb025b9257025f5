// Trades on a market, newest first, as reported by the venue.

import { z } from 'zod'
import { Fault } from '#core/fault'
import { NextCursor } from '#schemas/envelope'
import { TraderTrade } from '#schemas/traders'
import { defineRoute } from '#server/http/defineRoute'
import { isSaneTrade } from '#venues/shared/data/sanityChecks'
import { scoped } from '../disclaimers.ts'
import type { TradersRouteDeps } from '../traders.ts'
import { requireTraderData, supports, venueOf } from '../venue.ts'
import { counted, toTraderRows } from './checkReadable.ts'
import { answer, MarketPath, metaSchema, PageQuery, venueErrors } from './shapes.ts'
import { nextOf, pageOf } from './venuePage.ts'

export const listTraderTrades = defineRoute({
  operationId: 'listTraderTrades',
  method: 'get',
  path: '/v1/traders/{venue}/markets/{marketId}/trades',
  family: 'traders',
  access: { scope: 'read', credits: 2 },
  summary: 'Trades of a market with the wallets that made them, newest first; what the venue does not prove is null',
  tag: 'traders',
  params: MarketPath,
  query: PageQuery,
  data: z.array(TraderTrade),
  topLevelFields: { ...metaSchema, nextCursor: NextCursor },
  errors: [...venueErrors, 'MARKET_NOT_FOUND', 'CATALOG_UNAVAILABLE'],
  async handle({ params, query, principal }, { traders }: TradersRouteDeps) {
    const { marketId } = params
    const venue = venueOf(traders.venues, params.venue, principal)
    const able = supports(venue, 'fetchTrades')
    requireTraderData(venue, able)
    const cursorOf = { kind: 'traderTrades', of: { venue: venue.slug, marketId } }
    const page = pageOf(traders, cursorOf, query)
    const market = await traders.findMarket(venue, marketId)
    if (market === null) throw new Fault('MARKET_NOT_FOUND', 'no such market', { exchange: venue.slug })
    const key = `trades ${JSON.stringify([market.marketId, page])}`
    const found = await traders.reads.request(
      venue,
      key,
      counted((context) => able.fetchTrades(context, market, page)),
    )
    const { next, rows: answered } = found.answer
    const { rows, notes } = toTraderRows(venue.slug, { ...found, answer: answered }, (row) =>
      isSaneTrade(row, traders.clock.now()),
    )
    return answer(rows, {
      asOf: traders.clock.now(),
      source: 'venue-rest',
      notes: [...notes, ...able.notes, scoped],
      nextCursor: nextOf(traders, cursorOf, { next }),
    })
  },
})
