// Trades, holders and leaders, from the venue's Data API.
import type { z } from 'zod'
import type { Market } from '#schemas/market'
import type { LeaderboardWindow, NativeLeader, TraderHolder, TraderTrade } from '#schemas/traders'
import { type AfterCursor, rowsAfter } from '../../shared/data/pageAfterTimestamp.ts'
import { numberOf, timeOfEpoch } from '../../shared/data/parsers.ts'
import { readKnown } from '../../shared/data/rest.ts'
import { readTape, shapeReader } from '../../shared/data/rows.ts'
import { isPrice } from '../../shared/data/sanityChecks.ts'
import { evmWallet, named, statsOf, usdOf } from '../../shared/data/wallets.ts'
import type {
  NativeRanking,
  TradersPage,
  TradersPageOf,
  TradersPlace,
  VenueTraders,
  WalletProfile,
} from '../../traderData.ts'
import type { VenueContext } from '../../venueContext.ts'
import { DataPage, DataTrade } from '../wire.ts'
import { DataHolder, DataHolders, DataLeader, DataLeaderEntry, DataUserStats, DataUserVolume } from '../wireTraders.ts'
import { FillIds, fillNamesOf } from './fillIds.ts'
import { fillOf, ofMarket } from './tape.ts'

const leaderboardPath = '/v2/leaderboard'
/** Largest page of the ranking. */
const leadersMax = 1_000
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
    read: shapeReader(DataTrade),
  })
  const { has_more, next_cursor } = page.pagination
  const list = 'user' in filter ? filter.user : ofMarket
  const read = normalizeTraderTrades(rows, marketId, fillNamesOf(context), list)
  const newRows = from === null || from.id === '' ? read : rowsAfter(read, from)
  const last = newRows.at(-1)
  const behind = last === undefined ? from : { ts: last.ts, id: last.tradeId }
  const next = has_more && next_cursor ? { ts: behind?.ts ?? 0, id: behind?.id ?? '', cursor: next_cursor } : null
  return { rows: newRows, next }
}

/** As written above or, by an earlier version, only the cursor. */
const placeOf = (place: TradersPlace): AfterCursor =>
  typeof place === 'object' ? (place as unknown as AfterCursor) : { cursor: String(place), ts: 0, id: '' }

/** Named like on the tape. `marketId` null: of a wallet, and by the condition, which the catalog knows by its outcome. */
export function normalizeTraderTrades(
  rows: readonly DataTrade[],
  marketId: string | null,
  names = new FillIds(),
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
      wallet: evmWallet(row.proxy_wallet ?? ''),
      ...named(row.name, row.pseudonym),
      side: row.side === 'BUY' ? ('buy' as const) : row.side === 'SELL' ? ('sell' as const) : null,
      price: isPrice(row.price) ? row.price : null,
      amount: row.size,
      usdSize: usdOf(row.price, row.size),
    }
  })
}

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
  const tokens = readTape(context, page.data, { what: 'holders', name: 'token_id', read: shapeReader(DataHolders) })
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

const orders = { profit: 'PNL', volume: 'VOLUME' } as const

async function fetchLeaders(
  context: VenueContext,
  { by, window, limit }: { by: NativeRanking; window: LeaderboardWindow; limit: number },
): Promise<{ rows: NativeLeader[]; asOf: number }> {
  const page = await readKnown(context, {
    base: 'DATA',
    path: leaderboardPath,
    query: { time_period: window, sort_by: orders[by], limit: Math.min(limit, leadersMax) },
    body: DataPage,
  })
  const spec = { what: 'leader', name: 'user_id', read: (row: unknown) => leaderOf(row, window) }
  return { rows: readTape(context, page.data, spec).slice(0, limit), asOf: context.clock.now() }
}

function leaderOf(row: unknown, window: LeaderboardWindow): NativeLeader | null {
  const { data } = DataLeader.safeParse(row)
  const [wallet, rank] = [evmWallet(data?.user_id ?? ''), Number(data?.rank)]
  if (data === undefined || wallet === null || !Number.isInteger(rank) || rank < 1) return null
  return {
    venue: 'polymarket',
    wallet,
    ...named(data.user_name),
    rank,
    window,
    profitUsd: numberOf(data.pnl),
    // The venue counts it in shares.
    volumeUsd: null,
  }
}

/** The venue's profit includes open positions except over all time: it is not reported as a realized result. */
async function fetchWallet(context: VenueContext, wallet: string): Promise<WalletProfile | null> {
  const query = { user: wallet }
  const known = <S extends z.ZodType>(path: string, body: S, more: Record<string, string> = {}) =>
    readKnown(context, { base: 'DATA', path, query: { ...query, ...more }, body })
  const [leaderRow, stats, volume, newest] = await Promise.all([
    known(leaderboardPath, DataLeaderEntry, { time_period: 'all' }),
    known('/v2/user-stats', DataUserStats),
    // Without a start the venue counts three years.
    known('/v2/user-volume', DataUserVolume, { start: '1' }),
    fetchWalletTrades(context, wallet, { limit: 1, after: null }),
  ])
  const [last] = newest.rows
  const marketsTraded = stats.data?.trades ?? null
  if (leaderRow.data === null && last === undefined && !marketsTraded) return null
  return {
    displayName: named(leaderRow.data?.user_name, last?.displayName).displayName ?? null,
    stats: statsOf({
      marketsTraded,
      totalVolumeUsd: numberOf(volume.data?.volume_usdc),
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
    'Polymarket: wallets are the proxy wallets of accounts; a market’s trades are listed once each, for their taker; profit of its leaderboard is the venue’s own, open positions included except over all time; its volume ranks by shares, so no dollars of it are shown.',
  ],
  marketByOutcome: true,
  fetchTrades,
  fetchHolders,
  leaderboard: {
    windows: { profit: everyWindow, volume: everyWindow, score: ['all'] },
    fetch: fetchLeaders,
  },
  walletFields: ['marketsTraded', 'totalVolumeUsd', 'lastSeen'],
  fetchWallet,
  fetchWalletTrades,
}
