// Rows out of lists: one that cannot be read is left out and said in the log, so that it costs no other one.
import type { z } from 'zod'
import type { VenueContext } from '../../venue.ts'

export function readRows<S extends z.ZodType>(
  { log }: VenueContext,
  rows: readonly unknown[],
  shape: S,
  what: string,
): z.output<S>[] {
  const good: z.output<S>[] = []
  let refused = 0
  for (const row of rows) {
    const parsed = shape.safeParse(row)
    if (parsed.success) good.push(parsed.data)
    else refused++
  }
  if (refused > 0) log.warn({ venue: 'hyperliquid', what, refused }, 'rows that cannot be read were left out')
  return good
}
