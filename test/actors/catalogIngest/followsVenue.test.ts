// The catalog follows a market after it was first listed, even when the venue's lists omit it: prices while it trades, then status and
// settlement.
// settlement when it is over.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type CatalogIngest, type RunLogRow, spawnCatalogIngest } from '#actors/catalogIngest/catalogIngestActor'
import { start, stop } from '#actors/system'
import { readConfig } from '#config'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { type Lab, labVenueNames, startLab } from '#lab/lab'
import { createPostgresCatalog } from '#marketData/catalog/postgresCatalog'
import { createHttpClient } from '#net/httpClient'
import { openVenues, type RunningVenues } from '#roles/venues'
import type { Event, Market } from '#schemas/market'
import type { VenueCase } from '#test/support/cases/venueCase'
import { labSettings } from '#test/support/labSettings'
import { withPostgres } from '#test/support/postgres'
import { sampleOf } from '#test/support/shortRuns'
import { venueCases } from '#test/support/venueCases'
import { registry } from '#venues/registry'

const postgres = withPostgres()
const clock = new ManualClock(Date.UTC(2026, 10, 20))
const minuteMs = 60_000
const system = start()

let lab: Lab
let venues: RunningVenues
beforeAll(async () => {
  lab = await startLab({ clock, seed: 'follows', ratePerSecond: 0, markets: 40, venues: labVenueNames })
  venues = openVenues(
    readConfig({
      VENUES: labVenueNames.join(','),
      ...labSettings(lab),
    }),
    { clock, log: silentLog },
  )
}, 60_000)
afterAll(async () => {
  stop(system)
  await venues?.close()
  await lab?.stop()
})

// Seconds for each venue: short runs test a quarter of them
describe.each(
  sampleOf(
    Object.values(registry).map(({ slug }) => slug),
    4,
  ),
)('%s', (venue) => {
  const { hasQuotes, reportsWinner }: VenueCase = venueCases[venue]
  const runs: RunLogRow[] = []
  /** Requests to the lab need no rate limit. */
  const http = createHttpClient({ venue, requestsPerSecond: 10_000 })
  let job: CatalogIngest

  /** One more run of the job, some time after the last. */
  async function walked(job: CatalogIngest): Promise<void> {
    const before = runs.length
    clock.advance(10 * minuteMs)
    job.actor.send({ kind: 'due' })
    await vi.waitFor(() => expect(runs.length).toBeGreaterThan(before), { timeout: 20_000, interval: 10 })
    expect(runs.at(-1)).toMatchObject({ ok: true })
  }

  beforeAll(async () => {
    const { manifest, context } = venues.list.find((each) => each.manifest.slug === venue)!
    job = spawnCatalogIngest(system, {
      venue: manifest,
      context: { ...context, http },
      catalog: createPostgresCatalog(postgres.pool, { clock }),
      pace: { intervalMs: 86_400_000, fullEveryMs: 30 * minuteMs },
      clock,
      log: silentLog,
      recordRun: async (row) => void runs.push(row),
      onWritten: () => undefined,
    })
    await vi.waitFor(() => expect(runs).toHaveLength(1), { timeout: 20_000, interval: 10 })
  })
  afterAll(async () => {
    await job?.stop()
    await http.close()
  })

  const stored = () => createPostgresCatalog(postgres.pool, { clock })
  const publicId = ({ outcomes: [yes] }: Market) => registry[venue].data.bookRef(yes!.outcomeId)!.bookId
  async function openEvents(): Promise<Event[]> {
    const filter = { venues: [venue], status: 'active' as const }
    const { rows } = await stored().findEvents({ filter, sort: 'newest', limit: 100 })
    return rows.filter(({ markets }) => markets.length > 0 && markets.every(({ status }) => status === 'active'))
  }
  const read = async ({ marketId }: Market) => (await stored().findMarket(venue, marketId))!
  const quotes = ({ outcomes }: Market) => outcomes.map(({ price, bestBid, bestAsk }) => [price, bestBid, bestAsk])

  test.skipIf(hasQuotes === false)(
    'updates a changed price with the next run, though nothing else of the market changed',
    async () => {
      const [event] = await openEvents()
      const [market] = event!.markets as [Market]
      /** Prices only: a row may have no sizes. */
      const best = () => {
        const { bids, asks } = lab[venue].book(publicId(market))!
        return `${bids[0]?.[0]} ${asks[0]?.[0]}`
      }
      /** Nothing changes in the lab by itself. */
      function move(): void {
        const was = best()
        for (let n = 0; n < 50 && best() === was; n++) {
          lab[venue].faults.burst({ market: publicId(market), ratePerSecond: 5_000, durationMs: 1_000 })
          clock.advance(1_000)
        }
        expect(best()).not.toBe(was)
      }
      move()
      await walked(job)
      const before = quotes(await read(market))
      move()
      await walked(job)
      expect(quotes(await read(market))).not.toEqual(before)
    },
  )

  test('shows a market whose event left the lists as resolved, with the payout of its sides', async () => {
    const [, event] = await openEvents()
    for (const [n, market] of event!.markets.entries())
      lab[venue].faults.resolve({ market: publicId(market), result: n === 0 ? 'yes' : 'no' })
    // The test must not depend on the full walk alone.
    await walked(job)
    await walked(job)
    for (const [n, market] of event!.markets.entries()) {
      const now = await read(market)
      expect([now.status, now.eventId, now.title], market.title).toEqual(['resolved', event!.id, market.title])
      const paid = reportsWinner === false ? [null, null] : n === 0 ? [1, 0] : [0, 1]
      expect(quotes(now)).toEqual(paid.map((price) => [price, null, null]))
    }
    const { rows } = await stored().findEvents({
      filter: { venues: [venue], status: 'active' },
      sort: 'newest',
      limit: 100,
    })
    expect(rows.map(({ id }) => id)).not.toContain(event!.id)
  })
})
