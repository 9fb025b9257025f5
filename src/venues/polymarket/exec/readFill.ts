// Polymarket's fills: the order's part of a trade, as its taker or as one of its makers, each at the price of its own
// token. No trade has the fee: the operator sets that of a taker when it matches, and makers pay none.
// https://docs.polymarket.com/trading/fees
import { z } from 'zod'
import type { JsonObject } from '#schemas/executions'
import type { FilledOrder, NormalizedFill } from '../../lane.ts'
import { cashAt, decimalIn, normalizedFill } from '../../shared/exec/normalizedFill.ts'
import { zeroBytes32 } from './typedData.ts'

export function readFill(fill: JsonObject, order: FilledOrder): NormalizedFill | null {
  const size = decimalIn(fill.size)
  const price = isOfItsToken(fill, order) ? decimalIn(fill.price) : null
  const isFree = fill.trader_side === 'MAKER' && hasNoBuilder(order)
  return normalizedFill({ size, cash: cashAt(size, price), fee: isFree ? '0' : null })
}

/** A trade that names no token is of the order's. */
const isOfItsToken = ({ asset_id: token }: JsonObject, { terms }: FilledOrder): boolean =>
  token == null || terms === null || token === terms.outcomeId

const Coded = z.object({ builder: z.string() })
const Signed = z.object({ message: z.union([z.object({ contents: Coded }), Coded]) })

/** A builder may charge makers as well. */
function hasNoBuilder({ unsigned }: FilledOrder): boolean {
  const { data } = Signed.safeParse(unsigned)
  if (data === undefined) return false
  const { builder } = 'contents' in data.message ? data.message.contents : data.message
  return builder === zeroBytes32
}
