// Trades and leaders. The venue does not publish holders of an outcome.
import { ONE } from '#core/price'
import type { Market } from '#schemas/market'
import type { TraderTrade } from '#schemas/traders'
import { readPageAfter } from '../../shared/data/pageAfterTimestamp.ts'
import { numberOf } from '../../shared/data/parsers.ts'
import { unreadable } from '../../shared/data/rest.ts'
import { readTape } from '../../shared/data/rows.ts'
import { evmWallet, statsOf, usdOf } from '../../shared/data/wallets.ts'
import type { TradersPage, TradersPageOf, VenueTraders, WalletProfile } from '../../traderData.ts'
import type { VenueContext } from '../../venueContext.ts'
import { isCoin, outcomeNumberOf } from '../ids.ts'
import { HyperTrade, type HyperUserFill, HyperUsers } from '../wire.ts'
import { getTrades } from './endpoints.ts'
import { outcomeFills } from './fills.ts'
import { fetchLeaders, leadersTimeoutMs } from './leaders.ts'
import { normalizeTrade } from './tape.ts'

/** Of both coins, as far as the venue calls them recent. A match has one number, whichever coin reports it. */
async function fetchTrades(
  context: VenueContext,
  market: Market,
  page: TradersPage,
): Promise<TradersPageOf<TraderTrade>> {
  const read = async (): Promise<{ rows: TraderTrade[]; isLast: boolean }> => {
    const coins = market.outcomes.map(({ outcomeId }) => outcomeId).filter(isCoin)
    const tapes = await Promise.all(
      coins.map(async (coin) =>
        readTape(context, known(context, market, coin, await getTrades(context, coin)), {
          what: 'trade',
          name: 'tid',
          read: (row) => traderTradeOf(row, market),
        }),
      ),
    )
    const byId = new Map(
      tapes
        .flat()
        .toReversed()
        .map((trade) => [trade.tradeId, trade]),
    )
    return { rows: [...byId.values()].sort((a, b) => b.ts - a.ts), isLast: true }
  }
  return await readPageAfter({ first: 0, pagesMax: 1, read }, page)
}

/** The venue always has an open market's trades; it no longer has those of an ended one. */
function known(context: VenueContext, { status }: Market, coin: string, rows: unknown[] | null): unknown[] | null {
  if (rows === null && status === 'active') throw unreadable(context, `trades of ${coin}`, 'it does not know this coin')
  return rows
}

/**
 * On the scale of the first coin, whichever reports it: the coins are read one after the other, both may report a match, and a trade recorded under
 * one must never reappear under the other.
 */
function traderTradeOf(row: unknown, { marketId, outcomes, sourceMetadata }: Market): TraderTrade | null {
  const { data } = HyperTrade.safeParse(row)
  const trade = data === undefined ? null : normalizeTrade(data)
  if (trade === null) return null
  const first = outcomes[0]?.outcomeId ?? trade.outcomeId
  const isOther = trade.outcomeId !== first
  const [buyer, seller] = HyperUsers.safeParse(row).data?.users ?? []
  const taker = trade.side === 'buy' ? buyer : trade.side === 'sell' ? seller : undefined
  const price = isOther ? complement(trade.price) : trade.price
  return {
    venue: 'hyperliquid',
    marketId,
    outcomeId: first,
    tradeId: trade.id,
    ts: trade.timestamp,
    wallet: evmWallet(taker ?? ''),
    side: trade.side === 'unknown' ? null : (trade.side === 'buy') !== isOther ? 'buy' : 'sell',
    price,
    amount: trade.amount,
    usdSize: isDollars(sourceMetadata.quoteToken) ? usdOf(price, trade.amount) : null,
  }
}

const complement = (price: number | null): number | null =>
  price === null ? null : (ONE - Math.round(price * ONE)) / ONE

/** The venue counts in USDC, except for outcomes that name another token. */
const isDollars = (quoteToken: unknown): boolean => quoteToken === undefined || quoteToken === 'USDC'

const marketOf = (coin: string): string => String(outcomeNumberOf(coin)!)

async function fetchWalletTrades(
  context: VenueContext,
  wallet: string,
  page: TradersPage,
): Promise<TradersPageOf<TraderTrade>> {
  const { fills, keptSince } = await outcomeFills(context, wallet)
  const dollarsOf = dollarsIn(fills)
  const rows = fills.filter(isTrade).map((fill) => walletTradeOf(fill, wallet, dollarsOf))
  const nextPage = await readPageAfter({ first: 0, pagesMax: 1, read: async () => ({ rows, isLast: true }) }, page)
  return { ...nextPage, ...since(keptSince) }
}

/** Settlements, splits and mergers appear among the fills but are not trades. */
const isTrade = ({ dir }: HyperUserFill): boolean => dir == null || dir === 'Buy' || dir === 'Sell'

const since = (keptSince: number | undefined) => (keptSince === undefined ? {} : { keptSince })

const walletTradeOf = (fill: HyperUserFill, wallet: string, dollarsOf: ReturnType<typeof dollarsIn>): TraderTrade => ({
  venue: 'hyperliquid',
  marketId: marketOf(fill.coin),
  outcomeId: fill.coin,
  tradeId: String(fill.tid),
  ts: fill.time,
  wallet,
  side: fill.side === 'B' ? 'buy' : fill.side === 'A' ? 'sell' : null,
  price: numberOf(fill.px),
  amount: numberOf(fill.sz),
  usdSize: dollarsOf(fill, usdOf(numberOf(fill.px), numberOf(fill.sz))),
})

/**
 * A fill's fee token reveals its quote token; one whose fee was in shares (`+5160`) takes it from another fill of its outcome. Otherwise it is
 * unknown.
 */
function dollarsIn(fills: readonly HyperUserFill[]) {
  const quoteOf = new Map(
    fills.flatMap(({ coin, feeToken }) => (isQuote(feeToken) ? [[marketOf(coin), feeToken] as const] : [])),
  )
  return ({ coin, feeToken }: HyperUserFill, figure: number | null): number | null =>
    (isQuote(feeToken) ? feeToken : quoteOf.get(marketOf(coin))) === 'USDC' ? figure : null
}

const isQuote = (token: string | null | undefined): token is string => !!token && !token.startsWith('+')

/** From recent fills only: the first-seen time is known only when they are complete. */
async function fetchWallet(context: VenueContext, wallet: string): Promise<WalletProfile | null> {
  const { fills, whole, keptSince } = await outcomeFills(context, wallet)
  if (fills.length === 0) return null
  // Settlements, splits and mergers are not trades: they count neither as seen nor as a traded market.
  const trades = fills.filter(isTrade)
  const [newest, oldest] = [trades[0], trades.at(-1)]
  const dollarsOf = dollarsIn(fills)
  const iso = (ms: number): string => new Date(ms).toISOString()
  const sum = (figures: (number | null)[]): number | null =>
    figures.some((figure) => figure === null)
      ? null
      : Math.round(figures.reduce<number>((total, figure) => total + figure!, 0) * 1e6) / 1e6
  return {
    ...since(keptSince),
    displayName: null,
    stats: statsOf({
      marketsTraded: new Set(trades.map(({ coin }) => marketOf(coin))).size,
      totalVolumeUsd: sum(trades.map((fill) => dollarsOf(fill, usdOf(numberOf(fill.px), numberOf(fill.sz))))),
      realizedPnlUsd: sum(fills.map((fill) => dollarsOf(fill, numberOf(fill.closedPnl)))),
      firstSeen: whole && oldest !== undefined ? iso(oldest.time) : null,
      lastSeen: newest === undefined ? null : iso(newest.time),
    }),
  }
}

const everyWindow = ['day', 'week', 'month', 'all'] as const

export const traders: VenueTraders = {
  walletOf: evmWallet,
  notes: [
    'Hyperliquid: trades are those the venue still calls recent, each listed once and on the scale of the first outcome (what bought the second sold the first); a wallet’s totals cover only its recent fills of outcomes (the newest 2,000 fills of the account); the leaderboard ranks whole accounts, perpetuals and spot included.',
  ],
  fetchTrades,
  leaderboard: {
    windows: { profit: everyWindow, volume: everyWindow, score: ['all'] },
    fetch: fetchLeaders,
    timeoutMs: leadersTimeoutMs,
  },
  walletFields: ['marketsTraded', 'totalVolumeUsd', 'realizedPnlUsd', 'firstSeen', 'lastSeen'],
  fetchWallet,
  fetchWalletTrades,
}
