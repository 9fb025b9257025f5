// What a replay kind gives to the pager: a statement for one row more than the page, and the key of a printed row.
import type { SqlParameters } from '#storage/clickhouse/client'
import type { ReplayPosition } from '../tape.ts'

export interface ReplayStatement {
  sql: string
  parameters: SqlParameters
  /** Only ever asked for the last row of a page. */
  positionOf(line: Readonly<Record<string, unknown>>): ReplayPosition
}
