// Price grids: the smallest step a market's price can take, in micros.
import { parseMicros } from '#core/price'
import type { KalshiPriceRange } from '../wire.ts'

/**
 * The steps that names of price structures are made of, finest first: `linear_cent`, `tapered_deci_cent`, `center_deci_edge_centi_cent`. A market's
 * `price_ranges` are exact; a name gives the finest step alone. https://docs.kalshi.com/getting_started/subpenny_pricing
 */
const stepMicros = [
  ['centi', 100],
  ['deci', 1_000],
  ['half', 5_000],
  ['cent', 10_000],
] as const

/** The finest step of a structure by its name; null when the name has none. */
export function tickMicrosOfStructure(structure: string | null | undefined): number | null {
  const words = new Set((structure ?? '').split('_'))
  return stepMicros.find(([word]) => words.has(word))?.[1] ?? null
}

/** The market's exact grid if given, otherwise its structure's finest step. */
export function tickMicrosOf(
  ranges: readonly KalshiPriceRange[] | null | undefined,
  structure: string | null | undefined,
): number | null {
  const steps = (ranges ?? []).map((range) => parseMicros(range.step)).filter((step) => step !== null && step > 0)
  return steps.length > 0 ? Math.min(...(steps as number[])) : tickMicrosOfStructure(structure)
}
