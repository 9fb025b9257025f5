import { beforeEach, expect, test } from 'vitest'
import type { Catalog } from '#marketData/catalog/catalog'
import { createPostgresCatalog } from '#marketData/catalog/postgresCatalog'
import { withPostgres } from '#test/support/postgres'
import { sampleEvent, sampleMarket } from './samples.ts'

const postgres = withPostgres()
let catalog: Catalog
const at = async (name: string, venue = 'polymarket'): Promise<string | null> => {
  const named = await catalog.findMarketNamed(venue, name)
  return named === null ? null : `${named.by} ${named.market.marketId}`
}

beforeEach(() => {
  catalog = createPostgresCatalog(postgres.pool)
})

test('finds a market by its id, then its slug, then its event, only on its venue', async () => {
  const markets = [sampleMarket('b', { slug: 'will-it-rain' }), sampleMarket('a', { slug: 'c' })]
  await catalog.upsertEvents('polymarket', [sampleEvent('e', markets), sampleEvent('a', [sampleMarket('c')])], [], 1)
  expect(await Promise.all(['b', 'will-it-rain', 'e', 'a', 'c', 'nothing'].map((name) => at(name)))).toEqual([
    'id b',
    'slug b',
    'event b',
    'id a',
    'id c',
    null,
  ])
  expect(await at('b', 'kalshi')).toBeNull()
  expect(await at("b' OR true; --")).toBeNull()
  expect(await at('b\0')).toBeNull()
})
