// The Data service's data on traders: holders, the leaderboard, a wallet's traded volume.
import type { Engine } from '../engine/engine.ts'
import { type LabReply, type LabRoute, ok } from '../host.ts'
import { crowd } from './data.ts'
import type { PolyListing } from './listing.ts'

const leadersMax = 50
const holdersMax = 100
const refused = (error: string): LabReply => ({ status: 400, body: { error } })
/** Share of the total per time window. */
const shares: Readonly<Record<string, number>> = { DAY: 0.01, WEEK: 0.05, MONTH: 0.2, ALL: 1 }

export function traderRoutes(listing: PolyListing, engine: Engine): LabRoute[] {
  return [
    {
      method: 'GET',
      path: '/data/v2/holders',
      handle({ query }) {
        const [condition, limit] = [query.get('condition') ?? '', Number(query.get('limit') ?? 100)]
        if (limit > holdersMax) return refused('limit must be at most 100 with include_pnl')
        const market = listing.byCondition.get(condition)
        const holdings = market === undefined ? [] : crowd.holdingsOf(market.key, engine)
        const mid = market === undefined ? 0 : engine.glance(market.key)!.midMicros() / 1e6
        const data = (market?.tokens ?? []).map((token_id, index) => ({
          token_id,
          holders: holdings
            .map(({ trader, yes, no }) => ({ trader, amount: index === 0 ? yes : no }))
            .filter(({ amount }) => amount > 0)
            .sort((a, b) => b.amount - a.amount)
            .slice(0, limit)
            .map(({ trader, amount }) => ({
              proxy_wallet: trader.wallet,
              token_id,
              amount,
              outcome_index: index,
              name: trader.name,
              pseudonym: '',
              verified: false,
              current_value: Number((amount * (index === 0 ? mid : 1 - mid)).toFixed(6)),
            })),
        }))
        return ok({ data, pagination: { limit, offset: 0, has_more: false, next_cursor: null } })
      },
    },
    {
      method: 'GET',
      path: '/data/v1/leaderboard',
      handle({ query }) {
        const [limit, offset] = [Number(query.get('limit') ?? 25), Number(query.get('offset') ?? 0)]
        const share = shares[query.get('timePeriod') ?? 'DAY']
        if (share === undefined || limit > leadersMax) return refused('invalid timePeriod or limit')
        const by = query.get('orderBy') === 'VOL' ? ('volume' as const) : ('profit' as const)
        const rows = crowd.all
          .toSorted((a, b) => b[by] - a[by])
          .map(({ wallet, name, volume, profit }, index) => ({
            rank: String(index + 1),
            proxyWallet: wallet,
            userName: name,
            vol: volume * share,
            pnl: profit * share,
            profileImage: '',
            xUsername: '',
            verifiedBadge: false,
          }))
        const user = query.get('user')?.toLowerCase()
        const asked = user === undefined ? rows : rows.filter(({ proxyWallet }) => proxyWallet === user)
        return ok(asked.slice(offset, offset + limit))
      },
    },
    {
      method: 'GET',
      path: '/data/traded',
      handle({ query }) {
        const user = query.get('user') ?? ''
        const keys = listing.markets.map(({ key }) => key)
        const traded = new Set(crowd.tradesOf(user.toLowerCase(), engine, keys).map(({ key }) => key)).size
        return ok({ user, traded })
      },
    },
  ]
}
