// Finds an order whose acceptance was never received. The venue takes no client order id, so the order is looked for by its terms: among the
// open orders of its market, those that match ours, arrived while we were sending and belong to no other execution. Executions with the same
// artifact are interchangeable, so each may take any of these; if there are more than executions, some are foreign, and nothing is proven. If
// there is none, it may have filled at once. A trade names neither order nor side, so the caller's trades of that time are shown, and nothing
// is concluded from them. Only if the whole market is silent, with no open order of that time and no trade since, is it absent.
import { readDecimal } from '#lib/decimal'
import { type LaneContext, type LaneExecution, relayWithinMs, type Search } from '../../lane.ts'
import { findKeyed, sendTimeoutMs } from '../../shared/exec/keyedApi.ts'
import type { OrderArtifact } from './artifact.ts'
import { type Credentials, usApi } from './auth.ts'
import { ActivitiesAnswer, OpenOrdersAnswer, type UsOrder, type UsTrade } from './wire.ts'

/** The venue rejects signatures further off, so its clock and ours are no further apart. */
const clockSlackMs = 30_000

/** Maximum length of the period in which an order may arrive. */
const windowMs = relayWithinMs + sendTimeoutMs + 2 * clockSlackMs

/** Activities examined, newest first. */
const tradesMax = 100

/** Why no order can be identified, and what the caller traded in the market while it was sent. */
export interface NotFound {
  reason: string
  /** Nothing in the market can be the order: it is absent, or it came and went without a trade. */
  isSilent: boolean
  /** What may be it. */
  mayBe?: 'order' | 'trade'
  trades?: UsTrade[]
}

interface Wanted {
  execution: LaneExecution
  artifact: OrderArtifact
  search?: ((refs: readonly string[], apartMs: number) => Promise<Search>) | undefined
}

export async function findLost(
  context: LaneContext,
  { execution, artifact, search }: Wanted,
  credentials: Credentials,
): Promise<{ order: UsOrder } | NotFound> {
  const asking = { context, credentials }
  const slugs = [artifact.marketSlug]
  const open = { ...asking, path: '/v1/orders/open', shape: OpenOrdersAnswer, query: { slugs } }
  const answer = await findKeyed(usApi, open)
  const listed = answer?.orders ?? []
  const known = await search?.(
    listed.map(({ id }) => id),
    windowMs,
  )
  const statusSince = known?.sentAt ?? execution.statusSince
  const orders = listed.filter(({ id }) => known?.claimed.has(id) !== true)
  const timeOf = ({ insertTime, createTime }: UsOrder) => insertTime ?? createTime
  const alike = orders.filter((order) => isAlike(order, artifact) && !isOfAnotherTime(timeOf(order), statusSince))
  const [found] = alike.filter((order) => cameWith(timeOf(order), statusSince))
  if (found !== undefined && alike.length <= (known?.alike ?? 1)) return { order: found }
  if (alike.length > 0) {
    const reason = `${alike.length} open orders read like this one: one may be its own`
    return { reason, isSilent: false, mayBe: 'order' }
  }
  const query = {
    marketSlug: slugs,
    types: ['ACTIVITY_TYPE_TRADE'],
    sortOrder: ['SORT_ORDER_DESCENDING'],
    limit: [String(tradesMax)],
  }
  const activities = { ...asking, path: '/v1/portfolio/activities', shape: ActivitiesAnswer, query }
  const told = await findKeyed(usApi, activities)
  const all = (told?.activities ?? []).flatMap(({ trade }) =>
    trade?.marketSlug === artifact.marketSlug ? [trade] : [],
  )
  const trades = all.filter(({ createTime }) => cameWith(createTime, statusSince))
  const isSilent =
    answer !== null &&
    told !== null &&
    all.length < tradesMax &&
    all.every(({ createTime }) => Date.parse(createTime ?? '') < statusSince - clockSlackMs) &&
    orders.every((order) => order.marketSlug !== artifact.marketSlug || isOfAnotherTime(timeOf(order), statusSince))
  const reason = isSilent
    ? 'no open order of that time, and no trade since'
    : 'no open order reads like this one; trades of that time may be its own'
  return { reason, trades, isSilent, ...(trades.length > 0 && { mayBe: 'trade' as const }) }
}

const isAlike = (order: UsOrder, { marketSlug, intent, price, quantity }: OrderArtifact): boolean =>
  order.marketSlug === marketSlug &&
  order.intent === intent &&
  order.price != null &&
  sameAmount(order.price.value, price.value) &&
  order.quantity != null &&
  sameAmount(order.quantity, String(quantity))

/** Between the claim and the latest end of the send. Without a time it may be any order. */
function cameWith(time: string | null | undefined, sentAt: number): boolean {
  const at = Date.parse(time ?? '')
  return at >= sentAt - clockSlackMs && at <= sentAt + relayWithinMs + sendTimeoutMs + clockSlackMs
}

/** True only for a known time. */
const isOfAnotherTime = (time: string | null | undefined, sentAt: number): boolean =>
  Number.isFinite(Date.parse(time ?? '')) && !cameWith(time, sentAt)

/** Of two decimals as the venue writes them, `0.4100` and `0.41`. */
function sameAmount(a: string, b: string): boolean {
  const [x, y] = [readDecimal(a), readDecimal(b)]
  return x !== null && x === y
}
