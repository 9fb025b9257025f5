// Xo's feed of activity in an event, as a public client of 2026 reads it: names but no wallets, dollars but no shares.

import { digestHex } from '../prng.ts'
import type { VenueCore } from '../restVenue.ts'
import { pageRows, SyntheticTraders } from '../syntheticTraders.ts'
import { type LabReply, type LabRoute, ok } from '../venueServer.ts'
import type { XoListing } from './marketGenerator.ts'
import { marketRow } from './rows.ts'

const syntheticTraders = new SyntheticTraders('xo')
const unknownEvent: LabReply = { status: 404, body: { statusCode: 404, message: 'Event not found' } }
/** Events are numbered separately from markets. */
const eventOf = (marketId: number): number => marketId + 500_000

export function traderRoutes({ engine, isKnown }: VenueCore, listing: XoListing): LabRoute[] {
  const row = (market: XoListing['markets'][number]) => marketRow(market, engine.glance(market.key)!)
  const known = listing.markets.filter(({ key }) => isKnown(key))
  return [
    {
      method: 'GET',
      path: '/api/v1/events/slug/:slug',
      handle({ params }) {
        const market = known.find((each) => row(each).slug === params.slug)
        if (market === undefined) return unknownEvent
        const marketEntry = row(market)
        return ok({ data: { id: eventOf(market.id), slug: marketEntry.slug, markets: [{ market: marketEntry }] } })
      },
    },
    {
      method: 'GET',
      path: '/api/v1/events/:id/activity',
      handle({ params, query }) {
        const market = known.find(({ id }) => eventOf(id) === Number(params.id))
        if (market === undefined) return unknownEvent
        const [page, take] = [Number(query.get('page') ?? 1), Number(query.get('take') ?? 20)]
        const trades = engine.glance(market.key)!.recentTrades()
        const { outcomes, slug, title } = row(market)
        const data = pageRows(trades, page, take).map((trade) => {
          const micros = trade.takerBuysYes ? trade.priceMicros : 1_000_000 - trade.priceMicros
          return {
            id: `${market.id}-${trade.ordinal}`,
            transactionHash: `0x${digestHex(`xo/${market.key}/${trade.ordinal}`)}`,
            executedAt: new Date(trade.atMs).toISOString(),
            activityType: trade.ordinal % 11 === 0 ? 'LIQUIDITY_ADDED' : 'USER_TRADE',
            positionType: 'BUY',
            outcome: { title: outcomes[trade.takerBuysYes ? 0 : 1]!.title },
            priceAtExecution: micros,
            volumeInUSD: ((micros * trade.size) / 1_000_000).toFixed(6),
            user: { username: syntheticTraders.takerOf(market.key, trade).name },
            market: { eventId: eventOf(market.id), eventSlug: slug, title },
          }
        })
        return ok({ data, meta: { page, take, hasNextPage: page * take < trades.length } })
      },
    },
  ]
}
