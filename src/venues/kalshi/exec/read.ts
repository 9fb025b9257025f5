// The account's portfolio reads, each signed anew. They may be repeated, so they go through the client that repeats them.
import { z } from 'zod'
import { Fault } from '#lib/fault'
import type { LaneContext } from '../../lane.ts'
import { isShownMissing, readFault } from '../../shared/exec/readFault.ts'
import { redactBody } from '../../shared/redact.ts'
import { kalshiWords } from './answer.ts'
import { type Credentials, signedHeaders } from './auth.ts'
import { KalshiFills, KalshiOneOrder, type KalshiOrder, KalshiOrders } from './wire.ts'

const pageRows = 1_000
const pagesMax = 20

export interface Reader {
  context: LaneContext
  credentials: Credentials
}

export async function readOrder(reader: Reader, orderId: string): Promise<KalshiOrder | null> {
  const answer = await get(reader, `/portfolio/orders/${encodeURIComponent(orderId)}`, KalshiOneOrder)
  return answer?.order ?? null
}

/** There is no read by client order id: it is looked for among the orders of the market since `minTs`, Unix seconds. */
export async function findOrder(
  reader: Reader,
  ticker: string,
  clientOrderId: string,
  minTs: number,
): Promise<KalshiOrder | null> {
  const pages = walk((cursor) => get(reader, '/portfolio/orders', KalshiOrders, { ticker, min_ts: minTs, ...cursor }))
  for await (const { orders } of pages) {
    const found = orders.find(({ client_order_id }) => client_order_id === clientOrderId)
    if (found !== undefined) return found
  }
  return null
}

export async function readFills(reader: Reader, orderId: string): Promise<z.infer<typeof KalshiFills>['fills']> {
  const fills = []
  const pages = walk((cursor) => get(reader, '/portfolio/fills', KalshiFills, { order_id: orderId, ...cursor }))
  for await (const page of pages) fills.push(...page.fills.filter(({ order_id }) => order_id === orderId))
  return fills
}

/** An empty cursor ends; so does one that repeats itself. */
async function* walk<Page extends { cursor?: string | null | undefined }>(
  read: (cursor: { limit: number; cursor?: string }) => Promise<Page | null>,
): AsyncGenerator<Page> {
  let cursor: string | undefined
  for (let page = 0; page < pagesMax; page++) {
    const answer = await read({ limit: pageRows, ...(cursor === undefined ? {} : { cursor }) })
    if (answer === null) return
    yield answer
    if (!answer.cursor || answer.cursor === cursor) return
    cursor = answer.cursor
  }
  throw new Fault('NETWORK_ERROR', 'kalshi tells of more rows than we read at once', { exchange: 'kalshi' })
}

async function get<T>(
  { context, credentials }: Reader,
  path: string,
  schema: z.ZodType<T>,
  query: Record<string, string | number> = {},
): Promise<T | null> {
  const { http, urls, signal } = context
  const url = `${urls.REST}${path}`
  const headers = () => signedHeaders(context, credentials, 'GET', new URL(url).pathname)
  const { status, body: raw } = await http.request({ url, headers, query, signal })
  const body = redactBody(raw, Object.values(credentials))
  if (isShownMissing(kalshiWords, status, body)) return null
  const parsed = schema.safeParse(body)
  if (status === 200 && parsed.success) return parsed.data
  const why = parsed.success ? '' : z.prettifyError(parsed.error)
  throw readFault(kalshiWords, { venue: 'kalshi', status, body, why })
}
