// Where Kalshi shows an order and its fills. Orders that ended, and fills, move from the live lists to the history after a while (docs:
// about three months; two weeks were seen): `GET /historical/cutoff` says when. Resting orders are always live. The live list is read
// first, so an order that moves meanwhile is found in the history. https://docs.kalshi.com/getting_started/historical_data
import type { z } from 'zod'
import { compareDecimals } from '#core/decimal'
import type { LaneContext } from '../../lane.ts'
import { findKeyed } from '../../shared/exec/apiKeyClient.ts'
import { sumOf } from '../../shared/exec/orderSnapshot.ts'
import { readableRows, readPagedList } from '../../shared/exec/pagedList.ts'
import { type Credentials, kalshiApi } from './auth.ts'
import { KalshiFill, KalshiFills, KalshiOneOrder, KalshiOrder, KalshiOrders } from './wire.ts'

const pageRows = 1_000
const pagesMax = 20

export interface Reader {
  context: LaneContext
  credentials: Credentials
  /** Of the order's market; null: not known, all markets are read. */
  ticker: string | null
  /** Before the order was placed, Unix seconds; null: not known. */
  sinceSeconds: number | null
}

/** `isWhole`: when null was found, both lists were read to their end, so the order is in neither. */
export interface FoundOrder {
  order: KalshiOrder | null
  isWhole: boolean
}

export async function readOrder(reader: Reader, orderId: string): Promise<FoundOrder> {
  const { context, credentials } = reader
  const path = `/portfolio/orders/${encodeURIComponent(orderId)}`
  const live = await findKeyed(kalshiApi, { context, credentials, path, shape: KalshiOneOrder })
  if (live !== null) return { order: live.order, isWhole: true }
  return findIn(reader, '/historical/orders', ({ order_id }) => order_id === orderId)
}

/** There is no read by client order id. */
export async function findOrder(reader: Reader, clientOrderId: string): Promise<FoundOrder> {
  const isOurs = ({ client_order_id }: KalshiOrder): boolean => client_order_id === clientOrderId
  const live = await findIn(reader, '/portfolio/orders', isOurs)
  if (live.order !== null) return live
  const archived = await findIn(reader, '/historical/orders', isOurs)
  return { order: archived.order, isWhole: live.isWhole && archived.isWhole }
}

/** `filled`: what the order says; the history is read when the live fills are fewer. */
export async function readFills(reader: Reader, orderId: string, filled: string | null): Promise<KalshiFill[]> {
  const { ticker, sinceSeconds: min_ts } = reader
  const live = await fillsIn(reader, '/portfolio/fills', { order_id: orderId }, orderId)
  if (filled !== null && compareDecimals(sumOf(live.map(({ count_fp }) => count_fp)), filled) >= 0) return live
  const archived = await fillsIn(reader, '/historical/fills', { ticker, min_ts }, orderId)
  return [...new Map([...archived, ...live].map((fill) => [fill.fill_id, fill])).values()]
}

async function findIn(reader: Reader, path: string, isOurs: (order: KalshiOrder) => boolean): Promise<FoundOrder> {
  const { ticker, sinceSeconds: min_ts } = reader
  const { rows, isWhole } = await readPagedList({
    read: async (cursor) => {
      const page = await readPage(reader, path, KalshiOrders, { ticker, min_ts, cursor })
      return page && { ...readableRows(KalshiOrder, page.orders), cursor: page.cursor }
    },
    idOf: ({ order_id }) => order_id,
    isEnough: isOurs,
    pagesMax,
  })
  return { order: rows.find(isOurs) ?? null, isWhole }
}

type Query = Readonly<Record<string, string | number | null>>

/** The history cannot be filtered by order id. */
async function fillsIn(reader: Reader, path: string, query: Query, orderId: string): Promise<KalshiFill[]> {
  const { rows } = await readPagedList({
    read: async (cursor) => {
      const page = await readPage(reader, path, KalshiFills, { ...query, cursor })
      return page && { ...readableRows(KalshiFill, page.fills), cursor: page.cursor }
    },
    idOf: ({ order_id, fill_id }) => `${order_id} ${fill_id}`,
    pagesMax,
  })
  return rows.filter(({ order_id }) => order_id === orderId)
}

/** Null: the venue itself says that there is no such list. */
function readPage<S extends z.ZodType>(
  { context, credentials }: Reader,
  path: string,
  shape: S,
  query: Query,
): Promise<z.output<S> | null> {
  const given = Object.entries({ ...query, limit: pageRows }).flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as const],
  )
  return findKeyed(kalshiApi, { context, credentials, path, shape, query: Object.fromEntries(given) })
}
