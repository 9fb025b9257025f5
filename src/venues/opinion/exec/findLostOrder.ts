// Finds an order whose acceptance was never received. The venue takes no client order id, so the order is looked for by its terms: among all
// of the account's orders in its market, in whatever state, those that match ours, arrived while we were sending and belong to no other
// execution. Executions with the same artifact are interchangeable, so each may take any of these; if there are more than executions, some are
// foreign, and nothing is proven.
import { type LaneContext, type LaneExecution, type OrderTerms, relayWithinMs, type Search } from '../../lane.ts'
import { readKeyed, sendTimeoutMs } from '../../shared/exec/apiKeyClient.ts'
import { contradicts } from '../../shared/exec/checkOrderId.ts'
import { readableRows } from '../../shared/exec/pagedList.ts'
import { type Credentials, opinionApi } from './auth.ts'
import { aboutOf } from './matchesOrder.ts'
import { chainId } from './typedData.ts'
import { OpinionOrder, OrdersAnswer, paths } from './wire.ts'

/** Maximum difference of the venue's clock from ours; it reports whole seconds. */
const clockSlackMs = 60_000
/** Maximum length of the period in which an order may arrive. */
const windowMs = relayWithinMs + sendTimeoutMs + 2 * clockSlackMs
/** The venue's maximum. */
const pageRows = 20
const pagesMax = 10

export interface NotFound {
  reason: string
  /** All orders of the market were examined, and none can be it. */
  isAbsent: boolean
  mayBe?: 'order'
}

interface Wanted {
  execution: LaneExecution
  topicId: number
  terms: OrderTerms
  search?: ((refs: readonly string[], apartMs: number) => Promise<Search>) | undefined
}

export async function recoverOrder(
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
  // What cannot be compared proves nothing, neither that it is ours nor that it is not.
  const isClear = alike.every((order) => isComparable(order) && order.createdAt != null)
  if (found !== undefined && isClear && alike.length <= (known?.alike ?? 1)) return { orderId: found.orderId }
  if (alike.length > 0) {
    return { reason: `${alike.length} orders match this one: one of them may be it`, isAbsent: false, mayBe: 'order' }
  }
  return areAll
    ? { reason: 'none of the account’s orders in this market matches this one', isAbsent: true }
    : { reason: 'the account has more orders in this market than could be read', isAbsent: false }
}

/** The list order is undocumented: all of them are read. Pages shift while orders come and go: each order counts once. */
async function readOrders(
  context: LaneContext,
  credentials: Credentials,
  marketId: number,
): Promise<{ orders: OpinionOrder[]; areAll: boolean }> {
  const orders = new Map<string, OpinionOrder>()
  let unreadable = 0
  for (let page = 1; page <= pagesMax; page++) {
    const query = { marketId, chainId: String(chainId), limit: pageRows, page }
    const { result } = await readKeyed(opinionApi, {
      context,
      credentials,
      path: paths.order,
      shape: OrdersAnswer,
      query,
    })
    const read = readableRows(OpinionOrder, result.list)
    unreadable += read.unreadable ?? 0
    for (const order of read.rows) orders.set(order.orderId, order)
    const isLast = result.list.length < (result.total == null ? pageRows : 1)
    const hasAll = result.total != null && orders.size + unreadable >= result.total
    // Pages that end before all of the total was seen have shifted past some.
    if (isLast || hasAll) {
      const areAll = unreadable === 0 && (hasAll || result.total == null)
      return { orders: [...orders.values()], areAll }
    }
  }
  return { orders: [...orders.values()], areAll: false }
}

/** Nothing in its row says otherwise. */
const isAlike = (order: OpinionOrder, terms: OrderTerms): boolean =>
  contradicts(aboutOf(order, order.marketId, terms)) === null

const isComparable = ({ sideEnum, outcomeSide, price, orderShares }: OpinionOrder): boolean =>
  [sideEnum, outcomeSide, price, orderShares].every((value) => value != null)

/** Between the claim and the latest end of the send. One without a time may have come then. */
const cameWith = (createdAt: number | null | undefined, sentAt: number): boolean =>
  createdAt == null ||
  (createdAt * 1_000 >= sentAt - clockSlackMs &&
    createdAt * 1_000 <= sentAt + relayWithinMs + sendTimeoutMs + clockSlackMs)
