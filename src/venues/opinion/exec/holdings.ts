// The account's positions and balances, read with its key, which names it. https://docs.opinion.trade/developer-guide/opinion-open-api/position
import { subtractDecimals } from '#core/decimal'
import { defineHoldings, type HeldBalance, type HeldOrder, type HeldPosition, type OpenOrders } from '../../holdings.ts'
import type { LaneContext } from '../../lane.ts'
import { readKeyed } from '../../shared/exec/apiKeyClient.ts'
import { decimalIn } from '../../shared/exec/normalizedFill.ts'
import { readableRows, readPagedList } from '../../shared/exec/pagedList.ts'
import { outcomeIdOf } from '../ids.ts'
import { Credentials, opinionApi } from './auth.ts'
import { chainId } from './typedData.ts'
import {
  OpinionBalance,
  OpinionBalances,
  OpinionList,
  OpinionOrder,
  OpinionPosition,
  QuoteToken,
  QuoteTokensAnswer,
} from './wire.ts'

/** The venue's maximum. */
const pageRows = 20
const pagesMax = 50

export const holdings = defineHoldings<null, Credentials>({
  source: 'venue_api',
  credentials: Credentials,
  costStep: '0.01',
  async read(context, _account, credentials) {
    const asOf = context.clock.now()
    const [{ rows, isWhole }, balances, openOrders] = await Promise.all([
      readPagedList({
        read: (cursor) => readPage(context, credentials, Number(cursor ?? 1)),
        idOf: ({ marketId, tokenId }) => outcomeIdOf(marketId, tokenId),
        pagesMax,
      }),
      readBalances(context, credentials),
      readOpenOrders(context, credentials),
    ])
    return { positions: rows.flatMap((row) => positionOf(row) ?? []), isComplete: isWhole, balances, openOrders, asOf }
  },
})

async function readPage(context: LaneContext, credentials: Credentials, number: number) {
  const query = { page: number, limit: pageRows, chainId: String(chainId) }
  const { result } = await readKeyed(opinionApi, {
    context,
    credentials,
    path: '/positions',
    shape: OpinionList,
    query,
  })
  const listed = result.list ?? []
  const isLast = listed.length === 0 || number * pageRows >= result.total
  return { ...readableRows(OpinionPosition, listed), cursor: isLast ? null : String(number + 1) }
}

/** Null: nothing is held. */
function positionOf({ marketId, tokenId, sharesOwned, avgEntryPrice }: OpinionPosition): HeldPosition | null {
  if (sharesOwned === '0') return null
  return { marketId, outcomeId: outcomeIdOf(marketId, tokenId), quantity: sharesOwned, averageCost: avgEntryPrice }
}

/** Status 1: pending. */
async function readOpenOrders(context: LaneContext, credentials: Credentials): Promise<OpenOrders> {
  const { rows, isWhole } = await readPagedList({
    read: async (cursor) => {
      const page = Number(cursor ?? 1)
      const query = { page, limit: pageRows, status: '1' }
      const { result } = await readKeyed(opinionApi, {
        context,
        credentials,
        path: '/order',
        shape: OpinionList,
        query,
      })
      const listed = result.list ?? []
      const isLast = listed.length === 0 || page * pageRows >= result.total
      return { ...readableRows(OpinionOrder, listed), cursor: isLast ? null : String(page + 1) }
    },
    idOf: ({ orderId }) => orderId,
    pagesMax,
  })
  return { orders: rows.map(orderOf), isComplete: isWhole }
}

/** It names its side by number and no token. */
function orderOf({ orderId, marketId, sideEnum, price, orderShares, filledShares }: OpinionOrder): HeldOrder {
  const word = sideEnum?.toLowerCase()
  return {
    venueRef: orderId,
    marketId: String(marketId),
    outcomeId: null,
    isBuy: word === 'buy' ? true : word === 'sell' ? false : null,
    price: decimalIn(price),
    remaining: orderShares != null && filledShares != null ? subtractDecimals(orderShares, filledShares) : null,
  }
}

/** They name their tokens by address. */
async function readBalances(context: LaneContext, credentials: Credentials): Promise<HeldBalance[]> {
  const query = { chain_id: String(chainId) }
  const [{ result }, tokens] = await Promise.all([
    readKeyed(opinionApi, { context, credentials, path: '/user/balance', shape: OpinionBalances, query }),
    readKeyed(opinionApi, { context, credentials, path: '/quoteToken', shape: QuoteTokensAnswer }),
  ])
  const symbols = new Map(
    tokens.result.list.flatMap((row) => {
      const { data } = QuoteToken.safeParse(row)
      return data === undefined ? [] : [[data.quoteTokenAddress.toLowerCase(), data.symbol ?? null] as const]
    }),
  )
  return result.balances.flatMap((row) => {
    const { data } = OpinionBalance.safeParse(row)
    if (data === undefined) return []
    const currency = symbols.get(data.quoteToken.toLowerCase()) ?? null
    return { currency, total: data.totalBalance, available: data.availableBalance }
  })
}
