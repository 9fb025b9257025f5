// A venue that answers pings and sends no data: worse than one that is gone, because nothing fails.
import { describe, expect, it } from 'vitest'
import { createOutcomeFacts } from '#history/outcomeFacts'
import { ask, eventually } from '#test/support/cluster/client'
import { type EngineVenue, seedOf, watching, withEngine } from '#test/support/engine'
import { books, DrivenMarket, notices } from './drivenMarket.ts'

/** What is promised to a subscriber: a frozen book is called stale within this time. */
const staleWithinMs = 15_000

const engine = withEngine({ tapeServer: true })

async function gaps24h(venue: EngineVenue, marketId: string): Promise<number> {
  const found = await createOutcomeFacts(engine.tape).findCoverage(venue, [marketId], Date.now())
  expect(found.get(marketId), `no coverage of ${venue} ${marketId}`).toMatchObject({ mechanism: 'ws-lossless' })
  return found.get(marketId)!.gaps24h
}

describe.concurrent.each(['polymarket', 'kalshi'] as const)('a silent freeze of %s', (venue) => {
  it('is announced, recorded as one gap, and healed on a new connection', async () => {
    const market = new DrivenMarket(engine.lab, venue, engine.fresh(venue), seedOf('freeze'))
    const other = engine.fresh(venue)
    const client = await watching(engine, venue, market.id)
    const neighbour = await watching(engine, venue, other)
    try {
      await market.move(20)
      await market.converges(client)
      const before = await eventually(() => gaps24h(venue, market.id))
      const opened = engine.lab[venue].counters().connectionsOpened
      const mark = client.mark()
      market.faults.mute()
      await market.move(20)

      await eventually(() => {
        client.mark()
        expect(notices(client.frames.slice(mark))).not.toEqual([])
      }, staleWithinMs)
      await client.frame(({ type }) => type === 'snapshot', mark)
      const since = client.frames.slice(mark)
      const firstBook = since.indexOf(books(since)[0]!)
      const notice = since.indexOf(notices(since)[0]!)
      expect(notice, 'no book before the notice').toBeLessThan(firstBook)
      expect(notices(since)).toHaveLength(1)
      expect(since[firstBook]?.type).toBe('snapshot')

      await market.move(20)
      await market.converges(client)
      market.expectTrue(client)
      await neighbour.frame(({ message }) => message?.startsWith('book is stale') === true)
      await eventually(() => {
        const { connectionsOpened, subscriptions } = engine.lab[venue].counters()
        expect([connectionsOpened, subscriptions[market.id]]).toEqual([opened + 1, 1])
      })
      await eventually(async () => expect(await gaps24h(venue, market.id)).toBe(before + 1))
      const { body } = await ask(engine.served, `/api/${venue}/fetchOrderBook?outcomeId=${market.id}`)
      expect(body.provenance).toEqual({ source: 'service-live' })
    } finally {
      client.close()
      neighbour.close()
    }
  }, 30_000)
})
