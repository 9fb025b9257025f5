// A venue that answers pings and sends no data: harder to notice than a closed connection, because nothing fails.
import { describe, expect, it } from 'vitest'
import { recordsDepth } from '#schemas/topics'
import { ask, eventually } from '#test/support/cluster/client'
import { type EngineVenue, withEngine } from '#test/support/engine'
import { books, noticed, notices, withNeighbour } from './drivenMarket.ts'

/** The documented limit: a frozen book is stale within this time. */
const staleWithinMs = 15_000

// With the surface enabled, as in service: its many quiet books must not hide that one is frozen.
const engine = withEngine({ tapeServer: true, env: { CROSSBOOK_ARBITRAGE: 'true' } })

/** Coverage of the outcome as stored on the tape, in order, without the entries about full depth. */
async function coverage(venue: EngineVenue, outcomeId: string): Promise<string[]> {
  const sql =
    "SELECT toString(kind) AS word FROM coverage WHERE venue = {venue:String} AND outcome_id = {outcomeId:String} AND coalesce(reason, '') != {depthTaped:String} ORDER BY at, kind FORMAT JSONEachRow"
  return (await engine.tape.rows<{ word: string }>(sql, { venue, outcomeId, depthTaped: recordsDepth })).map(
    ({ word }) => word,
  )
}

/** Books of the surface and the structures may need a connection of their own: they are requested before the freeze is noticed. */
async function surfaceSubscribed(venue: EngineVenue): Promise<void> {
  let before = 0
  await eventually(() => {
    const was = before
    before = Object.keys(engine.lab[venue].counters().subscriptions).length
    expect(before).toBeGreaterThan(100)
    expect(before).toBe(was)
  })
}

/** Books requested meanwhile may open another connection; a freeze closes only the frozen one. */
function endedConnections(venue: EngineVenue): number {
  const { connectionsOpened, socketsOpen } = engine.lab[venue].counters()
  return connectionsOpened - socketsOpen
}

describe.concurrent.each(['polymarket', 'kalshi'] as const)('a silent freeze of %s', (venue) => {
  it('is reported, recorded as one gap, and repaired on a new connection', async () => {
    await withNeighbour(engine, venue, 'freeze', async ({ market, client, neighbour }) => {
      await eventually(async () => expect(await coverage(venue, market.id)).toEqual(['opened']))
      const mark = client.mark()
      market.faults.mute()
      await market.move(20)
      await surfaceSubscribed(venue)
      const ended = endedConnections(venue)

      await noticed(client, mark, staleWithinMs)
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
        const { subscriptions } = engine.lab[venue].counters()
        expect([endedConnections(venue), subscriptions[market.id]]).toEqual([ended + 1, 1])
      })
      await eventually(async () => expect(await coverage(venue, market.id)).toEqual(['opened', 'gap', 'resumed']))
      const { body } = await ask(engine.served, `/api/${venue}/fetchOrderBook?outcomeId=${market.id}`)
      expect(body.provenance).toEqual({ source: 'service-live' })
    })
  }, 30_000)
})
