// Streams the portfolios of accounts to their sockets: one follower of the database and one listener for the whole process, which say which
// accounts changed. Without subscribers it reads nothing.
//
// notification, or every second ─► pass: accounts that changed ─► feed: read, difference, frames ─► pause ─► again if requested
import { backoffMs } from '#core/backoff'
import { createPasses, type PassResult } from '#core/passes'
import { ThrottledLog } from '#core/throttledLog'
import { createPortfolioFeed, type PortfolioFeed, type PortfolioFeedOptions } from '#portfolio/stream/feed'
import { listen } from '#storage/postgres/orderChanges/listen'
import { orderChangesChannel } from '#storage/postgres/orderChanges/notify'
import type { Pool } from '#storage/postgres/pool'
import { AccountChanges } from './accountChanges.ts'

/** Polling interval without a notification. */
const lookEveryMs = 1_000
/** Notifications within this time lead to one pass. */
const restAfterMs = 50
const retry = { baseMs: 100, capMs: 2_000 }

export interface PortfolioPublisherOptions extends PortfolioFeedOptions {
  pool: Pool
}

export type PortfolioPublisher = Pick<PortfolioFeed, 'add' | 'remove' | 'size' | 'stop'>

export function startPortfolioPublisher({ pool, ...options }: PortfolioPublisherOptions): PortfolioPublisher {
  const { clock, log } = options
  const feed = createPortfolioFeed(options)
  const lines = new ThrottledLog(log, clock)
  let changes: AccountChanges | null = null
  let failures = 0
  const passes = createPasses({ clock, isNeeded: () => feed.size > 0, pass })

  async function pass(): Promise<PassResult> {
    try {
      changes ??= await AccountChanges.start(pool)
      feed.changed(await changes.read(feed.accounts))
      failures = 0
    } catch (error) {
      lines.warn({ err: error }, 'stream: failed to read which portfolios changed')
      return { restMs: backoffMs(failures++, retry, Math.random), again: true }
    }
    // Later subscribers get a new follower.
    if (feed.size === 0) changes = null
    return { restMs: restAfterMs, again: false }
  }

  const listener = listen({ pool, channel: orderChangesChannel, clock, log, onWake: passes.request })
  const timer = clock.every(lookEveryMs, passes.request)

  return {
    add(peer, topic) {
      feed.add(peer, topic)
      passes.request()
    },
    remove(peer) {
      feed.remove(peer)
      if (feed.size === 0 && !passes.isRunning) changes = null
    },
    get size() {
      return feed.size
    },
    async stop() {
      timer.cancel()
      const ended = passes.stop()
      await listener.stop()
      await ended
      await feed.stop()
    },
  }
}
