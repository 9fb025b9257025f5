// Coverage events as rows.
import type { CoverageEvent } from '#schemas/topics'
import type { LostRows } from './backlog.ts'
import type { TapeStore } from './client.ts'
import { between, type InsertTarget } from './deduplication.ts'
import { RowBinary } from './rowBinary.ts'

const coverage = {
  table: 'coverage',
  columns: ['venue', 'outcome_id', 'at', 'kind', 'mechanism', 'effective_interval_ms', 'reason'],
} satisfies Partial<InsertTarget>
const kindNumber = { opened: 1, gap: 2, resumed: 3, closed: 4 } as const

/** Empty `mechanism`: unchanged. */
type CoverageRow = Omit<CoverageEvent, 'mechanism'> & { mechanism: CoverageEvent['mechanism'] | '' }

export async function insertCoverage(
  store: Pick<TapeStore, 'insert'>,
  rows: readonly CoverageRow[],
  token: string,
  repeated = false,
): Promise<void> {
  if (rows.length === 0) return
  const out = new RowBinary()
  for (const row of rows) {
    out.text(row.venue)
    out.text(row.outcomeId)
    out.reserve(16)
    out.uint64(row.at)
    out.uint8(kindNumber[row.kind])
    out.text(row.mechanism)
    out.reserve(16)
    out.uint8(row.effectiveIntervalMs === null ? 1 : 0)
    if (row.effectiveIntervalMs !== null) out.float64(row.effectiveIntervalMs)
    out.nullableText(row.reason)
  }
  await store.insert(
    { ...coverage, within: between('at', rows, ({ at }) => at) },
    out.finish(),
    `${token}/coverage`,
    repeated,
  )
}

/** Rows the writer had to drop are a gap like any other: from the first lost row to after the last. */
export function insertLostRows(
  store: Pick<TapeStore, 'insert'>,
  lost: readonly LostRows[],
  token: string,
): Promise<void> {
  const rows = lost.flatMap(({ venue, outcomeId, rows: count, from, to }): CoverageRow[] => {
    const row = { venue, outcomeId, mechanism: '' as const, effectiveIntervalMs: null }
    return [
      { ...row, kind: 'gap', at: from, reason: `tape backlog full: ${count} rows lost` },
      { ...row, kind: 'resumed', at: to, reason: null },
    ]
  })
  return insertCoverage(store, rows, token)
}
