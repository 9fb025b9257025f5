// The Data service: the public tape in both of its shapes.
import { Crowd } from '../crowd.ts'
import type { Engine } from '../engine/engine.ts'
import type { LabTrade } from '../engine/market.ts'
import { type LabRoute, ok } from '../host.ts'
import { tradeView } from './encode.ts'
import type { PolyListing, PolyMarket } from './listing.ts'

/** Trades of a market searched for those of one side. */
const sidedReadMax = 5_000

export const crowd = new Crowd('polymarket')

export function dataRoutes(listing: PolyListing, engine: Engine): LabRoute[] {
  return [
    {
      method: 'GET',
      path: '/data/trades',
      handle: ({ query }) =>
        ok(trades(listing, engine, query, 'market').map(({ market, trade }) => tradeRow(market, trade))),
    },
    {
      method: 'GET',
      path: '/data/v2/oi',
      handle({ query }) {
        const asked = query.get('condition')?.split(',')
        const value = (markets: readonly PolyMarket[]): number =>
          markets.reduce((sum, { key }) => sum + engine.glance(key)!.volumeHundredths, 0) / 100
        const rows = asked?.flatMap((id) => {
          const market = listing.byCondition.get(id)
          return market === undefined ? [] : [{ condition_id: id, value: value([market]) }]
        })
        return ok({ data: rows ?? [{ condition_id: 'GLOBAL', value: value(listing.markets) }] })
      },
    },
    {
      method: 'GET',
      path: '/data/v2/trades',
      handle({ query }) {
        const limit = Number(query.get('limit') ?? 100)
        if (limit > 1000) return { status: 400, body: { error: 'limit must be at most 1000' } }
        const offset = Number(query.get('cursor') ?? 0)
        const rows = trades(listing, engine, query, 'condition', offset, limit + 1)
        const more = rows.length > limit
        const data = rows.slice(0, limit).map(({ market, trade }) => snakeRow(tradeRow(market, trade)))
        const next_cursor = more ? String(offset + limit) : null
        return ok({ data, pagination: { limit, offset, has_more: more, next_cursor } })
      },
    },
  ]
}

function trades(
  listing: PolyListing,
  engine: Engine,
  query: URLSearchParams,
  filter: string,
  from?: number,
  most?: number,
) {
  const wanted = [...query.getAll(filter), ...query.getAll('condition_id')].flatMap((value) => value.split(','))
  const markets =
    wanted.length === 0
      ? listing.markets.filter(({ key }) => engine.touched(key) !== null)
      : wanted.flatMap((id) => listing.byCondition.get(id) ?? [])
  const start = Number(query.get('start') ?? 0) * 1000
  const end = Number(query.get('end') ?? Number.MAX_SAFE_INTEGER / 1000) * 1000
  const side = query.get('side')
  const user = query.get('user')
  const offset = from ?? Math.min(1000, Number(query.get('offset') ?? 0))
  const limit = most ?? Math.min(500, Number(query.get('limit') ?? 100))
  if (user !== null) {
    const byKey = new Map(markets.map((market) => [market.key, market]))
    return crowd
      .tradesOf(user.toLowerCase(), engine, [...byKey.keys()])
      .map(({ key, trade }) => ({ market: byKey.get(key)!, trade }))
      .slice(offset, offset + limit)
  }
  const window = { fromMs: start, toMs: end, most: side === null ? offset + limit : sidedReadMax }
  return markets
    .flatMap((market) =>
      engine
        .glance(market.key)!
        .log.read(window)
        .map((trade) => ({ market, trade })),
    )
    .filter(({ market, trade }) => side === null || tradeView(market, trade).side === side)
    .sort((a, b) => b.trade.atMs - a.trade.atMs || b.trade.ordinal - a.trade.ordinal)
    .slice(offset, offset + limit)
}

function tradeRow(market: PolyMarket, trade: LabTrade) {
  const view = tradeView(market, trade)
  const taker = crowd.takerOf(market.key, trade)
  return {
    proxyWallet: taker.wallet,
    side: view.side,
    asset: view.asset,
    conditionId: market.conditionId,
    size: trade.size,
    price: view.priceMicros / 1_000_000,
    timestamp: Math.floor(trade.atMs / 1000),
    title: market.catalog.question,
    slug: market.slug,
    icon: '',
    eventSlug: market.event.slug,
    outcome: view.outcome,
    outcomeIndex: view.outcomeIndex,
    name: taker.name,
    pseudonym: '',
    bio: '',
    profileImage: '',
    profileImageOptimized: '',
    transactionHash: view.transactionHash,
  }
}

function snakeRow({ asset, ...row }: ReturnType<typeof tradeRow>): Record<string, unknown> {
  const snake = Object.entries(row).map(([key, value]) => [key.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`), value])
  return { token_id: asset, ...Object.fromEntries(snake) }
}
