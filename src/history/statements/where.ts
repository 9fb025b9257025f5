// The part every statement shares: which outcomes. One id is written as an equality, because only then the engine reads
// in key order and stops at the limit instead of sorting the whole window.
import type { SqlParameters } from '#storage/clickhouse/client'

export interface Outcomes {
  venue: string
  outcomeIds: readonly string[]
}

export const outcomesWhere = ({ outcomeIds }: Outcomes): string =>
  outcomeIds.length === 1
    ? 't.venue = {venue:String} AND t.outcome_id = {outcomeId:String}'
    : 't.venue = {venue:String} AND t.outcome_id IN {outcomeIds:Array(String)}'

export const outcomesParameters = ({ venue, outcomeIds }: Outcomes): SqlParameters =>
  outcomeIds.length === 1 ? { venue, outcomeId: outcomeIds[0] as string } : { venue, outcomeIds }

/** Prices on the tape are micros, sizes millionths. */
export const micros = (expression: string): string => `(${expression}) / 1000000`
