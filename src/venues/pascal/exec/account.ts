// Reads of an owner's account: resting orders, and fills. No key is needed. https://docs.pascal.trade
import { z } from 'zod'
import { Fault } from '#lib/fault'
import type { LaneContext } from '../../lane.ts'
import { NamedRow, PascalAccount, PascalFill, PascalFills, PascalOpenOrder, TimedRow } from './wire.ts'

/** As requested by the venue's own client; its maximum is undocumented. */
const pageRows = 50
const pagesMax = 20

export interface Wanted {
  owner: string
  symbol: string
  clientOrderId: string
  /** Nothing of it is older, epoch ms. */
  sinceMs: number
}

/** Null: it does not rest. Throws NETWORK_ERROR. */
export async function readOpenOrder(
  context: LaneContext,
  { owner, clientOrderId }: Wanted,
): Promise<PascalOpenOrder | null> {
  const { data } = await ask(context, `/api/v1/accounts/${owner}`, PascalAccount)
  const row = data.orders.find((each) => isNamed(each, clientOrderId))
  return row === undefined ? null : ours(PascalOpenOrder, row)
}

/** Newest first, as returned. `isWhole`: no older one can belong to the order. Throws NETWORK_ERROR. */
export async function readFills(
  context: LaneContext,
  { owner, symbol, clientOrderId, sinceMs }: Wanted,
): Promise<{ fills: PascalFill[]; isWhole: boolean }> {
  const fills: PascalFill[] = []
  let cursor: string | null | undefined
  for (let page = 0; page < pagesMax; page++) {
    const query = { symbols: symbol, limit: pageRows, ...(cursor ? { before_cursor: cursor } : {}) }
    const { data } = await ask(context, `/api/v1/accounts/${owner}/fills`, PascalFills, query)
    fills.push(...data.items.filter((row) => isNamed(row, clientOrderId)).map((row) => ours(PascalFill, row)))
    const last = TimedRow.safeParse(data.items.at(-1))
    const isOlder = last.success && last.data.trade_ts_ms < sinceMs
    const next = data.next_cursor
    if (!next || next === cursor || isOlder) return { fills, isWhole: true }
    cursor = next
  }
  return { fills, isWhole: false }
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
