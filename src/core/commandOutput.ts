// A command's output: lines for people and, for programs, the same as records.

export type Lines = string[]

/** Attached to the lines, not in them: printing or comparing lines is unaffected. */
const recordsOf = new WeakMap<Lines, readonly object[]>()

export function withRecords(lines: string[], records: readonly object[]): Lines {
  recordsOf.set(lines, records)
  return lines
}

/** JSON, one record per line; a line without a record becomes one itself. */
export const jsonOf = (lines: Lines): string[] =>
  (recordsOf.get(lines) ?? lines.map((message) => ({ message }))).map((record) => JSON.stringify(record))
