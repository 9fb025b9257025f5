import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { equalShare, MarketBound } from '#actors/matcher/marketBound'
import { systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { createPostgresCatalog } from '#marketData/catalog/postgresCatalog'
import { findMatchDigests } from '#storage/postgres/matching/index'
import { eventOf, marketOf } from '#test/src/server/http/rows'
import { withPostgres } from '#test/support/postgres'

test('gives each the same limit, as large as the sum allows', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1_000), { maxLength: 16 }), fc.integer({ min: 1, max: 5_000 }), (counts, max) => {
      const taken = (share: number): number => counts.reduce((sum, count) => sum + Math.min(count, share), 0)
      const share = equalShare(counts, max)
      expect(taken(share)).toBeLessThanOrEqual(max)
      if (share !== Number.POSITIVE_INFINITY) expect(taken(share + 1)).toBeGreaterThan(max)
    }),
  )
})

const postgres = withPostgres()
const venues = ['polymarket', 'kalshi', 'gemini'] as const
beforeEach(() => postgres.pool.query('DELETE FROM catalog_markets'))

/** Markets named by their volume; unknown ones by `?`. */
async function list(venue: (typeof venues)[number], volumes: readonly (number | null)[]): Promise<void> {
  const markets = volumes.map((volume24h, at) => {
    const id = `${venue}-${volume24h ?? `unknown-${at}`}`
    return marketOf(venue, id, [`${id}-yes`, `${id}-no`], { volume24h, status: 'active' })
  })
  const catalog = createPostgresCatalog(postgres.pool, { clock: systemClock })
  await catalog.upsertEvents(venue, [eventOf(venue, markets)], [], systemClock.now())
}
const bounded = (marketsMax: number) => new MarketBound({ pool: postgres.pool, venues, marketsMax, log: silentLog })
async function compared(bound: MarketBound): Promise<string[]> {
  const found: string[] = []
  for (const venue of venues)
    for (const { id } of await findMatchDigests(postgres.pool, venue, '', 100, bound.cutoff(venue))) found.push(id)
  return found.sort()
}

test('compares all markets while they fit; beyond that small venues completely, and of the others the most active markets', async () => {
  await list('polymarket', [9, 7, 5, null, 3, null])
  await list('kalshi', [8, 6, 4, 2])
  await list('gemini', [1])
  const wide = bounded(11)
  await wide.review(true)
  expect([(await compared(wide)).length, wide.leftOut]).toEqual([11, 0])
  const bound = bounded(6)
  await bound.review(true)
  expect(await compared(bound)).toEqual(['gemini-1', 'kalshi-6', 'kalshi-8', 'polymarket-7', 'polymarket-9'])
  expect(bound.leftOut).toBe(6)
  const nine = bounded(10)
  await nine.review(true)
  expect((await compared(nine)).filter((id) => id.includes('unknown'))).toHaveLength(1)
})

test('keeps the bound between full runs, unless more markets come within it than fit', async () => {
  await list('polymarket', [90, 70, 50, 30])
  const bound = bounded(3)
  await bound.review(true)
  expect(await compared(bound)).toEqual(['polymarket-50', 'polymarket-70', 'polymarket-90'])
  // One of them is far less active now.
  await postgres.pool.query("UPDATE catalog_markets SET volume_rank = -1 WHERE id = 'polymarket-90'")
  await bound.review(false)
  expect(await compared(bound)).toEqual(['polymarket-50', 'polymarket-70'])
  expect(bound.leftOut).toBe(2)
  await bound.review(true)
  expect(await compared(bound)).toEqual(['polymarket-30', 'polymarket-50', 'polymarket-70'])
  await postgres.pool.query("UPDATE catalog_markets SET volume_rank = -40 WHERE id = 'polymarket-90'")
  await bound.review(false)
  expect(await compared(bound)).toEqual(['polymarket-50', 'polymarket-70', 'polymarket-90'])
  // Enough space again.
  await postgres.pool.query("UPDATE catalog_markets SET active = false WHERE id = 'polymarket-50'")
  await bound.review(false)
  expect([await compared(bound), bound.leftOut]).toEqual([['polymarket-30', 'polymarket-70', 'polymarket-90'], 0])
})
