// Finds an order's fills among its owner's. The venue pages by time, at most 2,000 rows.
import { z } from 'zod'
import { Fault } from '#lib/fault'
import type { JsonObject } from '#schemas/executions'
import type { LaneContext, VenueFill } from '../../lane.ts'
import { info } from './info.ts'

const pageRows = 2_000
const pagesMax = 5

/** Kept whole: the tape is venue-shaped. */
const Fill = z
  .object({
    coin: z.string(),
    px: z.string(),
    sz: z.string(),
    side: z.enum(['B', 'A']),
    time: z.number().int(),
    oid: z.number().int(),
    tid: z.number().int(),
  })
  .catchall(z.json())
/** Of the owner's other fills only the position in the tape matters: their other content must not hide ours. */
const Rows = z.array(z.object({ oid: z.number().int(), time: z.number().int() }).loose())

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
    for (const row of rows.filter((candidate) => candidate.oid === oid)) {
      const fill = read(row)
      byTid.set(fill.tid, fill)
    }
    const last = rows.at(-1)
    if (rows.length < pageRows || last === undefined) break
    // Rows of the last millisecond repeat and are recognized by id.
    startTime = last.time
  }
  const rows = [...byTid.values()].sort((a, b) => a.time - b.time || a.tid - b.tid)
  return {
    fills: rows.map((row) => ({ key: String(row.tid), fill: row as JsonObject, filledAt: row.time })),
    sizes: rows.map(({ sz }) => sz),
  }
}

function read(row: unknown): z.infer<typeof Fill> {
  const parsed = Fill.safeParse(row)
  if (parsed.success) return parsed.data
  throw new Fault('NETWORK_ERROR', 'hyperliquid sent a fill we cannot read', {
    exchange: 'hyperliquid',
    detail: z.prettifyError(parsed.error),
  })
}
