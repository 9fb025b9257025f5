import { expect, test } from 'vitest'
import type { CatalogPosition } from '#marketData/catalog/catalog'
import { createPostgresCatalog } from '#marketData/catalog/postgresCatalog'
import type { Event } from '#schemas/market'
import { withPostgres } from '#test/support/postgres'
import { sampleEvent, sampleMarket } from './samples.ts'

const long = process.env.CROSSBOOK_TEST_LONG === '1'
const markets = long ? 200_000 : 5_000
const perEvent = 20
const postgres = withPostgres()

/** The volume of every 10th market changes with every write; the others only change their titles. Volumes repeat, so ties are common. */
const moves = (index: number) => index % 10 === 0
function event(number: number, version: number): Event {
  const members = Array.from({ length: perEvent }, (_, i) => {
    const index = number * perEvent + i
    const volume24h = moves(index)
      ? (index * 7919 + version * 104_729) % markets
      : index % 50 === 1
        ? null
        : index % 997
    return sampleMarket(`m${index}`, {
      title: `Candidate ${index % 311} wins district ${index} version ${version}`,
      volume24h,
      liquidity: (index * 31) % 1009,
      status: 'active',
    })
  })
  return sampleEvent(`e${number}`, members)
}

test(`paging over ${markets} markets neither repeats nor skips a row while all of them are written`, {
  timeout: long ? 600_000 : 120_000,
}, async () => {
  const catalog = createPostgresCatalog(postgres.pool)
  const events = markets / perEvent
  const batch = 25
  let batchesWritten = 0
  const writeAll = async (version: number, until: () => boolean) => {
    for (let start = 0; start < events && !until(); start += batch) {
      // Writers process the events in another order each time.
      const numbers = Array.from({ length: batch }, (_, i) => ((start + i) * 7 + version) % events)
      await catalog.upsertEvents(
        'polymarket',
        numbers.map((number) => event(number, version)),
        [],
        version,
      )
      batchesWritten++
    }
  }
  const filledAt = performance.now()
  for (let start = 0; start < events; start += batch) {
    const list = Array.from({ length: batch }, (_, i) => event(start + i, 0))
    await catalog.upsertEvents('polymarket', list, [], 0)
  }
  const fillMs = performance.now() - filledAt

  let walking = true
  let versions = 0
  const writer = (async () => {
    while (walking) await writeAll(++versions, () => !walking)
  })()
  const seen = new Map<string, number>()
  const pageMs: number[] = []
  const writtenBefore = batchesWritten
  let writtenMeanwhile = 0
  try {
    for (let after: CatalogPosition | null | undefined; after !== null; ) {
      const requestedAt = performance.now()
      const page = await catalog.findMarkets({
        filter: { venues: ['kalshi', 'polymarket'], status: 'active' },
        sort: 'volume',
        limit: long ? 500 : 100,
        after: after ?? undefined,
      })
      pageMs.push(performance.now() - requestedAt)
      for (const { marketId } of page.rows) seen.set(marketId, (seen.get(marketId) ?? 0) + 1)
      expect(page.total).toBe(markets)
      after = page.next
    }
    writtenMeanwhile = batchesWritten - writtenBefore
  } finally {
    walking = false
    await writer
  }

  const wrong = Array.from({ length: markets }, (_, i) => i).filter((i) => seen.get(`m${i}`) !== 1)
  expect(wrong).toEqual([])
  // Paging must have overlapped with writes for the test to mean anything.
  expect(writtenMeanwhile).toBeGreaterThan(0)

  const searchAt = performance.now()
  const found = await catalog.findMarkets({
    filter: { venues: ['polymarket'], query: 'candidate 17' },
    sort: 'volume',
    limit: 50,
  })
  const searchMs = performance.now() - searchAt
  expect(found.rows).toHaveLength(50)
  pageMs.sort((a, b) => a - b)
  const at = (share: number) => pageMs[Math.floor(pageMs.length * share)]!.toFixed(1)
  console.info(
    `catalog of ${markets}: filled in ${fillMs.toFixed(0)} ms; ${pageMs.length} pages while ${writtenMeanwhile * batch * perEvent} rows were written p50 ${at(0.5)} ms, ` +
      `p99 ${at(0.99)} ms; search over ${found.total} hits ${searchMs.toFixed(1)} ms`,
  )
})
