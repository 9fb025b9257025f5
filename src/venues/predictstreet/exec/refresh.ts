// The status of an order, read with the caller's key: the order by its id, and its fills. It counts only if order id, wallet, vault and client order
// id match the stored execution. An order whose acceptance was never received is looked for among the open ones.
import { compareDecimals } from '#lib/decimal'
import { Fault } from '#lib/fault'
import type { LaneContext, LaneExecution, Observation, VenueFill } from '../../lane.ts'
import { findKeyed, readKeyed } from '../../shared/exec/keyedApi.ts'
import { nothing, notShown, observeCancel, plain, sumOf, withItsFills } from '../../shared/exec/observe.ts'
import { type OrderArtifact, OrderId, readArtifact } from './artifact.ts'
import { type Credentials, checkOwner, type NamedCredentials, streetApi } from './auth.ts'
import { paths, type StreetFill, StreetFills, StreetOpenOrders, StreetOrder, stageOf, statusOf } from './wire.ts'

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
  const row = venueRef === null ? await findOpen(reader, artifact.order) : await readOrder(reader, venueRef)
  if (row === null) {
    const where = venueRef === null ? 'no open order has its client order id' : 'the venue does not show this order'
    return notShown(venueRef, where, venueRef !== null)
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
  const { id: venueRef, quantity, filledQty, status: word } = row
  const said = statusOf(word)
  const seen = { shown: true, venueRef, matchedSize: filledQty }
  const observation = { status: word, quantity, filledQty }
  // Nothing of it was settled, or it would not have failed.
  if (said === 'failed') return { ...seen, status: 'failed', fills: [], observation, reason: word.toLowerCase() }
  const { settled, failed, isUnderway } = await readFills(reader, venueRef)
  const told = sumOf(settled.map(({ fill }) => String(fill.quantity)))
  const fillsReconciled = !isUnderway && compareDecimals(told, filledQty) >= 0
  const status = withItsFills(said, fillsReconciled, Date.parse(row.updatedAt ?? ''), reader.context.clock)
  return { ...seen, status, fills: settled, withdrawn: failed, observation: { ...observation, fillsReconciled } }
}

async function readOrder({ owner, ...asking }: Reader, id: string): Promise<StreetOrder | null> {
  const path = `${paths.orders}${OrderId.parse(id)}`
  return findKeyed(streetApi(owner), { ...asking, path, shape: StreetOrder })
}

async function findOpen({ owner, ...asking }: Reader, { post }: OrderArtifact): Promise<StreetOrder | null> {
  const query = { marketId: post.marketId, limit: openRows }
  const { orders } = await readKeyed(streetApi(owner), { ...asking, path: paths.open, shape: StreetOpenOrders, query })
  return orders.find(({ clientOrderId }) => clientOrderId === post.clientOrderId) ?? null
}

async function readFills({ owner, ...asking }: Reader, id: string) {
  const path = `${paths.orders}${OrderId.parse(id)}/fills`
  const { trades } = await readKeyed(streetApi(owner), { ...asking, path, shape: StreetFills })
  const mine = trades.filter(({ orderId }) => orderId === id)
  const at = (stage: ReturnType<typeof stageOf>) => mine.filter(({ status }) => stageOf(status) === stage)
  return {
    settled: at('settled').map(fillOf),
    failed: at('failed').map(fillOf),
    isUnderway: at('underway').length > 0,
  }
}

const fillOf = (trade: StreetFill): VenueFill => ({
  key: trade.id,
  fill: { ...plain(trade), size: trade.quantity },
  filledAt: Date.parse(trade.createdAt),
})

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
