// The hub's delivery accounting, for tests, metrics and tracing where a frame went.
import type { MarketChannel } from './ports.ts'
import type { Connection, DropStats, Subscription } from './topic.ts'

/** produced = sent + conflated + dropped + waiting, always. */
export interface AccountRow {
  socketId: number
  channel: MarketChannel
  venue: string
  marketId: string
  /** Frames this reader would have received with an unlimited buffer. */
  produced: number
  sent: number
  /** Books replaced by a newer one before they were sent. */
  conflated: number
  /** Trades refused under backpressure, books withheld as stale, and what was waiting when the reader left. */
  dropped: number
  /** The newest book, if not sent yet (0 or 1), or trades of the current tick. */
  waiting: number
}

export interface HubTotals {
  sockets: number
  subscriptions: number
  topics: number
  produced: number
  sent: number
  conflated: number
  dropped: number
  waiting: number
  /** Bytes that wait in the program for slow peers. */
  bufferedBytes: number
  /** Data frames and notices, and the writes that carried them. */
  frames: number
  writes: number
  /** Publications ignored because a newer one was already held. */
  outdated: number
  slowClosed: number
}

export function accountRow(subscription: Subscription): AccountRow {
  const { topic, member, sent, dropped } = subscription
  const unsent = topic.published - subscription.seen
  const waiting = topic.channel === 'orderbook' ? Math.min(1, unsent) : unsent
  return {
    socketId: member.socket.id,
    channel: topic.channel,
    venue: topic.venue,
    marketId: topic.marketId,
    produced: topic.published - subscription.base,
    sent,
    conflated: subscription.conflated + unsent - waiting,
    dropped,
    waiting,
  }
}

/** Sums of closed accounts, added to the open ones on request. */
export class Totals {
  private ended = { produced: 0, sent: 0, conflated: 0, dropped: 0 }
  frames = 0
  writes = 0
  outdated = 0
  slowClosed = 0

  fold(subscription: Subscription): void {
    const row = accountRow(subscription)
    this.ended.produced += row.produced
    this.ended.sent += row.sent
    this.ended.conflated += row.conflated
    this.ended.dropped += row.dropped
  }

  foldLossy(account: DropStats): void {
    this.ended.produced += account.produced
    this.ended.sent += account.sent
    this.ended.dropped += account.dropped
  }

  sum(members: ReadonlySet<Connection>, topics: number): HubTotals {
    const { frames, writes, outdated, slowClosed } = this
    const sum = {
      ...this.ended,
      sockets: members.size,
      subscriptions: 0,
      topics,
      waiting: 0,
      bufferedBytes: 0,
      frames,
      writes,
      outdated,
      slowClosed,
    }
    for (const member of members) {
      sum.bufferedBytes += member.buffered
      for (const subscription of member.subscriptions) {
        const row = accountRow(subscription)
        sum.subscriptions++
        sum.produced += row.produced
        sum.sent += row.sent
        sum.conflated += row.conflated
        sum.dropped += row.dropped
        sum.waiting += row.waiting
      }
      for (const account of member.lossy.values()) {
        sum.produced += account.produced
        sum.sent += account.sent
        sum.dropped += account.dropped
      }
    }
    return sum
  }
}
