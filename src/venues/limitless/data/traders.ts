// Trades, holders and leaders. A wallet's history requires a key, so its trades are not read.
import type { Market } from '#schemas/market'
import type { NativeLeader, TraderHolder, TraderTrade } from '#schemas/traders'
import { readPageAfter } from '../../shared/data/pageAfterTimestamp.ts'
import { numberOf } from '../../shared/data/parsers.ts'
import { read, readKnown } from '../../shared/data/rest.ts'
import { readTape } from '../../shared/data/rows.ts'
import { evmWallet, named, statsOf, usdOf } from '../../shared/data/wallets.ts'
import type { TradersPage, TradersPageOf, VenueTraders, WalletProfile } from '../../traderData.ts'
import type { VenueContext } from '../../venueContext.ts'
import { isPool, nameOf } from '../ids.ts'
import { LimitlessTokens, LimitlessTrade } from '../wire.ts'
import {
  LimitlessHolder,
  LimitlessHolders,
  LimitlessLeader,
  LimitlessLeaders,
  LimitlessPositions,
  LimitlessResult,
  LimitlessTaker,
  LimitlessVolume,
} from '../wireTraders.ts'
import { getTrades, tradesPerPage } from './endpoints.ts'
import { normalizeTrade } from './tape.ts'

const pagesMax = 5

/** From the perspective of the taker's token. */
async function fetchTrades(
  context: VenueContext,
  market: Market,
  page: TradersPage,
): Promise<TradersPageOf<TraderTrade>> {
  const name = nameOf(market.outcomes[0]?.outcomeId ?? '')
  const tokens = LimitlessTokens.safeParse(market.sourceMetadata.tokens).data
  // Trades with a pool are not reported.
  if (name === null || tokens === undefined || isPool(name)) return { rows: [], next: null }
  const isDollars = market.sourceMetadata.collateral === 'USDC'
  return await readPageAfter(
    {
      first: 1,
      pagesMax,
      async read(number) {
        const answer = await getTrades(context, name, number, tradesPerPage)
        const rows = readTape(context, answer.rows, {
          what: 'trade',
          name: 'txHash',
          read: (row) => traderTradeOf(row, market, tokens, isDollars),
        })
        return { rows: numbered(rows), isLast: answer.isLast || answer.rows.length === 0 }
      },
    },
    page,
  )
}

function traderTradeOf(
  row: unknown,
  { marketId, outcomes }: Market,
  tokens: LimitlessTokens,
  isDollars: boolean,
): TraderTrade | null {
  const { data } = LimitlessTrade.safeParse(row)
  const isNo = data?.tokenId === tokens.no
  const outcomeId = outcomes[isNo ? 1 : 0]?.outcomeId
  const trade = data && outcomeId ? normalizeTrade(data, { id: outcomeId, isNo }, tokens) : null
  if (trade === null) return null
  const profile = LimitlessTaker.safeParse(row).data?.profile
  return {
    venue: 'limitless',
    marketId,
    outcomeId: trade.outcomeId,
    tradeId: trade.id,
    ts: trade.timestamp,
    wallet: evmWallet(profile?.account ?? ''),
    ...named(profile?.displayName, profile?.username),
    side: trade.side === 'unknown' ? null : trade.side,
    price: trade.price,
    amount: trade.amount,
    usdSize: isDollars ? usdOf(trade.price, trade.amount) : null,
  }
}

/** Fills of one transaction may be identical in all reported fields: the older one keeps the id, as on the tape. */
function numbered(trades: readonly TraderTrade[]): TraderTrade[] {
  const seen = new Map<string, number>()
  return trades
    .toReversed()
    .map((trade) => {
      const before = seen.get(trade.tradeId) ?? 0
      seen.set(trade.tradeId, before + 1)
      return before === 0 ? trade : { ...trade, tradeId: `${trade.tradeId}:${before + 1}` }
    })
    .toReversed()
}

async function fetchHolders(context: VenueContext, market: Market, limit: number): Promise<TraderHolder[]> {
  const answer = await readKnown(context, {
    path: `/markets/${encodeURIComponent(market.marketId)}/holders`,
    query: { page: 1, limit },
    body: LimitlessHolders,
  })
  const sides = [answer.yes, answer.no].map((side, index) => ({ side, outcome: market.outcomes[index] }))
  return sides
    .flatMap(({ side, outcome }) =>
      readTape(context, outcome === undefined ? [] : side?.data, {
        what: 'holder',
        name: 'user',
        read(row): TraderHolder | null {
          const { data } = LimitlessHolder.safeParse(row)
          const [wallet, shares] = [evmWallet(data?.user ?? ''), numberOf(data?.contractsFormatted)]
          if (data === undefined || wallet === null || shares === null) return null
          const usdValue = numberOf(data.valueUSDCFormatted)
          return { wallet, ...named(data.username), outcomeId: outcome!.outcomeId, shares, usdValue }
        },
      }),
    )
    .sort((a, b) => b.shares - a.shares)
    .slice(0, limit)
}

/** By all-time volume. The venue assigns no ranks: the position on the list is the rank. */
async function fetchLeaders(
  context: VenueContext,
  { limit }: { limit: number },
): Promise<{ rows: NativeLeader[]; asOf: number }> {
  const { data } = await readKnown(context, {
    path: '/leaderboard/all-time',
    query: { metric: 'volume', page: 1, limit },
    body: LimitlessLeaders,
  })
  const placed = data.map((row, index) => ({ row, rank: index + 1 }))
  const rows = readTape(context, placed, {
    what: 'leader',
    name: 'rank',
    read(place): NativeLeader | null {
      const { row, rank } = place as (typeof placed)[number]
      const leader = LimitlessLeader.safeParse(row).data
      const wallet = evmWallet(leader?.account ?? leader?.user?.account ?? '')
      if (leader === undefined || wallet === null) return null
      const volumeUsd = numberOf(leader.totalVolume ?? leader.volume)
      const name = named(leader.displayName, leader.user?.displayName)
      return { venue: 'limitless', wallet, ...name, rank, window: 'all', profitUsd: null, volumeUsd }
    },
  })
  return { rows: rows.slice(0, limit), asOf: context.clock.now() }
}

/** A wallet without trades and holdings is unknown to the venue. */
async function fetchWallet(context: VenueContext, wallet: string): Promise<WalletProfile | null> {
  const path = `/portfolio/${wallet}`
  const [traded, positions, result] = await Promise.all([
    read(context, { path: `${path}/traded-volume`, body: LimitlessVolume }),
    read(context, { path: `${path}/positions`, body: LimitlessPositions }),
    read(context, { path: `${path}/pnl-chart`, query: { timeframe: 'all' }, body: LimitlessResult }),
  ])
  const volume = numberOf(traded?.data)
  const held = [positions?.amm, positions?.clob, positions?.group].flatMap((list) => list ?? [])
  if (!volume && held.length === 0) return null
  const realizedPnlUsd = numberOf(result?.current?.realised?.usd)
  return { displayName: null, stats: statsOf({ totalVolumeUsd: volume, realizedPnlUsd }) }
}

export const traders: VenueTraders = {
  walletOf: evmWallet,
  notes: [
    'Limitless: trades are of order books, those with pools are not published; the leaderboard is by volume, over all time; a wallet’s history is not public.',
  ],
  fetchTrades,
  fetchHolders,
  leaderboard: { windows: { volume: ['all'] }, fetch: fetchLeaders },
  walletFields: ['totalVolumeUsd', 'realizedPnlUsd'],
  fetchWallet,
}
