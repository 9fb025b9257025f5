// The decimals of each feed's answers. An aggregator's never change; the next one, of another phase, may have others, and the price continues from
// where it was.
import { Fault } from '#core/fault'
import type { Newest, NewestOfAll } from './read.ts'
import { phaseOf } from './roundIds.ts'

/** For dollar prices, by Chainlink's documentation. Not guaranteed for any feed. */
const usualDecimals = 8
/** Maximum factor between phases if the price continues; wrong decimals change it by at least ten. */
const stepMax = 3

interface Scale {
  decimals: number
  phase: bigint
  price: number
}

export class Scales {
  /** By symbol, as last shown. */
  private readonly known = new Map<string, Scale>()

  /** `answers`: each node's answer, including that of `found`. */
  isProven(found: Newest, answers: readonly NewestOfAll[]): boolean {
    const { symbol, decimals, roundId, round } = found
    const known = this.known.get(symbol)
    if (decimals === (known?.decimals ?? usualDecimals)) return true
    const agreeing = answers.filter(({ bySymbol }) => {
      const other = bySymbol.get(symbol)
      return other !== undefined && !(other instanceof Fault) && other.decimals === decimals
    })
    if (agreeing.length > 1) return true
    if (known === undefined || round === null || phaseOf(roundId) <= known.phase) return false
    return round.answer < known.price * stepMax && round.answer > known.price / stepMax
  }

  keep({ symbol, decimals, roundId }: Newest, price: number): void {
    this.known.set(symbol, { decimals, phase: phaseOf(roundId), price })
  }
}
