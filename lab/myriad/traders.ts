// Myriad's data on traders: holders, and a wallet's actions on pools.

import type { VenueCore } from '../restVenue.ts'
import { pageRows } from '../syntheticTraders.ts'
import { type LabRoute, ok } from '../venueServer.ts'
import type { MyriadListing } from './marketGenerator.ts'
import { paged, refused } from './reads.ts'
import { actionRow, syntheticTraders } from './rows.ts'

export function traderRoutes({ engine, isKnown }: VenueCore, listing: MyriadListing): LabRoute[] {
  const pools = listing.markets.filter(({ model }) => model === 'amm')
  const byKey = new Map(pools.map((market) => [market.key, market]))
  const actions = (wallet: string) => syntheticTraders.tradesOf(wallet.toLowerCase(), engine, [...byKey.keys()])
  return [
    {
      method: 'GET',
      path: '/markets/:id/holders',
      handle({ params, query }) {
        const model = query.get('trading_model') ?? 'amm'
        const market = listing.byName.get(`${query.get('network_id')}:${model}:${params.id}`)
        if (market === undefined || !isKnown(market.key)) return refused(404, 'Market not found')
        const [page, limit] = [Number(query.get('page') ?? 1), Number(query.get('limit') ?? 20)]
        const held = syntheticTraders.holdingsOf(market.key, engine)
        const outcome = (outcomeId: number, name: 'yes' | 'no', outcomeTitle: string) => {
          const holders = held
            .filter((row) => row[name] > 0)
            .sort((a, b) => b[name] - a[name])
            .map((row) => ({ user: row.trader.wallet, shares: row[name] }))
          return { outcomeId, outcomeTitle, totalHolders: holders.length, holders: pageRows(holders, page, limit) }
        }
        const data = [outcome(0, 'yes', 'Yes'), outcome(1, 'no', market.catalog.opposite)]
        return ok({
          data,
          pagination: { page, limit, total: data.length, totalPages: 1, hasNext: false, hasPrev: false },
        })
      },
    },
    {
      method: 'GET',
      path: '/users/:address/events',
      handle: ({ params, query }) =>
        paged(actions(params.address!), query, ({ key, trade }) => actionRow(byKey.get(key)!, trade)),
    },
    {
      method: 'GET',
      path: '/users/:address/markets',
      handle: ({ params, query }) =>
        paged([...new Set(actions(params.address!).map(({ key }) => key))], query, (key) => ({
          marketId: byKey.get(key)!.id,
          networkId: byKey.get(key)!.networkId,
        })),
    },
  ]
}
