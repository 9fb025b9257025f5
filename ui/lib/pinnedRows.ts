// Keeps the rows of a list in place while the pointer or the focus is on it, whatever the new order is. Pure.

export interface HeldRows<Row> {
  rows: readonly Row[]
  /** Keys of rows that no longer exist, with their last values. */
  gone: ReadonlySet<string>
}

/** `base`: the order of the rows when pinning began. New rows are added after them. */
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
