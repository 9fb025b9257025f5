// Dependencies of a book: no snapshot makes it live while nothing feeds it, and one market that loses its messages does not affect the
// venue.
import { afterEach, describe, expect, it } from 'vitest'
import { ask, eventually, type StreamClient } from '#test/support/cluster/client'
import { openMarkets } from '#test/support/cluster/labTruth'
import { type EngineVenue, seedOf, watching, withEngine } from '#test/support/engine'
import { books, DrivenMarket, notices } from './drivenMarket.ts'

const engine = withEngine()
const clients: StreamClient[] = []

afterEach(() => {
  for (const client of clients.splice(0)) client.close()
  for (const venue of ['polymarket', 'kalshi'] as const) engine.lab[venue].faults.recover()
})

async function statusOf(venue: EngineVenue) {
  const { body } = await ask(engine.served, '/v1/status')
  const { venues } = body.data as {
    venues: { venue: string; connection: string; staleBooks: number; watchedBooks: number; reason: string | null }[]
  }
  return venues.find((status) => status.venue === venue)!
}

describe('a socket that is down while REST answers', () => {
  it('leaves the book stale, also when a resync was in progress, and says so', async () => {
    const market = new DrivenMarket(engine.lab, 'polymarket', engine.fresh('polymarket'), seedOf('unfed'))
    const client = await watching(engine, 'polymarket', market.id)
    clients.push(client)
    await market.move(20)
    await market.converges(client)

    // The resync of the broken book is answered after its socket has closed.
    market.faults.slow({ delayMs: 700, where: 'http' })
    const reads = engine.lab.polymarket.counters().httpRequests
    market.loseBestBid()
    await client.frame(({ message }) => message?.startsWith('book is stale') === true)
    const mark = client.mark()
    market.faults.disconnect({ closeFrame: false, refuseMs: 4_000 })
    await eventually(() => expect(engine.lab.polymarket.counters().httpRequests).not.toEqual(reads))
    market.faults.slow({ delayMs: 0, where: 'http' })
    await eventually(async () =>
      expect(await statusOf('polymarket')).toMatchObject({ connection: 'unreachable', staleBooks: 1 }),
    )
    const opened = engine.lab.polymarket.counters().connectionsOpened
    let unfed = 0
    await eventually(() => {
      client.mark()
      const served = books(client.frames.slice(mark)).length
      if (engine.lab.polymarket.counters().connectionsOpened === opened) unfed = served
      expect(served).toBeGreaterThan(0)
      expect(engine.lab.polymarket.counters().connectionsOpened).toBeGreaterThan(opened)
    })
    expect(unfed, 'books served while the venue accepted no connection').toBe(0)
    await market.converges(client)
  }, 30_000)
})

describe('a gap storm of one market among eighty', () => {
  it('leaves the others live, costs a bounded number of requests and notices, is reported in the status, and ends with the fault', async () => {
    const others = openMarkets(engine.lab, 'kalshi').slice(20, 99)
    const client = await watching(engine, 'kalshi', others[0]!)
    clients.push(client)
    for (const id of others.slice(1)) client.subscribe('kalshi', id)
    const culprit = new DrivenMarket(engine.lab, 'kalshi', engine.fresh('kalshi'), seedOf('storm'))
    const victim = await watching(engine, 'kalshi', culprit.id)
    clients.push(victim)
    const allLive = async () => expect(await statusOf('kalshi')).toMatchObject({ staleBooks: 0, watchedBooks: 80 })
    await eventually(allLive, 40_000)
    const requests = engine.lab.kalshi.counters().httpRequests

    culprit.faults.mute({ market: culprit.id })
    culprit.faults.burst({ market: culprit.id, ratePerSecond: 100, durationMs: 60_000 })
    await eventually(async () =>
      expect(await statusOf('kalshi')).toMatchObject({
        connection: 'degraded',
        reason: expect.stringContaining('gap'),
      }),
    )
    // Step by step, half of the socket's books are separated from the market that breaks them.
    let calm = client.mark()
    await eventually(() => {
      client.mark()
      const since = client.frames.slice(calm)
      if (notices(since).length > 0) calm = client.frames.length
      expect(books(client.frames.slice(calm)).length).toBeGreaterThan(600)
    }, 30_000)
    expect(books(victim.frames.slice(victim.frames.findIndex(isNotice))).length).toBeLessThan(40)
    const each = new Map<string, number>()
    for (const { marketId } of notices(client.frames)) each.set(marketId!, (each.get(marketId!) ?? 0) + 1)
    expect(Math.max(...each.values())).toBeLessThan(100)
    // Only the faulty market, whose changes do not come, is compared with the venue's own book, after 10, 20, … s.
    const { [comparison]: compared = 0, ...unrelated } = engine.lab.kalshi.counters().httpRequests
    expect(unrelated).toEqual(requests)
    expect(compared).toBeLessThanOrEqual(3)

    culprit.faults.recover()
    await eventually(allLive, 40_000)
    expect(await statusOf('kalshi')).toMatchObject({ connection: 'connected', reason: null })
  }, 150_000)
})

const comparison = '/trade-api/v2/markets/orderbooks'
const isNotice = ({ message }: { message?: string }): boolean => message?.startsWith('book is stale') === true
