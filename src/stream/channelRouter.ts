// Channels of other features (feed tickers, option prices, arbitrage, own orders and positions): acknowledgement, gates, end. Those features build the
// frames.
import type { Principal } from '#platform/auth/principal'
import { lookUpRefusal } from './lookUpRefusal.ts'
import { PendingSubscriptions } from './pendingSubscriptions.ts'
import type {
  ChannelPeer,
  ChannelProvider,
  ChannelRefusal,
  ControlOp,
  PluggableChannelName,
  PluggableOp,
} from './ports.ts'
import {
  type Ack,
  type Echo,
  type StreamErrorCode,
  type StreamOp,
  subscribedFrame,
  unsubscribedFrame,
} from './protocol.ts'
import type { KeyOwner, SubscriberDeps } from './subscriberDeps.ts'
import type { Connection } from './topic.ts'

type PluggedOp = Exclude<StreamOp, { op: 'auth' | 'markets' | 'subscribeAll' | 'unsubscribeAll' }>

interface Plugged {
  channel: PluggableChannelName
  op: PluggableOp
}

const unsupported: Record<PluggableChannelName, string> = {
  feedTicker: 'reference feeds are not enabled here',
  price: 'option prices are not enabled here',
  arbitrage: 'the arbitrage publisher is not enabled here',
  structures: 'structures are not computed here',
  orders: 'order events are not enabled here',
  portfolio: 'portfolio events are not enabled here',
  replay: 'history is not enabled here',
}

/** Null lets the key pass. */
function gateOf(
  channel: PluggableChannelName,
  { scope, entitled }: ChannelProvider,
  principal: Principal,
): [StreamErrorCode, string] | null {
  if (scope !== undefined && !principal.scopes.includes(scope))
    return ['SCOPE_MISSING', `${channel} needs a key with the scope ${scope}`]
  if (entitled?.(principal) === false) return ['PLAN_UPGRADE_REQUIRED', `the plan does not include ${channel}`]
  return null
}

/** The acknowledgement's fields name the subscription; `topic` is their text. */
function ackOf(op: PluggedOp): { channel: PluggableChannelName; ack: Ack; topic: string } {
  switch (op.op) {
    case 'subscribeFeedTicker':
    case 'unsubscribeFeedTicker': {
      const ack = { channel: 'feedTicker', feed: op.feed, symbol: op.symbol }
      return { channel: 'feedTicker', ack, topic: JSON.stringify(ack) }
    }
    case 'subscribePrice':
    case 'unsubscribePrice': {
      const { venue, marketId, outcomeId } = op
      const ack = { channel: 'price', venue, marketId }
      const topic = JSON.stringify(ack)
      return { channel: 'price', ack: outcomeId === undefined ? ack : { ...ack, outcomeId }, topic }
    }
    case 'subscribeArbitrage':
    case 'unsubscribeArbitrage':
      return { channel: 'arbitrage', ack: { channel: 'arbitrage' }, topic: 'arbitrage' }
    case 'subscribeStructures':
    case 'unsubscribeStructures':
      return { channel: 'structures', ack: { channel: 'structures' }, topic: 'structures' }
    case 'subscribeOrders':
    case 'unsubscribeOrders':
      return { channel: 'orders', ack: { channel: 'orders' }, topic: 'orders' }
    case 'subscribePortfolio':
    case 'unsubscribePortfolio':
      return { channel: 'portfolio', ack: { channel: 'portfolio' }, topic: 'portfolio' }
    case 'subscribeReplay':
    case 'unsubscribeReplay':
    case 'pauseReplay':
    case 'resumeReplay':
      // One per connection.
      return { channel: 'replay', ack: { channel: 'replay' }, topic: 'replay' }
  }
}

export class ChannelRouter {
  private readonly deps: SubscriberDeps
  private readonly member: Connection
  private readonly holder: KeyOwner
  private readonly mayBegin: () => [StreamErrorCode, string] | null
  private readonly running = new Map<string, Plugged>()
  /** Pending checks, by topic. */
  private readonly checking = new PendingSubscriptions<PluggedOp>()
  private readonly peers = new Map<PluggableChannelName, ChannelPeer>()

  constructor(
    deps: SubscriberDeps,
    member: Connection,
    holder: KeyOwner,
    mayBegin: () => [StreamErrorCode, string] | null,
  ) {
    this.deps = deps
    this.member = member
    this.holder = holder
    this.mayBegin = mayBegin
  }

  get size(): number {
    return this.running.size + this.checking.size
  }

  handle(op: PluggedOp): void {
    const { ack, topic } = ackOf(op)
    const held = this.checking.hold(topic, op, null)
    if (held === 'full')
      this.holder.refuse('RATE_LIMITED', 'too many operations are waiting for this subscription', ack)
    if (held !== 'free') return
    if (
      op.op === 'unsubscribeFeedTicker' ||
      op.op === 'unsubscribePrice' ||
      op.op === 'unsubscribeArbitrage' ||
      op.op === 'unsubscribeStructures' ||
      op.op === 'unsubscribeOrders' ||
      op.op === 'unsubscribePortfolio' ||
      op.op === 'unsubscribeReplay'
    )
      this.end(op)
    else if (op.op === 'pauseReplay' || op.op === 'resumeReplay') this.control(op)
    else this.begin(op)
  }

  /**
   * A gated channel that its key is no longer entitled to is lost; a key that no longer verifies is reported as such
   * instead.
   */
  rechecked(): void {
    for (const [topic, { channel }] of [...this.running]) {
      const provider = this.deps.channels[channel]
      if (provider === undefined || (provider.entitled === undefined && provider.scope === undefined)) continue
      const gate: [StreamErrorCode, string] | null = this.holder.revoked()
        ? ['UNAUTHORIZED', 'the API key is no longer valid']
        : gateOf(channel, provider, this.holder.principal())
      if (gate === null) continue
      this.stop(topic)
      this.holder.refuse(gate[0], gate[1], { channel })
    }
  }

  close(): void {
    this.checking.close()
    for (const topic of [...this.running.keys()]) this.stop(topic)
  }

  private begin(op: PluggableOp) {
    const { channel, ack, topic } = ackOf(op)
    const provider = this.deps.channels[channel]
    const echo: Echo = ack
    if (provider === undefined) return this.holder.refuse('NOT_SUPPORTED', unsupported[channel], echo)
    const gate = gateOf(channel, provider, this.holder.principal())
    if (gate !== null) return this.holder.refuse(gate[0], gate[1], echo)
    const running = this.running.get(topic)
    const refusal = running === undefined ? this.mayBegin() : null
    if (refusal !== null) return this.holder.refuse(refusal[0], refusal[1], echo)
    const check = provider.check(op, this.holder.principal())
    if (!(check instanceof Promise)) return this.settle(op, provider, check)
    void this.checking.track(topic, check, {
      isNew: running === undefined,
      settle: (known) => this.settle(op, provider, known),
      failed: (cause) => {
        this.deps.onCatalogFailure(cause)
        this.holder.refuse(...lookUpRefusal(cause), echo)
      },
      again: (waiting) => {
        this.handle(waiting)
        return null
      },
    })
  }

  private settle(op: PluggableOp, provider: ChannelProvider, check: ChannelRefusal | null) {
    const { channel, ack, topic } = ackOf(op)
    if (check !== null) return this.holder.refuse(check.code, check.message, ack)
    const running = this.running.get(topic)
    this.deps.hub.control(this.member, subscribedFrame({ ...ack, ...provider.acknowledges?.(op) }))
    if (this.member.gone) return
    // Repeating the same request continues it; a different one (another filter) restarts it.
    if (running !== undefined && JSON.stringify(running.op) === JSON.stringify(op)) return
    if (running !== undefined) this.stop(topic)
    this.running.set(topic, { channel, op })
    provider.started(this.peerOf(channel), topic, op)
  }

  private control(op: ControlOp) {
    const { channel, ack, topic } = ackOf(op)
    if (!this.running.has(topic))
      return this.holder.refuse('NOT_SUBSCRIBED', 'no such subscription on this connection', ack)
    this.deps.channels[channel]?.onControl?.(this.peerOf(channel), topic, op)
  }

  private peerOf(channel: PluggableChannelName): ChannelPeer {
    const known = this.peers.get(channel)
    if (known !== undefined) return known
    const { deps, member, holder } = this
    const peer: ChannelPeer = {
      id: member.socket.id,
      principal: () => holder.principal(),
      offer: (topic, frame) => deps.hub.offer(member, topic, frame),
      answer: (frame) => deps.hub.control(member, frame),
      keepsUp: () => deps.hub.keepsUp(member),
      refuse: (code, message) => holder.refuse(code, message, { channel }),
      done: (topic) => void this.running.delete(topic),
    }
    this.peers.set(channel, peer)
    return peer
  }

  private end(op: PluggedOp) {
    const { ack, topic } = ackOf(op)
    if (!this.running.has(topic)) {
      return this.holder.refuse('NOT_SUBSCRIBED', 'no such subscription on this connection', ack)
    }
    this.stop(topic)
    this.deps.hub.control(this.member, unsubscribedFrame(ack))
  }

  private stop(topic: string): void {
    const running = this.running.get(topic)
    if (running === undefined) return
    this.running.delete(topic)
    this.deps.channels[running.channel]?.stopped(this.peerOf(running.channel), topic)
  }
}
