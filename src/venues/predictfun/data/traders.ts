// Trades and leaders. The venue ranks by points only; holders of an outcome are not published.
import type { z } from 'zod'
import type { Market } from '#schemas/market'
import type { NativeLeader, TraderTrade } from '#schemas/traders'
import { microsOf, numberOf, probabilityOf, unitsOf } from '../../shared/data/parsers.ts'
import { read, readKnown, unreadable } from '../../shared/data/rest.ts'
import { readTape } from '../../shared/data/rows.ts'
import { evmWallet, named, statsOf } from '../../shared/data/wallets.ts'
import type { TradersPage, TradersPageOf, VenueTraders, WalletProfile } from '../../traderData.ts'
import type { VenueContext } from '../../venueContext.ts'
import { idsOf, isMarketId } from '../ids.ts'
import { PredictMatch, PredictPage } from '../wire.ts'
import { PredictAccount, PredictLeader, PredictLeaders, PredictParties } from '../wireTraders.ts'
import { isUnknown, keyOf } from './endpoints.ts'
import { normalizeTrade } from './tape.ts'

const decimals = 18

const fetchTrades = (context: VenueContext, { marketId }: Market, page: TradersPage) =>
  isMarketId(marketId)
    ? matches(context, { marketId }, page, takerTrade)
    : Promise.resolve<TradersPageOf<TraderTrade>>({ rows: [], next: null })

const fetchWalletTrades = (context: VenueContext, wallet: string, page: TradersPage) =>
  matches(context, { signerAddress: wallet }, page, (match, parties) => ownTrade(match, parties, wallet))

type MatchMapper = (match: PredictMatch, parties: PredictParties) => TraderTrade | null

async function matches(
  context: VenueContext,
  filter: { marketId: string } | { signerAddress: string },
  { limit, after }: TradersPage,
  toTrade: MatchMapper,
): Promise<TradersPageOf<TraderTrade>> {
  const page = await read(context, {
    path: '/v1/orders/matches',
    query: { ...filter, first: limit, after: after === null ? undefined : String(after) },
    body: PredictPage,
    isUnknown,
    ...keyOf(context),
  })
  const rows = readTape(context, page?.data, {
    what: 'match',
    name: 'settlementId',
    read(row) {
      const [match, parties] = [PredictMatch.safeParse(row).data, PredictParties.safeParse(row).data]
      return match === undefined || parties === undefined ? null : toTrade(match, parties)
    },
  })
  return { rows, next: page?.cursor || null }
}

/** From the perspective of the taker's outcome. */
function takerTrade(match: PredictMatch, { market, taker }: PredictParties): TraderTrade | null {
  const outcomeId = outcomeOf(market.id, taker.outcome.indexSet)
  const isSecond = taker.outcome.indexSet === 2
  const trade = outcomeId === null ? null : normalizeTrade(match, outcomeId, isSecond ? 2 : 1)
  if (trade === null) return null
  return {
    venue: 'predictfun',
    marketId: market.id,
    outcomeId: trade.outcomeId,
    tradeId: trade.id,
    ts: trade.timestamp,
    wallet: evmWallet(taker.signer),
    side: trade.side === 'unknown' ? null : trade.side,
    price: trade.price,
    amount: trade.amount,
    usdSize: null,
  }
}

/** A maker fills at its own price; its share of the match is only known if it was the only maker. */
function ownTrade(match: PredictMatch, parties: PredictParties, wallet: string): TraderTrade | null {
  const { market, taker, makers } = parties
  const asTaker = takerTrade(match, parties)
  if (asTaker === null || evmWallet(taker.signer) === wallet) return asTaker
  const maker = makers.find(({ signer }) => evmWallet(signer) === wallet)
  if (maker === undefined) return { ...asTaker, wallet, outcomeId: null, side: null, price: null, amount: null }
  const price = unitsOf(maker.price, decimals)
  return {
    ...asTaker,
    wallet,
    outcomeId: outcomeOf(market.id, maker.outcome.indexSet),
    side: maker.quoteType === 'Bid' ? 'buy' : maker.quoteType === 'Ask' ? 'sell' : null,
    price: price === null ? null : probabilityOf(microsOf(price)),
    amount: makers.length === 1 ? asTaker.amount : null,
  }
}

const outcomeOf = (marketId: string, indexSet: number): string | null =>
  isMarketId(marketId) ? (idsOf(marketId)[indexSet - 1] ?? null) : null

/**
 * The site's own API, queried as the site does: it takes no key. Every part of a query is ours or of a checked form.
 */
async function ask<S extends z.ZodType<{ errors?: unknown[] | null | undefined }>>(
  context: VenueContext,
  query: string,
  body: S,
): Promise<z.output<S>> {
  const answer = await readKnown(context, {
    base: 'GRAPHQL',
    path: '',
    what: 'graphql',
    method: 'POST',
    send: { query },
    headers: { origin: 'https://predict.fun' },
    body,
  })
  if ((answer.errors ?? []).length > 0)
    throw unreadable(context, 'graphql', JSON.stringify(answer.errors).slice(0, 300))
  return answer
}

async function fetchLeaders(
  context: VenueContext,
  { limit }: { limit: number },
): Promise<{ rows: NativeLeader[]; asOf: number }> {
  const query = `{ leaderboard(pagination: { first: ${limit} }) { edges { node { rank totalPoints account { name address } } } pageInfo { hasNextPage endCursor } } }`
  const { data } = await ask(context, query, PredictLeaders)
  const rows = readTape(
    context,
    data.leaderboard.edges.map(({ node }) => node),
    {
      what: 'leader',
      name: 'rank',
      read(node): NativeLeader | null {
        const leader = PredictLeader.safeParse(node).data
        const wallet = evmWallet(leader?.account.address ?? '')
        if (leader === undefined || wallet === null) return null
        const { rank, account } = leader
        const unranked = { window: 'all' as const, profitUsd: null, volumeUsd: null }
        return { venue: 'predictfun', wallet, ...named(account.name), rank, ...unranked }
      },
    },
  )
  return { rows: rows.slice(0, limit), asOf: context.clock.now() }
}

async function fetchWallet(context: VenueContext, wallet: string): Promise<WalletProfile | null> {
  const query = `{ account(address: "${wallet}") { name statistics { volumeUsd marketsCount } } }`
  const {
    data: { account },
  } = await ask(context, query, PredictAccount)
  if (account === null) return null
  return {
    displayName: named(account.name).displayName ?? null,
    stats: statsOf({
      marketsTraded: account.statistics?.marketsCount ?? null,
      totalVolumeUsd: numberOf(account.statistics?.volumeUsd),
    }),
  }
}

export const traders: VenueTraders = {
  walletOf: evmWallet,
  notes: [
    'Predict.fun: the venue ranks by points only, whatever is requested, so profit and volume of its leaderboard are null; it values no trade in dollars.',
  ],
  fetchTrades,
  leaderboard: { windows: { profit: ['all'], volume: ['all'], score: ['all'] }, fetch: fetchLeaders },
  walletFields: ['marketsTraded', 'totalVolumeUsd'],
  fetchWallet,
  fetchWalletTrades,
}
