// What a command says: lines for people and, for programs, the same as records.

export type Lines = string[]

/** Beside the lines, not in them: printing or comparing lines is unaffected. */
const recordsOf = new WeakMap<Lines, readonly object[]>()

export function withRecords(lines: string[], records: readonly object[]): Lines {
  recordsOf.set(lines, records)
  return lines
}

/** JSON, one record a line; a sentence that is no record is one by itself. */
export const jsonOf = (lines: Lines): string[] =>
  (recordsOf.get(lines) ?? lines.map((says) => ({ says }))).map((record) => JSON.stringify(record))
