// Follows the armed orders of PostgreSQL: all of them once, then what changed since, page by page, until a page is short.
import type { ChangedOrder, WatchedOrder } from '#storage/postgres/conditional/find'
import type { ConditionalStore } from '#storage/postgres/conditional/store'
import type { ArmedSet, TriggerSource } from './armedSet.ts'

/** Orders of one read. */
const pageSize = 500
/** Orders whose books could not be watched that are tried again in one look. */
const triedAgain = 200

export interface FollowOptions {
  store: Pick<ConditionalStore, 'mark' | 'listArmed' | 'changedSince'>
  set: ArmedSet
  /** Where the books of these orders stand, in their order; null: nowhere, or on a book that is made up. */
  sourcesOf(orders: readonly WatchedOrder[]): Promise<(TriggerSource | null)[]>
  /** The set may be another. */
  paged(): void
}

export interface Follower {
  /** Rejects when the store is away; what was read until then stands. */
  look(): Promise<void>
  /** Tries those again whose books could not be watched. */
  retry(): Promise<void>
}

export function createFollower({ store, set, sourcesOf, paged }: FollowOptions): Follower {
  /** Where the next look begins. */
  let mark: string | null = null

  async function take(orders: readonly WatchedOrder[]): Promise<void> {
    const armed = orders.filter(({ id, status }) => status === 'armed' && !set.has(id))
    const sources = armed.length === 0 ? [] : await sourcesOf(armed)
    // Only now: an order that ended while its source was looked up comes again with the next look.
    for (const { id, status } of orders) if (status !== 'armed') set.drop(id)
    for (const [i, order] of armed.entries()) set.put(order, sources[i] ?? null)
    paged()
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
    let after: ChangedOrder | null = null
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
    look: () => (mark === null ? readAll() : readChanges(mark)),
    async retry() {
      const orders = set.unwatchedOrders(triedAgain)
      if (orders.length > 0) await take(orders)
    },
  }
}
