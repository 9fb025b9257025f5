// The status of an order, read with a fresh key pair. Reads lag behind writes, and a 404 never proves anything: an order that is not shown
// keeps its stored status.
import { compareDecimals } from '#core/decimal'
import type { ExecutionStatus } from '#schemas/executions'
import type { LaneContext, LaneExecution, Observation, VenueFill } from '../../lane.ts'
import { nothing, notVisible, observeCancel, plain, sumOf, withFills } from '../../shared/exec/orderSnapshot.ts'
import { unknownStateReason } from '../../shared/exec/orderStates.ts'
import { type AmendArtifact, type Artifact, type OrderArtifact, readArtifact } from './artifact.ts'
import type { Credentials } from './auth.ts'
import { findOrder, type Reader, readFills, readOrder } from './orderReads.ts'
import { type KalshiFill, type KalshiOrder, knownOrderStates, statusOf } from './wire.ts'

/** The venue's clock may run behind ours. */
const clockSlackMs = 60_000

export async function refresh(
  context: LaneContext,
  execution: LaneExecution,
  credentials: Credentials,
): Promise<Observation> {
  const artifact = readArtifact(execution.unsigned)
  const reader = { context, credentials, ...scopeOf(execution, artifact) }
  if (artifact.kind === 'order') return observePlaced(reader, execution, artifact)
  const { order } = await readOrder(reader, artifact.order_id)
  if (order === null) return notVisible(execution.venueRef, inNeither, false)
  if (artifact.kind === 'modify') return observeAmend(order, artifact)
  return observeCancel(stateOf(order), seen(order))
}

const inNeither = 'neither the live orders nor the history of the venue show this order'

/** Which orders are read: those of the market, since the order was placed. A modification gives an order another price and size. */
function scopeOf({ createdAt, target }: LaneExecution, artifact: Artifact): Pick<Reader, 'ticker' | 'sinceSeconds'> {
  if (artifact.kind === 'order') {
    return { ticker: artifact.ticker, sinceSeconds: Math.floor((createdAt - clockSlackMs) / 1_000) }
  }
  const acted = artifact.kind === 'cancel' && target !== null ? readArtifact(target.unsigned) : artifact
  return { ticker: 'ticker' in acted ? acted.ticker : null, sinceSeconds: null }
}

async function observePlaced(
  reader: Reader,
  { venueRef }: LaneExecution,
  { ticker, client_order_id, count }: OrderArtifact,
): Promise<Observation> {
  const { order, isWhole } = await (venueRef === null
    ? findOrder(reader, client_order_id)
    : readOrder(reader, venueRef))
  if (order === null) {
    return isWhole
      ? notVisible(venueRef, inNeither, true)
      : nothing(venueRef, 'the orders of the market, live and in the history, could not be read to their end')
  }
  return { ...(await observe(reader, order, count)), about: { market: [order.ticker, ticker] } }
}

/** `ordered`: the size it was placed with, for a row that says none. */
async function observe(reader: Reader, order: KalshiOrder, ordered: string): Promise<Observation> {
  const { order_id, status: word, fill_count_fp: reported, last_update_time } = order
  const { clock } = reader.context
  const fills = reported !== null && isZero(reported) ? [] : await readFills(reader, order_id, reported)
  const sum = sumOf(fills.map(({ count_fp }) => count_fp))
  const size = order.initial_count_fp ?? ordered
  const fillsReconciled = compareDecimals(sum, reported ?? size) >= 0
  // Without a count, the lack of fills says nothing.
  const filled =
    reported === null && isZero(sum) ? null : reported === null || compareDecimals(sum, reported) > 0 ? sum : reported
  const state = statusOf(word, size, filled)
  const changedAt = Date.parse(last_update_time ?? '')
  const status = state === null ? null : withFills(state, fillsReconciled, changedAt, clock)
  const { observation, ...base } = seen(order)
  const isUncounted = status === null && reported === null && isKnown(word)
  return {
    ...base,
    status,
    ...(filled !== null && { matchedSize: filled }),
    fills: fills.map((row) => fillOf(row, Number.isNaN(changedAt) ? clock.now() : changedAt)),
    observation: { ...observation, fillsReconciled, ...(isUncounted && { reason: uncounted }) },
  }
}

const uncounted = 'the venue shows this order without counts, and not the fills that would settle it'
const isZero = (count: string): boolean => compareDecimals(count, '0') === 0
const isKnown = (word: string): boolean => knownOrderStates.includes(word)

/** `changedAt`: epoch ms, for a row without a time. */
const fillOf = (row: KalshiFill, changedAt: number): VenueFill => ({
  key: row.fill_id,
  fill: plain(row),
  filledAt: row.created_time == null ? changedAt : Date.parse(row.created_time),
})

const stateOf = ({ status, initial_count_fp, fill_count_fp }: KalshiOrder): ExecutionStatus | null =>
  statusOf(status, initial_count_fp, fill_count_fp)

/**
 * The new client order id shows that it was applied. The order itself, fills and all, is reported with the execution that placed
 * it.
 */
function observeAmend(order: KalshiOrder, amend: AmendArtifact): Observation {
  if (order.client_order_id === amend.updated_client_order_id) return { ...seen(order), status: stateOf(order) }
  if (order.client_order_id === amend.client_order_id) return { ...seen(order), status: null, undone: true }
  // A third id is another party's modification, before ours or after it: whether ours was applied can no longer be
  // determined.
  const { shown: _, ...rest } = seen(order)
  return { ...rest, status: null }
}

const seen = (order: KalshiOrder) => ({
  shown: true,
  ...(order.fill_count_fp !== null && { matchedSize: order.fill_count_fp }),
  venueRef: order.order_id,
  fills: [],
  observation: {
    status: order.status,
    initial_count_fp: order.initial_count_fp,
    fill_count_fp: order.fill_count_fp,
    remaining_count_fp: order.remaining_count_fp,
    ...(!isKnown(order.status) && { reason: unknownStateReason(order.status) }),
  },
})
