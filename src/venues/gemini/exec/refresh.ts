// The status of an order, read with the caller's transient key: the same key settings as submit. There is no read of a single order: it
// is looked for among the open ones, then in the history, page by page.
import { z } from 'zod'
import { Fault } from '#core/fault'
import type { SendOutcome } from '#net/http'
import type { LaneContext, LaneExecution, Observation } from '../../lane.ts'
import { sendKeyed } from '../../shared/exec/apiKeyClient.ts'
import { readFault } from '../../shared/exec/mapReadError.ts'
import { nothing, notVisible, observeCancel, observeSum } from '../../shared/exec/orderSnapshot.ts'
import { unknownStateReason } from '../../shared/exec/orderStates.ts'
import { nextOffset, reachesBack, readableRows, readPagedList } from '../../shared/exec/pagedList.ts'
import { type Artifact, readArtifact } from './artifact.ts'
import { type Credentials, geminiApi } from './auth.ts'
import { aboutOf, geminiErrors } from './errors.ts'
import type { Payload } from './payload.ts'
import { GeminiOrder, GeminiOrders, parseExact, paths, statusOf } from './wire.ts'

const pageRows = 100
/** Per list; the venue advises five private calls a second. */
const pagesMax = 5

export async function refresh(
  context: LaneContext,
  execution: LaneExecution,
  credentials: Credentials,
): Promise<Observation> {
  const { unsigned, venueRef: ref, statusSince } = execution
  const artifact = readArtifact(unsigned)
  const placed = artifact.request === paths.cancel ? null : artifact
  const { order, isWhole, times } = await findOrder(context, credentials, wantedOf(artifact, execution))
  if (order === null) {
    if (!isWhole)
      return nothing(
        ref,
        `more orders than are read at once (${pagesMax} pages a list), or some that cannot be read, and none of the others is this one`,
      )
    if (placed !== null && !reachesBack(statusSince, times, context.clock.now())) {
      return nothing(ref, 'not among the orders, and the history may not reach back to when it was sent')
    }
    return notVisible(ref, 'neither the open orders nor the history show this order', placed !== null)
  }
  const { orderId: venueRef, quantity, filledQuantity, remainingQuantity, ...row } = order
  const status = statusOf(row.status)
  const observation = {
    status: row.status,
    filledQuantity: filledQuantity ?? null,
    remainingQuantity: remainingQuantity ?? null,
    ...(status === null && { reason: unknownStateReason(row.status) }),
  }
  if (placed === null) return observeCancel(status, { shown: true, venueRef, fills: [], observation })
  const filledAt = timeOf(row.updatedAt) ?? timeOf(row.cancelledAt) ?? context.clock.now()
  const shown = { venueRef, status, size: quantity, filled: filledQuantity, observation }
  return { ...observeSum(shown, { row: order, filledAt }), about: aboutOf(order, placed) }
}

interface Wanted {
  orderId: string | null
  clientOrderId: string | null
  symbol: string | null
}

function wantedOf(artifact: Artifact, { venueRef, target }: LaneExecution): Wanted {
  if (artifact.request !== paths.cancel) {
    return { orderId: venueRef, clientOrderId: artifact.clientOrderId, symbol: artifact.symbol }
  }
  const canceled = target === null ? null : readArtifact(target.unsigned)
  const symbol = canceled !== null && canceled.request !== paths.cancel ? canceled.symbol : null
  return { orderId: artifact.orderId, clientOrderId: null, symbol }
}

/** `isWhole`: when it was not found, both lists were read to their end. `times`: of the history's rows. */
interface Found {
  order: GeminiOrder | null
  isWhole: boolean
  times: number[]
}

/** Open orders first: one that ends meanwhile is met in the history. Throws VENUE_CREDENTIAL_REJECTED and its two own codes, NETWORK_ERROR. */
async function findOrder(context: LaneContext, credentials: Credentials, wanted: Wanted): Promise<Found> {
  const active = await readList(context, credentials, paths.active, wanted)
  const open = active.rows.find((row) => isWanted(row, wanted))
  if (open !== undefined) return { order: open, isWhole: true, times: [] }
  const history = await readList(context, credentials, paths.history, wanted)
  return {
    order: history.rows.find((row) => isWanted(row, wanted)) ?? null,
    isWhole: active.isWhole && history.isWhole,
    times: history.rows.flatMap(({ createdAt }) => timeOf(createdAt) ?? []),
  }
}

function readList(context: LaneContext, credentials: Credentials, path: string, wanted: Wanted) {
  const symbol: Payload = wanted.symbol === null ? {} : { symbol: wanted.symbol }
  return readPagedList({
    async read(cursor) {
      const offset = Number(cursor ?? 0)
      const fields = { ...symbol, limit: pageRows, offset }
      // Sent like orders: the HTTP client for reads would round the order ids in the response.
      const sent = await sendKeyed(geminiApi, context, credentials, { method: 'POST', path, text: null, fields })
      const listed = readRows(sent)
      return { ...readableRows(GeminiOrder, listed), cursor: nextOffset(offset, listed) }
    },
    idOf: ({ orderId }) => orderId,
    isEnough: (row) => isWanted(row, wanted),
    pagesMax,
  })
}

const isWanted = (row: GeminiOrder, { orderId, clientOrderId }: Wanted): boolean =>
  orderId === null ? clientOrderId !== null && row.clientOrderId === clientOrderId : row.orderId === orderId

function readRows(sent: SendOutcome): unknown[] {
  if (sent.kind !== 'answered') {
    throw new Fault('NETWORK_ERROR', 'gemini is unreachable', { exchange: 'gemini', cause: sent.cause })
  }
  const { status, text } = sent
  const body = parseExact(text)
  const rows = GeminiOrders.safeParse(body)
  if (status === 200 && rows.success) return rows.data
  const why = rows.success ? '' : z.prettifyError(rows.error)
  throw readFault(geminiErrors, { venue: 'gemini', status, body, why })
}

function timeOf(value: string | number | null | undefined): number | null {
  const at = typeof value === 'number' ? value : Date.parse(value ?? '')
  return Number.isFinite(at) ? at : null
}
