// The status of an order, read with a fresh key pair. Reads lag behind writes, and a 404 never proves anything: what is not shown keeps
// its stored status.
import type { z } from 'zod'
import { compareDecimals } from '#lib/decimal'
import { Fault } from '#lib/fault'
import type { LaneContext, LaneExecution, Observation, VenueFill } from '../../lane.ts'
import { findKeyed } from '../../shared/exec/keyedApi.ts'
import { notShown, observeCancel, plain, sumOf, withItsFills } from '../../shared/exec/observe.ts'
import { type AmendArtifact, readArtifact } from './artifact.ts'
import { type Credentials, kalshiApi } from './auth.ts'
import { KalshiFills, KalshiOneOrder, type KalshiOrder, KalshiOrders, statusOf } from './wire.ts'

/** The venue's clock may run behind ours. */
const clockSlackMs = 60_000
const pageRows = 1_000
const pagesMax = 20

interface Reader {
  context: LaneContext
  credentials: Credentials
}

export async function refresh(
  context: LaneContext,
  execution: LaneExecution,
  credentials: Credentials,
): Promise<Observation> {
  const reader: Reader = { context, credentials }
  const { unsigned, venueRef, createdAt } = execution
  const artifact = readArtifact(unsigned)
  if (artifact.kind !== 'order') {
    const order = await readOrder(reader, artifact.order_id)
    if (order === null) return missing(execution, false)
    return artifact.kind === 'modify' ? observeAmend(order, artifact) : observeCancel(statusOf(order), seen(order))
  }
  // A modification gives an order another client order id, price and size.
  const { ticker, client_order_id } = artifact
  const order =
    venueRef === null
      ? await findOrder(reader, ticker, client_order_id, Math.floor((createdAt - clockSlackMs) / 1_000))
      : await readOrder(reader, venueRef)
  if (order === null) return missing(execution, true)
  return { ...(await observe(reader, order)), about: { market: [order.ticker, ticker] } }
}

const missing = ({ venueRef }: LaneExecution, isPlacing: boolean): Observation =>
  notShown(venueRef, 'the venue shows no such order', isPlacing)

async function observe(reader: Reader, order: KalshiOrder): Promise<Observation> {
  const { order_id, fill_count_fp, last_update_time } = order
  const fills = compareDecimals(fill_count_fp, '0') > 0 ? await readFills(reader, order_id) : []
  const fillsReconciled = compareDecimals(sumOf(fills.map(({ count_fp }) => count_fp)), fill_count_fp) >= 0
  const changedAt = Date.parse(last_update_time ?? '')
  const base = seen(order)
  return {
    ...base,
    status: withItsFills(statusOf(order), fillsReconciled, changedAt, reader.context.clock),
    fills: fills.map(
      (row): VenueFill => ({ key: row.fill_id, fill: plain(row), filledAt: Date.parse(row.created_time) }),
    ),
    observation: { ...base.observation, fillsReconciled },
  }
}

/**
 * The new client order id shows that it was applied. The order itself, fills and all, is reported with the execution that placed
 * it.
 */
function observeAmend(order: KalshiOrder, amend: AmendArtifact): Observation {
  if (order.client_order_id === amend.updated_client_order_id) return { ...seen(order), status: statusOf(order) }
  if (order.client_order_id === amend.client_order_id) return { ...seen(order), status: null, undone: true }
  // A third id is another party's modification, before ours or after it: whether ours was applied can no longer be
  // determined.
  const { shown: _, ...rest } = seen(order)
  return { ...rest, status: null }
}

const seen = (order: KalshiOrder) => ({
  shown: true,
  matchedSize: order.fill_count_fp,
  venueRef: order.order_id,
  fills: [],
  observation: {
    status: order.status,
    initial_count_fp: order.initial_count_fp,
    fill_count_fp: order.fill_count_fp,
    remaining_count_fp: order.remaining_count_fp,
  },
})

async function readOrder(reader: Reader, orderId: string): Promise<KalshiOrder | null> {
  const path = `/portfolio/orders/${encodeURIComponent(orderId)}`
  const answer = await findKeyed(kalshiApi, { ...reader, path, shape: KalshiOneOrder })
  return answer?.order ?? null
}

/** There is no read by client order id: it is looked for among the orders of the market since `min_ts`, Unix seconds. */
async function findOrder(
  reader: Reader,
  ticker: string,
  clientOrderId: string,
  min_ts: number,
): Promise<KalshiOrder | null> {
  for await (const { orders } of walk(reader, '/portfolio/orders', KalshiOrders, { ticker, min_ts })) {
    const found = orders.find(({ client_order_id }) => client_order_id === clientOrderId)
    if (found !== undefined) return found
  }
  return null
}

async function readFills(reader: Reader, orderId: string): Promise<z.infer<typeof KalshiFills>['fills']> {
  const fills = []
  for await (const page of walk(reader, '/portfolio/fills', KalshiFills, { order_id: orderId })) {
    fills.push(...page.fills.filter(({ order_id }) => order_id === orderId))
  }
  return fills
}

/** An empty cursor ends the walk; so does a repeated one. */
async function* walk<Page extends { cursor?: string | null | undefined }>(
  reader: Reader,
  path: string,
  shape: z.ZodType<Page>,
  query: Record<string, string | number>,
): AsyncGenerator<Page> {
  let cursor: string | undefined
  for (let page = 0; page < pagesMax; page++) {
    const paged = { ...query, limit: pageRows, ...(cursor !== undefined && { cursor }) }
    const answer = await findKeyed(kalshiApi, { ...reader, path, shape, query: paged })
    if (answer === null) return
    yield answer
    if (!answer.cursor || answer.cursor === cursor) return
    cursor = answer.cursor
  }
  throw new Fault('NETWORK_ERROR', 'kalshi has more rows than we read at once', { exchange: 'kalshi' })
}
