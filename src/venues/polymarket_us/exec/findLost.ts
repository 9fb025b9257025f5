// An order whose acceptance was never heard. The venue knows no client order id, so the order is looked for by what it says: among the
// open orders of its market, exactly one that reads like ours and came while we were sending. More than one proves nothing.
import type { LaneContext, LaneExecution } from '../../lane.ts'
import { sameAmount } from './amounts.ts'
import type { OrderArtifact } from './artifact.ts'
import type { Credentials } from './auth.ts'
import { read } from './read.ts'
import { sendTimeoutMs } from './submit.ts'
import { OpenOrdersAnswer, type UsOrder } from './wire.ts'

/** The venue turns down signatures further off, so its clock and ours are no further apart. */
const clockSlackMs = 30_000

/** The order, or why none can be named. */
export async function findLost(
  context: LaneContext,
  { statusSince }: LaneExecution,
  artifact: OrderArtifact,
  credentials: Credentials,
): Promise<UsOrder | string> {
  const answer = await read(context, credentials, '/v1/orders/open', OpenOrdersAnswer, { slugs: [artifact.marketSlug] })
  const alike = (answer?.orders ?? []).filter((order) => isAlike(order, artifact) && cameWith(order, statusSince))
  const [only] = alike
  if (only !== undefined && alike.length === 1) return only
  return alike.length === 0 ? 'no open order reads like this one' : `${alike.length} open orders read like this one`
}

const isAlike = (order: UsOrder, { marketSlug, intent, price, quantity }: OrderArtifact): boolean =>
  order.marketSlug === marketSlug &&
  order.intent === intent &&
  order.price != null &&
  sameAmount(order.price.value, price.value) &&
  order.quantity != null &&
  sameAmount(order.quantity, String(quantity))

/** Between the claim and the last moment of the send. Without a time of its own an order may be anybody's. */
function cameWith({ insertTime, createTime }: UsOrder, sentAt: number): boolean {
  const at = Date.parse(insertTime ?? createTime ?? '')
  return at >= sentAt - clockSlackMs && at <= sentAt + sendTimeoutMs + clockSlackMs
}
