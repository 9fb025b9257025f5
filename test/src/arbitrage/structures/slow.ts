// Brute force: every assignment of outcomes checked against every relation, every subset of positions, every size, with
// exact fees. Shares no code with the search.
import type { FeeModel, SettlementFee } from '#arbitrage/fees'
import type { Answer, OffersOf, Relation, StructureMarket } from '#arbitrage/structures/index'

export type World = ReadonlyMap<string, boolean>

export const holdsIn = (world: World, { market, side }: Answer): boolean => world.get(market) === (side === 'yes')

function allows(relation: Relation, world: World): boolean {
  if (relation.kind === 'outcomes') {
    const count = relation.members.filter((member) => holdsIn(world, member)).length
    return relation.complete ? count === 1 : count <= 1
  }
  const a = world.get(relation.a)
  const b = world.get(relation.b)
  switch (relation.kind) {
    case 'same':
      return a === b
    case 'inverse':
      return a !== b
    case 'a_implies_b':
      return !(a === true && b === false)
    case 'b_implies_a':
      return !(b === true && a === false)
    case 'exclusive':
      return !(a === true && b === true)
  }
}

export function slowWorlds(keys: readonly string[], relations: readonly Relation[]): World[] {
  const worlds: World[] = []
  for (let bits = 0; bits < 2 ** keys.length; bits++) {
    const world = new Map(keys.map((key, i) => [key, ((bits >> i) & 1) === 1]))
    if (relations.every((relation) => allows(relation, world))) worlds.push(world)
  }
  return worlds
}

export interface SlowQuote {
  /** Price and fee, micro-dollars. */
  cost: number
  win: number
}

const ceil = (a: bigint, b: bigint): bigint => (a + b - 1n) / b
const halfEven = (a: bigint, b: bigint): bigint => {
  const whole = a / b
  const twice = 2n * (a % b)
  return twice > b || (twice === b && whole % 2n === 1n) ? whole + 1n : whole
}

function slowFee(model: FeeModel, taken: readonly { micros: number; units: number }[]): number | null {
  if (model.kind === 'none') return 0
  if (model.kind === 'unknown') return null
  const rate = BigInt(Math.round(model.rate * 1e6 * ('multiplier' in model ? model.multiplier : 1)))
  // Dollars × 10^20: rate 10^6, hundredths 10^2, prices 10^12.
  const parts = taken.map(({ micros, units }) => rate * BigInt(units) * BigInt(micros) * BigInt(1_000_000 - micros))
  const sum = parts.reduce((a, b) => a + b, 0n)
  const dollars = 10n ** 20n
  switch (model.kind) {
    case 'kalshi_quadratic':
      return model.rounding === 'cent'
        ? Number(ceil(sum * 100n, dollars)) * 10_000
        : parts.reduce((total, part) => total + Number(ceil(part * 10_000n, dollars)) * 100, 0)
    case 'quadratic_half_even':
      return parts.reduce((total, part) => total + Number(halfEven(part * 100n, dollars)) * 10_000, 0)
    case 'polymarket_curve':
      return Number((sum * 100_000n) / dollars) * 10
  }
}

function slowSettlement(fee: SettlementFee, payout: number, cost: number): number | null {
  if (fee.kind === 'none') return 0
  if (fee.kind === 'unknown') return null
  const base = fee.kind === 'payout_rate' ? payout : Math.max(0, payout - cost)
  return Number(ceil(BigInt(base) * BigInt(Math.round(fee.rate * 1e4)), 10_000n))
}

export function slowQuote(
  market: StructureMarket,
  side: 'yes' | 'no',
  units: number,
  offersOf: OffersOf,
  executable: boolean,
): SlowQuote | null {
  const offers = offersOf(market.key, side)
  if (offers === null || (executable && offers.flags !== 0)) return null
  if (units < market.minimumUnits || units % market.stepUnits !== 0) return null
  let left = units
  let weighed = 0n
  const taken: { micros: number; units: number }[] = []
  for (const { micros, units: offered } of offers.levels) {
    // No order can have a limit of a whole dollar.
    if (left === 0 || Math.ceil(micros / market.tickMicros) * market.tickMicros >= 1_000_000) break
    const some = Math.min(left, offered)
    taken.push({ micros, units: some })
    weighed += BigInt(micros) * BigInt(some)
    left -= some
  }
  if (left > 0) return null
  const price = Number(ceil(weighed, 100n))
  if (price < market.minimumMicros) return null
  const limit = Math.ceil(taken.at(-1)!.micros / market.tickMicros) * market.tickMicros
  if ((units * (1_000_000 - limit)) / 100 < market.minimumOtherMicros) return null
  const fee = slowFee(market.fee, taken)
  const settlement = slowSettlement(market.settlementFee, units * 10_000, price)
  return fee === null || settlement === null ? null : { cost: price + fee, win: units * 10_000 - settlement }
}

/**
 * The best worst-case result of any subset of positions, all of one size, with at most one of those that win in the
 * same worlds; 0 when no subset has a profit.
 */
export function slowBest(
  markets: readonly StructureMarket[],
  relations: readonly Relation[],
  offersOf: OffersOf,
  executable: boolean,
  sizes: readonly number[],
): number {
  const worlds = slowWorlds(
    markets.map(({ key }) => key),
    relations,
  )
  let best = 0
  for (const units of sizes) {
    const positions = markets.flatMap((market) =>
      (['yes', 'no'] as const).flatMap((side) => {
        const quote = slowQuote(market, side, units, offersOf, executable)
        if (quote === null) return []
        const wins = worlds.map((world) => holdsIn(world, { market: market.key, side }))
        return [{ ...quote, wins, answer: wins.join() }]
      }),
    )
    const taken = new Set<string>()
    const paid = new Array<number>(worlds.length).fill(0)
    const walk = (at: number, cost: number): void => {
      if (at === positions.length) {
        best = Math.max(best, Math.min(...paid) - cost)
        return
      }
      walk(at + 1, cost)
      const { win, cost: own, wins, answer } = positions[at]!
      if (taken.has(answer)) return
      taken.add(answer)
      for (let world = 0; world < worlds.length; world++) if (wins[world]) paid[world]! += win
      walk(at + 1, cost + own)
      for (let world = 0; world < worlds.length; world++) if (wins[world]) paid[world]! -= win
      taken.delete(answer)
    }
    walk(0, 0)
  }
  return best
}
