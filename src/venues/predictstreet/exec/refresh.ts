// The status of an order, read with the caller's key: the order by its id, and its fills. It counts only if order id, wallet, vault and client order
// id match the stored execution. An order whose acceptance was never received is looked for among the open ones.
import { compareDecimals } from '#core/decimal'
import { Fault } from '#core/fault'
import type { LaneContext, LaneExecution, Observation, VenueFill } from '../../lane.ts'
import { findKeyed, readKeyed } from '../../shared/exec/apiKeyClient.ts'
import {
  contradictsState,
  hasLagged,
  nothing,
  notVisible,
  observeCancel,
  plain,
  settledSum,
  sumOf,
  withFills,
} from '../../shared/exec/orderSnapshot.ts'
import { unknownStateReason } from '../../shared/exec/orderStates.ts'
import { type OrderArtifact, OrderId, readArtifact } from './artifact.ts'
import { type Credentials, checkOwner, type NamedCredentials, streetApi } from './auth.ts'
import { paths, StreetFill, StreetFills, StreetOpenOrders, StreetOrder, stageOf, statusOf } from './wire.ts'

interface Reader {
  context: LaneContext
  credentials: Credentials
  owner: string
}

const openRows = 500

export async function refresh(
  context: LaneContext,
  execution: LaneExecution,
  { owner, ...credentials }: NamedCredentials,
): Promise<Observation> {
  const reader = { context, credentials, owner: checkOwner(execution, owner) }
  if (execution.intent !== 'cancel') return observe(reader, execution)
  const { target, venueRef } = execution
  if (target === null) throw new Fault('INTERNAL', 'a cancellation without its order')
  const { status, shown, matchedSize, observation } = await observe(reader, target)
  return observeCancel(status, {
    venueRef,
    fills: [],
    ...(shown !== undefined && { shown }),
    ...(matchedSize !== undefined && { matchedSize }),
    ...(observation && { observation }),
  })
}

async function observe(reader: Reader, execution: LaneExecution): Promise<Observation> {
  const { unsigned, venueRef } = execution
  const artifact = readArtifact(unsigned)
  if (artifact.kind !== 'order') {
    throw new Fault('VALIDATION_ERROR', 'this execution has no order to read', { exchange: 'predictstreet' })
  }
  if (venueRef !== null && !OrderId.safeParse(venueRef).success)
    return nothing(venueRef, 'the stored order id is not one of this venue’s')
  const { row, isWhole } =
    venueRef === null
      ? await findOpen(reader, artifact.order)
      : { row: await readOrder(reader, venueRef), isWhole: true }
  if (row === null) {
    if (!isWhole) return nothing(venueRef, 'more open orders than are read at once, and none of them is this one')
    const where = venueRef === null ? 'no open order has its client order id' : 'the venue does not show this order'
    // One that has ended is not among the open ones.
    return notVisible(venueRef, where, venueRef !== null)
  }
  const wrong = mismatch(row, artifact.order, venueRef, reader.owner)
  if (wrong !== null) return nothing(venueRef, `the answer is of another ${wrong}: it was not used`)
  return observeShown(reader, row)
}

/** The mismatching field; null: it is this execution's order. */
function mismatch(row: StreetOrder, { message, post }: OrderArtifact, venueRef: string | null, owner: string) {
  if (venueRef !== null && row.id !== venueRef) return 'order id'
  if (!isSame(row.userWallet, owner)) return 'wallet'
  if (!isSame(row.vault ?? '', message.maker)) return 'vault'
  return row.clientOrderId === post.clientOrderId ? null : 'client order id'
}

async function observeShown(reader: Reader, row: StreetOrder): Promise<Observation> {
  const { id: venueRef, quantity, filledQty, status: word, updatedAt } = row
  const reportedStatus = statusOf(word)
  const changedMs = Date.parse(updatedAt ?? '')
  const seen = { shown: true, venueRef, ...(filledQty !== null && { matchedSize: filledQty }) }
  const observation = {
    status: word,
    quantity,
    filledQty,
    ...(reportedStatus === null && { reason: unknownStateReason(word) }),
  }
  // Nothing of it was settled, or it would not have failed.
  if (reportedStatus === 'failed')
    return { ...seen, status: 'failed', fills: [], observation, reason: word.toLowerCase() }
  const { settled, failed, isUnderway } = await readFills(reader, venueRef)
  const sum = sumOf(settled.map(({ fill }) => String(fill.quantity)))
  // Without a count, a filled order is filled to its size; for any other order it is unknown when all its fills are present.
  const expected = filledQty ?? (reportedStatus === 'filled' ? quantity : null)
  const fillsReconciled = !isUnderway && expected !== null && compareDecimals(sum, expected) >= 0
  const { clock } = reader.context
  const isOld = hasLagged(changedMs, clock)
  const ended =
    filledQty === null
      ? reportedStatus
      : settledSum({ status: reportedStatus, size: quantity, filled: filledQty, isOld })
  const reason =
    reportedStatus !== null && ended === null ? contradictsState(reportedStatus, filledQty, quantity) : null
  return {
    ...seen,
    ...(filledQty === null && compareDecimals(sum, '0') > 0 && { matchedSize: sum }),
    status: ended === null ? null : withFills(ended, fillsReconciled, changedMs, clock),
    fills: settled,
    withdrawn: failed,
    observation: { ...observation, fillsReconciled, ...(reason !== null && { reason }) },
  }
}

async function readOrder({ owner, ...requestOptions }: Reader, id: string): Promise<StreetOrder | null> {
  const path = `${paths.orders}${OrderId.parse(id)}`
  return findKeyed(streetApi(owner), { ...requestOptions, path, shape: StreetOrder })
}

async function findOpen(
  { owner, ...requestOptions }: Reader,
  { post }: OrderArtifact,
): Promise<{ row: StreetOrder | null; isWhole: boolean }> {
  const query = { marketId: post.marketId, limit: openRows }
  const answer = await readKeyed(streetApi(owner), {
    ...requestOptions,
    path: paths.open,
    shape: StreetOpenOrders,
    query,
  })
  const rows = answer.orders.flatMap((row) => StreetOrder.safeParse(row).data ?? [])
  const row = rows.find(({ clientOrderId }) => clientOrderId === post.clientOrderId) ?? null
  return { row, isWhole: answer.orders.length < openRows && !answer.nextCursor }
}

/** Each trade once. One whose stage is not known counts as underway. */
async function readFills({ owner, ...requestOptions }: Reader, id: string) {
  const path = `${paths.orders}${OrderId.parse(id)}/fills`
  const { trades } = await readKeyed(streetApi(owner), { ...requestOptions, path, shape: StreetFills })
  const read = trades.flatMap((row) => StreetFill.safeParse(row).data ?? []).filter(({ orderId }) => orderId === id)
  const mine = [...new Map(read.map((trade) => [trade.id, trade])).values()]
  const nowMs = requestOptions.context.clock.now()
  const at = (stage: ReturnType<typeof stageOf>) =>
    mine.filter(({ status }) => stageOf(status) === stage).map((trade) => fillOf(trade, nowMs))
  const [settled, failed] = [at('settled'), at('failed')]
  return { settled, failed, isUnderway: settled.length + failed.length < mine.length }
}

/** `nowMs`: for a trade whose time cannot be read. */
function fillOf(trade: StreetFill, nowMs: number): VenueFill {
  const at = Date.parse(trade.createdAt ?? '')
  return {
    key: trade.id,
    fill: { ...plain(trade), size: trade.quantity },
    filledAt: Number.isNaN(at) ? nowMs : at,
  }
}

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
