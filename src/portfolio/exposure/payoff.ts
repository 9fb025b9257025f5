// What holdings pay when the answers of their group are known, in the ledger's units.
import { parseAmount, worth } from '../ledger/amounts.ts'
import { type Group, questionOf } from './groups.ts'
import type { Holding } from './holdings.ts'
import type { Payoff, World } from './outcomes.ts'

export interface GroupPayoff {
  /** By question of the group. */
  payoff: Payoff
  /** The questions that decide a payout. */
  decisive: readonly number[]
  /** To one holding. */
  paidTo(holding: Holding, world: World): bigint
  /** Its payout is known, or its answer is true. */
  pays(holding: Holding, world: World): boolean
}

export function payoffOf(group: Group, holdings: readonly Holding[]): GroupPayoff {
  const literalOf = ({ answer: { market, side } }: Holding): number =>
    group.literalOf.get(market)! ^ (side === 'no' ? 1 : 0)
  const payoutOf = ({ shares, value }: Holding): bigint =>
    value === null ? parseAmount(shares) : worth(parseAmount(shares), parseAmount(value))

  const gains = Array.from({ length: group.questions }, () => 0n)
  const decisive = new Set<number>()
  let base = 0n
  for (const holding of holdings) {
    const payout = payoutOf(holding)
    const literal = literalOf(holding)
    const question = questionOf(literal)
    if (holding.value === null) decisive.add(question)
    if (holding.value !== null) base += payout
    else if ((literal & 1) === 0) gains[question] = gains[question]! + payout
    else {
      base += payout
      gains[question] = gains[question]! - payout
    }
  }
  const pays = (holding: Holding, world: World): boolean => {
    const literal = literalOf(holding)
    return holding.value !== null || (world[questionOf(literal)]! ^ (literal & 1)) === 1
  }
  return {
    payoff: { base, gains },
    decisive: [...decisive],
    paidTo: (holding, world) => (pays(holding, world) ? payoutOf(holding) : 0n),
    pays,
  }
}

export const negated = ({ base, gains }: Payoff): Payoff => ({ base: -base, gains: gains.map((gain) => -gain) })

export const paidIn = ({ base, gains }: Payoff, world: World): bigint =>
  gains.reduce((sum, gain, question) => (world[question] === 1 ? sum + gain : sum), base)
