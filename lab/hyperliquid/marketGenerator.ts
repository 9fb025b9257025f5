// Hyperliquid's names for the catalog: outcome numbers, the encodings of their sides, questions.
import type { CatalogEvent, CatalogMarket } from '../catalog/catalogEvent.ts'
import type { GridName } from '../engine/grid.ts'

export interface HyperOutcome {
  /** Engine id and catalog key. */
  key: string
  catalog: CatalogMarket
  event: CatalogEvent
  /** HIP-4 outcome number. */
  outcome: number
  sides: readonly [string, string]
  /** Coarser than the venue's 0.00001: an order between its steps is refused for its tick. */
  grid: GridName
}

export interface HyperQuestion {
  question: number
  event: CatalogEvent
  /** Listed, but never traded. */
  fallback: number
  outcomes: HyperOutcome[]
}

export interface HyperListing {
  outcomes: HyperOutcome[]
  questions: HyperQuestion[]
  byOutcome: ReadonlyMap<number, HyperOutcome>
  byKey: ReadonlyMap<string, HyperOutcome>
  /** `#5160` → the outcome and side 0. */
  byCoin: ReadonlyMap<string, HyperSide>
}

export interface HyperSide {
  outcome: HyperOutcome
  side: 0 | 1
}

const firstOutcome = 500
const assetBase = 100_000_000

/** 10 × outcome + side, formatted for books and orders, for balances, and as an asset. */
export const encoding = ({ outcome, side }: HyperSide): number => outcome.outcome * 10 + side
export const coinOf = (named: HyperSide): string => `#${encoding(named)}`
export const tokenOf = (named: HyperSide): string => `+${encoding(named)}`
export const coinOfAsset = (asset: number): string => `#${asset - assetBase}`

export function listHyperliquid(catalog: readonly CatalogEvent[]): HyperListing {
  let next = firstOutcome
  const questions: HyperQuestion[] = []
  const outcomes: HyperOutcome[] = []
  for (const event of catalog) {
    const own = event.markets.map((market): HyperOutcome => {
      const sides = market.opposite === 'No' ? (['Yes', 'No'] as const) : ([market.label, market.opposite] as const)
      return { key: market.key, catalog: market, event, outcome: next++, sides, grid: 'milli' }
    })
    outcomes.push(...own)
    if (!event.exclusive) continue
    questions.push({ question: questions.length + 1, event, fallback: next++, outcomes: own })
  }
  const sides = outcomes.flatMap((outcome) => ([0, 1] as const).map((side): HyperSide => ({ outcome, side })))
  return {
    outcomes,
    questions,
    byOutcome: new Map(outcomes.map((outcome) => [outcome.outcome, outcome])),
    byKey: new Map(outcomes.map((outcome) => [outcome.key, outcome])),
    byCoin: new Map(sides.map((named) => [coinOf(named), named])),
  }
}
