import { expect, it } from 'vitest'
import { Fault } from '#core/fault'
import { rememberOutcomes } from '#history/outcomeCache'
import { type OutcomeCatalog, type OutcomeNames, resolveOutcome } from '#history/resolveOutcome'

const rowOf = (outcomeId: string): OutcomeNames => ({
  outcome: { outcomeId, label: 'Yes' },
  market: { marketId: `M-${outcomeId}`, eventId: null, title: 'A market' },
})

/** A catalog that knows `A` and `B`, each under a second id too, until its store is unavailable. */
function catalogOf() {
  const state: { failure: Error | null; lookups: number } = { failure: null, lookups: 0 }
  const catalog: OutcomeCatalog = {
    async findOutcomes(_venue, outcomeId) {
      state.lookups++
      if (state.failure !== null) throw state.failure
      const canonical = outcomeId.replace('native-', '')
      return canonical === 'A' || canonical === 'B' ? [rowOf(canonical)] : []
    },
    async findMarket() {
      if (state.failure !== null) throw state.failure
      return null
    },
  }
  return { state, catalog }
}
const away = () => new Fault('CATALOG_UNAVAILABLE', 'PostgreSQL is not available right now')
const request = { venue: 'kalshi', outcomeId: 'native-A', marketId: null }

it('resolves outcomes looked up before while PostgreSQL is unavailable, and rejects others', async () => {
  const { state, catalog } = catalogOf()
  const cached = rememberOutcomes(catalog)
  const before = await resolveOutcome(cached, request)
  expect(before).toEqual({ outcomeIds: ['A', 'native-A'], marketId: 'M-A' })
  await resolveOutcome(cached, { ...request, outcomeId: 'unknown' })
  state.failure = away()
  expect(await resolveOutcome(cached, request)).toEqual(before)
  expect(await resolveOutcome(cached, { ...request, marketId: 'M-A' })).toEqual(before)
  for (const outcomeId of ['B', 'unknown']) {
    const refused = resolveOutcome(cached, { ...request, outcomeId })
    await expect(refused).rejects.toMatchObject({ code: 'CATALOG_UNAVAILABLE' })
  }
  // The same id at another venue is a different outcome.
  await expect(resolveOutcome(cached, { ...request, venue: 'polymarket' })).rejects.toThrow()
})

it('always queries the catalog first, and passes on its other errors', async () => {
  const { state, catalog } = catalogOf()
  const cached = rememberOutcomes(catalog)
  await cached.findOutcomes('kalshi', 'A')
  await cached.findOutcomes('kalshi', 'A')
  expect(state.lookups).toBe(2)
  state.failure = new Error('a wrong statement')
  await expect(cached.findOutcomes('kalshi', 'A')).rejects.toThrow('a wrong statement')
})

it('remembers a limited number of outcomes and evicts the least recently read', async () => {
  const { state, catalog } = catalogOf()
  const cached = rememberOutcomes(catalog, { entriesMax: 2 })
  for (const id of ['A', 'B', 'A', 'native-A']) await cached.findOutcomes('kalshi', id)
  state.failure = away()
  expect(await cached.findOutcomes('kalshi', 'A')).toEqual([rowOf('A')])
  expect(await cached.findOutcomes('kalshi', 'native-A')).toEqual([rowOf('A')])
  await expect(cached.findOutcomes('kalshi', 'B')).rejects.toMatchObject({ code: 'CATALOG_UNAVAILABLE' })
})
