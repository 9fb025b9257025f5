// What can be ordered at each venue and its cost, or the reason why not. Sizes and prices are those that orders can have.
import { compileFee, type FeeProgram } from '#arbitrage/fees'
import { orderRule } from '#arbitrage/structures/orderRule'
import { type Orderable, orderableLevels, unitsPerContract } from '#arbitrage/structures/position'
import { ONE } from '#core/price'
import type { FeeModel, MarketFees, SettlementFee } from '#schemas/fees'
import type { Level } from '#schemas/marketData'
import type { OrderSizes } from '#venues/venue'

export interface Offers {
  id: string
  /** Best first. Null: there is no live book. */
  asks: readonly Level[] | null
  fees: MarketFees
  /** Null: unknown. */
  tickSize: number | null
  sizes: OrderSizes | null
}

/** A venue with offers. */
export interface Seller extends Orderable {
  id: string
  sizes: OrderSizes | null
  /** The same for amounts that need not be valid order sizes yet. */
  anySize: Orderable
  /** Everything that orders can take from its levels. */
  unitsMax: number
}

/** A level of a seller: `upTo` of its units are offered at this price or better. */
export interface Piece {
  seller: Seller
  micros: number
  upTo: number
  afterFees: number
}

/** If the venue's minimum is unknown: down to a hundredth of a contract. */
const anySizes: OrderSizes = { step: 1 / unitsPerContract, minimum: 0 }

/** The seller, or a message why there is none. */
export function sellerOf({ id, asks, fees, tickSize, sizes }: Offers): Seller | string {
  const fee = compileFee(fees.fee)
  const reason = whyNot(asks, fees, fee)
  if (reason !== null) return reason
  const { stepUnits, ...minima } = orderRule(sizes ?? anySizes)
  const market = {
    settlementFee: fees.settlementFee,
    tickMicros: Math.max(1, Math.round((tickSize ?? 0) * ONE)),
    stepUnits,
    ...minima,
  }
  const whole = (asks ?? []).map(({ price, size }) => ({
    micros: Math.round(price * ONE),
    units: Math.floor(size * unitsPerContract + 1e-6),
  }))
  const levels = orderableLevels(market, whole)
  const depthUnits = levels.reduce((sum, { units }) => sum + units, 0)
  const sold = { market, levels, depthUnits, fee }
  const anySize = { ...sold, market: { ...market, minimumUnits: 0, minimumMicros: 0, minimumOtherMicros: 0 } }
  return { ...sold, id, sizes, anySize, unitsMax: floorTo(depthUnits, stepUnits) }
}

export const floorTo = (units: number, step: number): number => Math.floor(units / step) * step
export const ceilTo = (units: number, step: number): number => Math.ceil(units / step) * step

function whyNot(asks: Offers['asks'], { fee, settlementFee }: MarketFees, program: FeeProgram): string | null {
  if (fee.kind === 'unknown') return `fee not known: ${fee.reason}`
  if (program.mode === 'unknown') return 'fee not known: its rate is out of bounds'
  if (settlementFee.kind === 'unknown') return `settlement fee not known: ${settlementFee.reason}`
  if (asks === null) return 'no live book'
  return asks.length === 0 ? 'nothing is offered' : null
}

/** Cheapest after fees first, by each formula before rounding. */
export function piecesOf(sellers: readonly { seller: Seller; fees: MarketFees }[]): Piece[] {
  const pieces = sellers.flatMap(({ seller, fees }) => {
    let upTo = 0
    return seller.levels.map(({ micros, units }): Piece => {
      const price = micros / ONE
      upTo += units
      const afterFees = price + takerFee(fees.fee, price) + feeWhenWon(fees.settlementFee, price)
      return { seller, micros, upTo, afterFees }
    })
  })
  return pieces.toSorted((a, b) => a.afterFees - b.afterFees || a.micros - b.micros)
}

/** Dollars per contract, before rounding. */
function takerFee(model: FeeModel, price: number): number {
  const spread = price * (1 - price)
  switch (model.kind) {
    case 'kalshi_quadratic':
      return model.rate * model.multiplier * spread
    case 'quadratic_half_even':
      return model.rate * spread
    case 'polymarket_curve':
      return model.rate * spread ** model.exponent
    default:
      return 0
  }
}

const feeWhenWon = (model: SettlementFee, price: number): number =>
  model.kind === 'payout_rate' ? model.rate : model.kind === 'profit_rate' ? model.rate * (1 - price) : 0
