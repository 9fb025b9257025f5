// Rows of a list that somebody points at: each stays in its place, whatever the order becomes. Pure.

export interface HeldRows<Row> {
  rows: readonly Row[]
  /** Keys of rows that are there no more: as they were told last. */
  gone: ReadonlySet<string>
}

/** `base`: how the rows stood when they began to be held. New ones come after them. */
export function pinnedRows<Row>(
  base: readonly Row[],
  current: readonly Row[],
  keyOf: (row: Row) => string,
): HeldRows<Row> {
  const now = new Map(current.map((row) => [keyOf(row), row]))
  const held = new Set(base.map(keyOf))
  return {
    rows: [...base.map((row) => now.get(keyOf(row)) ?? row), ...current.filter((row) => !held.has(keyOf(row)))],
    gone: new Set([...held].filter((key) => !now.has(key))),
  }
}
