// What a replay kind provides to the pager: a statement for one row more than the page, and the key of a printed row.
import type { SqlParameters } from '#storage/clickhouse/client'
import type { NativeShape } from '#storage/clickhouse/nativeReader'
import type { ReplayPosition, ReplayQuery } from '../tape.ts'

export interface ReplayStatement {
  sql: string
  parameters: SqlParameters
  /** Only called for the last row of a page. */
  positionOf(line: Readonly<Record<string, unknown>>): ReplayPosition
}

/** Of rows `t`. */
export const storedOutcomeId = (shape: readonly NativeShape[]): string =>
  shape.map(({ name }) => `t.${name} AS ${name}`).join(', ')

/** Columns that every row of a page shares: a file names its venue and outcome. */
export const pageNames = '{venue:String} AS venue, {pageOutcome:String} AS outcomeId'
export const pageNameParameters = ({ outcomeIds }: ReplayQuery): SqlParameters => ({
  pageOutcome: outcomeIds[0] as string,
})

/** Lines are encoded from whole blocks: small ones stay in the CPU cache and hold little of a page. */
export const blockSettings = 'max_threads = 1, max_block_size = 8192'

/** The rows of a page whose last key is known, as columns named like the fields of its lines: no FORMAT, and no `k`, which the request named. */
export interface ReplayColumns {
  sql: string
  parameters: SqlParameters
}
