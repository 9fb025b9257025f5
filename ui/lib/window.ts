/** Rows of a long list to be drawn. */
export interface Shown {
  /** First row, and the one behind the last. */
  from: number
  to: number
}

/** Rows kept ready above and below what is seen. */
const spare = 8

/** All in pixels but `count`. */
export function shownRows(count: number, rowHeight: number, scrollTop: number, height: number): Shown {
  const first = Math.floor(Math.max(0, scrollTop) / rowHeight)
  const from = Math.max(0, Math.min(first, count) - spare)
  return { from, to: Math.min(count, first + Math.ceil(height / rowHeight) + spare) }
}
