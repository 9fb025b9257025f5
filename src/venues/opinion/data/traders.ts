// Wallets, with the operator's key. There is no route for a market's traders, holders or leaders.
import type { TraderTrade } from '#schemas/traders'
import { readPageAfter } from '../../shared/data/pageAfterTimestamp.ts'
import { amountOf, microsOf, numberOf, probabilityOf, timeOfEpoch } from '../../shared/data/parsers.ts'
import { read } from '../../shared/data/rest.ts'
import { readTape } from '../../shared/data/rows.ts'
import { evmWallet, statsOf } from '../../shared/data/wallets.ts'
import type { TradersPage, TradersPageOf, VenueTraders, WalletProfile } from '../../traderData.ts'
import type { VenueContext } from '../../venueContext.ts'
import { OpinionWalletTrade, OpinionWalletTrades } from '../wireTraders.ts'
import { isUnknown, keyOf } from './endpoints.ts'

/** The venue's maximum. */
const pageRows = 20
/** A hundred trades plus newer ones. */
const pagesMax = 7

async function tradesPage(context: VenueContext, wallet: string, page: number) {
  const answer = await read(context, {
    path: `/trade/user/${wallet}`,
    query: { page, limit: pageRows },
    ...keyOf(context),
    isUnknown,
    body: OpinionWalletTrades,
  })
  const parseTrade = (row: unknown): TraderTrade | null => {
    const { data } = OpinionWalletTrade.safeParse(row)
    return data === undefined ? null : walletTradeOf(data, wallet)
  }
  const rows = readTape(context, answer?.result.list, { what: 'trade', name: 'tradeNo', read: parseTrade })
  return { rows, total: answer?.result.total ?? 0 }
}

function walletTradeOf(raw: OpinionWalletTrade, wallet: string): TraderTrade | null {
  const ts = timeOfEpoch(raw.createdAt, 's')
  if (ts === null) return null
  const side = raw.side?.toLowerCase()
  return {
    venue: 'opinion',
    marketId: raw.marketId,
    outcomeId: null,
    tradeId: raw.tradeNo,
    ts,
    wallet,
    side: side === 'buy' || side === 'sell' ? side : null,
    price: probabilityOf(microsOf(raw.price)),
    amount: amountOf(raw.shares),
    usdSize: numberOf(raw.usdAmount),
  }
}

async function fetchWalletTrades(
  context: VenueContext,
  wallet: string,
  page: TradersPage,
): Promise<TradersPageOf<TraderTrade>> {
  const readPage = async (number: number) => {
    const { rows, total } = await tradesPage(context, wallet, number)
    return { rows, isLast: number * pageRows >= total }
  }
  return await readPageAfter({ first: 1, pagesMax, read: readPage }, page)
}

async function fetchWallet(context: VenueContext, wallet: string): Promise<WalletProfile | null> {
  const newest = await tradesPage(context, wallet, 1)
  const [last] = newest.rows
  if (last === undefined) return null
  const pages = Math.ceil(newest.total / pageRows)
  const oldest = pages <= 1 ? newest : await tradesPage(context, wallet, pages)
  const first = oldest.rows.at(-1)
  return {
    displayName: null,
    stats: statsOf({
      firstSeen: first === undefined ? null : new Date(first.ts).toISOString(),
      lastSeen: new Date(last.ts).toISOString(),
    }),
  }
}

export const traders: VenueTraders = {
  walletOf: evmWallet,
  notes: [
    'Opinion: wallets are looked up with the operator’s key; trades name a side of a market and no token, so their outcome is null.',
  ],
  missing: ({ credentials }) =>
    credentials?.API_KEY === undefined ? 'opinion needs a key to read wallets, and none is configured' : null,
  walletFields: ['firstSeen', 'lastSeen'],
  fetchWallet,
  fetchWalletTrades,
}
