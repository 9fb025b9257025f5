// The gateway's newest books, and the book updates passed to the stream. Books are stored before they are passed on, so that the first
// frame after a subscription is never older than a later one; a venue whose owner has fallen silent, or was replaced, has its books marked
// stale here, because no other process does. When the owner is back all of them are requested again: it may not know that its messages were
// missing, and quiet books would stay stale. Between processes a book comes only while it is demanded here: one whose demand has ended is
// not kept, because it would grow old unnoticed.

import { BookCache } from '#core/books/bookCache'
import { complementCore, limitCore } from '#core/books/encode'
import { backlogReadMs, bookLateMs, type Invalidation } from '#core/books/epochFencing'
import type { Clock } from '#core/clock'
import type { LiveBooks } from '#marketData/markets/index'
import { formatLease } from '#schemas/parts'
import type { StaleReason } from '#schemas/staleReason'
import { type BookUpdate, type Demand, everyMarket, type TradeUpdate, unwatchedReason } from '#schemas/topics'
import type { Bus, Stop } from '#storage/bus/bus'
import type { StatusBoard } from './venueStatus.ts'

const watchMs = 1_000

export interface GatewayBooks {
  cache: BookCache
  reads: LiveBooks
  /** The bus as the stream sees it: books come through the cache. */
  streamBus: Pick<Bus, 'publish' | 'subscribe'>
  /**
   * Like the cache, but checks at every read whether the venue's owner is alive: this process may have slept since the last watchdog check.
   */
  get(venue: string, marketId: string): BookUpdate | undefined
  stop: Stop
}

export async function startBookDemand(bus: Bus, status: StatusBoard, clock: Clock): Promise<GatewayBooks> {
  const { owners } = status
  const { deliversOnDemand } = bus
  // What is held on demand is bounded by the demand.
  const cache = new BookCache(deliversOnDemand ? { idleMax: Number.POSITIVE_INFINITY } : {})
  const listeners = new Set<(update: BookUpdate) => void>()
  const notify = (update: BookUpdate): void => {
    for (const listener of listeners) listener(update)
  }

  /** Leases of venues or parts whose books were marked stale here, possibly without their owner's knowledge. */
  const muted = new Set<string>()
  /** Venue → when one of its books last arrived late. */
  const lateAt = new Map<string, number>()
  /** This gateway's demand for each venue, as last sent. */
  const wanted = new Map<string, { key: string; demand: Demand; markets: ReadonlySet<string> }>()
  function isWanted(venue: string, marketId: string): boolean {
    const markets = wanted.get(venue)?.markets
    return markets !== undefined && (markets.has(marketId) || markets.has(everyMarket))
  }
  /** A book without readers here is not reported stale to its next reader: by then it may long have recovered. */
  function toReaders(venue: string, reason: StaleReason): (marketId: string) => StaleReason {
    return (marketId) => (isWanted(venue, marketId) ? reason : unwatchedReason)
  }

  /** Whatever is wanted is requested. A key of its own, so that the next renewal does not replace the message on its way. */
  function requestAgain(venue: string): void {
    const last = wanted.get(venue)
    if (last === undefined || last.demand.marketIds.length === 0) return
    bus.publish('demand', `${last.key}:again`, { ...last.demand, lacking: [...last.demand.marketIds.keys()] })
  }

  function takeDemand(key: string, demand: Demand): Demand {
    const { venue, marketIds } = demand
    const before = wanted.get(venue)?.markets
    wanted.set(venue, { key, demand, markets: new Set(marketIds) })
    if (!deliversOnDemand) return demand
    const ended = before?.has(everyMarket) ? [...cache.marketsOf(venue)] : (before ?? [])
    for (const marketId of ended) if (!isWanted(venue, marketId)) cache.delete(venue, marketId)
    const lacking = [...marketIds.keys()].filter((position) => isLacking(venue, marketIds[position]!))
    return lacking.length === 0 ? demand : { ...demand, lacking }
  }
  const isLacking = (venue: string, marketId: string): boolean =>
    marketId === everyMarket ? cache.marketsOf(venue).next().done === true : !cache.has(venue, marketId)

  function mute(venue: string, isVoid: Invalidation['isVoid']): void {
    for (const update of cache.markVenueStale(venue, toReaders(venue, 'owner_silent'), isVoid)) {
      muted.add(formatLease(venue, update.part))
      notify(update)
    }
  }
  const mutePart = (venue: string, part: string | undefined): void => mute(venue, (sent) => sent.part === part)
  const ignore = owners.onInvalidation((venue, { isVoid, hasSlept }) => {
    if (hasSlept) mute(venue, isVoid)
    // The new owner publishes them again by itself.
    else for (const update of cache.markVenueStale(venue, toReaders(venue, 'owner_changed'), isVoid)) notify(update)
  })
  const unsubscribe = await bus.subscribe('books', (update, lateMs = 0) => {
    if (!owners.admits(update)) return
    // Demanded by another part of this process, or until just now.
    if (deliversOnDemand && !isWanted(update.venue, update.marketId)) return
    const isLate = lateMs > bookLateMs && update.state === 'live'
    if (isLate) lateAt.set(update.venue, clock.monotonic())
    const taken: BookUpdate = isLate ? { ...update, state: 'stale', staleReason: 'received_late' } : update
    if (cache.apply(taken) === 'applied') notify(taken)
  })

  const watchdog = clock.every(watchMs, () => {
    const again = new Set<string>()
    for (const { venue, part, reporting } of status.reporting()) {
      if (!reporting) mutePart(venue, part)
      else if (clock.monotonic() - (lateAt.get(venue) ?? Number.NEGATIVE_INFINITY) < backlogReadMs) continue
      else if ([lateAt.delete(venue), muted.delete(formatLease(venue, part))].includes(true)) again.add(venue)
    }
    for (const venue of again) requestAgain(venue)
  })
  function get(venue: string, marketId: string): BookUpdate | undefined {
    const held = cache.get(venue, marketId)
    if (held === undefined || owners.isAlive(venue, held.part)) return held
    mutePart(venue, held.part)
    return cache.get(venue, marketId)
  }
  const streamBus: GatewayBooks['streamBus'] = {
    publish(topic, key, value) {
      if (topic === 'demand') bus.publish('demand', key, takeDemand(key, value as Demand))
      else bus.publish(topic, key, value)
    },
    async subscribe(topic, handle) {
      if (topic === 'trades') {
        const trade = handle as (update: TradeUpdate) => void
        return bus.subscribe('trades', (update) => {
          if (owners.admits(update)) trade(update)
        })
      }
      if (topic !== 'books') return bus.subscribe(topic, handle)
      const listener = handle as (update: BookUpdate) => void
      listeners.add(listener)
      return async () => {
        listeners.delete(listener)
      }
    },
  }
  return {
    cache,
    get,
    reads: { get, complement: complementCore, limit: limitCore },
    streamBus,
    async stop() {
      watchdog.cancel()
      ignore()
      await unsubscribe()
    },
  }
}
