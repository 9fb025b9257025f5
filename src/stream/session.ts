// One socket's life: who it is, how fast it may send, when it ends.
//
//   opened ─ header key ─► verifying ─► open ─► closed
//      └──── awaiting `auth` (10 s) ──┘    (messages in the meantime wait, bounded)
import type { Clock, Timer } from '#core/clock'
import type { Principal, Verification } from '#platform/auth/principal'
import { authDeadlineMs } from '#schemas/stream'
import { type KeyRing, type KeySession, verifySafely } from './keyCache.ts'
import { MessageLimiter, type MessageRate } from './messageLimiter.ts'
import type { StreamAuth } from './ports.ts'
import { PreAuthQueue } from './preAuthQueue.ts'
import {
  authOkFrame,
  closeFlood,
  closeTryAgain,
  closeUnauthorized,
  type Echo,
  errorFrame,
  type ParsedFrame,
  parseClientFrame,
  type StreamErrorCode,
} from './protocol.ts'
import type { StreamConnection, StreamSocket } from './socket.ts'
import { Subscriber } from './subscriber.ts'
import type { KeyOwner, SubscriberDeps } from './subscriberDeps.ts'
import type { Connection } from './topic.ts'

/** A verification not answered within this time counts as unavailable. */
const verificationMs = 10_000
/** Burst allowance on top of one message per subscription. */
export const burstSpare = 100
/** Waiting messages processed in one go; the rest yields to other sockets. */
const messagesPerTurn = 100

export interface SessionDeps extends SubscriberDeps {
  clock: Clock
  auth: StreamAuth
  keyRing: KeyRing
  bucket: MessageRate
  /** The largest plan's subscriptions per connection. */
  subscriptionsMax: number
  onClosed(session: Session): void
}

type State = 'awaiting' | 'verifying' | 'open' | 'closed'

export class Session implements StreamConnection, KeySession, KeyOwner {
  private readonly deps: SessionDeps
  private readonly socket: StreamSocket
  private readonly member: Connection
  private readonly limiter: MessageLimiter
  private readonly subscriber: Subscriber
  private state: State = 'awaiting'
  private who: Principal | null = null
  private isRevoked = false
  private ended = false
  /** Messages received before the key was verified. */
  private readonly waiting: PreAuthQueue
  private reading: Timer | null = null
  /** The auth deadline, then the verification's. */
  private deadline: Timer | null = null

  constructor(deps: SessionDeps, socket: StreamSocket) {
    this.deps = deps
    this.socket = socket
    this.member = deps.hub.join(socket)
    this.limiter = new MessageLimiter(deps.bucket, deps.clock.monotonic())
    this.subscriber = new Subscriber(deps, this.member, this)
    this.waiting = new PreAuthQueue(deps.subscriptionsMax + burstSpare)
  }

  start(bearer: string | null) {
    if (bearer !== null) return this.authenticate(bearer, false)
    const late = () => this.fail('UNAUTHORIZED', 'auth did not arrive in time', closeUnauthorized)
    this.deadline = this.deps.clock.after(authDeadlineMs, late)
  }

  message(bytes: Buffer, isBinary: boolean) {
    if (this.state === 'closed') return
    // The full number of subscriptions may be requested at once, even before the plan is known.
    if (this.state === 'verifying' || this.waiting.size > 0) {
      if (this.waiting.push(bytes, isBinary)) return
      return this.fail('RATE_LIMITED', 'too many messages before the key was verified', closeFlood)
    }
    this.read(bytes, isBinary)
  }

  private read(bytes: Buffer, isBinary: boolean) {
    const taken = this.limiter.take(this.deps.clock.monotonic())
    if (taken === 'exhausted') return this.fail('RATE_LIMITED', 'too many messages', closeFlood)
    if (taken === 'refused') return this.refuse('RATE_LIMITED', 'too many messages; this one was not read', {})
    const frame = parseClientFrame(bytes, isBinary)
    if (this.state === 'open') return this.handle(frame)
    if (frame.ok && frame.op.op === 'auth') return this.authenticate(frame.op.apiKey, true)
    const tried = !frame.ok && frame.op === 'auth'
    const message = tried ? 'the API key is not valid' : 'the first message must be auth'
    this.fail('UNAUTHORIZED', message, closeUnauthorized)
  }

  drained(): void {
    this.deps.hub.drained(this.member)
  }

  closed(): void {
    if (this.ended) return
    this.ended = true
    this.state = 'closed'
    this.deadline?.cancel()
    this.reading?.cancel()
    this.waiting.clear()
    this.subscriber.close()
    this.deps.hub.leave(this.member)
    if (this.who !== null) this.deps.keyRing.leave(this.who.keyId, this)
    this.deps.onClosed(this)
  }

  /** Closes the socket from our side; `closed` follows from the transport. */
  close(code: number, reason: string): void {
    if (this.state === 'closed') return
    this.state = 'closed'
    this.socket.close(code, reason)
  }

  principal(): Principal {
    return this.who!
  }

  revoked(): boolean {
    return this.isRevoked
  }

  refuse(code: StreamErrorCode, message: string, echo: Echo): void {
    this.deps.hub.control(this.member, errorFrame(code, message, echo, this.deps.clock.now()))
  }

  rechecked(verdict: Extract<Verification, { kind: 'valid' | 'invalid' }>): void {
    if (this.state !== 'open') return
    const valid = verdict.kind === 'valid' && verdict.principal.scopes.includes('read')
    if (valid) this.who = verdict.principal
    const lost = !valid && !this.isRevoked
    this.isRevoked = !valid
    if (lost) this.refuse('UNAUTHORIZED', 'the API key is no longer valid', {})
    this.subscriber.rechecked()
  }

  private authenticate(apiKey: string, announce: boolean) {
    this.deadline?.cancel()
    this.state = 'verifying'
    const verdict = apiKey === '' ? ({ kind: 'invalid' } as const) : verifySafely(this.deps.auth, apiKey)
    if (!(verdict instanceof Promise)) return this.settle(verdict, announce)
    const cause = new Error('verification took too long')
    const late = () => this.settle({ kind: 'inconclusive', cause }, announce)
    this.deadline = this.deps.clock.after(verificationMs, late)
    void verdict.then((answer) => this.settle(answer, announce))
  }

  private settle(verdict: Verification, announce: boolean) {
    if (this.state !== 'verifying') return
    this.deadline?.cancel()
    if (verdict.kind === 'inconclusive') {
      return this.fail(
        'PLATFORM_UNAVAILABLE',
        'PostgreSQL is not available right now, so the key could not be verified: try again shortly',
        closeTryAgain,
      )
    }
    if (verdict.kind === 'invalid') return this.fail('UNAUTHORIZED', 'the API key is not valid', closeUnauthorized)
    if (!verdict.principal.scopes.includes('read')) {
      return this.fail('UNAUTHORIZED', 'the stream needs a key with the scope read', closeUnauthorized)
    }
    const { principal } = verdict
    const { streamConnections, subscriptionsPerConnection } = this.deps.limitsOf(principal.plan)
    if (this.deps.keyRing.size(principal.keyId) >= streamConnections) {
      return this.fail('RATE_LIMITED', `at most ${streamConnections} connections per key`, closeFlood)
    }
    // All of the plan's subscriptions may be requested at once.
    this.limiter.widen(subscriptionsPerConnection + burstSpare)
    this.who = principal
    this.deps.keyRing.enter(principal, this)
    this.state = 'open'
    if (announce) this.deps.hub.control(this.member, authOkFrame)
    this.readWaiting()
  }

  private readWaiting(): void {
    this.reading = null
    for (let i = 0; i < messagesPerTurn; i++) {
      const next = this.state === 'open' ? this.waiting.shift() : undefined
      if (next === undefined) return
      this.read(next.bytes, next.isBinary)
    }
    if (this.waiting.size > 0) this.reading = this.deps.clock.after(0, () => this.readWaiting())
  }

  private handle(frame: ParsedFrame) {
    if (this.state !== 'open' || this.member.gone) return
    if (!frame.ok) return this.refuse('BAD_MESSAGE', frame.message, frame.echo)
    if (frame.op.op === 'auth') return this.refuse('BAD_MESSAGE', 'this connection is already authenticated', {})
    if (frame.op.op === 'markets' && !this.limiter.takeMore(frame.op.markets.length - 1))
      return this.refuse('RATE_LIMITED', 'too many markets; this message was not read', {})
    this.subscriber.handle(frame.op)
  }

  private fail(code: StreamErrorCode, message: string, closeCode: number): void {
    this.deadline?.cancel()
    this.waiting.clear()
    this.refuse(code, message, {})
    this.close(closeCode, code)
  }
}
