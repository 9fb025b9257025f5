// The conversation with one kalshi client: commands in, acknowledgements and errors out.
import { type Channel, Command, type ErrorName, errors, isChannel, type Params, sequenced } from './commands.ts'
import type { Client, Subscription, SubscriptionIndex } from './subscriptions.ts'

/** What the session needs from the venue. */
export interface SessionVenue {
  index: SubscriptionIndex
  /** How a ticker is denied: a snapshot with an empty id, an error, or not at all. */
  denial(ticker: string): 'snapshot' | 'error' | null
  sendSnapshots(subscription: Subscription, tickers: readonly string[]): void
  sendTickers(subscription: Subscription, tickers: readonly string[]): void
}

type CommandId = number | undefined

const marketChannels: ReadonlySet<Channel> = new Set(['orderbook_delta', 'ticker', 'trade'])

export function receiveCommand(venue: SessionVenue, client: Client, text: string): void {
  const command = parseCommand(text)
  if (command === null) refuse(client, undefined, 'unprocessable')
  else if (command.cmd === 'list_subscriptions') list(client, command.id)
  else if (!Object.hasOwn(handlers, command.cmd)) refuse(client, command.id, 'command')
  else if (command.params === undefined) refuse(client, command.id, 'params')
  else handlers[command.cmd as keyof typeof handlers](venue, client, command.id, command.params)
}

const handlers = { subscribe, unsubscribe, update_subscription: update }

function parseCommand(text: string): Command | null {
  try {
    return Command.parse(JSON.parse(text))
  } catch {
    return null
  }
}

function list(client: Client, id: CommandId): void {
  const msg = [...client.subscriptions.values()].map(({ channel, sid }) => ({ channel, sid }))
  client.socket.control(JSON.stringify({ id, type: 'ok', msg }))
}

function subscribe(venue: SessionVenue, client: Client, id: CommandId, params: Params): void {
  const { channels, market_ticker, market_tickers } = params
  const tickers = market_tickers ?? (market_ticker === undefined ? null : [market_ticker])
  if (channels === undefined || channels.length === 0) refuse(client, id, 'channels')
  else if (market_ticker !== undefined && market_tickers !== undefined) refuse(client, id, 'parameter')
  else {
    for (const channel of channels) {
      if (!isChannel(channel)) refuse(client, id, 'channel')
      else if (channel === 'orderbook_delta' && (tickers === null || tickers.length === 0))
        refuse(client, id, 'tickers')
      else subscribeChannel(venue, client, id, channel, tickers, params)
    }
  }
}

function subscribeChannel(
  venue: SessionVenue,
  client: Client,
  id: CommandId,
  channel: Channel,
  tickers: readonly string[] | null,
  params: Params,
): void {
  const wanted = marketChannels.has(channel) ? tickers : null
  const refused = wanted?.find((ticker) => venue.denial(ticker) === 'error')
  const existing = [...client.subscriptions.values()].find((subscription) => subscription.channel === channel)
  if (refused !== undefined) refuse(client, id, 'market', refused)
  else if (existing !== undefined) extend(venue, existing, id, wanted ?? [])
  else {
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
    if (wanted === null) venue.index.watch(subscription, null)
    for (const ticker of wanted ?? []) venue.index.watch(subscription, ticker)
    venue.sendSnapshots(subscription, wanted ?? [])
    if (channel === 'ticker' && params.send_initial_snapshot === true) venue.sendTickers(subscription, wanted ?? [])
  }
}

/** A second subscribe on a channel extends the existing sid (recorded 2026-08). */
function extend(venue: SessionVenue, subscription: Subscription, id: CommandId, tickers: readonly string[]): void {
  const fresh = tickers.filter((ticker) => subscription.tickers?.has(ticker) === false)
  if (fresh.length === 0) refuse(subscription.client, id, 'already')
  else add(venue, subscription, id, fresh)
}

function unsubscribe(venue: SessionVenue, client: Client, id: CommandId, params: Params): void {
  if (params.sids === undefined || params.sids.length === 0) refuse(client, id, 'sids')
  for (const sid of params.sids ?? []) {
    const subscription = client.subscriptions.get(sid)
    if (subscription === undefined) refuse(client, id, 'sid')
    else {
      venue.index.forget(subscription)
      client.subscriptions.delete(sid)
      client.socket.control(JSON.stringify({ type: 'unsubscribed', id, sid, seq: ++subscription.seq }))
    }
  }
}

function update(venue: SessionVenue, client: Client, id: CommandId, params: Params): void {
  const sids = [...(params.sids ?? []), ...(params.sid === undefined ? [] : [params.sid])]
  const subscription = client.subscriptions.get(sids[0] ?? -1)
  const tickers = params.market_tickers ?? (params.market_ticker === undefined ? [] : [params.market_ticker])
  if (sids.length !== 1) refuse(client, id, 'oneSid')
  else if (subscription === undefined) refuse(client, id, 'sid')
  else if (params.action === undefined) refuse(client, id, 'action')
  else if (tickers.length === 0) refuse(client, id, 'tickers')
  else if (params.action === 'get_snapshot') {
    const missing = tickers.find((ticker) => venue.denial(ticker) !== null)
    if (missing !== undefined) refuse(client, id, 'market', missing)
    else venue.sendSnapshots(subscription, tickers)
  } else if (params.action === 'add_markets') {
    const refused = tickers.find((ticker) => venue.denial(ticker) === 'error')
    if (refused !== undefined) refuse(client, id, 'market', refused)
    else
      add(
        venue,
        subscription,
        id,
        tickers.filter((ticker) => subscription.tickers?.has(ticker) === false),
      )
  } else if (params.action === 'delete_markets') {
    for (const ticker of tickers) venue.index.unwatch(subscription, ticker)
    sendOk(subscription, id)
  } else refuse(client, id, 'unsupportedAction')
}

function add(venue: SessionVenue, subscription: Subscription, id: CommandId, tickers: readonly string[]): void {
  for (const ticker of tickers) venue.index.watch(subscription, ticker)
  sendOk(subscription, id)
  venue.sendSnapshots(subscription, tickers)
}

/** Answers with the whole list, sorted, and takes a sequence number of its own (recorded 2026-08). */
function sendOk(subscription: Subscription, id: CommandId): void {
  const { client, sid, channel } = subscription
  const market_tickers = [...(subscription.tickers ?? [])].sort()
  const seq = sequenced.has(channel) ? { seq: ++subscription.seq } : {}
  client.socket.control(JSON.stringify({ type: 'ok', id, sid, ...seq, msg: { market_tickers } }))
}

function refuse(client: Client, id: CommandId, name: ErrorName, market_ticker?: string): void {
  const [code, msg] = errors[name]
  const detail = market_ticker === undefined ? { code, msg } : { code, msg, market_ticker }
  client.socket.control(JSON.stringify({ id, type: 'error', msg: detail }))
}
