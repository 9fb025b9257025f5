// Trades reverted by a chain, as rows.
import type { TradeWithdrawal } from '#schemas/topics'
import type { TapeStore } from './client.ts'
import { between, type InsertTarget } from './deduplication.ts'
import { RowBinary } from './rowBinary.ts'

const withdrawals = {
  table: 'withdrawn_trades',
  columns: ['venue', 'outcome_id', 'trade_id', 'at'],
} satisfies Partial<InsertTarget>

export async function insertWithdrawals(
  store: Pick<TapeStore, 'insert'>,
  rows: readonly TradeWithdrawal[],
  token: string,
  repeated = false,
): Promise<void> {
  if (rows.length === 0) return
  const out = new RowBinary()
  for (const { venue, outcomeId, tradeId, at } of rows) {
    out.text(venue)
    out.text(outcomeId)
    out.text(tradeId)
    out.reserve(8)
    out.uint64(at)
  }
  await store.insert(
    { ...withdrawals, within: between('at', rows, ({ at }) => at) },
    out.finish(),
    `${token}/withdrawals`,
    repeated,
  )
}
