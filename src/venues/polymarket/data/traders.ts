// Trades, holders and leaders, from the venue's Data API.
import type { Market } from '#schemas/market'
import type { LeaderboardWindow, NativeLeader, TraderHolder, TraderTrade } from '#schemas/traders'
import { type BehindCursor, rowsBehind } from '../../shared/data/behind.ts'
import { furtherPage } from '../../shared/data/pages.ts'
import { isPrice } from '../../shared/data/possible.ts'
import { numberOf, timeOfEpoch } from '../../shared/data/readers.ts'
import { read, readKnown } from '../../shared/data/rest.ts'
import { readTape, shaped } from '../../shared/data/rows.ts'
import { evmWallet, named, statsOf, usdOf } from '../../shared/data/wallets.ts'
import type {
  NativeRanking,
  TradersPage,
  TradersPageOf,
  TradersPlace,
  VenueTraders,
  WalletProfile,
} from '../../traders.ts'
import type { VenueContext } from '../../venue.ts'
import {
  DataHolder,
  DataHolders,
  DataLeader,
  DataLeaders,
  DataPage,
  DataTraded,
  DataTraderTrade,
} from '../wireTraders.ts'
import { type Fill, FillNames, fillNamesOf } from './fillNames.ts'
import { ofMarket } from './normalizeTape.ts'

/** Rows per page of the ranking. */
const leadersPerPage = 50
/** With each holding's value included, the venue returns no more per token. */
const holdersMax = 100

/** One row per match, the taker's. */
const fetchTrades = (context: VenueContext, market: Market, page: TradersPage) =>
  tradesOf(context, { condition: conditionOf(market), taker_only: true }, page, market.marketId)

/** Includes trades in which the wallet's own order rested. */
const fetchWalletTrades = (context: VenueContext, wallet: string, page: TradersPage) =>
  tradesOf(context, { user: wallet, taker_only: false }, page, null)

async function tradesOf(
  context: VenueContext,
  filter: { condition: string | null; taker_only: boolean } | { user: string; taker_only: boolean },
  { limit, after }: TradersPage,
  marketId: string | null,
): Promise<TradersPageOf<TraderTrade>> {
  if ('condition' in filter && filter.condition === null) return { rows: [], next: null }
  const from = after === null ? null : placeOf(after)
  const page = await readKnown(context, {
    base: 'DATA',
    path: '/v2/trades',
    query: { ...filter, condition: 'condition' in filter ? filter.condition! : undefined, limit, cursor: from?.cursor },
    body: DataPage,
  })
  const rows = readTape(context, page.data, {
    what: 'trade',
    name: 'transaction_hash',
    read: shaped(DataTraderTrade),
  })
  const { has_more, next_cursor } = page.pagination
  const list = 'user' in filter ? filter.user : ofMarket
  const read = normalizeTraderTrades(rows, marketId, fillNamesOf(context), list)
  const told = from === null || from.id === '' ? read : rowsBehind(read, from)
  const last = told.at(-1)
  const behind = last === undefined ? from : { ts: last.ts, id: last.tradeId }
  const next = has_more && next_cursor ? { ts: behind?.ts ?? 0, id: behind?.id ?? '', cursor: next_cursor } : null
  return { rows: told, next }
}

/** As written above or, by an earlier version, only the cursor. */
const placeOf = (place: TradersPlace): BehindCursor =>
  typeof place === 'object' ? (place as unknown as BehindCursor) : { cursor: String(place), ts: 0, id: '' }

/** Named like on the tape. `marketId` null: of a wallet, and by the condition, which the catalog knows by its outcome. */
export function normalizeTraderTrades(
  rows: readonly DataTraderTrade[],
  marketId: string | null,
  names = new FillNames(),
  list = ofMarket,
): TraderTrade[] {
  const ids = names.of(list, rows, fillOf)
  return rows.flatMap((row, index) => {
    const ts = timeOfEpoch(row.timestamp, 's')
    if (ts === null) return []
    return {
      venue: 'polymarket',
      marketId: marketId ?? row.condition_id,
      outcomeId: row.token_id,
      tradeId: ids[index]!,
      ts,
      wallet: evmWallet(row.proxy_wallet),
      ...named(row.name, row.pseudonym),
      side: row.side === 'BUY' ? ('buy' as const) : row.side === 'SELL' ? ('sell' as const) : null,
      price: isPrice(row.price) ? row.price : null,
      amount: row.size,
      usdSize: usdOf(row.price, row.size),
    }
  })
}

const fillOf = (row: DataTraderTrade): Fill => ({
  ...row,
  token: row.token_id,
  transaction: row.transaction_hash || null,
  wallet: row.proxy_wallet,
})

/** Of both tokens together. */
async function fetchHolders(context: VenueContext, market: Market, limit: number): Promise<TraderHolder[]> {
  const condition = conditionOf(market)
  if (condition === null) return []
  const page = await readKnown(context, {
    base: 'DATA',
    path: '/v2/holders',
    query: { condition, limit: Math.min(limit, holdersMax), include_pnl: true },
    body: DataPage,
  })
  const tokens = readTape(context, page.data, { what: 'holders', name: 'token_id', read: shaped(DataHolders) })
  return tokens
    .flatMap(({ token_id, holders }) =>
      readTape(context, holders, {
        what: 'holder',
        name: 'proxy_wallet',
        read: (row) => holderOf(row, token_id),
      }),
    )
    .sort((a, b) => b.shares - a.shares)
    .slice(0, limit)
}

function holderOf(row: unknown, outcomeId: string): TraderHolder | null {
  const { data } = DataHolder.safeParse(row)
  const wallet = evmWallet(data?.proxy_wallet ?? '')
  if (data === undefined || wallet === null) return null
  const { name, pseudonym, amount, current_value } = data
  return { wallet, ...named(name, pseudonym), outcomeId, shares: amount, usdValue: numberOf(current_value) }
}

const periods = { day: 'DAY', week: 'WEEK', month: 'MONTH', all: 'ALL' } as const
const orders = { profit: 'PNL', volume: 'VOL' } as const

async function leaders(
  context: VenueContext,
  query: { by: NativeRanking; window: LeaderboardWindow; limit: number; offset?: number; user?: string },
): Promise<{ rows: NativeLeader[]; isLast: boolean }> {
  const { by, window, limit, offset, user } = query
  const rows = await readKnown(context, {
    base: 'DATA',
    path: '/v1/leaderboard',
    query: { timePeriod: periods[window], orderBy: orders[by], limit, offset, user },
    body: DataLeaders,
  })
  const spec = { what: 'leader', name: 'proxyWallet', read: (row: unknown) => leaderOf(row, window) }
  return { rows: readTape(context, rows, spec), isLast: rows.length < limit }
}

async function fetchLeaders(
  context: VenueContext,
  query: { by: NativeRanking; window: LeaderboardWindow; limit: number },
): Promise<{ rows: NativeLeader[]; asOf: number }> {
  const rows: NativeLeader[] = []
  for (let offset = 0; offset < query.limit; offset += leadersPerPage) {
    const limit = Math.min(leadersPerPage, query.limit - offset)
    const page = await furtherPage(context, offset === 0, leaders(context, { ...query, limit, offset }))
    rows.push(...(page?.rows ?? []))
    if (page === null || page.isLast) break
  }
  return { rows, asOf: context.clock.now() }
}

function leaderOf(row: unknown, window: LeaderboardWindow): NativeLeader | null {
  const { data } = DataLeader.safeParse(row)
  const [wallet, rank] = [evmWallet(data?.proxyWallet ?? ''), Number(data?.rank)]
  if (data === undefined || wallet === null || !Number.isInteger(rank) || rank < 1) return null
  return {
    venue: 'polymarket',
    wallet,
    ...named(data.userName),
    rank,
    window,
    profitUsd: numberOf(data.pnl),
    volumeUsd: numberOf(data.vol),
  }
}

/** The venue's profit includes open positions: it is not a realized result, and is not reported as one. */
async function fetchWallet(context: VenueContext, wallet: string): Promise<WalletProfile | null> {
  const [ranked, traded, newest] = await Promise.all([
    leaders(context, { by: 'profit', window: 'all', limit: 1, user: wallet }),
    read(context, { base: 'DATA', path: '/traded', query: { user: wallet }, body: DataTraded }),
    fetchWalletTrades(context, wallet, { limit: 1, after: null }),
  ])
  const [[leader], [last]] = [ranked.rows, newest.rows]
  if (leader === undefined && last === undefined && !traded?.traded) return null
  return {
    displayName: named(leader?.displayName, last?.displayName).displayName ?? null,
    stats: statsOf({
      marketsTraded: traded?.traded ?? null,
      totalVolumeUsd: leader?.volumeUsd ?? null,
      lastSeen: last === undefined ? null : new Date(last.ts).toISOString(),
    }),
  }
}

const conditionOf = ({ sourceMetadata: { conditionId } }: Market): string | null =>
  typeof conditionId === 'string' && conditionId !== '' ? conditionId : null

const everyWindow = ['day', 'week', 'month', 'all'] as const

export const traders: VenueTraders = {
  walletOf: evmWallet,
  notes: [
    'Polymarket: wallets are the proxy wallets of accounts; a market’s trades are listed once each, for their taker; profit and volume of its leaderboard are the venue’s own, open positions included.',
  ],
  marketByOutcome: true,
  fetchTrades,
  fetchHolders,
  leaderboard: {
    windows: { profit: everyWindow, volume: everyWindow, score: ['all'] },
    fetch: fetchLeaders,
  },
  tellsOfWallets: ['marketsTraded', 'totalVolumeUsd', 'lastSeen'],
  fetchWallet,
  fetchWalletTrades,
}
