// Limitless' fills: logs of the exchange contract. What an order gives and takes has six decimals, and the fee is taken
// from what it takes: from a buyer's shares, from a seller's cash. What a buyer gives is at its own price; a taker that pays less is paid
// back by a transfer that is not in the row.
import { z } from 'zod'
import { compareDecimals } from '#core/decimal'
import type { JsonObject } from '#schemas/executions'
import type { FilledOrder, NormalizedFill } from '../../lane.ts'
import { decimalIn, normalizedFill, unitsIn } from '../../shared/exec/normalizedFill.ts'

/** Of cash and of shares. */
const decimals = 6

const Signed = z.object({ message: z.object({ side: z.union([z.literal(0), z.literal(1)]), feeRateBps: z.string() }) })

export function readFill(fill: JsonObject, { unsigned, terms }: FilledOrder): NormalizedFill | null {
  const { data: signed } = Signed.safeParse(unsigned)
  const isBuy = signed === undefined ? (terms?.isBuy ?? null) : signed.message.side === 0
  if (isBuy === null) return null
  const [gives, takes] = [unitsIn(fill.makerAmountFilled, decimals), unitsIn(fill.takerAmountFilled, decimals)]
  const fee = unitsIn(fill.fee, decimals)
  // A market whose takers pay in USDC charges it through another contract, whose logs are not read. Its orders are
  // signed for a rate of zero.
  const isElsewhere = fee !== null && compareDecimals(fee, '0') === 0 && signed?.message.feeRateBps === '0'
  return normalizedFill({
    size: decimalIn(fill.size) ?? (isBuy ? takes : gives),
    cash: isBuy && fill.isTaker !== false ? null : (decimalIn(fill.cash) ?? (isBuy ? gives : takes)),
    fee: isElsewhere ? null : fee,
    feeIn: isBuy ? 'outcome' : 'cash',
  })
}
