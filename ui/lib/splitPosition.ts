// Splits an amount over the offers of several venues: always takes the contract that is cheapest after fees next, in orders that the venues
// accept. Venues where nothing can be bought are left out, with the reason. The order goes by each formula before rounding; the sums are
// rounded as each venue rounds.
import { leastUnits, quote, unitMicros, unitsPerContract } from '#arbitrage/structures/position'
import { ONE } from '#core/price'
import type { OrderSizes } from '#venues/venue'
import { allocate } from './allocateFills.ts'
import { ceilTo, floorTo, type Offers, type Piece, piecesOf, type Seller, sellerOf } from './offers.ts'

export type { Offers } from './offers.ts'

/** What is bought at one venue. Dollars. */
export interface Share {
  id: string
  contracts: number
  cost: number
  fee: number
  /** Fee charged if what was bought wins. */
  settlementFee: number
  averagePrice: number
  /** The venue's order sizes are known, and this is one of them. */
  isOrder: boolean
}

export interface Split {
  shares: Share[]
  /** Venues that were left out, with the reason. */
  left: { id: string; reason: string }[]
  contracts: number
  /** Cost and fees together, dollars. */
  total: number
  /** All known offers are taken, and part of the amount is left. */
  exhausted: boolean
}

export const splitContracts = (offers: readonly Offers[], contracts: number): Split => {
  const wanted = Math.round(contracts * unitsPerContract)
  return split(
    offers,
    ({ pieces, floors }) => (sumOf(floors) > wanted ? null : allocate(pieces, floors, wanted)),
    wanted,
  )
}

/** As many contracts as `usd` pays for, fees included. */
export const splitDollars = (offers: readonly Offers[], usd: number): Split =>
  split(offers, (plan) => affordable(plan, usd))

type Units = ReadonlyMap<string, number>

/** The venues that are used, and the minimum for each that makes an order valid. */
interface Plan {
  sellers: readonly Seller[]
  pieces: readonly Piece[]
  floors: Units
  left: Split['left']
}

/** Null: the plan's minimums exceed the amount. */
type Fill = (plan: Plan) => Units | null

function split(offers: readonly Offers[], fill: Fill, wanted = Number.POSITIVE_INFINITY): Split {
  const left: Split['left'] = []
  const sold = offers.flatMap((each) => {
    const seller = sellerOf(each)
    if (typeof seller !== 'string') return [{ seller, fees: each.fees }]
    left.push({ id: each.id, reason: seller })
    return []
  })
  const sellers = sold.map(({ seller }) => seller)
  const found = best({ sellers, pieces: piecesOf(sold), floors: new Map(), left: [] }, fill)
  if (found === null) throw new Error('a plan without floors has a split')
  const { shares, contracts, total, plan } = found
  const isTaken = plan.sellers.every(({ id, unitsMax }) => (found.units.get(id) ?? 0) === unitsMax)
  const isShort = Math.round(contracts * unitsPerContract) < wanted
  const exhausted = isTaken && isShort && (plan.sellers.length > 0 || plan.left.length === 0)
  return { shares, left: [...left, ...plan.left], contracts, total, exhausted }
}

interface Found {
  plan: Plan
  units: Units
  shares: Share[]
  contracts: number
  total: number
}

/** Maximum venues raised to their minimum: each doubles the number of plans to compare. */
const floorsMax = 3

/** A share that is too small for an order is either raised to the venue's minimum or left out, whichever buys more, or costs less. */
function best(plan: Plan, fill: Fill): Found | null {
  const units = fill(plan)
  if (units === null) return null
  const refused = plan.sellers.find((seller) => {
    const some = units.get(seller.id) ?? 0
    return some > 0 && quote(seller, some) === null
  })
  if (refused === undefined) return foundOf(plan, units)
  const { id } = refused
  const least = plan.floors.has(id) || plan.floors.size === floorsMax ? null : leastOrder(refused)
  const raised = least === null ? null : best({ ...plan, floors: new Map(plan.floors).set(id, least) }, fill)
  const dropped = best(without(plan, refused), fill)
  if (raised === null || dropped === null) return raised ?? dropped
  return raised.contracts > dropped.contracts ||
    (raised.contracts === dropped.contracts && raised.total < dropped.total)
    ? raised
    : dropped
}

function without({ sellers, pieces, floors, left }: Plan, refused: Seller): Plan {
  return {
    sellers: sellers.filter((seller) => seller !== refused),
    pieces: pieces.filter(({ seller }) => seller !== refused),
    floors: new Map([...floors].filter(([id]) => id !== refused.id)),
    left: [
      ...left,
      { id: refused.id, reason: `its share would be below the smallest order: ${wordsOf(refused.sizes)}` },
    ],
  }
}

function wordsOf(sizes: OrderSizes | null): string {
  const dollars = sizes?.minimumDollars
  return [`${sizes?.minimum ?? 0} contracts`, ...(dollars === undefined ? [] : [`$${dollars}`])].join(' and ')
}

function leastOrder(seller: Seller): number | null {
  const steps = leastUnits(seller).map((units) => ceilTo(units, seller.market.stepUnits))
  return steps.find((units) => quote(seller, units) !== null) ?? null
}

/** The most units that `usd` pays for: first in steps that every venue has, where more never costs less, then in the finest. */
function affordable(plan: Plan, usd: number): Units | null {
  const { sellers, pieces, floors } = plan
  const least = sumOf(floors)
  const most = sellers.reduce((sum, { unitsMax }) => sum + unitsMax, 0)
  const pays = (units: number): boolean => costOf(plan, allocate(pieces, floors, units)) <= usd
  if (!pays(least)) return null
  const step = sellers.map(({ market }) => market.stepUnits).reduce(leastCommonMultiple, 1)
  const whole = last(Math.ceil(least / step), Math.floor(most / step), (n) => pays(n * step))
  const from = whole === null ? least : whole * step
  const units = last(from, Math.min(most, floorTo(from, step) + step), pays)
  return allocate(pieces, floors, units ?? least)
}

/** The last number that passes; those after it do not. Null: the first does not. */
function last(from: number, to: number, passes: (n: number) => boolean): number | null {
  if (from > to || !passes(from)) return null
  let [good, bad] = [from, to + 1]
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2)
    if (passes(middle)) good = middle
    else bad = middle
  }
  return good
}

const leastCommonMultiple = (a: number, b: number): number => {
  let [x, y] = [a, b]
  while (y > 0) [x, y] = [y, x % y]
  return (a / x) * b
}

const sumOf = (units: Units): number => [...units.values()].reduce((sum, each) => sum + each, 0)

/** Dollars; a size below the minimum is priced as if it were an order. */
function costOf({ sellers }: Plan, units: Units): number {
  return sellers.reduce((sum, { id, anySize }) => {
    const some = units.get(id) ?? 0
    const priced = some === 0 ? null : quote(anySize, some)
    return priced === null ? sum : sum + (priced.cost + priced.fee + some * unitMicros - priced.win) / ONE
  }, 0)
}

function foundOf(plan: Plan, units: Units): Found {
  const shares = plan.sellers.flatMap((seller) => shareOf(seller, units.get(seller.id) ?? 0))
  return {
    plan,
    units,
    shares: shares.toSorted((a, b) => firstOf(plan, a) - firstOf(plan, b)),
    contracts: sumOf(units) / unitsPerContract,
    total: costOf(plan, units),
  }
}

/** Cheapest venue first. */
const firstOf = ({ pieces }: Plan, { id }: Share): number => pieces.findIndex(({ seller }) => seller.id === id)

function shareOf(seller: Seller, units: number): Share[] {
  const quoted = units === 0 ? null : quote(seller, units)
  if (quoted === null) return []
  const { cost, fee, win } = quoted
  return [
    {
      id: seller.id,
      contracts: units / unitsPerContract,
      cost: cost / ONE,
      fee: fee / ONE,
      settlementFee: (units * unitMicros - win) / ONE,
      averagePrice: cost / (units * unitMicros),
      isOrder: seller.sizes !== null,
    },
  ]
}
