// Holders of a market's outcomes, largest first, as reported by the venue.

import { z } from 'zod'
import { Fault } from '#core/fault'
import { TraderHolder } from '#schemas/traders'
import { defineRoute } from '#server/http/defineRoute'
import { possibleHolder } from '#venues/shared/data/sanityChecks'
import { scoped } from '../disclaimers.ts'
import type { TradersRouteDeps } from '../traders.ts'
import { requireTraderData, supports, venueOf } from '../venue.ts'
import { counted, toTraderRows } from './checkReadable.ts'
import { answer, Limit, MarketPath, metaSchema, venueErrors } from './shapes.ts'

export const listTraderHolders = defineRoute({
  operationId: 'listTraderHolders',
  method: 'get',
  path: '/v1/traders/{venue}/markets/{marketId}/holders',
  family: 'traders',
  access: { scope: 'read', credits: 2 },
  summary: 'Holders of a market’s outcomes, largest first',
  tag: 'traders',
  params: MarketPath,
  query: z.object({ limit: Limit }),
  data: z.array(TraderHolder),
  topLevelFields: metaSchema,
  errors: [...venueErrors, 'MARKET_NOT_FOUND', 'CATALOG_UNAVAILABLE'],
  async handle({ params: { venue: slug, marketId }, query: { limit }, principal }, { traders }: TradersRouteDeps) {
    const venue = venueOf(traders.venues, slug, principal)
    const able = supports(venue, 'fetchHolders')
    requireTraderData(venue, able)
    const market = await traders.findMarket(venue, marketId)
    if (market === null) throw new Fault('MARKET_NOT_FOUND', 'no such market', { exchange: venue.slug })
    const key = `holders ${JSON.stringify([market.marketId, limit])}`
    const found = await traders.reads.request(
      venue,
      key,
      counted((context) => able.fetchHolders(context, market, limit)),
    )
    const { rows, notes } = toTraderRows(venue.slug, found, possibleHolder)
    return answer(rows, { asOf: traders.clock.now(), source: 'venue-rest', notes: [...notes, ...able.notes, scoped] })
  },
})
