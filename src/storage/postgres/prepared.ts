// Statements that each connection parses and plans once instead of every time: for statements that an order waits for, that is more than half of
// their cost.
import type pg from 'pg'

let count = 0

/**
 * For a text that never changes and finds its rows by their keys: its plan is soon one for any values. Named after nothing but its place in the
 * program, since names count within a connection.
 */
export function prepared(text: string): (values: unknown[]) => pg.QueryConfig {
  const name = `crossbook_${++count}`
  return (values) => ({ name, text, values })
}
