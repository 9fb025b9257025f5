// Channels whose frames are passed on unchanged: trades, reference feeds, option prices. Missed frames are not repeated.
import type { ClientOp, FeedTickerFrame, PriceFrame, ServerFrame, TradeFrame } from './frames.ts'
import { feedKey, keyOfMarket } from './frames.ts'
import { Subscription, type Wire } from './subscription.ts'

export interface TradesOptions {
  venue: string
  marketId: string
  /** For Polymarket, if the service watches for fills before their block. */
  status?: 'confirmed' | 'pending' | 'all'
}

type Frames = TradeFrame | FeedTickerFrame | PriceFrame

class FrameSubscription<Frame extends Frames> extends Subscription<Frame> {
  private newest: Frame | null = null
  private readonly type: Frame['type']
  private readonly ops: { subscribe: ClientOp; unsubscribe: ClientOp }

  constructor(key: string, wire: Wire, type: Frame['type'], ops: { subscribe: ClientOp; unsubscribe: ClientOp }) {
    super(key, wire)
    this.type = type
    this.ops = ops
  }

  /** The newest since the socket connected; null: none yet. */
  get latest(): Frame | null {
    return this.newest
  }

  protected subscribeMessage(): ClientOp {
    return this.ops.subscribe
  }

  protected unsubscribeMessage(): ClientOp {
    return this.ops.unsubscribe
  }

  protected received(frame: ServerFrame): void {
    if (frame.type !== this.type) return
    this.resetBackoff()
    this.newest = frame as Frame
    this.emit(frame as Frame)
  }

  protected forget(): void {
    this.newest = null
  }
}

export class TradesSubscription extends FrameSubscription<TradeFrame> {
  constructor(wire: Wire, { venue, marketId, status }: TradesOptions) {
    const named = { channel: 'trades', venue, marketId } as const
    const filters = status === undefined ? {} : { filters: { status } }
    super(keyOfMarket('trades', venue, marketId), wire, 'trade', {
      subscribe: { op: 'subscribe', ...named, ...filters },
      unsubscribe: { op: 'unsubscribe', ...named },
    })
  }
}

export class FeedTickerSubscription extends FrameSubscription<FeedTickerFrame> {
  constructor(wire: Wire, named: { feed: string; symbol: string }) {
    super(feedKey(named.feed, named.symbol), wire, 'feedTicker', {
      subscribe: { op: 'subscribeFeedTicker', ...named },
      unsubscribe: { op: 'unsubscribeFeedTicker', ...named },
    })
  }
}

export class PriceSubscription extends FrameSubscription<PriceFrame> {
  constructor(wire: Wire, { marketAddress, ...named }: { venue: string; marketId: string; marketAddress?: string }) {
    const address = marketAddress === undefined ? {} : { marketAddress }
    super(keyOfMarket('price', named.venue, named.marketId), wire, 'price', {
      subscribe: { op: 'subscribePrice', ...named, ...address },
      unsubscribe: { op: 'unsubscribePrice', ...named, ...address },
    })
  }
}
