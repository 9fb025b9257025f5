// Splits an amount over the offers of several venues: always the contract that is cheapest after fees next. Whose fees are not known is left
// out, with the reason. The order goes by each formula before its rounding; the sums are rounded as each venue rounds.
import { compileFee, type FeeProgram, feeOfLevels, settlementMicros } from '#arbitrage/fees'
import type { FeeModel, MarketFees, SettlementFee } from '#schemas/fees'
import type { Level } from '#schemas/marketData'

export interface Offers {
  id: string
  /** Best first. Null: no book that may be believed. */
  asks: readonly Level[] | null
  fees: MarketFees
}

/** What is bought at one venue. Dollars. */
export interface Share {
  id: string
  contracts: number
  cost: number
  fee: number
  /** Taken when what was bought wins. */
  settlementFee: number
  averagePrice: number
}

export interface Split {
  shares: Share[]
  /** Venues that were left out, and why. */
  left: { id: string; reason: string }[]
  contracts: number
  /** Cost and fees together, dollars. */
  total: number
  /** All known offers are taken, and something is left over. */
  exhausted: boolean
}

const unitsPerContract = 1_000_000
/** Nothing finer than a hundredth of a contract is bought with dollars. */
const dollarStep = unitsPerContract / 100

interface Piece {
  id: string
  micros: number
  units: number
  afterFees: number
}

export function splitContracts(offers: readonly Offers[], contracts: number): Split {
  const { pieces, left, programs } = prepare(offers)
  const wanted = Math.round(contracts * unitsPerContract)
  const { shares, taken } = take(pieces, programs, wanted)
  return finish(shares, left, taken < wanted)
}

/** As many contracts as `usd` pays for, fees included. */
export function splitDollars(offers: readonly Offers[], usd: number): Split {
  const { pieces, left, programs } = prepare(offers)
  const steps = Math.floor(pieces.reduce((sum, { units }) => sum + units, 0) / dollarStep)
  const costs = (n: number): number => totalOf(take(pieces, programs, n * dollarStep).shares)
  let [fits, tooMany] = [0, steps + 1]
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2)
    if (costs(middle) <= usd) fits = middle
    else tooMany = middle
  }
  return finish(take(pieces, programs, fits * dollarStep).shares, left, fits === steps)
}

interface Program {
  fee: FeeProgram
  settlement: SettlementFee
}

function prepare(offers: readonly Offers[]) {
  const left: Split['left'] = []
  const pieces: Piece[] = []
  const programs = new Map<string, Program>()
  for (const { id, asks, fees } of offers) {
    const fee = compileFee(fees.fee)
    const reason = whyNot(asks, fees, fee)
    if (reason !== null) {
      left.push({ id, reason })
      continue
    }
    programs.set(id, { fee, settlement: fees.settlementFee })
    for (const { price, size } of asks ?? [])
      pieces.push({
        id,
        micros: Math.round(price * 1e6),
        units: Math.round(size * unitsPerContract),
        afterFees: price + takerFee(fees.fee, price) + feeWhenWon(fees.settlementFee, price),
      })
  }
  return { pieces: pieces.toSorted((a, b) => a.afterFees - b.afterFees || a.micros - b.micros), left, programs }
}

function whyNot(asks: Offers['asks'], { fee, settlementFee }: MarketFees, program: FeeProgram): string | null {
  if (fee.kind === 'unknown') return `fee not known: ${fee.reason}`
  if (program.mode === 'unknown') return 'fee not known: its rate is out of bounds'
  if (settlementFee.kind === 'unknown') return `settlement fee not known: ${settlementFee.reason}`
  if (asks === null) return 'no live book'
  return asks.length === 0 ? 'nothing is offered' : null
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

function take(pieces: readonly Piece[], programs: ReadonlyMap<string, Program>, wanted: number) {
  const byVenue = new Map<string, { micros: number; units: number }[]>()
  let missing = wanted
  for (const { id, micros, units } of pieces) {
    const some = Math.min(units, missing)
    if (some <= 0) break
    missing -= some
    byVenue.set(id, [...(byVenue.get(id) ?? []), { micros, units: some }])
  }
  const shares = [...byVenue].map(([id, levels]) => shareOf(id, levels, programs.get(id)!))
  return { shares, taken: wanted - missing }
}

function shareOf(id: string, levels: readonly { micros: number; units: number }[], program: Program): Share {
  const units = levels.reduce((sum, level) => sum + level.units, 0)
  const costMicros = levels.reduce((sum, level) => sum + (level.micros * level.units) / unitsPerContract, 0)
  const fee = feeOfLevels(program.fee, levels, unitsPerContract)
  const contracts = units / unitsPerContract
  return {
    id,
    contracts,
    cost: costMicros / 1e6,
    fee: fee / 1e6,
    settlementFee: settlementMicros(program.settlement, contracts * 1e6, costMicros) / 1e6,
    averagePrice: costMicros / units,
  }
}

const totalOf = (shares: readonly Share[]): number =>
  shares.reduce((sum, { cost, fee, settlementFee }) => sum + cost + fee + settlementFee, 0)

const finish = (shares: Share[], left: Split['left'], exhausted: boolean): Split => ({
  shares,
  left,
  contracts: shares.reduce((sum, share) => sum + share.contracts, 0),
  total: totalOf(shares),
  exhausted,
})
