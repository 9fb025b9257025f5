// Kalshi's socket: one sid per channel and connection, seq per sid (snapshots and oks count too), both price scales.
import type { Counters } from '../counters.ts'
import { ASK, BID, type Side } from '../engine/book.ts'
import type { Engine } from '../engine/engine.ts'
import type { EngineMarket, LabTrade, MarketListener } from '../engine/market.ts'
import type { Faults, FrameFault } from '../faults.ts'
import type { LabSocket } from '../socket.ts'
import type { SocketHandler } from '../venueServer.ts'
import type { Channel } from './commands.ts'
import type { KalshiListing, KalshiMarket } from './marketGenerator.ts'
import { sideLevels, tradeFields } from './rows.ts'
import { receiveCommand, type SessionVenue } from './session.ts'
import { type Client, type Subscription, SubscriptionIndex } from './subscriptions.ts'
import { countText, dollars, rfc3339, structures } from './units.ts'

const marketChannels: ReadonlySet<Channel> = new Set(['orderbook_delta', 'ticker', 'trade'])

export class KalshiStream implements MarketListener, SessionVenue {
  readonly index: SubscriptionIndex
  private readonly listing: KalshiListing
  private readonly faults: () => Faults
  private readonly engine: () => Engine
  private readonly clients = new Set<Client>()
  private readonly tops = new Map<string, string>()
  private corked: { market: EngineMarket; sockets: LabSocket[]; traded: boolean } | null = null

  constructor(options: { listing: KalshiListing; counters: Counters; faults: () => Faults; engine: () => Engine }) {
    this.listing = options.listing
    this.index = new SubscriptionIndex(options.counters)
    this.faults = options.faults
    this.engine = options.engine
  }

  open(socket: LabSocket): SocketHandler {
    const client: Client = { socket, subscriptions: new Map(), nextSid: 1 }
    this.clients.add(client)
    return {
      message: (text) => receiveCommand(this, client, text),
      closed: () => {
        for (const subscription of client.subscriptions.values()) this.index.forget(subscription)
        this.clients.delete(client)
      },
    }
  }

  /** The venue's own keepalive. */
  heartbeat(): void {
    for (const { socket } of this.clients) socket.ping('heartbeat')
  }

  level(market: EngineMarket, side: Side, index: number, deltaHundredths: number): void {
    const { ticker, marketId } = this.begin(market)
    const subscribers = [...this.index.subscribersOf('orderbook_delta', ticker)]
    if (subscribers.length === 0 || this.faults().isUnnumbered(market.id)) return
    const fault = this.faults().isMuted(market.id) ? 'drop' : this.faults().deltaFault(market.id)
    const yesMicros = market.book.grid.prices[index]!
    const message = (micros: number) =>
      `"msg":{"market_ticker":"${ticker}","market_id":"${marketId}","price_dollars":"${dollars(micros)}",` +
      `"delta_fp":"${countText(deltaHundredths)}","side":"${side === BID ? 'yes' : 'no'}",` +
      `"ts":"${rfc3339(market.eventTs)}","ts_ms":${market.eventTs}}}`
    const onYesScale = message(yesMicros)
    const onNoScale = side === BID ? onYesScale : message(1_000_000 - yesMicros)
    for (const subscription of subscribers) {
      this.numbered(subscription, 'orderbook_delta', subscription.asYesPrice ? onYesScale : onNoScale, fault)
    }
  }

  trade(market: EngineMarket, trade: LabTrade): void {
    const listed = this.begin(market)
    if (this.corked !== null) this.corked.traded = true
    if (this.faults().isUnnumbered(market.id)) return
    const { trade_id, ...fields } = tradeFields(listed, trade)
    const seconds = Math.floor(trade.atMs / 1000)
    const text = `"msg":${JSON.stringify({ trade_id, market_ticker: listed.ticker, ...fields, ts: seconds, ts_ms: trade.atMs })}}`
    for (const subscription of this.index.subscribersOf('trade', listed.ticker)) {
      this.numbered(subscription, 'trade', text, this.faults().isMuted(market.id) ? 'drop' : 'send')
    }
  }

  flush(market: EngineMarket): void {
    const batch = this.corked
    if (batch === null || batch.market !== market) return
    this.corked = null
    const listed = this.listing.byKey.get(market.id)!
    const top = `${market.book.bestBid}/${market.book.bestAsk}`
    if ((batch.traded || this.tops.get(market.id) !== top) && !this.faults().isMuted(market.id)) {
      this.tops.set(market.id, top)
      for (const subscription of this.index.subscribersOf('ticker', listed.ticker))
        this.sendTicker(subscription, listed, market)
    }
    for (const socket of batch.sockets) socket.uncork()
  }

  announce(kind: 'tickSize' | 'closed' | 'resolved', market: EngineMarket): void {
    const { ticker } = this.listing.byKey.get(market.id)!
    const seconds = Math.floor(market.statusAtMs / 1000)
    const sendEvent = (event: Record<string, unknown>) => {
      for (const { client, sid } of this.index.subscribersOf('market_lifecycle_v2', ticker)) {
        client.socket.data(
          JSON.stringify({ type: 'market_lifecycle_v2', sid, msg: { market_ticker: ticker, ...event } }),
        )
      }
    }
    if (kind === 'tickSize') {
      const price_level_structure = structures[market.book.grid.name]
      sendEvent({ event_type: 'price_level_structure_updated', price_level_structure })
    } else if (kind === 'closed') sendEvent({ event_type: 'close_date_updated', close_ts: seconds })
    else {
      const settlement_value = market.result === 'yes' ? '1.0000' : '0.0000'
      sendEvent({ event_type: 'determined', result: market.result, determination_ts: seconds, settlement_value })
      sendEvent({ event_type: 'settled', settled_ts: seconds })
    }
  }

  /** Book snapshots; an unknown market gets one with an empty id and no sides (observed). */
  sendSnapshots(subscription: Subscription, tickers: readonly string[]): void {
    if (subscription.channel !== 'orderbook_delta') return
    for (const ticker of tickers) {
      const listed = this.listed(ticker)
      if (listed === null) {
        this.numbered(
          subscription,
          'orderbook_snapshot',
          `"msg":{"market_ticker":${JSON.stringify(ticker)},"market_id":""}}`,
          'send',
        )
        continue
      }
      const market = this.engine().market(listed.key)!
      const isWithheld = this.faults().withholdsBooks(market.id)
      if (isWithheld && this.faults().isUnnumbered(market.id)) continue
      const truth = this.faults().staleTruth(market.id, 'ws') ?? market.truth()
      const yes = sideLevels(truth, 'yes', 0, false)
      const no = sideLevels(truth, 'no', 0, subscription.asYesPrice)
      const msg = {
        market_ticker: ticker,
        market_id: listed.marketId,
        ...(yes.length === 0 ? {} : { yes_dollars_fp: yes }),
        ...(no.length === 0 ? {} : { no_dollars_fp: no }),
      }
      const fault = isWithheld ? 'drop' : 'send'
      this.numbered(subscription, 'orderbook_snapshot', `"msg":${JSON.stringify(msg)}}`, fault)
    }
  }

  sendTickers(subscription: Subscription, tickers: readonly string[]): void {
    for (const ticker of tickers) {
      const listed = this.listed(ticker)
      if (listed !== null) this.sendTicker(subscription, listed, this.engine().market(listed.key)!)
    }
  }

  private sendTicker({ client, sid }: Subscription, listed: KalshiMarket, market: EngineMarket): void {
    const { book } = market
    const bid = book.bestBidMicros()
    const ask = book.bestAskMicros()
    const last = market.lastTrade
    const volume = market.volumeHundredths
    const msg = {
      market_id: listed.marketId,
      market_ticker: listed.ticker,
      price_dollars: dollars(last?.priceMicros ?? 0),
      yes_bid_dollars: dollars(bid ?? 0),
      yes_ask_dollars: dollars(ask ?? 1_000_000),
      volume_fp: countText(volume),
      open_interest_fp: countText(Math.round(volume / 3)),
      dollar_volume: Math.round(volume / 200),
      dollar_open_interest: Math.round(volume / 600),
      yes_bid_size_fp: countText(book.at(BID, book.bestBid)),
      yes_ask_size_fp: countText(book.at(ASK, book.bestAsk)),
      last_trade_size_fp: countText(Math.round((last?.size ?? 0) * 100)),
      ts: Math.floor(market.eventTs / 1000),
      ts_ms: market.eventTs,
      time: rfc3339(market.eventTs),
    }
    client.socket.data(JSON.stringify({ type: 'ticker', sid, msg }))
  }

  /** The sequence number is consumed even when a fault drops the frame: the client sees a gap. */
  private numbered(subscription: Subscription, type: string, message: string, fault: FrameFault): void {
    const { client, sid } = subscription
    client.socket.data(`{"type":"${type}","sid":${sid},"seq":${++subscription.seq},${message}`, fault)
  }

  private listed(ticker: string): KalshiMarket | null {
    const market = this.listing.byTicker.get(ticker)
    return market === undefined || this.faults().denies(market.key) !== null ? null : market
  }

  denial(ticker: string): 'snapshot' | 'error' | null {
    const market = this.listing.byTicker.get(ticker)
    return market === undefined ? 'snapshot' : this.faults().denies(market.key)
  }

  /** Corks every socket that may get this market's frames until `flush`. */
  private begin(market: EngineMarket): KalshiMarket {
    const listed = this.listing.byKey.get(market.id)!
    if (this.corked?.market === market) return listed
    if (this.corked !== null) this.flush(this.corked.market)
    const sockets = new Set<LabSocket>()
    for (const channel of marketChannels) {
      for (const { client } of this.index.subscribersOf(channel, listed.ticker)) sockets.add(client.socket)
    }
    if (sockets.size > 0) this.corked = { market, sockets: [...sockets], traded: false }
    for (const socket of sockets) socket.cork()
    return listed
  }
}
