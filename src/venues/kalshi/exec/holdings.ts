// The account's positions and balance, read with a fresh key pair: one signed position per market, YES above zero.
// https://docs.kalshi.com/api-reference/portfolio/get-positions
import { divideDecimals } from '#core/decimal'
import {
  defineHoldings,
  type HeldOrder,
  type HeldPosition,
  type Holdings,
  type OpenOrders,
  type RecentFill,
} from '../../holdings.ts'
import type { LaneContext } from '../../lane.ts'
import { readKeyed } from '../../shared/exec/apiKeyClient.ts'
import { decimalIn } from '../../shared/exec/normalizedFill.ts'
import { readableRows, readPagedList } from '../../shared/exec/pagedList.ts'
import { sideHeld } from '../../shared/exec/signedPosition.ts'
import { idsOf } from '../ids.ts'
import { Credentials, kalshiApi } from './auth.ts'
import {
  KalshiBalance,
  KalshiFill,
  KalshiFills,
  KalshiOrders,
  KalshiPosition,
  KalshiPositions,
  KalshiResting,
} from './wire.ts'

const pageRows = 1_000
const pagesMax = 20
const recentMs = 120_000
/** Digits of an average that is a quotient. */
const places = 9

export const holdings = defineHoldings<null, Credentials>({
  source: 'venue_api',
  credentials: Credentials,
  sides: (ticker) => idsOf(ticker),
  costStep: '0.0001',
  async read(context, _account, credentials) {
    const asOf = context.clock.now()
    const [listed, openOrders, balance, recentFills] = await Promise.all([
      readPositions(context, credentials),
      readOpenOrders(context, credentials),
      readKeyed(kalshiApi, { context, credentials, path: '/portfolio/balance', shape: KalshiBalance }),
      readRecentFills(context, credentials, asOf),
    ])
    const available = balance.balance_dollars ?? cents(balance.balance)
    return {
      positions: listed.positions,
      isComplete: listed.isWhole,
      balances: [{ currency: 'USD', total: null, available }],
      openOrders,
      ...(recentFills !== null && { recentFills }),
      asOf,
    } satisfies Holdings
  },
})

async function readPositions(context: LaneContext, credentials: Credentials) {
  const { rows, isWhole } = await readPagedList({
    read: async (cursor) => {
      const query = { count_filter: 'position', limit: pageRows, ...(cursor !== null && { cursor }) }
      const page = await readKeyed(kalshiApi, {
        context,
        credentials,
        path: '/portfolio/positions',
        shape: KalshiPositions,
        query,
      })
      return { ...readableRows(KalshiPosition, page.market_positions), cursor: page.cursor }
    },
    idOf: ({ ticker }) => ticker,
    pagesMax,
  })
  return { positions: rows.flatMap((row) => positionOf(row) ?? []), isWhole }
}

/** Null: nothing is held. */
function positionOf({
  ticker,
  position_fp: signed,
  market_exposure_dollars: cost,
}: KalshiPosition): HeldPosition | null {
  const held = sideHeld(signed, idsOf(ticker))
  if (held === null) return null
  const { outcomeId, quantity } = held
  return {
    marketId: ticker,
    outcomeId,
    quantity,
    averageCost: cost === null ? null : divideDecimals(cost, quantity, places, 'halfEven'),
  }
}

async function readOpenOrders(context: LaneContext, credentials: Credentials): Promise<OpenOrders> {
  const { rows, isWhole } = await readPagedList({
    read: async (cursor) => {
      const query = { status: 'resting', limit: pageRows, ...(cursor !== null && { cursor }) }
      const path = '/portfolio/orders'
      const page = await readKeyed(kalshiApi, { context, credentials, path, shape: KalshiOrders, query })
      return { ...readableRows(KalshiResting, page.orders), cursor: page.cursor }
    },
    idOf: ({ order_id }) => order_id,
    pagesMax,
  })
  return { orders: rows.map(orderOf), isComplete: isWhole }
}

/** Orders are of YES: a purchase of NO is an ask. */
const orderOf = ({ order_id, ticker, book_side, yes_price_dollars, remaining_count_fp }: KalshiResting): HeldOrder => ({
  venueRef: order_id,
  marketId: ticker,
  outcomeId: idsOf(ticker)[0],
  isBuy: book_side === 'bid' ? true : book_side === 'ask' ? false : null,
  price: yes_price_dollars,
  remaining: remaining_count_fp,
})

/** Null: more than one page, or a row that cannot be read. */
async function readRecentFills(
  context: LaneContext,
  credentials: Credentials,
  nowMs: number,
): Promise<RecentFill[] | null> {
  const query = { min_ts: Math.floor((nowMs - recentMs) / 1_000), limit: pageRows }
  const page = await readKeyed(kalshiApi, {
    context,
    credentials,
    path: '/portfolio/fills',
    shape: KalshiFills,
    query,
  })
  const { rows, unreadable = 0 } = readableRows(KalshiFill, page.fills)
  if (unreadable > 0 || page.cursor) return null
  return rows.flatMap(({ ticker, book_side, count_fp, created_time }) => {
    const [size, at] = [decimalIn(count_fp), Date.parse(created_time ?? '')]
    if (ticker == null || size === null || Number.isNaN(at) || !/^(bid|ask)$/.test(book_side ?? '')) return []
    return { outcomeId: idsOf(ticker)[0], isBuy: book_side === 'bid', size, at }
  })
}

const cents = (amount: number): string => divideDecimals(String(amount), '100', 2, 'halfEven')
