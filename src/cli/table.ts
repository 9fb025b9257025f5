// Aligned columns, or one item as lines `name  value`; plus the corresponding JSON records.
import { type Lines, withRecords } from '#core/commandOutput'

/** The first row is the heading. */
export function tableOf(rows: readonly (readonly string[])[], records: readonly object[] = []): Lines {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  )
  return withRecords(lines, records)
}

type Facts = Readonly<Record<string, string | number>>

/** The record contains the facts themselves, under program-style names, by default. */
export function factsOf(facts: Facts, record: object = named(facts)): Lines {
  const width = Math.max(...Object.keys(facts).map((name) => name.length))
  const lines = Object.entries(facts).map(([name, value]) => `${name.padEnd(width)} ${value}`)
  return withRecords(lines, [record])
}

const named = (facts: Facts): object =>
  Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [
      name.replaceAll(/ (\w)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  )

export const nothing = (text: string): Lines => withRecords([text], [])
