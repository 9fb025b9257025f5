// Counters as decimal text, once per request. `String` would do, but the engine caches the text of every number it wrote: text that never
// recurs is carried along by each garbage collection, which was a third of the cost of metering a read.

const base = 10_000
const padded = Array.from({ length: base }, (_, i) => String(i).padStart(4, '0'))

/** For an integer from 0 on, as `String` writes it. */
export function formatCount(count: number): string {
  if (count < base || count > Number.MAX_SAFE_INTEGER) return String(count)
  // The upper part recurs ten thousand times, the lower is in the table; their concatenation is not cached.
  const upper = Math.floor(count / base)
  return String(upper) + padded[count - upper * base]!
}
