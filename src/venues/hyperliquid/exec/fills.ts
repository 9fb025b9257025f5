// Finds an order's fills among its owner's. The venue pages by time, at most 2,000 rows.
import { z } from 'zod'
import type { JsonObject } from '#schemas/executions'
import type { LaneContext, VenueFill } from '../../lane.ts'
import { info } from './info.ts'

const pageRows = 2_000
const pagesMax = 5

/** Kept whole: the tape is venue-shaped. */
const Fill = z
  .object({
    coin: z.string(),
    px: z.string().nullish().catch(null),
    sz: z.string(),
    side: z.string().nullish().catch(null),
    time: z.number().int(),
    oid: z.number().int(),
    tid: z.number().int(),
  })
  .catchall(z.json())
/** Rows are read one by one: one that cannot be read must not hide ours. What is missing then shows in the sum of the sizes. */
const Rows = z.array(z.unknown())
const Timed = z.object({ time: z.number().int() })

export interface OrderFills {
  fills: VenueFill[]
  /** Decimal strings, one per fill. */
  sizes: string[]
}

export async function fetchFills(
  context: LaneContext,
  owner: string,
  oid: number,
  sinceMs: number,
): Promise<OrderFills> {
  const byTid = new Map<number, z.infer<typeof Fill>>()
  let startTime = sinceMs
  for (let page = 0; page < pagesMax; page++) {
    const rows = await info(context, { type: 'userFillsByTime', user: owner, startTime, aggregateByTime: false }, Rows)
    for (const row of rows) {
      const fill = Fill.safeParse(row).data
      if (fill?.oid === oid) byTid.set(fill.tid, fill)
    }
    const last = rows.flatMap((row) => Timed.safeParse(row).data ?? []).at(-1)
    if (rows.length < pageRows || last === undefined) break
    // Rows of the last millisecond repeat; they are recognized by id.
    startTime = last.time
  }
  const rows = [...byTid.values()].sort((a, b) => a.time - b.time || a.tid - b.tid)
  return {
    fills: rows.map((row) => ({ key: String(row.tid), fill: row as JsonObject, filledAt: row.time })),
    sizes: rows.map(({ sz }) => sz),
  }
}
