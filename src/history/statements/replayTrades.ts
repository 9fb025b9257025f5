// One page of trades as the reader gets them: the first row of each (ts, trade id), over all representations of the outcome's id.
import { noPrice } from '#storage/clickhouse/packing'
import type { ReplayQuery } from '../tape.ts'
import type { ReplayStatement } from './replayStatement.ts'
import { micros, outcomesParameters, outcomesWhere } from './where.ts'

export function replayTrades(query: ReplayQuery): ReplayStatement {
  const { after } = query
  return {
    sql: `
SELECT 'trades' AS k, t.ts AS ts, {venue:String} AS venue, t.outcome_id AS outcomeId, t.trade_id AS tradeId,
  if(t.price = ${noPrice}, NULL, ${micros('t.price')}) AS price, ${micros('t.size')} AS size,
  t.side AS side, t.transaction_hash AS transactionHash, t.ts + t.recv_delay AS recvTs
FROM trades AS t
WHERE ${outcomesWhere(query)} AND t.ts BETWEEN {since:UInt64} AND {until:UInt64}
  ${after === null ? '' : 'AND (t.ts > {since:UInt64} OR t.trade_id > {afterId:String})'}
ORDER BY t.ts, t.trade_id, t.recv_delay, t.outcome_id
LIMIT 1 BY t.ts, t.trade_id
LIMIT {limit:UInt32}
SETTINGS max_threads = 1
FORMAT JSONEachRow`,
    parameters: {
      ...outcomesParameters(query),
      since: after?.ts ?? query.sinceMs,
      until: query.untilMs,
      limit: query.limit + 1,
      ...(after === null ? {} : { afterId: after.tie }),
    },
    positionOf: ({ ts, tradeId }) => ({ ts: Number(ts), tie: String(tradeId) }),
  }
}
