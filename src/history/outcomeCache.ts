// Cached catalog rows of outcomes and markets, used while PostgreSQL is unavailable: the tape is in ClickHouse, and the meaning of an id
// does not change. The catalog is always queried first.
import { Cache } from '#core/cache'
import { Fault } from '#core/fault'
import type { OutcomeCatalog, OutcomeNames } from './resolveOutcome.ts'

/** Some 400 bytes each; the least recently read is evicted first. */
const entriesMaxDefault = 20_000

export function rememberOutcomes(
  catalog: OutcomeCatalog,
  { entriesMax = entriesMaxDefault }: { entriesMax?: number } = {},
): OutcomeCatalog {
  const outcomes = new Cache<OutcomeNames[]>(entriesMax)

  function keep(key: string, rows: OutcomeNames[]): void {
    // An id that was unknown may have become known since.
    if (rows.length === 0) outcomes.delete(key)
    else outcomes.set(key, rows)
  }

  return {
    async findOutcomes(venue, outcomeId, caller) {
      const key = `${venue}:${outcomeId}`
      try {
        const rows = (await catalog.findOutcomes(venue, outcomeId, caller)).map(namesIn)
        keep(key, rows)
        return rows
      } catch (error) {
        const known = outcomes.get(key)
        if (known === undefined || !(error instanceof Fault) || error.code !== 'CATALOG_UNAVAILABLE') throw error
        return known
      }
    },
    findMarket: (venue, marketId) => catalog.findMarket(venue, marketId),
  }
}

/** A whole market has several kilobytes. */
const namesIn = ({ outcome, market }: OutcomeNames): OutcomeNames => ({
  outcome: { outcomeId: outcome.outcomeId, label: outcome.label },
  market: {
    marketId: market.marketId,
    eventId: market.eventId,
    title: market.title,
    ...(market.slug !== undefined && { slug: market.slug }),
    ...(market.contractAddress !== undefined && { contractAddress: market.contractAddress }),
  },
})
