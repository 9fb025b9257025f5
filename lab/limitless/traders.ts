// Limitless' data on traders. Shapes: the venue's own website (holders, leaderboard), dashboards of 2026 (volumes, results).

import type { VenueCore } from '../restVenue.ts'
import { pageRows } from '../syntheticTraders.ts'
import { type LabRoute, ok } from '../venueServer.ts'
import type { LimitlessListing } from './marketGenerator.ts'
import { heldMarkets } from './positions.ts'
import { refused } from './reads.ts'
import { syntheticTraders } from './rows.ts'
import type { TokenChanges } from './tokenChanges.ts'

const units = (shares: number): string => String(Math.round(shares * 1e6))

export function traderRoutes(
  { engine, isKnown }: VenueCore,
  listing: LimitlessListing,
  changes: TokenChanges,
): LabRoute[] {
  const keys = listing.markets.filter(({ pool }) => pool === null).map(({ key }) => key)
  return [
    {
      method: 'GET',
      path: '/markets/:slug/holders',
      handle({ params, query }) {
        const market = listing.byName.get(params.slug!)
        if (market === undefined || !isKnown(market.key)) return refused(404, 'Market not found')
        const [page, limit] = [Number(query.get('page') ?? 1), Number(query.get('limit') ?? 10)]
        const mid = engine.glance(market.key)!.midMicros() / 1e6
        const side = (name: 'yes' | 'no', price: number) => {
          const held = syntheticTraders
            .holdingsOf(market.key, engine)
            .filter((row) => row[name] > 0)
            .sort((a, b) => b[name] - a[name])
          const data = pageRows(held, page, limit).map((row) => ({
            user: row.trader.wallet,
            username: row.trader.name,
            contracts: units(row[name]),
            contractsFormatted: row[name].toFixed(6),
            valueUSDC: units(row[name] * price),
            valueUSDCFormatted: (row[name] * price).toFixed(6),
            tokenId: market.tokens[name],
          }))
          return { data, total: held.length }
        }
        return ok({ yes: side('yes', mid), no: side('no', 1 - mid) })
      },
    },
    {
      method: 'GET',
      path: '/leaderboard/:period',
      handle({ params, query }) {
        if (!['all-time', 'month', 'week', 'day'].includes(params.period!)) return refused(404, 'Cannot GET')
        const [page, limit] = [Number(query.get('page') ?? 1), Number(query.get('limit') ?? 10)]
        const ranked = syntheticTraders.all.toSorted((a, b) => b.volume - a.volume)
        const data = pageRows(ranked, page, limit).map(({ wallet, name, volume }) => ({
          account: wallet,
          displayName: name,
          pfpUrl: null,
          totalVolume: String(volume),
        }))
        return ok({ data, totalCount: String(ranked.length) })
      },
    },
    {
      method: 'GET',
      path: '/portfolio/:account/traded-volume',
      handle: ({ params }) => ok({ data: String(syntheticTraders.find(params.account)?.volume ?? 0) }),
    },
    {
      method: 'GET',
      path: '/portfolio/:account/positions',
      handle({ params }) {
        const trader = syntheticTraders.find(params.account)
        const clob = trader === null ? [] : syntheticTraders.tradesOf(trader.wallet, engine, keys).slice(0, 1)
        const orders = engine.orderManager.ordersOf(params.account!.toLowerCase())
        const held = heldMarkets(orders, listing, changes.of(params.account!))
        return ok({ amm: [], clob: [...clob.map(({ key }) => ({ market: { key } })), ...held], group: [] })
      },
    },
    {
      method: 'GET',
      path: '/portfolio/:account/pnl-chart',
      handle: ({ params, query }) =>
        ok({
          timeframe: query.get('timeframe') ?? '1d',
          data: [],
          current: { realised: { usd: syntheticTraders.find(params.account)?.profit ?? 0 } },
        }),
    },
  ]
}
