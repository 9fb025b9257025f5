// Tables as CSV (RFC 4180). Null is an empty field and an empty text is "". A text that a spreadsheet would take for a formula has an
// apostrophe before it.
import type { Column, ColumnType } from './columns.ts'

export function csvOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const lines = rows.map((row) => columns.map((column) => fieldOf(column.type, column.of(row))).join(','))
  return [columns.map(({ name }) => name).join(','), ...lines, ''].join('\r\n')
}

function fieldOf(type: ColumnType, value: string | boolean | null): string {
  if (value === null) return ''
  // Ours, and always well-formed: a decimal below zero begins with a minus.
  if (typeof value === 'boolean' || type !== 'text') return String(value)
  const safe = /^[\s]*[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return safe === '' || /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
