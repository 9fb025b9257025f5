// A market has one upstream subscription however many read it, and none without readers.
import { describe, expect, it } from 'vitest'
import { eventually, StreamClient } from '#test/support/cluster/client'
import { truthOf, upstreamOf } from '#test/support/cluster/labTruth'
import { upstream, withEngine } from '#test/support/engine'

const engine = withEngine({ env: { CROSSBOOK_IDLE_UNWATCH_MS: '1000' } })
const sockets = 1_000
const openedAtOnce = 100

describe.each(['polymarket', 'kalshi'] as const)('%s', (venue) => {
  it(`${sockets} sockets on one market are one upstream subscription, and none after they leave`, async () => {
    const { lab, served } = engine
    const market = engine.fresh(venue)
    const counters = () => lab[venue].counters()
    const opened = counters().connectionsOpened
    const clients: StreamClient[] = []
    try {
      while (clients.length < sockets) {
        const wave = Array.from({ length: openedAtOnce }, () => StreamClient.open(served))
        for (const client of await Promise.all(wave)) {
          client.subscribe(venue, market)
          clients.push(client)
        }
      }
      await eventually(() => {
        for (const client of clients) expect(client.book(venue, market)).not.toBeNull()
      }, 60_000)
      expect(upstream(engine, venue, market)).toBe(1)
      expect(counters().connectionsOpened - opened).toBe(1)
      expect(counters().socketsOpen).toBe(1)
      lab[venue].engine.paused = true
      await clients[0]!.converges(venue, market, () => truthOf(lab, venue, market))
      await clients.at(-1)!.converges(venue, market, () => truthOf(lab, venue, market))
    } finally {
      lab[venue].engine.paused = false
      for (const client of clients) client.close()
    }
    await eventually(() => {
      expect(upstreamOf(lab, venue, market)).toBe(0)
      expect(counters().socketsOpen).toBe(0)
    })
  }, 120_000)

  it('a reader who returns within the idle time finds the subscription still open', async () => {
    const market = engine.fresh(venue)
    const opened = engine.lab[venue].counters().connectionsOpened
    for (let visit = 0; visit < 5; visit++) {
      const client = await StreamClient.open(engine.served)
      client.subscribe(venue, market)
      await client.frame(({ type }) => type === 'snapshot')
      client.close()
    }
    expect(engine.lab[venue].counters().connectionsOpened - opened).toBe(1)
    expect(upstream(engine, venue, market)).toBe(1)
    await eventually(() => expect(upstreamOf(engine.lab, venue, market)).toBe(0))
  })
})
