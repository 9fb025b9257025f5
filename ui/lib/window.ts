/** Range of the rows of a long list to draw. */
export interface Shown {
  /** First row, and the one after the last. */
  from: number
  to: number
}

/** Rows kept ready above and below the visible ones. */
const spare = 8

/** All in pixels but `count`. */
export function shownRows(count: number, rowHeight: number, scrollTop: number, height: number): Shown {
  const first = Math.floor(Math.max(0, scrollTop) / rowHeight)
  const from = Math.max(0, Math.min(first, count) - spare)
  return { from, to: Math.min(count, first + Math.ceil(height / rowHeight) + spare) }
}
