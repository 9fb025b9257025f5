// The gateway's newest books, and what the stream is told about them. Books are held before they are passed on, so that a greeting never
// lags a frame; a venue whose ingest process has fallen silent has its books called stale here, because nobody else is left to say so.
import { BookCache } from '#books/bookCache'
import { complementCore, limitCore } from '#books/encode'
import type { Clock } from '#lib/clock'
import type { LiveBooks } from '#markets/index'
import type { BookUpdate } from '#schemas/topics'
import type { Bus, Stop } from '#storage/bus/bus'
import type { StatusBoard } from './statusBoard.ts'

const watchMs = 1_000

export interface GatewayBooks {
  cache: BookCache
  reads: LiveBooks
  /** The bus as the stream sees it: books come through the cache. */
  streamBus: Pick<Bus, 'publish' | 'subscribe'>
  stop: Stop
}

export async function keepGatewayBooks(bus: Bus, status: StatusBoard, clock: Clock): Promise<GatewayBooks> {
  const cache = new BookCache()
  const listeners = new Set<(update: BookUpdate) => void>()
  const tell = (update: BookUpdate): void => {
    for (const listener of listeners) listener(update)
  }
  const unsubscribe = await bus.subscribe('books', (update) => {
    if (cache.apply(update) === 'applied') tell(update)
  })
  const watchdog = clock.every(watchMs, () => {
    for (const { venue, reporting } of status.reporting()) {
      if (reporting) continue
      for (const update of cache.markVenueStale(venue, 'ingest silent')) tell(update)
    }
  })
  const streamBus: GatewayBooks['streamBus'] = {
    publish: (topic, key, value) => bus.publish(topic, key, value),
    async subscribe(topic, handle) {
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
    reads: { get: (venue, bookId) => cache.get(venue, bookId), complement: complementCore, limit: limitCore },
    streamBus,
    async stop() {
      watchdog.cancel()
      await unsubscribe()
    },
  }
}
