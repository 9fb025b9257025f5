// The wallet's positions, read with the caller's key and token, which name it. https://dev.predict.fun (positions)
import { subtractDecimals } from '#core/decimal'
import { defineHoldings, type HeldOrder, type HeldPosition, type OpenOrders } from '../../holdings.ts'
import type { LaneContext } from '../../lane.ts'
import { readKeyed } from '../../shared/exec/apiKeyClient.ts'
import { unitsToDecimal } from '../../shared/exec/decimalShape.ts'
import { readableRows, readPagedList } from '../../shared/exec/pagedList.ts'
import { idsOf } from '../ids.ts'
import { Credentials, predictApi } from './auth.ts'
import { PredictList, PredictOrder, PredictPosition, paths } from './wire.ts'

const pageRows = 100
const pagesMax = 20
/** Of shares. */
const decimals = 18

export const holdings = defineHoldings<null, Credentials>({
  source: 'venue_api',
  credentials: Credentials,
  // The price is shown with two digits after the point.
  costStep: '0.01',
  async read(context, _account, credentials) {
    const asOf = context.clock.now()
    const { rows, isWhole } = await readPagedList({
      read: async (cursor) => {
        const query = { first: pageRows, ...(cursor !== null && { after: cursor }) }
        const page = await readKeyed(predictApi, {
          context,
          credentials,
          path: '/v1/positions',
          shape: PredictList,
          query,
        })
        return { ...readableRows(PredictPosition, page.data), cursor: page.cursor }
      },
      idOf: ({ market, outcome }) => `${market.id} ${outcome.indexSet}`,
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

async function readOpenOrders(context: LaneContext, credentials: Credentials): Promise<OpenOrders> {
  const { rows, isWhole } = await readPagedList({
    read: async (cursor) => {
      const query = { status: 'OPEN', first: pageRows, ...(cursor !== null && { after: cursor }) }
      const path = paths.orders
      const page = await readKeyed(predictApi, { context, credentials, path, shape: PredictList, query })
      return { ...readableRows(PredictOrder, page.data), cursor: page.cursor }
    },
    idOf: ({ order }) => order.hash,
    pagesMax,
  })
  return { orders: rows.map(orderOf), isComplete: isWhole }
}

/** It names a token, and its price by two amounts: neither is read. */
const orderOf = ({ marketId, amount, amountFilled, order }: PredictOrder): HeldOrder => ({
  venueRef: order.hash,
  marketId: marketId == null ? null : String(marketId),
  outcomeId: null,
  isBuy: null,
  price: null,
  remaining:
    amount == null || amountFilled == null
      ? null
      : subtractDecimals(unitsToDecimal(amount, decimals), unitsToDecimal(amountFilled, decimals)),
})

/** Null: nothing is held. */
function positionOf({ amount, averageBuyPriceUsd, market, outcome }: PredictPosition): HeldPosition | null {
  const quantity = unitsToDecimal(amount, decimals)
  if (quantity === '0') return null
  const [first, second] = idsOf(market.id)
  return {
    marketId: market.id,
    outcomeId: outcome.indexSet === 1 ? first : second,
    quantity,
    averageCost: averageBuyPriceUsd,
  }
}
