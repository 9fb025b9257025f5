// A venue's refusals as a table: its codes and texts, and what each means. The first matching row decides; an error that matches no row proves
// nothing.
//
//   body ─► read: the error, in the venue's own shape ─► the first matching row ─► Refusal
import type { ErrorCodes, Refusal } from './relay.ts'

/** An error in the venue's own shape. */
export interface VenueError {
  /** Absent: the venue has no codes, or this error has none. */
  code?: string
  /** For the owner of the order, and for the log. */
  text: string
}

/** Equal to this value or to one of these, of this form, or accepted by this function. */
type Pattern = string | readonly string[] | RegExp | ((value: string) => boolean)

export interface ErrorRow {
  /** HTTP statuses; absent: any. */
  status?: readonly number[]
  /** An absent code is an empty one. */
  code?: Pattern
  text?: Pattern
  means: Refusal['means']
  /** Replaces the venue's text, whose `{code}` and `{text}` it may contain. Always present where the order was not examined: it is shown as it is. */
  shownAs?: string
  /** Of a credential: the specification's own code for it, and what the caller has to change. */
  ourCode?: Extract<Refusal, { means: 'credential' }>['code']
  advice?: string
}

export interface ErrorTable extends ErrorCodes {
  rows: readonly ErrorRow[]
}

interface Definition extends Omit<ErrorTable, 'refusal'> {
  /** Null for every body that is not in the venue's own shape. */
  read(body: unknown, status: number): VenueError | null
  /** Null: an error that matches no row is treated like a body of another shape. */
  unlisted?: null
}

export function errorTable({ read, unlisted, ...table }: Definition): ErrorTable {
  return {
    ...table,
    refusal(body, status) {
      const error = read(body, status)
      if (error === null) return null
      const refusal = findRefusal(table.rows, error, status)
      return refusal ?? (unlisted === null ? null : { means: 'unclear', text: error.text })
    },
  }
}

/** By the first matching row; null when there is none. */
export function findRefusal(rows: readonly ErrorRow[], error: VenueError, status: number): Refusal | null {
  const { code = '', text } = error
  const row = rows.find(
    (each) =>
      (each.status === undefined || each.status.includes(status)) &&
      (each.code === undefined || matches(each.code, code)) &&
      (each.text === undefined || matches(each.text, text)),
  )
  return row === undefined ? null : refusalOf(row, code, text)
}

function matches(pattern: Pattern, value: string): boolean {
  if (typeof pattern === 'string') return value === pattern
  if (typeof pattern === 'function') return pattern(value)
  return pattern instanceof RegExp ? pattern.test(value) : pattern.includes(value)
}

function refusalOf({ means, shownAs, ourCode, advice }: ErrorRow, code: string, text: string): Refusal {
  const shown = shownAs?.replace(/\{(code|text)\}/g, (_, name: string) => (name === 'code' ? code : text)) ?? text
  if (means !== 'credential') return { means, text: shown }
  return {
    means,
    text: shown,
    ...(ourCode !== undefined && { code: ourCode }),
    ...(advice !== undefined && { advice }),
  }
}
