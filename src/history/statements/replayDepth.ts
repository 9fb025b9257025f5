// One page of full depth, a line per level. The lines of one change share a key, and a page ends after the last of them. The first rows are the last
// full snapshot at or before the window's beginning, so that the reader has the book at every moment of the window.

import { microsPerTick, unitsPerHundredth } from '#storage/clickhouse/columnBuffers'
import { depthSides, depthTypes } from '#storage/clickhouse/depthBlock'
import { depthShape } from '../lines/depth.ts'
import type { Recorded } from '../recordedOutcomeId.ts'
import type { ReplayPosition, ReplayQuery } from '../tape.ts'
import { fromSide, micros, outcomesParameters, outcomesWhere } from './predicates.ts'
import {
  blockSettings,
  pageNameParameters,
  pageNames,
  type ReplayColumns,
  type ReplayStatement,
  storedOutcomeId,
} from './replayStatement.ts'

/** A followed book has a full snapshot at least this often, with time to spare. */
export const depthLookBackMs = 15 * 60_000

const price = (mirrored: boolean): string => micros(fromSide(mirrored, `t.price * ${microsPerTick} + t.price_fine`))
const size = micros(`t.size * ${unitsPerHundredth} + t.size_fine`)
const typeName = `[${depthTypes.map((type) => `'${type}'`).join(', ')}][t.type]`
const sideName = (mirrored: boolean): string => `if((t.side = ${depthSides.bid}) = ${mirrored ? 0 : 1}, 'bid', 'ask')`
const isNone = `t.side = ${depthSides.none}`

/** Columns of a row `t` of depth in their public form; `names` comes after the time. */
export const depthColumns = (mirrored: boolean, names = ''): string =>
  `toInt64(t.recv_ts - t.recv_delay) AS ts, ${names}${typeName} AS type, if(${isNone}, NULL, ${sideName(mirrored)}) AS side,
  if(${isNone}, NULL, ${price(mirrored)}) AS price, if(${isNone}, NULL, ${size}) AS size,
  toInt64(t.recv_ts) AS recvTs, t.seq AS seq, toInt64(t.epoch) AS epoch`

const jsonLine = (
  mirrored: boolean,
): string => `concat('{"k":"l2","ts":', toString(t.recv_ts - t.recv_delay), ',"type":"', ${typeName},
  if(${isNone}, '","side":null,"price":null,"size":null', concat(
    '","side":"', ${sideName(mirrored)}, '","price":', toString(${price(mirrored)}), ',"size":', toString(${size}))),
  ',"recvTs":', toString(t.recv_ts), ',"seq":', toString(t.seq), ',"epoch":', toString(t.epoch), '}\\n')`

export function replayDepth(query: ReplayQuery, taped: Recorded): ReplayStatement {
  return {
    sql: `
SELECT ${jsonLine(taped.mirrored)} AS line
FROM depth AS t
WHERE ${rowsWhere(query, taped)}
ORDER BY t.recv_ts, t.epoch, t.seq
LIMIT {limit:UInt32} WITH TIES
SETTINGS max_threads = 1, max_block_size = 8192, short_circuit_function_evaluation = 'disable'
FORMAT RawBLOB`,
    parameters: { ...rowsParameters(query, taped), limit: query.limit + 1 },
    positionOf: (line) => ({ ts: Number(line.recvTs), tie: `${line.epoch}.${line.seq}` }),
  }
}

/** The same page as stored. */
export function depthBlocks(query: ReplayQuery, taped: Recorded): ReplayColumns {
  return {
    sql: `
SELECT ${storedOutcomeId(depthShape)}
FROM depth AS t
WHERE ${rowsWhere(query, taped)}
ORDER BY t.recv_ts, t.epoch, t.seq
LIMIT {limit:UInt32} WITH TIES
SETTINGS ${blockSettings}`,
    parameters: { ...rowsParameters(query, taped), limit: query.limit + 1 },
  }
}

export function depthColumnsUpTo(query: ReplayQuery, taped: Recorded, last: ReplayPosition): ReplayColumns {
  const { epoch, seq } = parseTie(last.tie)
  return {
    sql: `
SELECT ${depthColumns(taped.mirrored, `${pageNames}, `)}
FROM depth AS t
WHERE ${rowsWhere(query, taped)} AND (t.recv_ts < {until:UInt64} OR (t.epoch, t.seq) <= ({lastEpoch:UInt64}, {lastSeq:UInt32}))
ORDER BY t.recv_ts, t.epoch, t.seq
SETTINGS max_threads = 1`,
    parameters: {
      ...rowsParameters(query, taped),
      ...pageNameParameters(query),
      until: last.ts,
      lastEpoch: epoch,
      lastSeq: seq,
    },
  }
}

function rowsWhere({ after }: ReplayQuery, taped: Recorded): string {
  const from = after === null ? startOf(taped) : '{since:UInt64}'
  return `${outcomesWhere(taped)} AND t.recv_ts BETWEEN ${from} AND {until:UInt64}
  ${after === null ? '' : 'AND (t.recv_ts > {since:UInt64} OR (t.epoch, t.seq) > ({afterEpoch:UInt64}, {afterSeq:UInt32}))'}`
}

/** Time of the last full snapshot at or before the window's beginning; without one, its beginning. */
const startOf = (
  taped: Recorded,
): string => `(SELECT if(max(t.recv_ts) = 0, {since:UInt64}, max(t.recv_ts)) FROM depth AS t
    WHERE ${outcomesWhere(taped)} AND t.recv_ts BETWEEN {lookBack:UInt64} AND {since:UInt64} AND t.type <= 2)`

function rowsParameters({ after, sinceMs, untilMs }: ReplayQuery, taped: Recorded) {
  const common = { ...outcomesParameters(taped), since: after?.ts ?? sinceMs, until: untilMs }
  if (after === null) return { ...common, lookBack: Math.max(0, sinceMs - depthLookBackMs) }
  const { epoch, seq } = parseTie(after.tie)
  return { ...common, afterEpoch: epoch, afterSeq: seq }
}

function parseTie(tie: string): { epoch: number; seq: number } {
  const [epoch, seq] = tie.split('.').map(Number)
  if (epoch === undefined || seq === undefined || !Number.isInteger(epoch) || !Number.isInteger(seq)) {
    throw new Error(`not a position of full depth: ${tie}`)
  }
  return { epoch, seq }
}
