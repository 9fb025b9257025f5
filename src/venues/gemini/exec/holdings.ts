// The account's positions and open orders, read with the caller's key; balances are those of the whole Gemini account and are not read.
// https://docs.gemini.com/prediction-markets (positions)
import { z } from 'zod'
import { subtractDecimals } from '#core/decimal'
import { Fault } from '#core/fault'
import { defineHoldings, type HeldOrder, type HeldPosition, type OpenOrders } from '../../holdings.ts'
import type { LaneContext } from '../../lane.ts'
import { sendKeyed } from '../../shared/exec/apiKeyClient.ts'
import { readFault } from '../../shared/exec/mapReadError.ts'
import { nextOffset, readableRows, readPagedList } from '../../shared/exec/pagedList.ts'
import { idsOf, isSymbol } from '../ids.ts'
import { Credentials, geminiApi } from './auth.ts'
import { geminiErrors } from './errors.ts'
import { GeminiOrder, GeminiOrders, GeminiPosition, GeminiPositions, parseExact, paths } from './wire.ts'

const pageRows = 100
/** Per list; the venue advises five private calls a second. */
const pagesMax = 10

export const holdings = defineHoldings<null, Credentials>({
  source: 'venue_api',
  credentials: Credentials,
  // One book per contract: a purchase of NO is a sale of YES.
  sides: (symbol) => idsOf(symbol),
  costStep: '0.01',
  async read(context, _account, credentials) {
    const asOf = context.clock.now()
    const { rows, isWhole } = await readPagedList({
      read: (cursor) => readPositions(context, credentials, Number(cursor ?? 0)),
      idOf: ({ symbol, outcome }) => `${symbol} ${outcome}`,
      pagesMax,
    })
    return {
      positions: rows.flatMap((row) => positionOf(row) ?? []),
      isComplete: isWhole,
      balances: [],
      openOrders: await readOpenOrders(context, credentials),
      asOf,
    }
  },
})

/** Without a total only an empty page is known to be the last. */
async function readPositions(context: LaneContext, credentials: Credentials, offset: number) {
  const { positions, total } = await readPage(context, credentials, paths.positions, offset, GeminiPositions)
  const end = offset + positions.length
  const isLast = positions.length === 0 || (total !== null && end >= total)
  return { ...readableRows(GeminiPosition, positions), cursor: isLast ? null : String(end) }
}

async function readOpenOrders(context: LaneContext, credentials: Credentials): Promise<OpenOrders> {
  const { rows, isWhole } = await readPagedList({
    read: async (cursor) => {
      const offset = Number(cursor ?? 0)
      const listed = await readPage(context, credentials, paths.active, offset, GeminiOrders)
      return { ...readableRows(GeminiOrder, listed), cursor: nextOffset(offset, listed) }
    },
    idOf: ({ orderId }) => orderId,
    pagesMax,
  })
  return { orders: rows.map(orderOf), isComplete: isWhole }
}

/** Sent like orders: the HTTP client for reads would round the order ids in the response. */
async function readPage<S extends z.ZodType>(
  context: LaneContext,
  credentials: Credentials,
  path: string,
  offset: number,
  shape: S,
): Promise<z.output<S>> {
  const fields = { limit: pageRows, offset }
  const sent = await sendKeyed(geminiApi, context, credentials, { method: 'POST', path, text: null, fields })
  if (sent.kind !== 'answered') {
    throw new Fault('NETWORK_ERROR', 'gemini is unreachable', { exchange: 'gemini', cause: sent.cause })
  }
  const { status, text } = sent
  const body = parseExact(text)
  const page = shape.safeParse(body)
  if (status === 200 && page.success) return page.data
  const why = page.success ? '' : z.prettifyError(page.error)
  throw readFault(geminiErrors, { venue: 'gemini', status, body, why })
}

/** Null: nothing is held. */
function positionOf({ symbol, outcome, totalQuantity, avgPrice }: GeminiPosition): HeldPosition | null {
  if (totalQuantity === '0') return null
  const [yes, no] = idsOf(symbol)
  return {
    marketId: symbol,
    outcomeId: outcome === 'yes' ? yes : no,
    quantity: totalQuantity,
    averageCost: avgPrice,
  }
}

/** Each names its outcome, at that outcome's price. */
function orderOf({
  orderId,
  symbol,
  outcome,
  side,
  price,
  quantity,
  filledQuantity,
  remainingQuantity,
}: GeminiOrder): HeldOrder {
  const [yes, no] = symbol != null && isSymbol(symbol) ? idsOf(symbol) : [null, null]
  const filled = quantity != null && filledQuantity != null ? subtractDecimals(quantity, filledQuantity) : null
  return {
    venueRef: orderId,
    marketId: yes,
    outcomeId: outcome === 'yes' ? yes : outcome === 'no' ? no : null,
    isBuy: side === 'buy' ? true : side === 'sell' ? false : null,
    price: price ?? null,
    remaining: remainingQuantity ?? filled,
  }
}
