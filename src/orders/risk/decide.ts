// Which limit an order would exceed. Pure: the claim transaction supplies what the account uses.
//
// A limit refuses only what adds to its use: an account that is beyond a limit can still shrink. What only reduces risk passes all limits
// but the order rate and, where the outcome has a live book, the price collar.
import { addDecimals, compareDecimals, subtractDecimals } from '#core/decimal'
import type { RiskInputs, RiskSubject } from '#orders/executions/ports'
import { type RiskLimitKind, riskLimitKinds, riskLimitUnits } from '#schemas/riskLimits'
import type { LimitUse, RiskBreach, RiskObstacle } from '#storage/postgres/risk/checkLimits'
import type { RiskLimitRow } from '#storage/postgres/risk/limits'
import type { OrderRate } from '#storage/postgres/risk/orderRate'
import type { RiskUse, ScopeUse } from '#storage/postgres/risk/usage'

/** Kinds for which more is needed than the store has. */
const externalKinds: ReadonlySet<RiskLimitKind> = new Set<RiskLimitKind>(['priceCollar', 'dailyLoss', 'exposure'])
/** Kinds that a reducing order may exceed. */
const waivedKinds: ReadonlySet<RiskLimitKind> = new Set<RiskLimitKind>([
  'notional',
  'openNotional',
  'openOrders',
  'position',
  'dailyLoss',
  'exposure',
])

/** What an order would make of a limit's use. */
type Excess = Pick<RiskBreach, 'would' | 'retryAfterSeconds'> & { what: string }

/** `inputs` null: not read. Of several breaches the first by the order of kinds, those of the store first. */
export function findObstacle(
  subject: RiskSubject,
  inputs: RiskInputs | null,
  limits: readonly RiskLimitRow[],
  use: LimitUse,
): RiskObstacle | null {
  const isReducing = reducesRisk(subject, use.account)
  const checked = limits
    .filter(({ kind }) => !(isReducing && waivedKinds.has(kind)))
    .toSorted((a, b) => rankOf(a) - rankOf(b))
  const unread = checked.filter(({ kind }) => externalKinds.has(kind) && inputs?.kinds.has(kind) !== true)
  for (const limit of checked) {
    if (unread.includes(limit)) continue
    const excess = excessOf(subject, inputs, limit, use, isReducing)
    if (excess === null) continue
    const { would, retryAfterSeconds, what } = excess
    return { kind: 'limit', breach: { limit, would, retryAfterSeconds, words: wordsOf(limit, what) } }
  }
  return unread.length === 0 ? null : { kind: 'limits_unread', limits: unread }
}

const rankOf = ({ kind }: RiskLimitRow): number => riskLimitKinds.indexOf(kind)

const isMore = (one: string, other: string): boolean => compareDecimals(one, other) > 0

/**
 * A modification that adds nothing to what is open, a sale of what is held and not for sale yet, a purchase of what is short, and whatever
 * the venue itself only lets close a position.
 */
export function reducesRisk(subject: RiskSubject, { before, after }: ScopeUse): boolean {
  const { targetId, isBuy, size, notionalUsd, onlyReduces } = subject
  if (targetId !== null) {
    const adds = isMore(after.openBuys, before.openBuys) || isMore(after.openSells, before.openSells)
    if (adds) return false
    if (before.openUsd === null || after.openUsd === null) return onlyReduces
    return !isMore(after.openUsd, before.openUsd)
  }
  if (notionalUsd !== null && compareDecimals(notionalUsd, '0') === 0) return true
  if (isBuy === null || size === null || !isMore(size, '0')) return false
  return isBuy ? !isMore(boughtTo(after), '0') : !isMore(soldTo(after), '0')
}

/** The position if every open purchase is filled, and no sale. */
const boughtTo = ({ net, openBuys }: RiskUse): string => addDecimals(net, openBuys)
/** The short position if every open sale is filled, and no purchase. */
const soldTo = ({ net, openSells }: RiskUse): string => subtractDecimals(openSells, net)

function excessOf(
  subject: RiskSubject,
  inputs: RiskInputs | null,
  limit: RiskLimitRow,
  { of, rates }: LimitUse,
  isReducing: boolean,
): Excess | null {
  const scope = of.get(limit)!
  const { before, after } = scope
  switch (limit.kind) {
    case 'notional':
      return moreThan(limit, subject.notionalUsd, 'this order can cost')
    case 'openNotional':
      return addedMore(limit, before.openUsd, after.openUsd, 'open orders could cost')
    case 'openOrders':
      return addedMore(limit, String(before.openOrders), String(after.openOrders), 'open orders would be')
    case 'position':
      return positionExcess(subject, limit, scope)
    case 'orderRate':
      return rateExcess(limit, rates.get(limit))
    case 'priceCollar':
      return collarExcess(subject, limit, inputs!.mid, isReducing)
    case 'dailyLoss':
      return moreThan(limit, sumOf(inputs!.dayLoss, limit.venue), 'the loss of this day is', { isReached: true })
    case 'exposure': {
      const held = positionLossOf(inputs!, limit)
      const total = (open: string | null): string | null =>
        held === null || open === null ? null : addDecimals(held, open)
      return addedMore(
        limit,
        total(before.openUsdWhole),
        total(after.openUsdWhole),
        'positions and open orders could lose',
      )
    }
  }
}

/** `isReached`: at the limit, too. */
function moreThan(
  limit: RiskLimitRow,
  would: string | null,
  what: string,
  { isReached = false }: { isReached?: boolean } = {},
): Excess | null {
  if (would === null) return { would, what: `${what} an amount that is not known in dollars` }
  const compared = compareDecimals(would, limit.value)
  if (compared < 0 || (compared === 0 && !isReached)) return null
  return { would, what: `${what} ${would}` }
}

/** Unless the order leaves it as it is. */
function addedMore(limit: RiskLimitRow, before: string | null, after: string | null, what: string): Excess | null {
  if (before !== null && after !== null && !isMore(after, before)) return null
  return moreThan(limit, after, what)
}

function positionExcess({ isBuy, size }: RiskSubject, limit: RiskLimitRow, { before, after }: ScopeUse): Excess | null {
  if (isBuy === null || size === null)
    return { would: null, what: 'the order does not state how many contracts of which outcome it is for' }
  const sideOf = isBuy ? boughtTo : soldTo
  return addedMore(
    limit,
    sideOf(before),
    sideOf(after),
    `with open orders the ${isBuy ? '' : 'short '}position could be`,
  )
}

function rateExcess(limit: RiskLimitRow, rate: OrderRate | undefined): Excess | null {
  if (rate === undefined || compareDecimals(String(rate.count), limit.value) <= 0) return null
  const retryAfterSeconds = Math.max(1, rate.oldestLeavesInSeconds)
  return { would: String(rate.count), retryAfterSeconds, what: `this order would be number ${rate.count} of a minute` }
}

function collarExcess(
  { price }: RiskSubject,
  limit: RiskLimitRow,
  mid: string | null,
  isReducing: boolean,
): Excess | null {
  if (mid === null && isReducing) return null
  if (mid === null) return { would: null, what: 'the outcome has no live book with both sides here' }
  if (price === null) return { would: null, what: 'the order does not state its limit price' }
  const distance = isMore(price, mid) ? subtractDecimals(price, mid) : subtractDecimals(mid, price)
  if (!isMore(distance, limit.value)) return null
  return { would: distance, what: `the limit price ${price} is ${distance} from the mid price ${mid}` }
}

/** USD that positions can still lose, as far as the limit counts them; null: unknown. */
export const positionLossOf = (
  { worstLoss, positionLoss }: RiskInputs,
  { venue }: Pick<RiskLimitRow, 'venue'>,
): string | null => (venue === null ? worstLoss : sumOf(positionLoss, venue))

/** Null: one of them is unknown. `venue` null: of all. */
export function sumOf(byVenue: ReadonlyMap<string, string | null> | null, venue: string | null): string | null {
  if (byVenue === null) return null
  let sum = '0'
  for (const [of, amount] of byVenue) {
    if (venue !== null && of !== venue) continue
    if (amount === null) return null
    sum = addDecimals(sum, amount)
  }
  return sum
}

const wordsOf = (limit: RiskLimitRow, what: string): string => `${nameOf(limit)}: ${what}`

/** `risk limit position of the account at kalshi, 100 contracts` */
export function nameOf({ kind, key_id, venue, value }: RiskLimitRow): string {
  const owner = key_id === null ? 'the account' : `key ${key_id}`
  return `risk limit ${kind} of ${owner} at ${venue ?? 'all venues'}, ${value} ${riskLimitUnits[kind]}`
}
