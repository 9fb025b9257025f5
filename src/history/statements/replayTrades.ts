// One page of trades: the first row of each (ts, trade id), over all representations of the outcome's id.
import type { SqlParameters } from '#storage/clickhouse/client'
import { noPrice } from '#storage/clickhouse/columnBuffers'
import type { Recorded } from '../recordedOutcomeId.ts'
import type { ReplayPosition, ReplayQuery } from '../tape.ts'
import { fromSide, micros, notRevertedSql, outcomesParameters, outcomesWhere, sideView } from './predicates.ts'
import { blockSettings, type ReplayColumns, type ReplayStatement } from './replayStatement.ts'

export function replayTrades(query: ReplayQuery, taped: Recorded): ReplayStatement {
  const { sql, parameters } = rowsOf(query, taped, { head: "'trades' AS k, " })
  return {
    sql: `${sql}
LIMIT {limit:UInt32}
SETTINGS max_threads = 1
FORMAT JSONEachRow`,
    parameters: { ...parameters, limit: query.limit + 1 },
    positionOf: ({ ts, tradeId }) => ({ ts: Number(ts), tie: String(tradeId) }),
  }
}

/** The same page, with stored values unchanged. */
export function tradesBlocks(query: ReplayQuery, taped: Recorded): ReplayColumns {
  const named = outcomeOf(query, taped) === null ? ', CAST(t.outcome_id AS String) AS outcome' : ''
  return {
    sql: `
SELECT t.ts AS ts, t.recv_delay AS recv_delay, t.price AS price, t.size AS size, CAST(t.side AS Int8) AS side_number,
  t.trade_id AS trade_id, t.transaction_hash AS transaction_hash${named}
${pageOf(query, taped)}
LIMIT {limit:UInt32}
SETTINGS ${blockSettings}`,
    parameters: { ...parametersOf(query, taped), limit: query.limit + 1 },
  }
}

/** The outcome of every row; null if rows say which of its ids they were stored under. */
export function outcomeOf({ outcomeIds }: ReplayQuery, taped: Recorded): string | null {
  const [requestedId] = outcomeIds as [string]
  if (!taped.outcomeIds.includes(requestedId)) return requestedId
  return taped.outcomeIds.length === 1 ? requestedId : null
}

export function tradesColumns(query: ReplayQuery, taped: Recorded, last: ReplayPosition): ReplayColumns {
  const { sql, parameters } = rowsOf(query, taped, {
    upTo: 'AND (t.ts < {until:UInt64} OR t.trade_id <= {lastId:String})',
  })
  return {
    sql: `${sql}
SETTINGS max_threads = 1`,
    parameters: { ...parameters, until: last.ts, lastId: last.tie },
  }
}

function rowsOf(query: ReplayQuery, taped: Recorded, { head = '', upTo = '' }): ReplayColumns {
  const [requestedId] = query.outcomeIds as [string]
  // An outcome with rows under its own id: each row says which id it was stored under.
  const isNamed = taped.outcomeIds.includes(requestedId)
  return {
    sql: `
SELECT ${head}toInt64(t.ts) AS ts, {venue:String} AS venue, ${isNamed ? 't.outcome_id' : '{askedId:String}'} AS outcomeId, t.trade_id AS tradeId,
  if(t.price = ${noPrice}, NULL, ${micros(fromSide(taped.mirrored, 't.price'))}) AS price, ${micros('t.size')} AS size,
  ${sideView(taped.mirrored)} AS side, t.transaction_hash AS transactionHash, t.ts + t.recv_delay AS recvTs
${pageOf(query, taped, upTo)}`,
    parameters: { ...parametersOf(query, taped), ...(isNamed ? {} : { askedId: requestedId }) },
  }
}

const pageOf = ({ after }: ReplayQuery, taped: Recorded, upTo = ''): string => `FROM trades AS t
WHERE ${outcomesWhere(taped)} AND t.ts BETWEEN {since:UInt64} AND {until:UInt64} AND ${notRevertedSql(outcomesWhere(taped))}
  ${after === null ? '' : 'AND (t.ts > {since:UInt64} OR t.trade_id > {afterId:String})'} ${upTo}
ORDER BY t.ts, t.trade_id, t.recv_delay, t.outcome_id
LIMIT 1 BY t.ts, t.trade_id`

const parametersOf = ({ after, sinceMs, untilMs }: ReplayQuery, taped: Recorded): SqlParameters => ({
  ...outcomesParameters(taped),
  since: after?.ts ?? sinceMs,
  until: untilMs,
  ...(after === null ? {} : { afterId: after.tie }),
})
