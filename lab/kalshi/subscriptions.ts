// Subscriptions on kalshi's socket: one sid per channel and connection, an index from market to subscriptions.
import type { Counters } from '../counters.ts'
import type { LabSocket } from '../socket.ts'
import type { Channel } from './commands.ts'

export interface Subscription {
  client: Client
  sid: number
  channel: Channel
  /** Null: every market. */
  tickers: Set<string> | null
  /** The last number assigned; it belongs to the sid. */
  seq: number
  /** NO levels are sent as YES prices. */
  asYesPrice: boolean
}

export interface Client {
  socket: LabSocket
  subscriptions: Map<number, Subscription>
  nextSid: number
}

export class SubscriptionIndex {
  private readonly counters: Counters
  /** `channel/ticker` to its subscribers; `channel/` gets every market. */
  private readonly watchers = new Map<string, Set<Subscription>>()

  constructor(counters: Counters) {
    this.counters = counters
  }

  *subscribersOf(channel: Channel, ticker: string): Generator<Subscription> {
    yield* this.watchers.get(`${channel}/${ticker}`) ?? []
    yield* this.watchers.get(`${channel}/`) ?? []
  }

  /** Null subscribes to every market of the channel. */
  watch(subscription: Subscription, ticker: string | null): void {
    if (ticker !== null) {
      if (subscription.tickers?.has(ticker)) return
      subscription.tickers?.add(ticker)
      this.count(subscription, ticker, 1)
    }
    const key = `${subscription.channel}/${ticker ?? ''}`
    this.watchers.set(key, (this.watchers.get(key) ?? new Set()).add(subscription))
  }

  unwatch(subscription: Subscription, ticker: string | null): void {
    if (ticker !== null) {
      if (subscription.tickers?.delete(ticker) !== true) return
      this.count(subscription, ticker, -1)
    }
    const key = `${subscription.channel}/${ticker ?? ''}`
    const subscribers = this.watchers.get(key)
    subscribers?.delete(subscription)
    if (subscribers?.size === 0) this.watchers.delete(key)
  }

  forget(subscription: Subscription): void {
    if (subscription.tickers === null) this.unwatch(subscription, null)
    else for (const ticker of [...subscription.tickers]) this.unwatch(subscription, ticker)
  }

  /** Books are counted under the ticker, other channels under `channel:ticker`. */
  private count({ channel }: Subscription, ticker: string, by: 1 | -1): void {
    this.counters.subscribed(channel === 'orderbook_delta' ? ticker : `${channel}:${ticker}`, by)
  }
}
