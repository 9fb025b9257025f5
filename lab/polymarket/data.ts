// The Data service, version 2: the public tape, open interest and price histories. Version 1 was retired on 2026-10-24: its routes are unknown here.

import type { Engine } from '../engine/engine.ts'
import type { LabTrade } from '../engine/market.ts'
import { SyntheticTraders } from '../syntheticTraders.ts'
import { type LabRoute, ok } from '../venueServer.ts'
import { isReply, type Place, pageOf, placeOf } from './dataPage.ts'
import { tradeView } from './encode.ts'
import type { PolyListing, PolyMarket } from './marketGenerator.ts'
import { pricesHistory } from './pricesHistory.ts'

/** Trades of a market searched for those of one side. */
const sidedReadMax = 5_000
const tradesPageMax = 1_000

export const syntheticTraders = new SyntheticTraders('polymarket')

export function dataRoutes(listing: PolyListing, engine: Engine, nowMs: () => number): LabRoute[] {
  return [
    {
      method: 'GET',
      path: '/data/v2/oi',
      handle({ query }) {
        const conditionIds = query.get('condition')?.split(',')
        const value = (markets: readonly PolyMarket[]): number =>
          markets.reduce((sum, { key }) => sum + engine.glance(key)!.volumeHundredths, 0) / 100
        const rows = conditionIds?.flatMap((id) => {
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
        const place = placeOf(query, { route: 'trades', standard: 100, max: tradesPageMax })
        if (isReply(place)) return place
        const rows = trades(listing, engine, query, place)
        return pageOf(
          'trades',
          place,
          rows.map(({ market, trade }) => tradeRow(market, trade)),
        )
      },
    },
    {
      method: 'GET',
      path: '/data/v2/prices-history',
      handle: ({ query }) => pricesHistory(listing, engine, query, nowMs()),
    },
  ]
}

function trades(listing: PolyListing, engine: Engine, query: URLSearchParams, { limit, offset }: Place) {
  const names = ['condition', 'condition_id', 'conditionId']
  const wanted = names.flatMap((name) => query.getAll(name)).flatMap((value) => value.split(','))
  const markets =
    wanted.length === 0
      ? listing.markets.filter(({ key }) => engine.touched(key) !== null)
      : wanted.flatMap((id) => listing.byCondition.get(id) ?? [])
  const side = query.get('side')
  const user = query.get('user')
  const end = offset + limit + 1
  if (user !== null) {
    const byKey = new Map(markets.map((market) => [market.key, market]))
    return syntheticTraders
      .tradesOf(user.toLowerCase(), engine, [...byKey.keys()])
      .map(({ key, trade }) => ({ market: byKey.get(key)!, trade }))
      .slice(offset, end)
  }
  // With a condition `start` and `end` are ignored.
  const window = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, most: side === null ? end : sidedReadMax }
  return markets
    .flatMap((market) =>
      engine
        .glance(market.key)!
        .log.read(window)
        .map((trade) => ({ market, trade })),
    )
    .filter(({ market, trade }) => side === null || tradeView(market, trade).side === side)
    .sort((a, b) => b.trade.atMs - a.trade.atMs || b.trade.ordinal - a.trade.ordinal)
    .slice(offset, end)
}

function tradeRow(market: PolyMarket, trade: LabTrade) {
  const view = tradeView(market, trade)
  const taker = syntheticTraders.takerOf(market.key, trade)
  return {
    proxy_wallet: taker.wallet,
    side: view.side,
    token_id: view.asset,
    condition_id: market.conditionId,
    size: trade.size,
    price: view.priceMicros / 1_000_000,
    timestamp: Math.floor(trade.atMs / 1000),
    title: market.catalog.question,
    slug: market.slug,
    icon: '',
    event_slug: market.event.slug,
    outcome: view.outcome,
    outcome_index: view.outcomeIndex,
    name: taker.name,
    pseudonym: '',
    bio: '',
    profile_image: '',
    profile_image_optimized: '',
    transaction_hash: view.transactionHash,
  }
}
