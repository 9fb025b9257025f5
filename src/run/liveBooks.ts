// The gateway's newest books, and what the stream is told about them. Books are stored before they are passed on, so that a greeting never
// lags a frame; a venue whose owner has fallen silent, or was replaced, has its books marked stale here, because no other process does.
// When it is heard again all of them are requested: it may never have known that it was not heard, and quiet books would stay stale.
import { BookCache } from '#books/bookCache'
import { complementCore, limitCore } from '#books/encode'
import { bookLateMs, caughtUpMs } from '#books/owners'
import type { Clock } from '#lib/clock'
import type { LiveBooks } from '#markets/index'
import type { BookUpdate, Demand, TradeUpdate } from '#schemas/topics'
import type { Bus, Stop } from '#storage/bus/bus'
import { everyMarket } from '#stream/topicIndex'
import type { StatusBoard } from './statusBoard.ts'

const watchMs = 1_000
const silent = 'ingest silent'
const late = 'it waited while this process slept'
const former = 'another process feeds it now'
/** Ingest's stale reason for released books: their next reader waits for them. */
const unwatched = 'unwatched'

export interface GatewayBooks {
  cache: BookCache
  reads: LiveBooks
  /** The bus as the stream sees it: books come through the cache. */
  streamBus: Pick<Bus, 'publish' | 'subscribe'>
  /**
   * Like the cache, but checks at every read whether the venue's owner is heard: this process may have slept since the watchdog looked.
   */
  get(venue: string, marketId: string): BookUpdate | undefined
  stop: Stop
}

export async function keepGatewayBooks(bus: Bus, status: StatusBoard, clock: Clock): Promise<GatewayBooks> {
  const { owners } = status
  const cache = new BookCache()
  const listeners = new Set<(update: BookUpdate) => void>()
  const tell = (update: BookUpdate): void => {
    for (const listener of listeners) listener(update)
  }

  /** Venues whose books were marked stale here, possibly without their owner's knowledge. */
  const muted = new Set<string>()
  /** Venue → when one of its books last arrived late. */
  const lateAt = new Map<string, number>()
  /** This gateway's demand for each venue, as last sent. */
  const wanted = new Map<string, { key: string; demand: Demand }>()
  /** A book without readers here is not reported stale to its next reader: by then it may long have recovered. */
  function toReaders(venue: string, reason: string): (marketId: string) => string {
    const read = new Set(wanted.get(venue)?.demand.marketIds)
    return (marketId) => (read.has(marketId) || read.has(everyMarket) ? reason : unwatched)
  }

  /**
   * Ingest republishes whatever becomes wanted: so nothing is wanted for a moment. Two keys, so that the bus does not keep only the newer
   * message.
   */
  function askAgain(venue: string): void {
    const last = wanted.get(venue)
    if (last === undefined) return
    bus.publish('demand', `${last.key}:again`, { ...last.demand, marketIds: [] })
    bus.publish('demand', last.key, last.demand)
  }

  function mute(venue: string): void {
    for (const update of cache.markVenueStale(venue, toReaders(venue, silent))) {
      muted.add(venue)
      tell(update)
    }
  }
  const ignore = owners.onDoubt((venue, below) => {
    if (below === Number.POSITIVE_INFINITY) mute(venue)
    // The new owner publishes them again by itself.
    else for (const update of cache.markVenueStale(venue, toReaders(venue, former), below)) tell(update)
  })
  const unsubscribe = await bus.subscribe('books', (update, lateMs = 0) => {
    if (!owners.admits(update)) return
    const isLate = lateMs > bookLateMs && update.state === 'live'
    if (isLate) lateAt.set(update.venue, clock.monotonic())
    const taken: BookUpdate = isLate ? { ...update, state: 'stale', staleReason: late } : update
    if (cache.apply(taken) === 'applied') tell(taken)
  })

  const watchdog = clock.every(watchMs, () => {
    for (const { venue, reporting } of status.reporting()) {
      if (!reporting) mute(venue)
      else if (clock.monotonic() - (lateAt.get(venue) ?? Number.NEGATIVE_INFINITY) < caughtUpMs) continue
      else if ([lateAt.delete(venue), muted.delete(venue)].includes(true)) askAgain(venue)
    }
  })
  function get(venue: string, marketId: string): BookUpdate | undefined {
    if (!owners.isHeard(venue)) mute(venue)
    return cache.get(venue, marketId)
  }
  const streamBus: GatewayBooks['streamBus'] = {
    publish(topic, key, value) {
      if (topic === 'demand') {
        const demand = value as Demand
        wanted.set(demand.venue, { key, demand })
      }
      bus.publish(topic, key, value)
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
