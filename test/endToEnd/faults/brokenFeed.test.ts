// Faults of a feed that is connected but wrong: lost, duplicated, reordered and malformed frames, cuts, old snapshots, a refused resync.
// What a subscriber is sent is always a book the venue really had.
import { afterEach, describe, expect, it } from 'vitest'
import { ask, eventually, levelsOf, type StreamClient } from '#test/support/cluster/client'
import { type EngineVenue, isLong, seedOf, watching, withEngine } from '#test/support/engine'
import { books, DrivenMarket, expectUncrossed, notices } from './drivenMarket.ts'

const engine = withEngine()
const venues = ['polymarket', 'kalshi'] as const
const clients: Record<EngineVenue, StreamClient[]> = { polymarket: [], kalshi: [] }

async function watched(venue: EngineVenue, name: string): Promise<{ market: DrivenMarket; client: StreamClient }> {
  const market = new DrivenMarket(engine.lab, venue, engine.fresh(venue), seedOf(name))
  const client = await watching(engine, venue, market.id)
  clients[venue].push(client)
  await market.converges(client)
  return { market, client }
}

async function metric(name: string, venue: EngineVenue): Promise<number> {
  const { text } = await ask(engine.served, '/metrics')
  const line = text.split('\n').find((row) => row.startsWith(`crossbook_${name}{venue="${venue}"`))
  expect(line, `${name} is not among the metrics`).toBeDefined()
  return Number(line!.split(' ').at(-1))
}

const isNotice = ({ message }: { message?: string }): boolean => message?.startsWith('book is stale') === true

// The venues in parallel, the faults of each one after the other.
describe.concurrent.each(venues)('%s', (venue) => {
  describe.sequential('a subscriber', () => {
    afterEach(() => {
      for (const client of clients[venue].splice(0)) client.close()
      engine.lab[venue].faults.recover()
    })
    anyFeed(venue)
    if (venue === 'kalshi') feedOfNumbers()
    else feedWithoutNumbers()
  })
})

function anyFeed(venue: EngineVenue): void {
  // A socket that is cut repeatedly is reopened after a growing delay, about two seconds in the end.
  const rounds = isLong ? 100 : 5

  it(`keeps no level from before a cut that the new snapshot lacks, ${rounds} times`, async () => {
    const { market, client } = await watched(venue, 'ghost')
    for (let round = 0; round < rounds; round++) {
      await market.move(30)
      await market.converges(client)
      const before = market.levels()
      const mark = client.mark()
      market.faults.ghost({ market: market.id })
      market.note()
      expect(market.levels(), `seed ${market.seed}`).toBeLessThan(before)
      await client.frame(({ type, marketId }) => type === 'snapshot' && marketId === market.id, mark)
      await market.converges(client)
    }
    market.expectTrue(client)
  }, 600_000)

  it('applies duplicated deltas once', async () => {
    const { market, client } = await watched(venue, 'duplicate')
    market.faults.duplicate({ market: market.id, count: 200 })
    await market.move(250)
    await market.converges(client)
    market.expectTrue(client)
    expect(notices(client.of(venue, market.id))).toEqual([])
  })

  it('ends at the venue’s book when deltas arrive out of order, and shows no crossed book', async () => {
    const { market, client } = await watched(venue, 'reorder')
    for (let round = 0; round < 10; round++) {
      market.faults.reorder({ market: market.id, count: 10 })
      await market.moveApart(30)
      await market.converges(client)
    }
    expectUncrossed(client.of(venue, market.id), market.seed)
    // Without numbers a late change can only be ordered by its time, so an intermediate book is acceptable.
    if (venue === 'kalshi') market.expectTrue(client)
  })

  it('ignores malformed frames', async () => {
    const { market, client } = await watched(venue, 'garbage')
    const malformed = await metric('ingest_malformed_total', venue)
    for (let round = 0; round < 10; round++) {
      market.faults.garbage({ count: 7 })
      await market.move(10)
    }
    await market.converges(client)
    market.expectTrue(client)
    await eventually(async () => expect(await metric('ingest_malformed_total', venue)).toBeGreaterThan(malformed))
  })

  it('survives a venue that refuses reconnections for a while', async () => {
    const { market, client } = await watched(venue, 'refused')
    const refusals = (): number => engine.lab[venue].counters().connectionsRefused
    const before = refusals()
    market.faults.disconnect({ closeFrame: false, refuseMs: 60_000 })
    await client.frame(({ message }) => message?.startsWith('book is stale') === true)
    await market.move(20)
    await eventually(() => expect(refusals()).toBeGreaterThan(before))
    client.mark()
    expect(books(client.of(venue, market.id).slice(client.of(venue, market.id).findIndex(isNotice)))).toEqual([])
    market.faults.recover()
    await client.frame(({ type }) => type === 'snapshot', client.frames.findIndex(isNotice))
    await market.converges(client)
    market.expectTrue(client)
  })
}

function feedOfNumbers(): void {
  describe('a lost delta of a numbered feed', () => {
    // Every position is tried in test/src/venues/kalshi/data/faults.test.ts; a constantly broken feed is requested again once a second.
    const rounds = isLong ? 200 : 14

    it(
      `leaves no frame built on the broken book, ${rounds} times`,
      async () => {
        const { market, client } = await watched('kalshi', 'gap')
        const resyncs = await metric('ingest_resyncs_total', 'kalshi')
        for (let round = 0; round < rounds; round++) {
          market.faults.gap({ market: market.id, positions: [1 + market.random.int(20)] })
          await market.move(26)
          await market.converges(client)
        }
        market.expectTrue(client)
        const frames = client.of('kalshi', market.id)
        expect(notices(frames).length, `seed ${market.seed}`).toBeGreaterThan(0)
        await eventually(async () => expect(await metric('ingest_resyncs_total', 'kalshi')).toBe(resyncs + rounds))
      },
      isLong ? 600_000 : 60_000,
    )
  })

  describe('an outdated snapshot without a time', () => {
    it('is detected by the best prices that the venue reports, and replaced', async () => {
      const { market, client } = await watched('kalshi', 'old-snapshot')
      market.faults.staleSnapshot({ market: market.id, count: 1, via: 'ws' })
      await market.moveApart(60)
      await market.converges(client)
      market.faults.disconnect({ closeFrame: false })
      await client.frame(isNotice)
      await client.frame(({ type }) => type === 'snapshot', client.frames.findIndex(isNotice))
      await eventually(async () => {
        await market.moveApart(10)
        client.mark()
        expect(levelsOf(client.book('kalshi', market.id)!)).toBe(market.truth())
      })
      await market.converges(client)
    })
  })
}

function feedWithoutNumbers(): void {
  describe('a delta lost far behind the best of a feed without numbers', () => {
    const rounds = isLong ? 50 : 3

    it(`is detected by the hashes of the next changes, ${rounds} times`, async () => {
      const { market, client } = await watched('polymarket', 'deep')
      for (let round = 0; round < rounds; round++) {
        // A hash must have matched before a mismatch counts against the book; hashes are checked every quarter of a second.
        const since = Date.now()
        await eventually(() => {
          market.sizeBestBid(50 + market.random.int(1_000))
          expect(Date.now() - since).toBeGreaterThan(600)
        })
        await market.converges(client)
        const mark = client.mark()
        market.loseWorstBid()
        // Only the best price moves, and nothing trades: the venue sends no snapshot.
        await eventually(() => {
          market.sizeBestBid(50 + market.random.int(1_000))
          client.mark()
          expect(notices(client.frames.slice(mark)).map(({ message }) => message)).toEqual([
            'book is stale: hash_mismatch',
          ])
        }, 5_000)
        await market.converges(client)
      }
    }, 60_000)
  })

  describe('an outdated snapshot', () => {
    it('is not shown after a reconnect: the book waits for a newer one', async () => {
      const { market, client } = await watched('polymarket', 'old-snapshot')
      market.faults.staleSnapshot({ market: market.id, count: 1, via: 'both' })
      await market.moveApart(40)
      await market.converges(client)
      market.faults.disconnect({ closeFrame: false })
      await client.frame(isNotice)
      await client.frame(({ type }) => type === 'snapshot', client.frames.findIndex(isNotice))
      await market.moveApart(10)
      await market.converges(client)
      market.expectTrue(client)
    })
  })

  describe.each([
    ['500', { status: 500 }, 2],
    // Only once: after that the whole host is paused for this time.
    ['429 with Retry-After', { status: 429, retryAfterSeconds: 1 }, 1],
  ])('a resync over REST answered with %s', (name, refusal, times) => {
    it('is repeated, over REST or by subscribing again; meanwhile nothing is shown', async () => {
      const { market, client } = await watched('polymarket', `refused resync ${name}`)
      const requestCount = (): number => engine.lab.polymarket.counters().httpRequests['/clob/books'] ?? 0
      market.faults.http({ ...refusal, count: 4, path: '/clob/books' })
      const before = requestCount()
      const mark = client.mark()
      market.loseBestBid()
      await client.frame(isNotice, mark)
      const noticed = client.frames.findIndex((frame, at) => at >= mark && isNotice(frame))
      await client.frame(({ type }) => type === 'snapshot', noticed)
      expect(requestCount() - before, `seed ${market.seed}`).toBeGreaterThanOrEqual(times)
      await market.move(20)
      await market.converges(client)
    })
  })
}
