// Markets that have left a venue's lists. A walk lists open markets; a market that it no longer lists is looked up individually, so that its status
// and prices stay current. Only the venue's own answer changes a row: a market that the venue does not know becomes `unknown`, and one that could
// not be looked up stays as it was.

import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import type { Catalog } from '#marketData/catalog/catalog'
import type { Event, Market } from '#schemas/market'
import type { VenueManifest } from '#venues/venue'
import type { VenueContext } from '#venues/venueContext'

/** Events looked up after one walk: a tenth of what the venue's rate limit allows in the usual time between two. */
const eventsPerSecondAllowed = 30
const eventsMax = 100
/** Without a read of an event or of several markets, each market costs several requests. */
const singlesMax = 5
/** How often markets that do not trade and await their result are looked up. */
const waitingMs = 3_600_000
/** How long an event that could not be read is not retried. */
const restMs = 3_600_000
const restingMax = 1_000
/** Consecutive failures after which the venue gets no more requests until the next walk. */
const failuresMax = 3

export interface RereadsOptions {
  venue: VenueManifest
  context: VenueContext
  catalog: Pick<Catalog, 'findUnseenMarkets' | 'findEvents' | 'upsertEvents'>
  clock: Clock
  log: Log
}

export class RefetchQueue {
  /** Market ids and the time until which they are not retried, epoch ms. */
  private readonly resting = new Map<string, number>()
  private readonly options: RereadsOptions

  constructor(options: RereadsOptions) {
    this.options = options
  }

  /** `walkedAt`: start of the walk that has just ended. Returns how many markets were updated. */
  async run(walkedAt: number, stopped: () => boolean): Promise<number> {
    const { venue, catalog, clock, log } = this.options
    for (const [marketId, until] of this.resting) if (until <= clock.monotonic()) this.resting.delete(marketId)
    const perSecond = venue.data.requestsPerSecond ?? 10
    const readsMax =
      venue.data.fetchEvent === undefined && venue.data.fetchMarkets === undefined
        ? singlesMax
        : Math.min(eventsMax, perSecond * eventsPerSecondAllowed)
    const unseen = await catalog.findUnseenMarkets({
      venue: venue.slug,
      activeBefore: walkedAt,
      otherBefore: walkedAt - waitingMs,
      except: [...this.resting.keys()],
      limit: readsMax * 10,
    })
    let [markets, reads, failures] = [0, 0, 0]
    for (const group of Map.groupBy(unseen, ({ marketId, eventId }) => eventId ?? `market ${marketId}`).values()) {
      if (stopped() || reads >= readsMax || failures >= failuresMax) break
      try {
        const groupResult = await this.readGroup(group, readsMax - reads)
        reads += groupResult.reads
        markets += groupResult.markets
        failures = 0
      } catch (error) {
        reads++
        failures++
        const until = clock.monotonic() + restMs
        for (const { marketId } of group) if (this.resting.size < restingMax) this.resting.set(marketId, until)
        log.warn(
          { venue: venue.slug, event: group[0]?.eventId, err: error },
          'failed to read markets that left the lists',
        )
      }
    }
    return markets
  }

  /** Unseen markets of one event, as far as the remaining reads allow. */
  private async readGroup(group: readonly Market[], readsLeft: number): Promise<{ reads: number; markets: number }> {
    const { venue, context, catalog, clock } = this.options
    const { fetchEvent, fetchMarket, fetchMarkets } = venue.data
    const [{ eventId }] = group as [Market]
    let reads = 1
    let event = fetchEvent === undefined || eventId === null ? null : await fetchEvent(context, eventId)
    const updatedIds = new Set(event?.markets.map(({ marketId }) => marketId))
    const updates: Market[] = []
    if (fetchMarkets !== undefined) {
      const missing = group.filter(({ marketId }) => !updatedIds.has(marketId))
      const found = await fetchMarkets(
        context,
        missing.map(({ marketId }) => marketId),
      )
      for (const market of missing) {
        updatedIds.add(market.marketId)
        const now = found.get(market.marketId)
        updates.push(now === undefined ? unknown(market) : inEvent(now, market))
      }
    }
    for (const market of group) {
      if (updatedIds.has(market.marketId)) continue
      if (reads >= readsLeft) break
      reads++
      const found = await fetchMarket(context, market.marketId)
      updatedIds.add(market.marketId)
      if (found === null) updates.push(unknown(market))
      else if (found.event === null) updates.push(inEvent(found.market, market))
      else {
        await catalog.upsertEvents(venue.slug, [found.event], [], clock.now())
        for (const { marketId } of found.event.markets) updatedIds.add(marketId)
      }
    }
    if (updates.length > 0 && eventId !== null) event ??= await this.storedEvent(eventId)
    if (event !== null) await catalog.upsertEvents(venue.slug, [withMarkets(event, updates)], [], clock.now())
    return { reads, markets: group.filter(({ marketId }) => updatedIds.has(marketId)).length }
  }

  private async storedEvent(eventId: string): Promise<Event | null> {
    const { venue, catalog } = this.options
    const filter = { venues: [venue.slug], eventId }
    const { rows } = await catalog.findEvents({ filter, sort: 'newest', limit: 1 })
    return rows[0] ?? null
  }
}

/** The venue no longer knows it: it has no quotes, and its outcome is unknown. */
const unknown = (market: Market): Market => ({
  ...market,
  status: 'unknown',
  outcomes: market.outcomes.map((outcome) => ({ ...outcome, bestBid: null, bestAsk: null })),
})

/** A market row without an event keeps the fields it once got from it. */
const inEvent = (market: Market, { eventId, url, category, tags }: Market): Market => ({
  ...market,
  eventId,
  url,
  category: market.category ?? category,
  tags: market.tags ?? tags,
})

function withMarkets(event: Event, updates: readonly Market[]): Event {
  const byId = new Map([...event.markets, ...updates].map((market) => [market.marketId, market]))
  return { ...event, markets: [...byId.values()] }
}
