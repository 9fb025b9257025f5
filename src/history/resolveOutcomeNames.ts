// Human-readable names of the tape's outcomes.
import { Fault } from '#core/fault'
import type { OutcomeCoverage } from '#schemas/history'
import type { OutcomeName } from './outcomeStats.ts'
import type { OutcomeCatalog } from './resolveOutcome.ts'

type NamedMarket = OutcomeCoverage['market']

/** By outcome id. Best effort: while the catalog is unavailable, names are missing and nothing else is. */
export async function nameOutcomes(
  catalog: Pick<OutcomeCatalog, 'findOutcomes'>,
  venue: string,
  outcomes: readonly OutcomeName[],
): Promise<Map<string, NamedMarket>> {
  const caller = {}
  const rowsOf = (outcomeId: string) =>
    catalog.findOutcomes(venue, outcomeId, caller).catch((error: unknown) => {
      if (error instanceof Fault && error.code === 'CATALOG_UNAVAILABLE') return []
      throw error
    })
  const named = outcomes.map(async ({ outcomeId, marketId }): Promise<[string, NamedMarket]> => {
    const rows = (await rowsOf(outcomeId)).filter(
      ({ market }) => marketId === undefined || market.marketId === marketId,
    )
    const [first] = rows
    // An id shared by several markets names none of them.
    if (first === undefined || rows.some(({ market }) => market.marketId !== first.market.marketId))
      return [outcomeId, null]
    const { market, outcome } = first
    return [outcomeId, { marketId: market.marketId, title: market.title, outcome: outcome.label }]
  })
  return new Map(await Promise.all(named))
}
