// Price grids: the smallest step a market's price can take, in micros.
import { parseMicros } from '#lib/price'
import type { KalshiPriceRange } from '../wire.ts'

/** Finest step of each `price_level_structure`. https://docs.kalshi.com/getting_started/subpenny_pricing */
const finestMicros: ReadonlyMap<string | null | undefined, number> = new Map([
  ['linear_cent', 10_000],
  ['deci_cent', 1_000],
  ['tapered_deci_cent', 1_000],
])

/** Null for an unknown structure. */
export const tickMicrosOfStructure = (structure: string | null | undefined): number | null =>
  finestMicros.get(structure) ?? null

/** The market's exact grid if given, otherwise its structure's finest step. */
export function tickMicrosOf(
  ranges: readonly KalshiPriceRange[] | null | undefined,
  structure: string | null | undefined,
): number | null {
  const steps = (ranges ?? []).map((range) => parseMicros(range.step)).filter((step) => step !== null && step > 0)
  return steps.length > 0 ? Math.min(...(steps as number[])) : tickMicrosOfStructure(structure)
}
