// Rows as aligned columns, and one of many things as lines `name  value`.

/** The first row is the heading. */
export function tableOf(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  )
}

export function factsOf(facts: Readonly<Record<string, string>>): string[] {
  const width = Math.max(...Object.keys(facts).map((name) => name.length))
  return Object.entries(facts).map(([name, value]) => `${name.padEnd(width)} ${value}`)
}
