// A feed that falls behind more and more, for example behind a proxy that is too slow: nothing is lost or silent, but everything is old.
import { describe, expect, it } from 'vitest'
import { lagMaxMs } from '#actors/ingest/feedLatency'
import { systemClock } from '#core/clock'
import { ask, eventually } from '#test/support/cluster/client'
import { SurfaceClient } from '#test/support/cluster/surfaceClient'
import { type EngineVenue, isLong, seedOf, watching, withEngine } from '#test/support/engine'
import { books, DrivenMarket, notices } from './drivenMarket.ts'

/** The documented limit: from the moment the feed is further behind than allowed. */
const staleWithinMs = 5_000
/** The delay grows by this many seconds every second. */
const slope = isLong ? 1 : 8

const engine = withEngine({ env: { CROSSBOOK_ARBITRAGE: 'true', CROSSBOOK_ARBITRAGE_INTERVAL_MS: '200' } })

async function statusOf(venue: EngineVenue) {
  const { body } = await ask(engine.served, '/v1/status')
  const { venues } = body.data as { venues: { venue: string; connection: string; reason: string | null }[] }
  return venues.find((status) => status.venue === venue)!
}

async function sourceOf(venue: EngineVenue, outcomeId: string): Promise<string> {
  const { body } = await ask(engine.served, `/api/${venue}/fetchOrderBook?outcomeId=${outcomeId}`)
  return (body.provenance as { source: string }).source
}

describe.each(isLong ? (['kalshi', 'polymarket'] as const) : (['kalshi'] as const))(
  'a feed of %s that falls behind ever further',
  (venue) => {
    it('is stale for every kind of reader, with the reason, shows nothing from new connections while it lasts, and recovers', async () => {
      const { lab, served } = engine
      const market = new DrivenMarket(lab, venue, engine.fresh(venue), seedOf('delay'))
      const client = await watching(engine, venue, market.id)
      const surface = await SurfaceClient.open(served)
      const executable = (): number =>
        [...surface.take().rows.values()].filter(
          ({ executable, legs }) => executable && [legs.buyYes.venue, legs.buyNo.venue].includes(venue),
        ).length
      try {
        await market.move(20)
        await market.converges(client)
        await eventually(() => expect(executable()).toBeGreaterThan(0), 40_000)
        expect(await sourceOf(venue, market.id)).toBe('service-live')

        const mark = client.mark()
        const begunAt = systemClock.monotonic()
        const proxy = systemClock.every(100, () => {
          market.faults.slow({ delayMs: Math.round((systemClock.monotonic() - begunAt) * slope), where: 'ws' })
          void market.move(1)
        })
        try {
          // A message this late left the venue this long after the delay began, and arrived that much later.
          const tooLateMs = lagMaxMs * (1 + 1 / slope)
          await eventually(() => {
            client.mark()
            expect(notices(client.frames.slice(mark)).map(({ message }) => message)).toEqual(['book is stale: lagging'])
          }, tooLateMs + staleWithinMs)
          const noticed = client.mark()
          await eventually(() => expect(executable()).toBe(0))
          await eventually(async () =>
            expect(await statusOf(venue)).toMatchObject({
              connection: 'degraded',
              reason: expect.stringContaining('lagging'),
            }),
          )
          expect(await sourceOf(venue, market.id)).not.toBe('service-live')

          // Nothing from its new connections is shown.
          const opened = lab[venue].counters().connectionsOpened
          await eventually(async () => {
            expect(executable()).toBe(0)
            expect(await sourceOf(venue, market.id)).not.toBe('service-live')
            expect(lab[venue].counters().connectionsOpened).toBeGreaterThan(opened)
          })
          client.mark()
          expect(books(client.frames.slice(noticed))).toEqual([])
        } finally {
          proxy.cancel()
        }

        // The proxy is removed together with the messages it still held.
        market.faults.recover()
        market.faults.disconnect({ closeFrame: false })
        const ended = client.mark()
        await eventually(async () => {
          await market.move(1)
          client.mark()
          expect(books(client.frames.slice(ended))).not.toEqual([])
        })
        await market.converges(client)
        await eventually(() => expect(executable()).toBeGreaterThan(0))
        await eventually(async () =>
          expect(await statusOf(venue)).toMatchObject({ connection: 'connected', reason: null }),
        )
        expect(await sourceOf(venue, market.id)).toBe('service-live')
      } finally {
        client.close()
        surface.close()
        market.faults.recover()
      }
    }, 120_000)
  },
)
