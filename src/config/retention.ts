// How long rows of the tape are kept, table by table.
import { z } from 'zod'
import { type RetainedTable, retainedTables } from '#schemas/history'
import { family } from './envReaders.ts'

const daysMin = 2
const daysMax = 36_500

/** Days; null: for ever. Undefined: the table's setting is unchanged. */
const days = z
  .string()
  .regex(/^(\d{1,5}d|forever)$/, 'must be days, such as 90d, or forever')
  .transform((text) => (text === 'forever' ? null : Number(text.slice(0, -1))))
  .refine((count) => count === null || (count >= daysMin && count <= daysMax), `must be ${daysMin}d to ${daysMax}d`)
  .optional()

const variableOf = (table: RetainedTable) =>
  `CROSSBOOK_RETENTION_${table.toUpperCase() as Uppercase<RetainedTable>}` as const
type Variable = ReturnType<typeof variableOf>

export const retention = family(
  Object.fromEntries(retainedTables.map((table) => [variableOf(table), days])) as Record<Variable, typeof days>,
  (value) => new Map(retainedTables.map((table) => [table, value[variableOf(table)]] as const)),
)
