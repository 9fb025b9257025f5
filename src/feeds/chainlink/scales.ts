// In which decimals each feed writes its answers. An aggregator has its own for ever; the next one, of another phase, may have others, and the price goes on
// from where it was.
import { Fault } from '#lib/fault'
import type { Newest, NewestOfAll } from './read.ts'
import { phaseOf } from './roundIds.ts'

/** Of prices in dollars, by Chainlink's documents. No source promises it of a feed. */
const usualDecimals = 8
/** A price that goes on from the one before does not move by more between two phases; decimals that are another's move it by ten at least. */
const stepMax = 3

interface Scale {
  decimals: number
  phase: bigint
  price: number
}

export class Scales {
  /** By symbol, as was last shown. */
  private readonly known = new Map<string, Scale>()

  /** `heard`: what each node says, the one with `found` too. */
  isProven(found: Newest, heard: readonly NewestOfAll[]): boolean {
    const { symbol, decimals, roundId, round } = found
    const known = this.known.get(symbol)
    if (decimals === (known?.decimals ?? usualDecimals)) return true
    const saying = heard.filter(({ bySymbol }) => {
      const other = bySymbol.get(symbol)
      return other !== undefined && !(other instanceof Fault) && other.decimals === decimals
    })
    if (saying.length > 1) return true
    if (known === undefined || round === null || phaseOf(roundId) <= known.phase) return false
    return round.answer < known.price * stepMax && round.answer > known.price / stepMax
  }

  keep({ symbol, decimals, roundId }: Newest, price: number): void {
    this.known.set(symbol, { decimals, phase: phaseOf(roundId), price })
  }
}
