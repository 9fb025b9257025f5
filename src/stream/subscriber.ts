// One open socket's subscriptions: requests and their answers, in order per market.
import { ChannelRouter } from './channelRouter.ts'
import { lookUpRefusal } from './lookUpRefusal.ts'
import { PendingSubscriptions, type Turn } from './pendingSubscriptions.ts'
import type { Refusal, Resolution, StreamRef } from './ports.ts'
import {
  type MarketOp,
  rejectFilters,
  requestId,
  type StreamErrorCode,
  type StreamOp,
  subscribedFrame,
  type TradeStatus,
  tradeStatusOf,
  unsubscribedFrame,
} from './protocol.ts'
import type { KeyOwner, SubscriberDeps } from './subscriberDeps.ts'
import type { Connection, Subscription } from './topic.ts'

type VenueOp = Extract<StreamOp, { op: 'subscribeAll' | 'unsubscribeAll' }>

/** One market's trades, or its book. */
interface Reading {
  ref: StreamRef
  depth: number | null
  status: TradeStatus
  /** Null: pending fills only. */
  subscription: Subscription | null
  leavePending: (() => void) | null
}

const refusals: Record<Refusal, [StreamErrorCode, string]> = {
  unknown_venue: ['EXCHANGE_NOT_AVAILABLE', 'this venue is not served'],
  market_not_found: ['MARKET_NOT_FOUND', 'the venue has no such market'],
  not_supported: ['NOT_SUPPORTED', 'the venue has no such stream'],
}

export class Subscriber {
  private readonly deps: SubscriberDeps
  private readonly member: Connection
  private readonly holder: KeyOwner
  private readonly markets = new Map<string, Reading>()
  private readonly venues = new Set<string>()
  /** Pending catalog lookups of markets. */
  private readonly pending = new PendingSubscriptions<MarketOp>()
  private readonly plugged: ChannelRouter

  constructor(deps: SubscriberDeps, member: Connection, holder: KeyOwner) {
    this.deps = deps
    this.member = member
    this.holder = holder
    this.plugged = new ChannelRouter(deps, member, holder, () => this.mayBegin())
  }

  handle(op: Exclude<StreamOp, { op: 'auth' }>) {
    switch (op.op) {
      case 'markets':
        return this.marketsOf(op.markets)
      case 'subscribeAll':
        return this.subscribeAll(op)
      case 'unsubscribeAll':
        return this.unsubscribeAll(op)
      default:
        return this.plugged.handle(op)
    }
  }

  /** The minute's check of the plan: gated channels may be lost, everything else continues. */
  rechecked(): void {
    this.plugged.rechecked()
  }

  close(): void {
    this.pending.close()
    for (const { leavePending } of this.markets.values()) leavePending?.()
    this.plugged.close()
  }

  private get count(): number {
    return this.markets.size + this.venues.size + this.pending.size + this.plugged.size
  }

  /** Null when one more subscription is allowed. */
  private mayBegin(): [StreamErrorCode, string] | null {
    if (this.holder.revoked()) return ['UNAUTHORIZED', 'the API key is no longer valid']
    const { subscriptionsPerConnection } = this.deps.limitsOf(this.holder.principal().plan)
    if (this.count < subscriptionsPerConnection) return null
    return ['SUBSCRIPTION_LIMIT', `at most ${subscriptionsPerConnection} subscriptions per connection`]
  }

  /** All are looked up at once and answered in the order named. */
  private marketsOf(ops: readonly MarketOp[]) {
    let turn: Turn = null
    for (const op of ops) if (!this.member.gone) turn = this.market(op, turn)
  }

  /** Returns when it and everything before it have been answered. */
  private market(op: MarketOp, turn: Turn): Turn {
    const key = `${op.channel}:${op.venue.length}:${op.venue}:${op.marketId}`
    const held = this.pending.hold(key, op, turn)
    if (held instanceof Promise) return held
    const full = () => this.refuse('RATE_LIMITED', 'too many operations are waiting for this market', op)
    const known = held === 'full' ? full : this.answerTo(op, key)
    if (known === null) return this.resolve(op, key, turn)
    if (turn === null) known()
    else if (held === 'full') return turn.then(known)
    else return this.trackAnswer(op, key, turn, { isNew: false, settle: known })
    return null
  }

  /** Null: the catalog must be queried. */
  private answerTo(op: MarketOp, key: string): (() => void) | null {
    const refused = (code: StreamErrorCode, message: string) => () => this.refuse(code, message, op)
    const isWatched = op.op === 'unsubscribe' || this.deps.pending?.watches(op.venue) === true
    const refusal = rejectFilters(op, isWatched)
    if (refusal !== null) return refused(refusal.code, refusal.message)
    if (op.op === 'unsubscribe') return () => this.unsubscribe(op, key)
    const running = this.markets.get(key)
    if (running !== undefined && running.status !== tradeStatusOf(op))
      return refused('BAD_MESSAGE', `its status is ${running.status}: unsubscribe to change it`)
    if (running !== undefined && running.depth !== op.depth)
      return refused('BAD_MESSAGE', `its depth is ${running.depth ?? 'all'}: unsubscribe to change it`)
    if (running !== undefined) return () => this.acknowledge(op, running.ref)
    const limit = this.mayBegin()
    return limit === null ? null : refused(...limit)
  }

  private resolve(op: MarketOp, key: string, turn: Turn): Turn {
    let answer: Resolution | Promise<Resolution>
    try {
      answer = this.deps.catalog.resolve(op.venue, op.marketId, op.channel, this)
    } catch (cause) {
      answer = Promise.reject(cause)
    }
    const settle = (resolution: Resolution) => this.settle(op, key, resolution)
    if (answer instanceof Promise || turn !== null)
      return this.trackAnswer(op, key, inTurn(answer, turn), { isNew: true, settle })
    settle(answer)
    return null
  }

  private trackAnswer<Answer>(
    op: MarketOp,
    key: string,
    answer: Promise<Answer>,
    then: { isNew: boolean; settle(answer: Answer): void },
  ): Promise<void> {
    return this.pending.track(key, answer, {
      ...then,
      failed: (cause) => this.catalogFailed(op, cause),
      again: (waiting, turn) => this.market(waiting, turn),
    })
  }

  private settle(op: MarketOp, key: string, resolution: Resolution) {
    if (typeof resolution === 'string') return this.refuse(...refusals[resolution], op)
    if ('instead' in resolution) {
      const { venue, marketId } = resolution.instead
      const message = `the venue has no such market; did you mean ${marketId}${venue === op.venue ? '' : ` at ${venue}`}?`
      return this.refuse('MARKET_NOT_FOUND', message, op)
    }
    // Acknowledged before the hub may send anything for it. A socket too slow for its acknowledgement is gone by then.
    this.acknowledge(op, resolution)
    if (this.member.gone) return
    const { channel, venue, marketId, depth } = op
    const status = tradeStatusOf(op)
    const { hub, pending } = this.deps
    const topic = depth === null ? resolution : { ...resolution, depth }
    this.markets.set(key, {
      ref: resolution,
      depth,
      status,
      subscription: status === 'pending' ? null : hub.subscribe(this.member, channel, venue, marketId, topic),
      leavePending:
        status === 'confirmed' ? null : pending!.join(this.member, { venue, marketId, ref: resolution, status }),
    })
  }

  private unsubscribe(op: MarketOp, key: string) {
    const running = this.markets.get(key)
    if (running === undefined) return this.refuse('NOT_SUBSCRIBED', 'no such subscription on this connection', op)
    this.markets.delete(key)
    const { status, subscription, leavePending } = running
    if (subscription !== null) this.deps.hub.unsubscribe(subscription)
    leavePending?.()
    const { channel, venue, marketId } = op
    this.send(unsubscribedFrame({ channel, venue, marketId, ...(status !== 'confirmed' && { status }) }))
  }

  private acknowledge(op: MarketOp, ref: StreamRef): void {
    const { channel, venue, marketId, depth } = op
    const status = tradeStatusOf(op)
    const { catalog, pending } = this.deps
    const isPending = status !== 'confirmed'
    const ofVenue = channel === 'trades' ? catalog.disclosureOf?.(venue) : undefined
    const disclosure = isPending ? pending?.disclosure : ofVenue
    this.send(
      subscribedFrame({
        ...{ channel, venue, marketId, outcomeId: ref.outcomeId ?? null },
        ...{ catalogMarketId: ref.catalogMarketId ?? null, nativeId: ref.bookId },
        ...(depth !== null && { depth }),
        ...(isPending && { status }),
        ...(disclosure && { disclosure }),
      }),
    )
  }

  private subscribeAll(op: VenueOp) {
    const { venue } = op
    const ack = subscribedFrame({ channel: 'orderbook:all', venue })
    if (this.venues.has(venue)) return this.send(ack)
    const limit = this.mayBegin()
    if (limit !== null) return this.refuse(limit[0], limit[1], op)
    const resolution = this.deps.catalog.resolveAll(venue)
    if (resolution !== 'ok') return this.refuse(...refusals[resolution], op)
    this.send(ack)
    if (this.member.gone) return
    this.venues.add(venue)
    this.deps.hub.subscribeVenue(this.member, venue)
  }

  private unsubscribeAll(op: VenueOp) {
    if (!this.venues.delete(op.venue))
      return this.refuse('NOT_SUBSCRIBED', 'no such subscription on this connection', op)
    this.deps.hub.unsubscribeVenue(this.member, op.venue)
    this.send(unsubscribedFrame({ channel: 'orderbook:all', venue: op.venue }))
  }

  private catalogFailed(op: MarketOp, cause: unknown): void {
    this.deps.onCatalogFailure(cause)
    this.refuse(...lookUpRefusal(cause), op)
  }

  private send(bytes: Buffer): void {
    this.deps.hub.control(this.member, bytes)
  }

  private refuse(code: StreamErrorCode, message: string, op: MarketOp | VenueOp): void {
    this.holder.refuse(code, message, requestId(op))
  }
}

async function inTurn<Answer>(answer: Answer | Promise<Answer>, turn: Turn): Promise<Answer> {
  try {
    return await answer
  } finally {
    await turn
  }
}
