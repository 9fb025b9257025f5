// How many markets of an event may still resolve Yes, which the matcher needs for a catch-all outcome.
import { expect, test } from 'vitest'
import { systemClock } from '#core/clock'
import { createPostgresCatalog } from '#marketData/catalog/postgresCatalog'
import type { MarketStatus } from '#schemas/market'
import { findMatchDigests, findMatchWords } from '#storage/postgres/matching/index'
import { eventOf, marketOf } from '#test/src/server/http/rows'
import { withPostgres } from '#test/support/postgres'

const postgres = withPostgres()
const venue = 'polymarket'

/** Stores one event with these candidates: status and price of each. */
async function list(candidates: Record<string, [status: MarketStatus, price: number]>, negRisk: boolean) {
  const markets = Object.entries(candidates).map(([name, [status, price]], at) => {
    const sourceMetadata = { groupItemTitle: name, negRisk }
    const market = marketOf(venue, `${at}`, [`1${at}`, `2${at}`], {
      title: `Will ${name} win?`,
      status,
      sourceMetadata,
    })
    market.outcomes[0]!.price = price
    market.outcomes[1]!.price = 1 - price
    return market
  })
  const event = { ...eventOf(venue, markets), sourceMetadata: { negRisk, negRiskAugmented: false } }
  for (const market of markets) market.eventId = event.id
  await createPostgresCatalog(postgres.pool, { clock: systemClock }).upsertEvents(venue, [event], [], systemClock.now())
  const ids = markets.map(({ marketId }) => marketId)
  const words = await findMatchWords(postgres.pool, venue, ids)
  return {
    open: words.map(({ words }) => words.eventOpen),
    eventMetadata: words[0]?.words.eventMetadata,
    digests: new Map((await findMatchDigests(postgres.pool, venue, '', 100)).map(({ id, digest }) => [id, digest])),
  }
}

test('gives a catch-all outcome the number of markets that may still resolve Yes: all except those settled as No', async () => {
  const whole = await list({ Ada: ['active', 0.4], Iris: ['active', 0.3], Other: ['active', 0.2] }, true)
  expect(whole.open).toEqual([null, null, 3])
  expect(whole.eventMetadata).toEqual({ negRisk: true, negRiskAugmented: false })
  const paused = await list({ Ada: ['active', 0.4], Iris: ['inactive', 0.3], Other: ['active', 0.2] }, true)
  expect(paused.open).toEqual([null, null, 3])
  const out = await list({ Ada: ['active', 0.4], Iris: ['resolved', 0], Other: ['active', 0.2] }, true)
  expect(out.open).toEqual([null, null, 2])
  // A market that is out changes the digest of the catch-all outcome only.
  expect(out.digests.get('0')).toBe(whole.digests.get('0'))
  expect(out.digests.get('2')).not.toBe(whole.digests.get('2'))
  const won = await list({ Ada: ['active', 0.4], Iris: ['resolved', 1], Other: ['active', 0.2] }, true)
  expect(won.open).toEqual([null, null, 3])
})

test('does not count the markets of an event that is not exclusive', async () => {
  const { open } = await list({ Ada: ['active', 0.4], Other: ['active', 0.2] }, false)
  expect(open).toEqual([null, null])
})
