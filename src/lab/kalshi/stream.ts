// Owns kalshi's socket: one sid per channel and connection, seq per sid (snapshots and oks count too), both price scales.
import type { Counters } from '../counters.ts'
import { ASK, BID, type Side } from '../engine/book.ts'
import type { Engine } from '../engine/engine.ts'
import type { EngineMarket, LabTrade, MarketListener } from '../engine/market.ts'
import type { Faults, FrameFate } from '../faults.ts'
import type { SocketHandler } from '../host.ts'
import type { LabSocket } from '../socket.ts'
import { type Channel, Command, type ErrorName, errors, isChannel, type Params, sequenced } from './commands.ts'
import type { KalshiListing, KalshiMarket } from './listing.ts'
import { sideLevels, tradeFields } from './rows.ts'
import { countText, dollars, rfc3339, structures } from './units.ts'

interface Subscription {
  client: Client
  sid: number
  channel: Channel
  /** Null: every market. */
  tickers: Set<string> | null
  seq: number
  asYesPrice: boolean
}

interface Client {
  socket: LabSocket
  subscriptions: Map<number, Subscription>
  nextSid: number
}

const marketChannels: ReadonlySet<Channel> = new Set(['orderbook_delta', 'ticker', 'trade'])

export class KalshiStream implements MarketListener {
  private readonly listing: KalshiListing
  private readonly counters: Counters
  private readonly faults: () => Faults
  private readonly engine: () => Engine
  private readonly clients = new Set<Client>()
  /** `channel/ticker` to those who hear it; `channel/` hears every market. */
  private readonly watchers = new Map<string, Set<Subscription>>()
  private readonly tops = new Map<string, string>()
  private corked: { market: EngineMarket; sockets: LabSocket[]; traded: boolean } | null = null

  constructor(options: { listing: KalshiListing; counters: Counters; faults: () => Faults; engine: () => Engine }) {
    this.listing = options.listing
    this.counters = options.counters
    this.faults = options.faults
    this.engine = options.engine
  }

  open(socket: LabSocket): SocketHandler {
    const client: Client = { socket, subscriptions: new Map(), nextSid: 1 }
    this.clients.add(client)
    return {
      message: (text) => this.receive(client, text),
      closed: () => {
        for (const subscription of client.subscriptions.values()) this.forget(subscription)
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
    const hearing = this.watchers.get(`orderbook_delta/${ticker}`)
    if (hearing === undefined) return
    const fate = this.faults().isMuted(market.id) ? 'drop' : this.faults().deltaFate(market.id)
    const yesMicros = market.book.grid.prices[index]!
    const message = (micros: number) =>
      `"msg":{"market_ticker":"${ticker}","market_id":"${marketId}","price_dollars":"${dollars(micros)}",` +
      `"delta_fp":"${countText(deltaHundredths)}","side":"${side === BID ? 'yes' : 'no'}",` +
      `"ts":"${rfc3339(market.eventTs)}","ts_ms":${market.eventTs}}}`
    const onYesScale = message(yesMicros)
    const onNoScale = side === BID ? onYesScale : message(1_000_000 - yesMicros)
    for (const subscription of hearing) {
      this.numbered(subscription, 'orderbook_delta', subscription.asYesPrice ? onYesScale : onNoScale, fate)
    }
  }

  trade(market: EngineMarket, trade: LabTrade): void {
    const listed = this.begin(market)
    if (this.corked !== null) this.corked.traded = true
    const { trade_id, ...fields } = tradeFields(listed, trade)
    const seconds = Math.floor(trade.atMs / 1000)
    const text = `"msg":${JSON.stringify({ trade_id, market_ticker: listed.ticker, ...fields, ts: seconds, ts_ms: trade.atMs })}}`
    for (const subscription of this.hearing('trade', listed.ticker)) {
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
      for (const subscription of this.hearing('ticker', listed.ticker)) this.sendTicker(subscription, listed, market)
    }
    for (const socket of batch.sockets) socket.uncork()
  }

  announce(kind: 'tickSize' | 'closed' | 'resolved', market: EngineMarket): void {
    const { ticker } = this.listing.byKey.get(market.id)!
    const seconds = Math.floor(market.statusAtMs / 1000)
    const tell = (event: Record<string, unknown>) => {
      for (const { client, sid } of this.hearing('market_lifecycle_v2', ticker)) {
        client.socket.data(JSON.stringify({ type: 'market_lifecycle_v2', sid, msg: { market_ticker: ticker, ...event } }))
      }
    }
    if (kind === 'tickSize') {
      const price_level_structure = structures[market.book.grid.name]
      tell({ event_type: 'price_level_structure_updated', price_level_structure })
    } else if (kind === 'closed') tell({ event_type: 'close_date_updated', close_ts: seconds })
    else {
      const settlement_value = market.result === 'yes' ? '1.0000' : '0.0000'
      tell({ event_type: 'determined', result: market.result, determination_ts: seconds, settlement_value })
      tell({ event_type: 'settled', settled_ts: seconds })
    }
  }

  private receive(client: Client, text: string): void {
    let command: Command
    try {
      command = Command.parse(JSON.parse(text))
    } catch {
      return this.refuse(client, undefined, 'unprocessable')
    }
    const { id, cmd, params } = command
    if (cmd === 'list_subscriptions') {
      const msg = [...client.subscriptions.values()].map(({ channel, sid }) => ({ channel, sid }))
      return client.socket.control(JSON.stringify({ id, type: 'ok', msg }))
    }
    if (cmd !== 'subscribe' && cmd !== 'unsubscribe' && cmd !== 'update_subscription') return this.refuse(client, id, 'command')
    if (params === undefined) return this.refuse(client, id, 'params')
    if (cmd === 'subscribe') this.subscribe(client, id, params)
    else if (cmd === 'unsubscribe') this.unsubscribe(client, id, params)
    else this.update(client, id, params)
  }

  private subscribe(client: Client, id: number | undefined, params: Params): void {
    if (params.channels === undefined || params.channels.length === 0) return this.refuse(client, id, 'channels')
    if (params.market_ticker !== undefined && params.market_tickers !== undefined) return this.refuse(client, id, 'parameter')
    const tickers = params.market_tickers ?? (params.market_ticker === undefined ? null : [params.market_ticker])
    for (const channel of params.channels) {
      if (!isChannel(channel)) this.refuse(client, id, 'channel')
      else if (channel === 'orderbook_delta' && (tickers === null || tickers.length === 0)) this.refuse(client, id, 'tickers')
      else this.subscribeChannel(client, id, channel, tickers, params)
    }
  }

  private subscribeChannel(
    client: Client,
    id: number | undefined,
    channel: Channel,
    tickers: readonly string[] | null,
    params: Params,
  ): void {
    const wanted = marketChannels.has(channel) ? tickers : null
    const refused = wanted?.find((ticker) => this.reply(ticker) === 'error')
    if (refused !== undefined) return this.refuse(client, id, 'market', refused)
    const existing = [...client.subscriptions.values()].find((subscription) => subscription.channel === channel)
    if (existing === undefined) {
      const subscription: Subscription = {
        client,
        sid: client.nextSid++,
        channel,
        tickers: wanted === null ? null : new Set(),
        seq: 0,
        asYesPrice: params.use_yes_price === true,
      }
      client.subscriptions.set(subscription.sid, subscription)
      client.socket.control(JSON.stringify({ type: 'subscribed', id, msg: { channel, sid: subscription.sid } }))
      if (wanted === null) this.watch(subscription, null)
      else this.addMarkets(subscription, wanted, params.send_initial_snapshot === true)
      return
    }
    const fresh = wanted?.filter((ticker) => existing.tickers?.has(ticker) === false) ?? []
    if (fresh.length === 0) return this.refuse(client, id, 'already')
    for (const ticker of fresh) this.watch(existing, ticker)
    this.sendOk(existing, id)
    this.sendSnapshots(existing, fresh)
  }

  private unsubscribe(client: Client, id: number | undefined, params: Params): void {
    if (params.sids === undefined || params.sids.length === 0) return this.refuse(client, id, 'sids')
    for (const sid of params.sids) {
      const subscription = client.subscriptions.get(sid)
      if (subscription === undefined) {
        this.refuse(client, id, 'sid')
        continue
      }
      this.forget(subscription)
      client.subscriptions.delete(sid)
      client.socket.control(JSON.stringify({ type: 'unsubscribed', id, sid, seq: ++subscription.seq }))
    }
  }

  private update(client: Client, id: number | undefined, params: Params): void {
    const sids = [...(params.sids ?? []), ...(params.sid === undefined ? [] : [params.sid])]
    if (sids.length !== 1) return this.refuse(client, id, 'oneSid')
    const subscription = client.subscriptions.get(sids[0]!)
    if (subscription === undefined) return this.refuse(client, id, 'sid')
    if (params.action === undefined) return this.refuse(client, id, 'action')
    const tickers = params.market_tickers ?? (params.market_ticker === undefined ? [] : [params.market_ticker])
    if (tickers.length === 0) return this.refuse(client, id, 'tickers')
    if (params.action === 'get_snapshot') {
      const missing = tickers.find((ticker) => this.listed(ticker) === null)
      if (missing !== undefined) return this.refuse(client, id, 'market', missing)
      return this.sendSnapshots(subscription, tickers)
    }
    if (params.action === 'add_markets') {
      const refused = tickers.find((ticker) => this.reply(ticker) === 'error')
      if (refused !== undefined) return this.refuse(client, id, 'market', refused)
      const fresh = tickers.filter((ticker) => subscription.tickers?.has(ticker) === false)
      for (const ticker of fresh) this.watch(subscription, ticker)
      this.sendOk(subscription, id)
      return this.sendSnapshots(subscription, fresh)
    }
    if (params.action !== 'delete_markets') return this.refuse(client, id, 'unsupportedAction')
    for (const ticker of tickers) this.unwatch(subscription, ticker)
    this.sendOk(subscription, id)
  }

  private addMarkets(subscription: Subscription, tickers: readonly string[], initialTicker: boolean): void {
    for (const ticker of tickers) this.watch(subscription, ticker)
    this.sendSnapshots(subscription, tickers)
    if (subscription.channel !== 'ticker' || !initialTicker) return
    for (const ticker of tickers) {
      const listed = this.listed(ticker)
      if (listed !== null) this.sendTicker(subscription, listed, this.engine().market(listed.key)!)
    }
  }

  /** Book snapshots; a market the venue does not know gets one with an empty id and no sides (observed). */
  private sendSnapshots(subscription: Subscription, tickers: readonly string[]): void {
    if (subscription.channel !== 'orderbook_delta') return
    for (const ticker of tickers) {
      const listed = this.listed(ticker)
      if (listed === null) {
        this.numbered(subscription, 'orderbook_snapshot', `"msg":{"market_ticker":${JSON.stringify(ticker)},"market_id":""}}`, 'send')
        continue
      }
      const market = this.engine().market(listed.key)!
      const truth = this.faults().staleTruth(market.id, 'ws') ?? market.truth()
      const yes = sideLevels(truth, 'yes', 0, false)
      const no = sideLevels(truth, 'no', 0, subscription.asYesPrice)
      const msg = {
        market_ticker: ticker,
        market_id: listed.marketId,
        ...(yes.length === 0 ? {} : { yes_dollars_fp: yes }),
        ...(no.length === 0 ? {} : { no_dollars_fp: no }),
      }
      const fate = this.faults().isMuted(market.id) ? 'drop' : 'send'
      this.numbered(subscription, 'orderbook_snapshot', `"msg":${JSON.stringify(msg)}}`, fate)
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

  /** Adding markets is answered with the whole list, sorted, and takes a number of its own. */
  private sendOk(subscription: Subscription, id: number | undefined): void {
    const { client, sid, channel } = subscription
    const market_tickers = [...(subscription.tickers ?? [])].sort()
    const seq = sequenced.has(channel) ? { seq: ++subscription.seq } : {}
    client.socket.control(JSON.stringify({ type: 'ok', id, sid, ...seq, msg: { market_tickers } }))
  }

  private refuse(client: Client, id: number | undefined, name: ErrorName, market_ticker?: string): void {
    const [code, msg] = errors[name]
    const detail = market_ticker === undefined ? { code, msg } : { code, msg, market_ticker }
    client.socket.control(JSON.stringify({ id, type: 'error', msg: detail }))
  }

  /** The number is taken whether or not the frame arrives: a lost frame is a gap. */
  private numbered(subscription: Subscription, type: string, message: string, fate: FrameFate): void {
    const { client, sid } = subscription
    client.socket.data(`{"type":"${type}","sid":${sid},"seq":${++subscription.seq},${message}`, fate)
  }

  private listed(ticker: string): KalshiMarket | null {
    const market = this.listing.byTicker.get(ticker)
    return market === undefined || this.faults().denies(market.key) !== null ? null : market
  }

  private reply(ticker: string): 'snapshot' | 'error' | null {
    const market = this.listing.byTicker.get(ticker)
    return market === undefined ? 'snapshot' : this.faults().denies(market.key)
  }

  private *hearing(channel: Channel, ticker: string): Generator<Subscription> {
    yield* this.watchers.get(`${channel}/${ticker}`) ?? []
    yield* this.watchers.get(`${channel}/`) ?? []
  }

  private watch(subscription: Subscription, ticker: string | null): void {
    if (ticker !== null) {
      if (subscription.tickers?.has(ticker)) return
      subscription.tickers?.add(ticker)
      this.count(subscription, ticker, 1)
    }
    const key = `${subscription.channel}/${ticker ?? ''}`
    this.watchers.set(key, (this.watchers.get(key) ?? new Set()).add(subscription))
  }

  private unwatch(subscription: Subscription, ticker: string | null): void {
    if (ticker !== null && subscription.tickers?.delete(ticker) !== true) return
    if (ticker !== null) this.count(subscription, ticker, -1)
    const key = `${subscription.channel}/${ticker ?? ''}`
    const hearing = this.watchers.get(key)
    hearing?.delete(subscription)
    if (hearing?.size === 0) this.watchers.delete(key)
  }

  /** Books are counted under the ticker, other channels under `channel:ticker`. */
  private count({ channel }: Subscription, ticker: string, by: 1 | -1): void {
    this.counters.subscribed(channel === 'orderbook_delta' ? ticker : `${channel}:${ticker}`, by)
  }

  private forget(subscription: Subscription): void {
    if (subscription.tickers === null) this.unwatch(subscription, null)
    else for (const ticker of [...subscription.tickers]) this.unwatch(subscription, ticker)
  }

  /** Corks every socket that may hear this market until `flush`. */
  private begin(market: EngineMarket): KalshiMarket {
    const listed = this.listing.byKey.get(market.id)!
    if (this.corked?.market === market) return listed
    if (this.corked !== null) this.flush(this.corked.market)
    const sockets = new Set<LabSocket>()
    for (const channel of marketChannels) {
      for (const { client } of this.hearing(channel, listed.ticker)) sockets.add(client.socket)
    }
    if (sockets.size > 0) this.corked = { market, sockets: [...sockets], traded: false }
    for (const socket of sockets) socket.cork()
    return listed
  }
}
