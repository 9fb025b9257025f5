// The status of an order, read with the caller's transient key: the same key settings as submit. There is no read of a single order: it
// is looked for among the open ones, then in the history, page by page.
import { z } from 'zod'
import { Fault } from '#lib/fault'
import type { SendOutcome } from '#net/http'
import type { LaneContext, LaneExecution, Observation } from '../../lane.ts'
import { sendKeyed } from '../../shared/exec/keyedApi.ts'
import { notShown, observeCancel, observeSum } from '../../shared/exec/observe.ts'
import { readFault } from '../../shared/exec/readFault.ts'
import { aboutOf, geminiWords } from './answer.ts'
import { type Artifact, readArtifact } from './artifact.ts'
import { type Credentials, geminiApi, type Payload } from './auth.ts'
import { type GeminiOrder, GeminiOrders, parseExact, paths, statusOf } from './wire.ts'

const pageRows = 100
/** Per list; the venue advises five private calls a second. */
const pagesMax = 5

export async function refresh(
  context: LaneContext,
  execution: LaneExecution,
  credentials: Credentials,
): Promise<Observation> {
  const artifact = readArtifact(execution.unsigned)
  const placed = artifact.request === paths.cancel ? null : artifact
  const order = await findOrder(context, credentials, wantedOf(artifact, execution.venueRef))
  if (order === null) {
    return notShown(execution.venueRef, 'neither the open orders nor the history show this order', placed !== null)
  }
  const { orderId: venueRef, quantity, filledQuantity, remainingQuantity, ...row } = order
  const status = statusOf(row.status)
  if (placed === null) {
    return observeCancel(status, { shown: true, venueRef, fills: [], observation: { status: row.status } })
  }
  const observation = {
    status: row.status,
    filledQuantity: filledQuantity ?? null,
    remainingQuantity: remainingQuantity ?? null,
  }
  const filledAt = timeOf(row.updatedAt) ?? timeOf(row.cancelledAt) ?? context.clock.now()
  const shown = { venueRef, status, size: quantity, filled: filledQuantity, observation }
  return { ...observeSum(shown, { row: order, filledAt }), about: aboutOf(order, placed) }
}

interface Wanted {
  orderId: string | null
  clientOrderId: string | null
  symbol: string | null
}

function wantedOf(artifact: Artifact, venueRef: string | null): Wanted {
  if (artifact.request === paths.cancel) return { orderId: artifact.orderId, clientOrderId: null, symbol: null }
  return { orderId: venueRef, clientOrderId: artifact.clientOrderId, symbol: artifact.symbol }
}

/** Null when neither list shows it. Throws VENUE_CREDENTIAL_REJECTED and its two own codes, NETWORK_ERROR. */
async function findOrder(context: LaneContext, credentials: Credentials, wanted: Wanted): Promise<GeminiOrder | null> {
  for (const path of [paths.active, paths.history]) {
    for (let page = 0; page < pagesMax; page++) {
      const symbol: Payload = wanted.symbol === null ? {} : { symbol: wanted.symbol }
      const fields = { ...symbol, limit: pageRows, offset: page * pageRows }
      // Sent like orders: the HTTP client for reads would round the order ids in the response.
      const rows = readRows(
        await sendKeyed(geminiApi, context, credentials, { method: 'POST', path, text: null, fields }),
      )
      const found = rows.find((row) => isWanted(row, wanted))
      if (found !== undefined) return found
      if (rows.length < pageRows) break
    }
  }
  return null
}

const isWanted = (row: GeminiOrder, { orderId, clientOrderId }: Wanted): boolean =>
  orderId === null ? clientOrderId !== null && row.clientOrderId === clientOrderId : row.orderId === orderId

function readRows(sent: SendOutcome): GeminiOrder[] {
  if (sent.kind !== 'answered') {
    throw new Fault('NETWORK_ERROR', 'gemini is unreachable', { exchange: 'gemini', cause: sent.cause })
  }
  const { status, text } = sent
  const body = parseExact(text)
  const rows = GeminiOrders.safeParse(body)
  if (status === 200 && rows.success) return rows.data
  const why = rows.success ? '' : z.prettifyError(rows.error)
  throw readFault(geminiWords, { venue: 'gemini', status, body, why })
}

function timeOf(value: string | number | null | undefined): number | null {
  const at = typeof value === 'number' ? value : Date.parse(value ?? '')
  return Number.isFinite(at) ? at : null
}
