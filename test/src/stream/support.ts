// Replacements for the edges of the stream: an in-memory bus, a key store, a catalog, and books like those of ingest.

import type { Principal, Verification } from '#platform/auth/principal'
import type { BookUpdate, TopicName, TopicValues, TradeUpdate } from '#schemas/topics'
import type { BroadcastTopic, Bus, Stop } from '#storage/bus/bus'
import type { StreamAuth, StreamCatalog } from '#stream/ports'

/** Synchronous fan-out; keeps everything published for inspection. */
export class MemoryBus implements Pick<Bus, 'publish' | 'subscribe'> {
  readonly demand: TopicValues['demand'][] = []
  private readonly readers = new Map<TopicName, Set<(value: never) => void>>()

  publish<T extends TopicName>(topic: T, _key: string, value: TopicValues[T]): void {
    if (topic === 'demand') this.demand.push(value as TopicValues['demand'])
    for (const read of this.readers.get(topic) ?? []) read(value as never)
  }

  async subscribe<T extends BroadcastTopic>(topic: T, handle: (value: TopicValues[T]) => void): Promise<Stop> {
    const readers = this.readers.get(topic) ?? new Set()
    this.readers.set(topic, readers)
    readers.add(handle)
    return async () => void readers.delete(handle)
  }

  book(update: BookUpdate): void {
    this.publish('books', `${update.venue}:${update.marketId}`, update)
  }

  trade(update: TradeUpdate): void {
    this.publish('trades', `${update.venue}:${update.marketId}`, update)
  }

  /** The last demand per venue. */
  wanted(venue: string): string[] {
    return this.demand.findLast((message) => message.venue === venue)?.marketIds ?? []
  }

  get readerCount(): number {
    return [...this.readers.values()].reduce((sum, readers) => sum + readers.size, 0)
  }
}

export const principal = (over: Partial<Principal> = {}): Principal => ({
  accountId: 'account-1',
  keyId: 'key-1',
  plan: 'pro',
  scopes: ['read'],
  ...over,
})

/** Keys by text; change the map to revoke or downgrade, set `broken` for a store that fails. */
export class KeyStore implements StreamAuth {
  readonly keys = new Map<string, Principal>()
  lookups = 0
  broken = false
  /** When set, every lookup waits for `release`. */
  held: (() => void)[] | null = null

  verify(apiKey: string): Verification | Promise<Verification> {
    return this.answer(() => this.keys.get(apiKey))
  }

  recheck({ keyId }: Principal): Verification | Promise<Verification> {
    return this.answer(() => [...this.keys.values()].find((known) => known.keyId === keyId))
  }

  private answer(find: () => Principal | undefined): Verification | Promise<Verification> {
    this.lookups++
    const answer = (): Verification => {
      if (this.broken) return { kind: 'inconclusive', cause: new Error('the store is unavailable') }
      const found = find()
      return found === undefined ? { kind: 'invalid' } : { kind: 'valid', principal: found }
    }
    if (this.held === null) return answer()
    return new Promise((resolve) => {
      this.held!.push(() => resolve(answer()))
    })
  }

  release(): void {
    const held = this.held ?? []
    this.held = null
    for (const answer of held) answer()
  }
}

/** Serves venue `test` (books and trades), `booksonly`, and `hose` (everything at once); market ids beginning with `no` do not exist. */
export const testCatalog: StreamCatalog = {
  resolve(venue, marketId, channel) {
    if (!['test', 'polymarket', 'kalshi', 'booksonly', 'hose'].includes(venue)) return 'unknown_venue'
    if (venue === 'booksonly' && channel === 'trades') return 'not_supported'
    return marketId.startsWith('no') ? 'market_not_found' : { bookId: marketId, complement: false }
  },
  resolveAll: (venue) => (venue === 'hose' ? 'ok' : venue === 'nowhere' ? 'unknown_venue' : 'not_supported'),
}

/** A book whose best bid size identifies it. */
export function bookUpdate(marketId: string, seq: number, over: Partial<BookUpdate> = {}, padding = 0): BookUpdate {
  const bids = [{ price: 0.41, size: seq }]
  const asks = Array.from({ length: 1 + padding }, (_, level) => ({ price: (42 + level) / 100, size: 7.5 }))
  const text = JSON.stringify({ bids, asks, timestamp: 1_790_000_000_000 + seq })
  return {
    venue: 'test',
    marketId,
    state: 'live',
    seq,
    epoch: 1,
    eventTs: null,
    recvTs: 0,
    core: Buffer.from(text.slice(0, -1)),
    lastTradeMicros: null,
    ...over,
  }
}

export function tradeUpdate(marketId: string, id: number, venue = 'test'): TradeUpdate {
  return {
    venue,
    marketId,
    outcomeId: marketId,
    data: {
      id: String(id),
      time: '2026-09-21T14:13:20.000Z',
      timestamp: 1_790_000_000_000,
      type: 'Buy',
      usd: null,
      outcome: 'Yes',
      outcomeIndex: 0,
      shares: 3.25,
      price: 0.41,
      maker: null,
      transactionHash: null,
      wallet: null,
      counterparty: null,
    },
    recvTs: 0,
  }
}

/** The fields of a frame that tests read. */
export interface Frame {
  type: string
  code?: string
  message?: string
  status?: string
  channel?: string
  venue?: string
  marketId?: string
  feed?: string
  symbol?: string
  ts?: number
  sequence?: number
  conflated?: number
  outcomeId?: string | null
  depth?: number
  data?: { id?: string; bids: { price: number; size: number }[]; asks: unknown[]; timestamp: number }
}

/** Which book a frame carries: see `bookUpdate`. */
export const seqOf = (frame: Frame): number => frame.data?.bids[0]?.size ?? Number.NaN
