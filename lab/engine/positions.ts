// What an account holds, as the fills of its orders add up. The average is over purchases; a sale leaves it as it is.
import { BID } from './book.ts'
import type { SimulatedFill, SimulatedOrder } from './orderManager.ts'

export interface LabPosition {
  /** The newest order in it, for the venue's own names. */
  order: SimulatedOrder
  isYes: boolean
  /** Below zero: more was sold than bought. */
  hundredths: number
  /** Paid, or received for a short position, per contract in the outcome's own price. */
  averageMicros: number
}

/** At a venue with one signed position per market: a sale of YES is a purchase of NO. Markets without a position are left out. */
export function netPositions(orders: readonly SimulatedOrder[]): LabPosition[] {
  const held = collect(
    orders,
    () => true,
    ({ side }) => side === BID,
  )
  return held.map((position) =>
    position.hundredths > 0
      ? position
      : {
          ...position,
          isYes: false,
          hundredths: -position.hundredths,
          averageMicros: 1_000_000 - position.averageMicros,
        },
  )
}

/** At a venue where each outcome is a token of its own. `isYes`: what an order names. */
export function outcomePositions(
  orders: readonly SimulatedOrder[],
  isYes: (order: SimulatedOrder) => boolean,
): LabPosition[] {
  // One book: an order of NO is on the other side of it.
  return collect(orders, isYes, (order) => (order.side === BID) === isYes(order))
}

function collect(
  orders: readonly SimulatedOrder[],
  isYes: (order: SimulatedOrder) => boolean,
  isPurchase: (order: SimulatedOrder) => boolean,
): LabPosition[] {
  const positions = new Map<string, LabPosition>()
  const fills = orders
    .flatMap((order) => order.fills.map((fill) => ({ order, fill })))
    .sort((a, b) => a.fill.id - b.fill.id)
  for (const { order, fill } of fills) {
    const yes = isYes(order)
    const key = `${order.market.id} ${yes}`
    const before = positions.get(key) ?? { order, isYes: yes, hundredths: 0, averageMicros: 0 }
    const priceMicros = yes ? fill.priceMicros : 1_000_000 - fill.priceMicros
    positions.set(key, { ...applied(before, fill, priceMicros, isPurchase(order)), order })
  }
  return [...positions.values()].filter(({ hundredths }) => hundredths !== 0)
}

function applied(
  position: LabPosition,
  { hundredths: size }: SimulatedFill,
  priceMicros: number,
  isPurchase: boolean,
): LabPosition {
  const { hundredths, averageMicros } = position
  const change = isPurchase ? size : -size
  const after = hundredths + change
  const opens = hundredths === 0 || hundredths > 0 === isPurchase
  if (opens) {
    const cost = Math.abs(hundredths) * averageMicros + size * priceMicros
    return { ...position, hundredths: after, averageMicros: cost / Math.abs(after) }
  }
  // Past zero the rest opens the other side at this price.
  const isTurned = after !== 0 && after > 0 !== hundredths > 0
  return { ...position, hundredths: after, averageMicros: isTurned ? priceMicros : averageMicros }
}
