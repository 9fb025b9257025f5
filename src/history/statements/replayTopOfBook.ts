// One page of top-of-book rows: as columns, from which ../lines encodes lines, or as the same lines printed by the engine. Venue and outcome, which
// the request named, are not repeated in every row.
import type { SqlParameters } from '#storage/clickhouse/client'
import { microsPerTick, noTick, unitsPerHundredth } from '#storage/clickhouse/columnBuffers'
import { topOfBookShape } from '../lines/topOfBook.ts'
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

const otherSide = { bid: 'ask', ask: 'bid' } as const

/** Components of a side's price and size, and whether the side was empty. */
function sideOf(name: 'bid' | 'ask', mirrored: boolean): { isEmpty: string; price: string; size: string } {
  const column = mirrored ? otherSide[name] : name
  return {
    isEmpty: `t.${column} = ${noTick}`,
    price: micros(fromSide(mirrored, `t.${column} * ${microsPerTick} + t.${column}_fine`)),
    size: micros(`t.${column}_size * ${unitsPerHundredth} + t.${column}_size_fine`),
  }
}

/** `null` for an empty side, otherwise the number in the fewest digits that represent it exactly. */
const side = (name: 'bid' | 'ask', mirrored: boolean) => {
  const { isEmpty, price, size } = sideOf(name, mirrored)
  const orNull = (number: string) => `if(${isEmpty}, 'null', toString(${number}))`
  return `',"${name}":', ${orNull(price)},
  ',"${name}Size":', ${orNull(size)}`
}

export const sideColumns = (name: 'bid' | 'ask', mirrored: boolean): string => {
  const { isEmpty, price, size } = sideOf(name, mirrored)
  return `if(${isEmpty}, NULL, ${price}) AS ${name}, if(${isEmpty}, NULL, ${size}) AS ${name}Size`
}

interface TopOfBookLine {
  ts: number
  recvTs: number
  seq: number
}

/**
 * Two writers that share one outcome within one receive millisecond may assign a number twice: WITH TIES returns all rows
 * of the last key, so that a page never ends between them.
 */
export function replayTopOfBook(query: ReplayQuery, taped: Recorded): ReplayStatement {
  return {
    sql: `
SELECT concat('{"k":"tob","ts":', toString(t.ts),
  ${side('bid', taped.mirrored)},
  ${side('ask', taped.mirrored)},
  ',"recvTs":', toString(t.ts + t.recv_delay), ',"seq":', toString(t.seq), '}\\n') AS line
FROM top_of_book AS t
WHERE ${rowsWhere(query, taped)}
ORDER BY t.ts, t.recv_delay, t.seq
LIMIT {limit:UInt32} WITH TIES
SETTINGS max_threads = 1, max_block_size = 8192, short_circuit_function_evaluation = 'disable'
FORMAT RawBLOB`,
    parameters: { ...rowsParameters(query, taped), limit: query.limit + 1 },
    positionOf(line) {
      const { ts, recvTs, seq } = line as unknown as TopOfBookLine
      return { ts, tie: `${recvTs}.${seq}` }
    },
  }
}

/** The same page as stored. */
export function topOfBookBlocks(query: ReplayQuery, taped: Recorded): ReplayColumns {
  return {
    sql: `
SELECT ${storedOutcomeId(topOfBookShape)}
FROM top_of_book AS t
WHERE ${rowsWhere(query, taped)}
ORDER BY t.ts, t.recv_delay, t.seq
LIMIT {limit:UInt32} WITH TIES
SETTINGS ${blockSettings}`,
    parameters: { ...rowsParameters(query, taped), limit: query.limit + 1 },
  }
}

export function topOfBookColumns(query: ReplayQuery, taped: Recorded, last: ReplayPosition): ReplayColumns {
  const { recvTs, seq } = parseTie(last.tie)
  return {
    sql: `
SELECT toInt64(t.ts) AS ts, ${pageNames}, ${sideColumns('bid', taped.mirrored)}, ${sideColumns('ask', taped.mirrored)},
  toInt64(t.ts + t.recv_delay) AS recvTs, t.seq AS seq
FROM top_of_book AS t
WHERE ${rowsWhere(query, taped)} AND (t.ts < {until:UInt64} OR (t.recv_delay, t.seq) <= ({lastDelay:Int64}, {lastSeq:UInt16}))
ORDER BY t.ts, t.recv_delay, t.seq
SETTINGS max_threads = 1`,
    parameters: {
      ...rowsParameters(query, taped),
      ...pageNameParameters(query),
      until: last.ts,
      lastDelay: recvTs - last.ts,
      lastSeq: seq,
    },
  }
}

const rowsWhere = ({ after }: ReplayQuery, taped: Recorded): string =>
  `${outcomesWhere(taped)} AND t.ts BETWEEN {since:UInt64} AND {until:UInt64}
  ${after === null ? '' : 'AND (t.ts > {since:UInt64} OR (t.recv_delay, t.seq) > ({afterDelay:Int64}, {afterSeq:UInt16}))'}`

function rowsParameters({ after, sinceMs, untilMs }: ReplayQuery, taped: Recorded): SqlParameters {
  const common = { ...outcomesParameters(taped), since: after?.ts ?? sinceMs, until: untilMs }
  if (after === null) return common
  const { recvTs, seq } = parseTie(after.tie)
  return { ...common, afterDelay: recvTs - after.ts, afterSeq: seq }
}

function parseTie(tie: string): { recvTs: number; seq: number } {
  const [recvTs, seq] = tie.split('.').map(Number)
  if (recvTs === undefined || seq === undefined || !Number.isInteger(recvTs) || !Number.isInteger(seq)) {
    throw new Error(`not a top-of-book position: ${tie}`)
  }
  return { recvTs, seq }
}
