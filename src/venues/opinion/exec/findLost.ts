// An order whose acceptance was never heard. The venue knows no name of ours, so the order is looked for by what it says: among all of the
// account's orders in its market, whatever became of them, those that read like ours, came while we were sending and are no other execution's.
// Executions with the same artifact are one as good as the other, so each may take any of these; more of them than executions are somebody
// else's in part, and prove nothing.
import { type LaneContext, type LaneExecution, type OrderTerms, relayWithinMs, type Search } from '../../lane.ts'
import { contradicts } from '../../shared/exec/another.ts'
import { readKeyed, sendTimeoutMs } from '../../shared/exec/keyedApi.ts'
import { aboutOf } from './about.ts'
import { type Credentials, opinionApi } from './auth.ts'
import { chainId } from './typedData.ts'
import { type OpinionOrder, OrdersAnswer, paths } from './wire.ts'

/** The venue's clock may be so far from ours, and it tells whole seconds. */
const clockSlackMs = 60_000
/** All that may lie between the two ends of the time in which an order comes. */
const windowMs = relayWithinMs + sendTimeoutMs + 2 * clockSlackMs
/** The venue's most. */
const pageRows = 20
const pagesMax = 10

export interface NotFound {
  reason: string
  /** All orders of the market were looked at, and none can be it. */
  isAbsent: boolean
  mayBe?: 'order'
}

interface Wanted {
  execution: LaneExecution
  topicId: number
  terms: OrderTerms
  search?: ((refs: readonly string[], apartMs: number) => Promise<Search>) | undefined
}

export async function findLost(
  context: LaneContext,
  { execution, topicId, terms, search }: Wanted,
  credentials: Credentials,
): Promise<{ orderId: string } | NotFound> {
  const { orders, areAll } = await readOrders(context, credentials, topicId)
  const like = orders.filter((order) => isAlike(order, terms))
  const known = await search?.(
    like.map(({ orderId }) => orderId),
    windowMs,
  )
  const sentAt = known?.sentAt ?? execution.statusSince
  const alike = like.filter(
    ({ orderId, createdAt }) => known?.claimed.has(orderId) !== true && cameWith(createdAt, sentAt),
  )
  const [found] = alike
  if (found !== undefined && alike.length <= (known?.alike ?? 1)) return { orderId: found.orderId }
  if (alike.length > 0) {
    return { reason: `${alike.length} orders read like this one: one may be its own`, isAbsent: false, mayBe: 'order' }
  }
  return areAll
    ? { reason: 'none of the account’s orders in this market reads like this one', isAbsent: true }
    : { reason: 'the account has more orders in this market than we read at once', isAbsent: false }
}

/** In what order they are listed is documented nowhere: all of them are read. */
async function readOrders(
  context: LaneContext,
  credentials: Credentials,
  marketId: number,
): Promise<{ orders: OpinionOrder[]; areAll: boolean }> {
  const orders: OpinionOrder[] = []
  for (let page = 1; page <= pagesMax; page++) {
    const query = { marketId, chainId: String(chainId), limit: pageRows, page }
    const { result } = await readKeyed(opinionApi, {
      context,
      credentials,
      path: paths.order,
      shape: OrdersAnswer,
      query,
    })
    orders.push(...result.list)
    const isLast = result.total == null ? result.list.length < pageRows : orders.length >= result.total
    if (isLast || result.list.length === 0) return { orders, areAll: true }
  }
  return { orders, areAll: false }
}

function isAlike(order: OpinionOrder, terms: OrderTerms): boolean {
  const { marketId, outcomeSide, price, orderShares } = order
  const isWhole = outcomeSide != null && price != null && orderShares != null
  return isWhole && contradicts(aboutOf(order, marketId, terms)) === null
}

/** Between the claim and the last moment of the send. */
const cameWith = (createdAt: number, sentAt: number): boolean =>
  createdAt * 1_000 >= sentAt - clockSlackMs &&
  createdAt * 1_000 <= sentAt + relayWithinMs + sendTimeoutMs + clockSlackMs
