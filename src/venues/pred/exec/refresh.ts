// The status of an order, as far as PRED reports it: the open orders of its parent, and nothing else. There is no read of a single order, no history
// and no fills, so an order that is not among them may be filled, cancelled or never have arrived, and nothing is concluded. A row carries neither
// our salt nor a time: that one matches an order whose acceptance was never received is reported, but does not prove that it is that order.
import { compareDecimals, readDecimal, subtractDecimals } from '#core/decimal'
import type { LaneContext, LaneExecution, Observation } from '../../lane.ts'
import { readKeyed } from '../../shared/exec/apiKeyClient.ts'
import { nothing, observeCancel, observeSum, plain } from '../../shared/exec/orderSnapshot.ts'
import { type Artifact, inVenueUnits, type OrderArtifact, readArtifact, sideWords } from './artifact.ts'
import { type Credentials, checkAccount, predApi } from './auth.ts'
import { PredOpenOrder, PredOpenOrders, paths } from './wire.ts'

export async function refresh(
  context: LaneContext,
  execution: LaneExecution,
  { accessToken, ...given }: Credentials,
): Promise<Observation> {
  const api = predApi(checkAccount(execution, given))
  const artifact = readArtifact(execution.unsigned)
  const path = paths.openOrders(parentOf(artifact))
  const listed = await readKeyed(api, { context, credentials: { accessToken }, path, shape: PredOpenOrders })
  const orders = listed.orders.flatMap((order) => PredOpenOrder.safeParse(order).data ?? [])
  const { venueRef } = execution
  const ref = artifact.kind === 'cancel' ? artifact.cancel.order_id : venueRef
  const row = orders.find(({ order_id }) => order_id === ref)
  if (row === undefined) return unseen(artifact, venueRef, orders)
  if (artifact.kind === 'cancel') {
    return observeCancel('acked', { shown: true, venueRef, fills: [], observation: plain({ open: true }) })
  }
  if (contradictsMarket(row, artifact.order)) return nothing(venueRef, 'the answer is about another order')
  const { price, quantity } = inVenueUnits(artifact.order.message)
  return { ...observe(context, row), about: { price: [row.price, price], size: [row.quantity, quantity] } }
}

const parentOf = (artifact: Artifact): string =>
  artifact.kind === 'cancel' ? artifact.cancel.parentMarketId : artifact.order.post.parentMarketId

/** One with nothing remaining has been filled, wherever it is listed. */
function observe({ clock }: LaneContext, row: PredOpenOrder): Observation {
  const { order_id: venueRef, quantity, remaining_quantity: remaining } = row
  const isFilled = remaining !== null && compareDecimals(remaining, '0') === 0
  const isCounted = quantity !== null && remaining !== null && compareDecimals(remaining, quantity) <= 0
  const filled = isCounted ? subtractDecimals(quantity, remaining) : null
  const observation = { quantity, remaining_quantity: remaining }
  return observeSum(
    { venueRef, status: isFilled ? 'filled' : 'acked', size: quantity, filled, observation },
    { row, filledAt: clock.now() },
  )
}

/** Never terminal. */
function unseen(artifact: Artifact, venueRef: string | null, orders: readonly PredOpenOrder[]): Observation {
  const unknown = (reason: string): Observation => ({
    ...nothing(venueRef, reason),
    observation: { status: 'unknown', reason },
  })
  if (artifact.kind === 'cancel' || venueRef !== null) {
    const reason = 'not among the open orders: pred does not report whether it was filled, canceled or accepted at all'
    return { ...unknown(reason), shown: false }
  }
  const alike = orders.filter((row) => isAlike(row, artifact.order)).length
  if (alike === 0) return unknown('no open order matches it: it may have been filled, or may never have arrived')
  const orders_ = alike === 1 ? 'an open order matches' : `${alike} open orders match`
  return { ...unknown(`${orders_} it, and nothing shows whether it is this one`), mayBe: 'order' }
}

const isMarketOf = (row: PredOpenOrder, { message }: OrderArtifact): boolean =>
  row.market_id?.toLowerCase() === message.questionId.toLowerCase() && row.side === sideWords[message.intent]

const contradictsMarket = (row: PredOpenOrder, { message }: OrderArtifact): boolean =>
  (row.market_id != null && row.market_id.toLowerCase() !== message.questionId.toLowerCase()) ||
  (row.side != null && row.side !== sideWords[message.intent])

function isAlike(row: PredOpenOrder, order: OrderArtifact): boolean {
  const { price, quantity } = inVenueUnits(order.message)
  const same = (value: string | null, ours: string): boolean => value !== null && readDecimal(value) === ours
  return isMarketOf(row, order) && same(row.price, price) && same(row.quantity, quantity)
}
