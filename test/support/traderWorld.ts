// The trader routes over the labs of the venues that publish their traders: real requests to each venue, without a catalog.

import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { type Lab, type LabVenueName, startLab } from '#lab/lab'
import { VenueBudgets } from '#net/hostRateLimiter'
import { createHttpClient, type OwnedHttpClient } from '#net/httpClient'
import { builtVenues } from '#schemas/venues'
import { createWorld, type World } from '#test/src/server/http/world'
import { type TradersPorts, type TraderVenue, traderRoutes } from '#traders/index'
import { registry } from '#venues/registry'
import type { VenueManifest } from '#venues/venue'
import { labCredentials } from './labSettings.ts'

export const traderVenues = builtVenues.filter((slug) => (registry[slug] as VenueManifest).traders !== undefined)

export interface TraderLab {
  lab: Lab
  clock: ManualClock
  /** Every built venue; those without a lab here are never called. */
  venues: Map<string, TraderVenue>
  stop(): Promise<void>
}

export async function startTraderLab(): Promise<TraderLab> {
  const clock = new ManualClock()
  const lab = await startLab({ clock, seed: 'traders', ratePerSecond: 0, markets: 60, venues: traderVenues })
  // Trades from now on are on its chain, and are confirmed this many blocks later.
  const { listing, engine, chain } = lab.rain
  const pool = listing.options.find(({ key }) => engine.statusOf(key) === 'open')!
  for (let trades = 0; trades < 60; trades++) {
    engine.run(pool.key, 3)
    chain.mine()
  }
  for (let block = 0; block < 50; block++) chain.mine()
  const clients: OwnedHttpClient[] = []
  const venues = new Map<string, TraderVenue>()
  for (const slug of builtVenues) {
    const manifest: VenueManifest = registry[slug]
    const hasTraders = traderVenues.includes(slug)
    const budgets = new VenueBudgets(slug, { ...manifest.budget, perSecond: 10_000, burst: 10_000 }, clock)
    const http = createHttpClient({ venue: slug, budgets, clock })
    clients.push(http)
    venues.set(slug, {
      slug,
      traders: manifest.traders,
      fetchMarket: manifest.data.fetchMarket,
      context: {
        venue: slug,
        http,
        clock,
        log: silentLog,
        urls: hasTraders ? lab[slug as LabVenueName].urls : manifest.urls,
        credentials: hasTraders ? labCredentials(lab, slug as LabVenueName) : null,
        signal: new AbortController().signal,
      },
    })
  }
  return {
    lab,
    clock,
    venues,
    async stop() {
      await Promise.all(clients.map((client) => client.close()))
      await lab.stop()
    },
  }
}

/** By default, nothing is in its catalog, and there is no record. */
export const traderWorld = ({ venues }: Pick<TraderLab, 'venues'>, ports: Partial<TradersPorts> = {}): World =>
  createWorld({
    routes: traderRoutes,
    families: { traders: true },
    traders: {
      venues,
      catalog: { findMarket: async () => null, findOutcomes: async () => [] },
      ...ports,
    },
  })
