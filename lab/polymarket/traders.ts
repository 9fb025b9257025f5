// The Data service's data on traders: holders, the leaderboard, a wallet's figures.
import type { Engine } from '../engine/engine.ts'
import { type LabRoute, ok } from '../venueServer.ts'
import { syntheticTraders } from './data.ts'
import { isReply, pageOf, placeOf, refused } from './dataPage.ts'
import type { PolyListing } from './marketGenerator.ts'

const leadersMax = 1_000
const holdersMax = 100
/** Share of the total per time window. */
const shares: Readonly<Record<string, number>> = { day: 0.01, week: 0.05, month: 0.2, all: 1 }
/** What a dollar of a trader's volume bought on average. */
const sharesPerDollar = 2

export function traderRoutes(listing: PolyListing, engine: Engine): LabRoute[] {
  return [
    {
      method: 'GET',
      path: '/data/v2/holders',
      handle({ query }) {
        const [condition, limit] = [query.get('condition') ?? '', Number(query.get('limit') ?? 100)]
        if (limit > holdersMax) return refused('limit must be at most 100 with include_pnl')
        const market = listing.byCondition.get(condition)
        const holdings = market === undefined ? [] : syntheticTraders.holdingsOf(market.key, engine)
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
      path: '/data/v2/leaderboard',
      handle({ query }) {
        const share = shares[query.get('time_period') ?? 'day']
        if (share === undefined) return refused('time_period must be one of day, week, month, all', 'time_period')
        const sort = query.get('sort_by') ?? 'PNL'
        if (sort !== 'PNL' && sort !== 'VOLUME') return refused('sort_by must be PNL or VOLUME', 'sort_by')
        const user = query.get('user')?.toLowerCase()
        if (user !== undefined) {
          const ranks = { rank_pnl: rankOf('profit', user), rank_volume: rankOf('volume', user) }
          const trader = syntheticTraders.all.find(({ wallet }) => wallet === user)
          return ok({ data: trader === undefined ? null : { ...traderStats(trader, share), ...ranks } })
        }
        const place = placeOf(query, { route: 'leaderboard', standard: 25, max: leadersMax })
        if (isReply(place)) return place
        const rows = ranked(sort === 'PNL' ? 'profit' : 'volume').map((trader, index) => ({
          rank: index + 1,
          ...traderStats(trader, share),
        }))
        return pageOf('leaderboard', place, rows.slice(place.offset, place.offset + place.limit + 1))
      },
    },
    {
      method: 'GET',
      path: '/data/v2/user-stats',
      handle({ query }) {
        const user = query.get('user')?.toLowerCase()
        if (user === undefined) return refused("required query param 'user' not provided", 'user')
        if (!syntheticTraders.all.some(({ wallet }) => wallet === user)) return ok({ data: null })
        const trades = new Set(tradesOf(user).map(({ key }) => key)).size
        return ok({
          data: { proxy_wallet: user, trades, biggest_win: 0, views: 0, join_date: null, all_time_pnl: null },
        })
      },
    },
    {
      method: 'GET',
      path: '/data/v2/user-volume',
      handle({ query }) {
        const user = query.get('user')?.toLowerCase()
        if (user === undefined) return refused("required query param 'user' not provided", 'user')
        const trader = syntheticTraders.all.find(({ wallet }) => wallet === user)
        const volume_usdc = trader?.volume ?? 0
        return ok({
          data: { volume: volume_usdc * sharesPerDollar, volume_usdc, trade_count: tradesOf(user).length },
        })
      },
    },
  ]

  function tradesOf(user: string) {
    return syntheticTraders.tradesOf(
      user,
      engine,
      listing.markets.map(({ key }) => key),
    )
  }
}

type Ranking = 'profit' | 'volume'
type Trader = (typeof syntheticTraders.all)[number]

const ranked = (by: Ranking): Trader[] => syntheticTraders.all.toSorted((a, b) => b[by] - a[by])
/** 0: unranked. */
const rankOf = (by: Ranking, user: string): number => ranked(by).findIndex(({ wallet }) => wallet === user) + 1

const traderStats = ({ wallet, name, volume, profit }: Trader, share: number) => ({
  user_id: wallet,
  user_name: name,
  // In shares, both sides.
  volume: volume * share * sharesPerDollar,
  pnl: profit * share,
  profile_image: '',
  x_username: '',
  verified: false,
})
