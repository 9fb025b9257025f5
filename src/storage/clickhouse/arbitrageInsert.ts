// Stretches of the arbitrage surface as rows.
import type { ArbitrageRecord } from '#schemas/topics'
import type { TapeStore } from './client.ts'
import type { InsertTarget } from './deduplication.ts'
import { RowBinary } from './rowBinary.ts'

const arbitrage: InsertTarget = {
  table: 'arbitrage',
  columns: ['row_id', 'venue_yes', 'venue_no', 'first_seen', 'last_seen', 'ended', 'best_edge', 'best_at', 'best'],
  within: null,
}

export async function insertArbitrage(
  store: Pick<TapeStore, 'insert'>,
  records: readonly ArbitrageRecord[],
  token: string,
  repeated = false,
): Promise<void> {
  if (records.length === 0) return
  const out = new RowBinary()
  for (const record of records) {
    out.text(record.rowId)
    out.text(record.venueYes)
    out.text(record.venueNo)
    out.reserve(40)
    out.uint64(record.firstSeen)
    // Of two rows with one `last_seen` the later one wins: an end is reported after the stretch's last update.
    out.uint64(record.lastSeen)
    out.uint8(record.ended ? 1 : 0)
    out.int64(record.bestEdgeMicros)
    out.uint64(record.bestAt)
    out.text(record.best)
  }
  await store.insert(arbitrage, out.finish(), `${token}/arbitrage`, repeated)
}
