// A paper fill as the execution stores it, and how it is read back. It carries a mark of its own: the fills of a venue never have it.
import { z } from 'zod'
import type { JsonObject } from '#schemas/executions'
import type { PaperOrderRow } from '#storage/postgres/paper/orderRow'
import type { ExecutionAdapter, NormalizedFill } from '#venues/lane'

const mark = 'crossbook-paper'

const StoredPaperFill = z.object({
  source: z.literal(mark),
  size: z.string(),
  cash: z.string(),
  fee: z.string(),
})

interface FillFields {
  number: number
  price: string
  size: string
  cash: string
  fee: string
  liquidity: 'taker' | 'maker'
  evidence: { bookEpoch: number; bookSeq: number; tradeIds: readonly string[] }
}

export const storedPaperFill = (
  order: Pick<PaperOrderRow, 'is_buy' | 'outcome_id' | 'market_id' | 'currency'>,
  { number, price, size, cash, fee, liquidity, evidence }: FillFields,
): JsonObject => ({
  source: mark,
  ...{ number, price, size, cash, fee, liquidity },
  side: order.is_buy ? 'buy' : 'sell',
  marketId: order.market_id,
  outcomeId: order.outcome_id,
  currency: order.currency === '' ? null : order.currency,
  bookEpoch: evidence.bookEpoch,
  bookSeq: evidence.bookSeq,
  tradeIds: [...evidence.tradeIds],
})

/** Null: it is not a paper fill. */
export function readPaperFill(fill: JsonObject): NormalizedFill | null {
  const { data } = StoredPaperFill.safeParse(fill)
  return data === undefined ? null : { size: data.size, cash: data.cash, fee: data.fee, feeIn: 'cash' }
}

/** A lane that also reads paper fills: the portfolio reads the fills of every account with the lanes of this version. */
export function readingPaperFills<L extends Pick<ExecutionAdapter, 'readFill'>>(lane: L): L {
  const { readFill } = lane
  const read: ExecutionAdapter['readFill'] = (fill, order) => readPaperFill(fill) ?? readFill?.(fill, order) ?? null
  return { ...lane, readFill: read } as L
}
