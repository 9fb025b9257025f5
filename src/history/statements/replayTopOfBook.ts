// One page of top-of-book rows as the reader gets them.
import { microsPerTick, noTick, unitsPerHundredth } from '#storage/clickhouse/packing'
import type { ReplayQuery } from '../tape.ts'
import type { ReplayStatement } from './replayStatement.ts'
import { micros, outcomesParameters, outcomesWhere } from './where.ts'

const side = (name: 'bid' | 'ask', alias: string) => `
  if(t.${name} = ${noTick}, NULL, ${micros(`t.${name} * ${microsPerTick} + t.${name}_fine`)}) AS ${alias},
  if(t.${name} = ${noTick}, NULL, ${micros(`t.${name}_size * ${unitsPerHundredth} + t.${name}_size_fine`)}) AS ${alias}Size`

interface TopOfBookLine {
  ts: number
  recvTs: number
  seq: number
}

/**
 * Two writers that share one outcome within one receive millisecond may give a number twice: WITH TIES hands over all rows
 * of the last key, so that a page never ends between them.
 */
export function replayTopOfBook(query: ReplayQuery): ReplayStatement {
  const after = query.after === null ? null : parseTie(query.after.tie)
  return {
    sql: `
SELECT 'tob' AS k, t.ts AS ts, {venue:String} AS venue, t.outcome_id AS outcomeId,${side('bid', 'bid')},${side('ask', 'ask')},
  t.ts + t.recv_delay AS recvTs, t.seq AS seq
FROM top_of_book AS t
WHERE ${outcomesWhere(query)} AND t.ts BETWEEN {since:UInt64} AND {until:UInt64}
  ${after === null ? '' : 'AND (t.ts > {since:UInt64} OR (t.recv_delay, t.seq) > ({afterDelay:Int64}, {afterSeq:UInt16}))'}
ORDER BY t.ts, t.recv_delay, t.seq
LIMIT {limit:UInt32} WITH TIES
SETTINGS max_threads = 1
FORMAT JSONEachRow`,
    parameters: {
      ...outcomesParameters(query),
      since: query.after?.ts ?? query.sinceMs,
      until: query.untilMs,
      limit: query.limit + 1,
      ...(after === null || query.after === null
        ? {}
        : { afterDelay: after.recvTs - query.after.ts, afterSeq: after.seq }),
    },
    positionOf(line) {
      const { ts, recvTs, seq } = line as unknown as TopOfBookLine
      return { ts, tie: `${recvTs}.${seq}` }
    },
  }
}

function parseTie(tie: string): { recvTs: number; seq: number } {
  const [recvTs, seq] = tie.split('.').map(Number)
  if (recvTs === undefined || seq === undefined || !Number.isInteger(recvTs) || !Number.isInteger(seq)) {
    throw new Error(`not a top-of-book position: ${tie}`)
  }
  return { recvTs, seq }
}
