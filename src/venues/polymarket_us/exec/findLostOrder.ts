// Finds an order whose acceptance was never received. The venue takes no client order id, so the order is looked for by its terms: among the
// open orders of its market, those that match ours, arrived while we were sending and belong to no other execution. Executions with the same
// artifact are interchangeable, so each may take any of these; if there are more than executions, some are foreign, and nothing is proven. If
// there is none, it may have filled at once. A trade names neither order nor side, so the caller's trades of that time are shown, and nothing
// is concluded from them. It counts as absent only if the market has no open order of that time and no trade since.
import { readDecimal } from '#core/decimal'
import { type LaneContext, type LaneExecution, relayWithinMs, type Search } from '../../lane.ts'
import { findKeyed, sendTimeoutMs } from '../../shared/exec/apiKeyClient.ts'
import { reachesBack, readPagedList } from '../../shared/exec/pagedList.ts'
import type { OrderArtifact } from './artifact.ts'
import { type Credentials, usApi } from './auth.ts'
import { ActivitiesAnswer, OpenOrdersAnswer, UsActivity, UsOrder, type UsTrade } from './wire.ts'

/** The venue rejects signatures further off, so its clock and ours are no further apart. */
const clockSlackMs = 30_000

/** Maximum length of the period in which an order may arrive. */
const windowMs = relayWithinMs + sendTimeoutMs + 2 * clockSlackMs

/** Activities, newest first. */
const pageRows = 100
const pagesMax = 5

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
  const requestOptions = { context, credentials }
  const slugs = [artifact.marketSlug]
  const open = { ...requestOptions, path: '/v1/orders/open', shape: OpenOrdersAnswer, query: { slugs } }
  const answer = await findKeyed(usApi, open)
  const rows = answer?.orders ?? []
  const listed = rows.flatMap((row) => UsOrder.safeParse(row).data ?? [])
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
    const reason = `${alike.length} open orders match this one: one of them may be it`
    return { reason, isSilent: false, mayBe: 'order' }
  }
  const earliestMs = statusSince - clockSlackMs
  const history = await readTrades(requestOptions, artifact.marketSlug, earliestMs)
  const trades = history.rows.filter(({ createTime }) => cameWith(createTime, statusSince))
  const isSilent =
    answer !== null &&
    listed.length === rows.length &&
    history.reachesBack &&
    history.rows.every(({ createTime }) => Date.parse(createTime ?? '') < earliestMs) &&
    orders.every(
      (order) =>
        (order.marketSlug ?? artifact.marketSlug) !== artifact.marketSlug ||
        isOfAnotherTime(timeOf(order), statusSince),
    )
  const reason = isSilent
    ? 'no open order of that time, and no trade since'
    : 'no open order matches this one; trades of that time may belong to it'
  return { reason, trades, isSilent, ...(trades.length > 0 && { mayBe: 'trade' as const }) }
}

/**
 * The caller's trades in a market, newest first, back to `earliestMs`. The venue has reset this history (August and September 2026), so an
 * empty one reaches back only a short time.
 */
async function readTrades(
  requestOptions: { context: LaneContext; credentials: Credentials },
  marketSlug: string,
  earliestMs: number,
): Promise<{ rows: UsTrade[]; reachesBack: boolean }> {
  const path = '/v1/portfolio/activities'
  const isEarlier = ({ createTime }: UsTrade): boolean => Date.parse(createTime ?? '') < earliestMs
  let isReadable = true
  const { rows, isWhole } = await readPagedList<UsTrade>({
    async read(cursor) {
      const query = {
        marketSlug: [marketSlug],
        types: ['ACTIVITY_TYPE_TRADE'],
        sortOrder: ['SORT_ORDER_DESCENDING'],
        limit: [String(pageRows)],
        ...(cursor !== null && { cursor: [cursor] }),
      }
      const page = await findKeyed(usApi, { ...requestOptions, path, shape: ActivitiesAnswer, query })
      if (page === null) return null
      const activities = page.activities.map((row) => UsActivity.safeParse(row).data)
      isReadable &&= activities.every((activity) => activity !== undefined)
      const trades = activities.flatMap((activity) => activity?.trade ?? [])
      return {
        rows: trades.filter((trade) => trade.marketSlug === marketSlug),
        cursor: page.eof === true ? null : page.nextCursor,
      }
    },
    idOf: ({ id }) => id,
    isEnough: isEarlier,
    pagesMax,
  })
  const times = rows.map(({ createTime }) => Date.parse(createTime ?? ''))
  const isCovered =
    rows.some(isEarlier) || (isWhole && reachesBack(earliestMs, times, requestOptions.context.clock.now()))
  return { rows, reachesBack: isReadable && isCovered }
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
