// One book of a busy socket stops: the socket works, its other books continue, and nothing indicates that this one is old.
import { describe, expect, it } from 'vitest'
import { ask, eventually } from '#test/support/cluster/client'
import { withEngine } from '#test/support/engine'
import { books, noticed, notices, withNeighbour } from './drivenMarket.ts'

/** The maximum age of an executable leg. */
const provenWithinMs = 15_000

const engine = withEngine({ lab: { ratePerSecond: 20 } })

describe.concurrent.each(['polymarket', 'kalshi'] as const)('one silent book of %s among active ones', (venue) => {
  it('is detected by comparison with the venue’s own book, stays stale while nothing feeds it, and disturbs no other', async () => {
    await withNeighbour(engine, venue, 'lone', async ({ market, client, neighbour }) => {
      const opened = engine.lab[venue].counters().connectionsOpened
      const mark = client.mark()
      const others = neighbour.mark()
      market.faults.mute({ market: market.id, numbered: false })
      await market.move(20)

      expect((await noticed(client, mark, provenWithinMs)).message).toBe('book is stale: frozen')
      await eventually(async () => {
        const { body } = await ask(engine.served, '/v1/status')
        const { venues } = body.data as { venues: { venue: string; connection: string; provenWithinMs: number }[] }
        const status = venues.find((one) => one.venue === venue)!
        expect(status.connection).toBe('degraded')
        expect(status.provenWithinMs).toBeLessThanOrEqual(provenWithinMs)
      })

      // Requested several times meanwhile, and answered over REST where there is no other way.
      await eventually(() =>
        expect(books(neighbour.frames.slice(0, neighbour.mark())).length).toBeGreaterThan(others + 60),
      )
      client.mark()
      expect(books(client.frames.slice(mark))).toEqual([])
      market.faults.recover()
      await eventually(async () => {
        await market.move(1)
        client.mark()
        expect(books(client.frames.slice(mark))).not.toEqual([])
      }, 5_000)
      await market.converges(client)
      expect(notices(neighbour.frames.slice(0, neighbour.mark()))).toEqual([])
      expect(engine.lab[venue].counters().connectionsOpened).toBe(opened)
    })
  }, 60_000)
})
