// A whole day of a venue with all its outcomes as the tape names them: the columns of `format=parquet` for one outcome, preceded by its id.
import { noPrice } from '#storage/clickhouse/columnBuffers'
import type { FileKind } from '../files/fileStore.ts'
import { micros, notRevertedSql } from './predicates.ts'
import { depthColumns } from './replayDepth.ts'
import { sideColumns } from './replayTopOfBook.ts'

/** A book is rebuilt in the order in which its rows arrived. */
const depthOfDay = 't.venue = {venue:String} AND t.recv_ts BETWEEN {since:UInt64} AND {until:UInt64}'
const ofDay = 't.venue = {venue:String} AND t.ts BETWEEN {since:UInt64} AND {until:UInt64}'

const selects: Record<FileKind, string> = {
  tob: `
SELECT toString(t.outcome_id) AS outcomeId, toInt64(t.ts) AS ts, ${sideColumns('bid', false)}, ${sideColumns('ask', false)},
  toInt64(t.ts + t.recv_delay) AS recvTs, t.seq AS seq
FROM top_of_book AS t
WHERE ${ofDay}
ORDER BY t.outcome_id, t.ts, t.recv_delay, t.seq`,
  trades: `
SELECT toString(t.outcome_id) AS outcomeId, toInt64(t.ts) AS ts, t.trade_id AS tradeId,
  if(t.price = ${noPrice}, NULL, ${micros('t.price')}) AS price, ${micros('t.size')} AS size, toString(t.side) AS side,
  t.transaction_hash AS transactionHash, toInt64(t.ts + t.recv_delay) AS recvTs
FROM trades AS t
WHERE ${ofDay} AND ${notRevertedSql('t.venue = {venue:String}')}
ORDER BY t.outcome_id, t.ts, t.trade_id, t.recv_delay
LIMIT 1 BY t.outcome_id, t.ts, t.trade_id`,
  l2: `
SELECT toString(t.outcome_id) AS outcomeId, ${depthColumns(false)}
FROM depth AS t
WHERE ${depthOfDay}
ORDER BY t.outcome_id, t.recv_ts, t.epoch, t.seq`,
}

export const dayFileSql = (kind: FileKind): string => `${selects[kind]}\nSETTINGS max_threads = 1\nFORMAT Parquet`

export const dayRowsSql: Record<FileKind, string> = {
  tob: `SELECT toUInt64(count()) AS rows FROM top_of_book AS t WHERE ${ofDay} FORMAT JSONEachRow`,
  l2: `SELECT toUInt64(count()) AS rows FROM depth AS t WHERE ${depthOfDay} FORMAT JSONEachRow`,
  trades: `SELECT toUInt64(count()) AS rows FROM (${selects.trades}) SETTINGS max_threads = 1 FORMAT JSONEachRow`,
}
