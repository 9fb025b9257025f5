// One page of arbitrage history. The best row is stored as published and returned unchanged.
import type { ArbitrageQuery } from '../tape.ts'
import type { ReplayStatement } from './replayStatement.ts'

export function replayArbitrage({ sinceMs, untilMs, venue, clusterId, limit, after }: ArbitrageQuery): ReplayStatement {
  return {
    sql: `
SELECT concat('{"k":"arbitrage","clusterId":', toJSONString(t.row_id), ',"buyYes":', toJSONString(toString(t.venue_yes)),
  ',"buyNo":', toJSONString(toString(t.venue_no)), ',"firstSeen":', toString(t.first_seen), ',"lastSeen":', toString(t.last_seen),
  ',"ended":', if(t.ended = 1, 'true', 'false'), ',"bestEdge":', toString(t.best_edge / 1000000), ',"bestAt":', toString(t.best_at),
  ',"best":', t.best, '}\n') AS line
FROM arbitrage AS t FINAL
WHERE t.first_seen BETWEEN {since:UInt64} AND {until:UInt64}
  ${venue === null ? '' : 'AND (t.venue_yes = {venue:String} OR t.venue_no = {venue:String})'}
  ${clusterId === null ? '' : "AND (t.row_id = {clusterId:String} OR startsWith(t.row_id, concat({clusterId:String}, ':')))"}
  ${after === null ? '' : 'AND (t.first_seen, t.row_id) > ({since:UInt64}, {afterRow:String})'}
ORDER BY t.first_seen, t.row_id
LIMIT {limit:UInt32}
SETTINGS max_threads = 1
FORMAT RawBLOB`,
    parameters: {
      since: after?.ts ?? sinceMs,
      until: untilMs,
      limit: limit + 1,
      ...(venue === null ? {} : { venue }),
      ...(clusterId === null ? {} : { clusterId }),
      ...(after === null ? {} : { afterRow: after.tie }),
    },
    positionOf: ({ firstSeen, clusterId: rowId }) => ({ ts: Number(firstSeen), tie: String(rowId) }),
  }
}
