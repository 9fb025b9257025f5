// Reads of an owner's account: resting orders, and fills. No key is needed. https://docs.pascal.trade
import { z } from 'zod'
import { Fault } from '#core/fault'
import type { LaneContext } from '../../lane.ts'
import { NamedRow, PascalAccount, PascalFill, PascalFills, PascalOpenOrder, TimedRow } from './wire.ts'

/** As requested by the venue's own client; its maximum is undocumented. */
const pageRows = 50
const pagesMax = 20

export interface SubscriptionTarget {
  owner: string
  symbol: string
  clientOrderId: string
  /** Nothing of it is older, epoch ms. */
  sinceMs: number
}

/** Null: it does not rest. Throws NETWORK_ERROR. */
export async function readOpenOrder(
  context: LaneContext,
  { owner, clientOrderId }: SubscriptionTarget,
): Promise<PascalOpenOrder | null> {
  const { data } = await ask(context, `/api/v1/accounts/${owner}`, PascalAccount)
  const row = data.orders.find((each) => isNamed(each, clientOrderId))
  return row === undefined ? null : ours(PascalOpenOrder, row)
}

/**
 * Newest first, as returned. `isWhole`: no older one can belong to the order, and none may have been counted too few times. Throws
 * NETWORK_ERROR.
 */
export async function readFills(
  context: LaneContext,
  { owner, symbol, clientOrderId, sinceMs }: SubscriptionTarget,
): Promise<{ fills: PascalFill[]; isWhole: boolean }> {
  const counted = new CountedFills()
  const seenCursors = new Set<string>()
  let cursor: string | null | undefined
  for (let page = 0; page < pagesMax; page++) {
    const query = { symbols: symbol, limit: pageRows, ...(cursor ? { before_cursor: cursor } : {}) }
    const { data } = await ask(context, `/api/v1/accounts/${owner}/fills`, PascalFills, query)
    counted.add(data.items.filter((row) => isNamed(row, clientOrderId)).map((row) => ours(PascalFill, row)))
    const last = TimedRow.safeParse(data.items.at(-1))
    const isOlder = last.success && last.data.trade_ts_ms < sinceMs
    const next = data.next_cursor
    if (!next || isOlder) return { fills: counted.rows(), isWhole: !counted.isAmbiguous }
    // A repeated cursor yields no new page: the rows after it are unknown.
    if (seenCursors.has(next)) break
    seenCursors.add(next)
    cursor = next
  }
  return { fills: counted.rows(), isWhole: false }
}

/**
 * Fills have no id. One state of the venue may make several that are equal in every field, all on one page or on two; a row that a second page
 * repeats is equal as well. So equal rows count as often as the page that shows most of them, and `isAmbiguous` says that two pages show some.
 */
class CountedFills {
  isAmbiguous = false
  private readonly copies = new Map<string, PascalFill[]>()

  add(page: readonly PascalFill[]): void {
    const here = new Map<string, PascalFill[]>()
    for (const fill of page) {
      const key = JSON.stringify(fill)
      here.set(key, [...(here.get(key) ?? []), fill])
    }
    for (const [key, fills] of here) {
      const before = this.copies.get(key)
      if (before !== undefined) this.isAmbiguous = true
      if (before === undefined || fills.length > before.length) this.copies.set(key, fills)
    }
  }

  rows(): PascalFill[] {
    return [...this.copies.values()].flat()
  }
}

const isNamed = (row: unknown, clientOrderId: string): boolean => {
  const { data } = NamedRow.safeParse(row)
  return data?.client_order_id === clientOrderId
}

function ours<S extends z.ZodType>(shape: S, row: unknown): z.output<S> {
  const parsed = shape.safeParse(row)
  if (parsed.success) return parsed.data
  throw unreadable(z.prettifyError(parsed.error))
}

async function ask<S extends z.ZodType>(
  { http, urls, signal }: LaneContext,
  path: string,
  shape: S,
  query?: Readonly<Record<string, string | number>>,
): Promise<z.output<S>> {
  const { status, body } = await http.request({ url: `${urls.REST}${path}`, ...(query && { query }), signal })
  const parsed = shape.safeParse(body)
  if (status === 200 && parsed.success) return parsed.data
  throw unreadable(`status ${status} ${parsed.success ? '' : z.prettifyError(parsed.error)}`)
}

const unreadable = (detail: string): Fault =>
  new Fault('NETWORK_ERROR', 'pascal sent an answer we cannot read', {
    exchange: 'pascal',
    detail: detail.slice(0, 500),
  })
