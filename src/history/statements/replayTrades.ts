// One page of trades as the reader gets them: the first row of each (ts, trade id), over all representations of the outcome's id.
import { noPrice } from '#storage/clickhouse/packing'
import type { ReplayQuery } from '../tape.ts'
import type { Taped } from '../tapedAs.ts'
import type { ReplayStatement } from './replayStatement.ts'
import { facing, micros, outcomesParameters, outcomesWhere, sideFacing, stillStands } from './where.ts'

export function replayTrades(query: ReplayQuery, taped: Taped): ReplayStatement {
  const { after } = query
  const [askedId] = query.outcomeIds as [string]
  // Of an outcome that has rows under its own id a row says which of its ids it came under.
  const isNamed = taped.outcomeIds.includes(askedId)
  return {
    sql: `
SELECT 'trades' AS k, t.ts AS ts, {venue:String} AS venue, ${isNamed ? 't.outcome_id' : '{askedId:String}'} AS outcomeId, t.trade_id AS tradeId,
  if(t.price = ${noPrice}, NULL, ${micros(facing(taped.mirrored, 't.price'))}) AS price, ${micros('t.size')} AS size,
  ${sideFacing(taped.mirrored)} AS side, t.transaction_hash AS transactionHash, t.ts + t.recv_delay AS recvTs
FROM trades AS t
WHERE ${outcomesWhere(taped)} AND t.ts BETWEEN {since:UInt64} AND {until:UInt64} AND ${stillStands(outcomesWhere(taped))}
  ${after === null ? '' : 'AND (t.ts > {since:UInt64} OR t.trade_id > {afterId:String})'}
ORDER BY t.ts, t.trade_id, t.recv_delay, t.outcome_id
LIMIT 1 BY t.ts, t.trade_id
LIMIT {limit:UInt32}
SETTINGS max_threads = 1
FORMAT JSONEachRow`,
    parameters: {
      ...outcomesParameters(taped),
      ...(isNamed ? {} : { askedId }),
      since: after?.ts ?? query.sinceMs,
      until: query.untilMs,
      limit: query.limit + 1,
      ...(after === null ? {} : { afterId: after.tie }),
    },
    positionOf: ({ ts, tradeId }) => ({ ts: Number(ts), tie: String(tradeId) }),
  }
}
