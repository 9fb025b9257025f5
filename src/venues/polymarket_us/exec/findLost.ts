// An order whose acceptance was never heard. The venue knows no client order id, so the order is looked for by what it says: among the
// open orders of its market, exactly one that reads like ours and came while we were sending. More than one proves nothing. None: it may have
// filled at once. A trade names neither order nor side, so the caller's trades of that time are shown, and nothing is concluded from them.
import type { LaneContext, LaneExecution } from '../../lane.ts'
import { sameAmount } from './amounts.ts'
import type { OrderArtifact } from './artifact.ts'
import type { Credentials } from './auth.ts'
import { read } from './read.ts'
import { sendTimeoutMs } from './submit.ts'
import { ActivitiesAnswer, OpenOrdersAnswer, type UsOrder, type UsTrade } from './wire.ts'

/** The venue turns down signatures further off, so its clock and ours are no further apart. */
const clockSlackMs = 30_000

/** Activities looked at, newest first. */
const tradesMax = 100

/** Why no order can be named, and what the caller traded in the market while it was sent. */
export interface NotFound {
  reason: string
  trades?: UsTrade[]
}

export async function findLost(
  context: LaneContext,
  { statusSince }: LaneExecution,
  artifact: OrderArtifact,
  credentials: Credentials,
): Promise<{ order: UsOrder } | NotFound> {
  const answer = await read(context, credentials, '/v1/orders/open', OpenOrdersAnswer, { slugs: [artifact.marketSlug] })
  const alike = (answer?.orders ?? []).filter(
    (order) => isAlike(order, artifact) && cameWith(order.insertTime ?? order.createTime, statusSince),
  )
  const [only] = alike
  if (only !== undefined && alike.length === 1) return { order: only }
  if (alike.length > 1) return { reason: `${alike.length} open orders read like this one` }
  const told = await read(context, credentials, '/v1/portfolio/activities', ActivitiesAnswer, {
    marketSlug: [artifact.marketSlug],
    types: ['ACTIVITY_TYPE_TRADE'],
    sortOrder: ['SORT_ORDER_DESCENDING'],
    limit: [String(tradesMax)],
  })
  const trades = (told?.activities ?? []).flatMap(({ trade }) =>
    trade?.marketSlug === artifact.marketSlug && cameWith(trade.createTime, statusSince) ? [trade] : [],
  )
  return { reason: 'no open order reads like this one; trades of that time may be its own', trades }
}

const isAlike = (order: UsOrder, { marketSlug, intent, price, quantity }: OrderArtifact): boolean =>
  order.marketSlug === marketSlug &&
  order.intent === intent &&
  order.price != null &&
  sameAmount(order.price.value, price.value) &&
  order.quantity != null &&
  sameAmount(order.quantity, String(quantity))

/** Between the claim and the last moment of the send. What has no time may be anybody's. */
function cameWith(time: string | null | undefined, sentAt: number): boolean {
  const at = Date.parse(time ?? '')
  return at >= sentAt - clockSlackMs && at <= sentAt + sendTimeoutMs + clockSlackMs
}
