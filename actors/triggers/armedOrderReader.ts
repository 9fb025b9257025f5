// Follows the armed orders of PostgreSQL: reads all of them once, then the changes since, page by page, until a page is short. It also
// follows halts: orders that they stop are not watched meanwhile, and start counting from zero afterwards.

import type { ActiveHalt } from '#storage/postgres/conditional/blockedOrders'
import type { WatchedOrder } from '#storage/postgres/conditional/find'
import type { ConditionalStore } from '#storage/postgres/conditional/store'
import type { ArmedSet, TriggerSource } from './armedOrders.ts'

/** Orders per read. */
const pageSize = 500
/** Unwatchable orders retried per poll. */
const triedAgain = 200
/** A stopped order waits at least this long before it is watched again: the cause may not be a halt. */
export const stoppedMinMs = 2_000

export interface FollowOptions {
  store: Pick<ConditionalStore, 'mark' | 'listArmed' | 'listArmedOf' | 'changedSince' | 'listActiveHalts'>
  set: ArmedSet
  /** Locations of these orders' books, in order; null: none, or a synthetic book. */
  sourcesOf(orders: readonly WatchedOrder[]): Promise<(TriggerSource | null)[]>
  /** False: nothing is fired from here, and orders in hosted mode stay armed. */
  firesHosted: boolean
  /** The set may have changed. */
  paged(): void
  /** A monotonic clock. */
  monotonic(): number
}

export interface Follower {
  /** Rejects when the store is unavailable; what was read until then is kept. */
  look(): Promise<void>
  /** Retries orders whose books could not be watched. */
  retry(): Promise<void>
}

export function createFollower({ store, set, sourcesOf, firesHosted, paged, monotonic }: FollowOptions): Follower {
  /** Where the next poll begins. */
  let mark: string | null = null

  /** As last read. */
  let halts: readonly ActiveHalt[] = []
  let haltsText = '[]'

  const isHalted = (accountId: string, venue: string): boolean =>
    halts.some((halt) => (halt.account_id ?? accountId) === accountId && (halt.venue ?? venue) === venue)

  async function take(orders: readonly WatchedOrder[]): Promise<void> {
    const news = orders.filter((order) => order.status === 'armed' && isForUs(order) && !set.has(order))
    const armed = news.filter(({ account_id, venue }) => !isHalted(account_id, venue))
    const sources = armed.length === 0 ? [] : await sourcesOf(armed)
    // Only now: an order that ended while its source was looked up appears again in the next poll.
    for (const { id, status } of orders) if (status !== 'armed') set.drop(id)
    for (const [i, order] of armed.entries()) set.put(order, sources[i] ?? null)
    for (const { id, account_id: accountId, venue } of news)
      if (isHalted(accountId, venue)) set.stop({ id, accountId, venue, since: monotonic() })
    paged()
  }

  const isForUs = ({ fire_mode }: WatchedOrder): boolean => firesHosted || fire_mode === 'client'

  async function readHalts(): Promise<void> {
    halts = await store.listActiveHalts()
    const text = JSON.stringify(halts)
    if (text === haltsText) return
    haltsText = text
    if (halts.length === 0) return
    set.stopWhere(({ accountId, venue }) => isHalted(accountId, venue), monotonic())
    paged()
  }

  /** Resumes orders without a known cause for being stopped; any remaining cause shows when they trigger. */
  async function goOn(): Promise<void> {
    const before = monotonic() - stoppedMinMs
    const ids: string[] = []
    for (const { id, accountId, venue, since } of set.stoppedOrders())
      if (since <= before && !isHalted(accountId, venue)) ids.push(id)
    for (let from = 0; from < ids.length; from += pageSize) {
      const page = ids.slice(from, from + pageSize)
      const orders = await store.listArmedOf(page)
      await take(orders)
      const armed = new Set(orders.map(({ id }) => id))
      for (const id of page) if (!armed.has(id)) set.drop(id)
    }
  }

  async function readAll(): Promise<void> {
    const begun = await store.mark()
    let after: string | null = null
    for (;;) {
      const page = await store.listArmed({ after, limit: pageSize })
      await take(page)
      if (page.length < pageSize) break
      after = page.at(-1)!.id
    }
    mark = begun
  }

  async function readChanges(since: string): Promise<void> {
    let next: string | null = null
    let after: WatchedOrder | null = null
    for (;;) {
      const page = await store.changedSince({ since, after, limit: pageSize })
      next ??= page.mark
      await take(page.orders)
      if (page.orders.length < pageSize) break
      after = page.orders.at(-1)!
    }
    mark = next
  }

  return {
    async look() {
      await readHalts()
      await (mark === null ? readAll() : readChanges(mark))
      if (set.stoppedCount > 0) await goOn()
    },
    async retry() {
      const orders = set.unwatchedOrders(triedAgain)
      if (orders.length > 0) await take(orders)
    },
  }
}
