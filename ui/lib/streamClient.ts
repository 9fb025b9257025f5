// The stream for the whole page: one socket, opened with the first subscription and closed with the last, that reconnects when it is lost.
import { type Signal, signal } from '@preact/signals'
import type { z } from 'zod'
import type { Clock, Timer } from '#core/clock'
import type { ClientOp, closeUnauthorized } from '#schemas/stream'
import { backoffMs } from './backoff.ts'
import type { Frame } from './frame.ts'

export type Op = z.input<typeof ClientOp>

export type StreamState = 'closed' | 'connecting' | 'open'

/** `null`: the connection was lost, so earlier frames may be out of date. */
export type Listener = (frame: Frame | null) => void

/** Dependencies provided by the page. */
export interface StreamWorld {
  clock: Pick<Clock, 'monotonic' | 'after'>
  /** Address of the stream. */
  url(): string
  /** `null`: signed out. */
  apiKey(): string | null
  /** The stream rejected the key. */
  refused(because: string): void
}

export interface StreamClient {
  state: Signal<StreamState>
  /** How often the server accepted the key: frames of a channel without snapshots may have been missed before. */
  connections: Signal<number>
  /** Why the server closed the last connection; null: no reason was given, or there is a newer connection. */
  closedBecause: Signal<string | null>
  /** Returns a function that ends it. Listeners with the same `key` share one subscription. */
  subscribe(key: string, subscribeOp: Op, unsubscribeOp: Op, listener: Listener): () => void
  send(op: Op): void
}

interface Subscription {
  subscribeOp: Op
  unsubscribeOp: Op
  listeners: Set<Listener>
  /** For late listeners: the newest book. */
  latest: Frame | null
}

const unauthorized: typeof closeUnauthorized = 4001
/** As described in docs/stream.md: too many sockets or messages, and a key that could not be verified at the time. */
const leastWaitMs: Readonly<Record<number, number>> = { 4029: 10_000, 1013: 1_000 }

/**
 * Pages cannot see pings, so after this long without a frame the page sends a request; without a response in time, the connection is lost.
 */
const silentMs = 20_000
const answerMs = 5_000
/** Unsubscribing from something never subscribed is refused, and the refusal proves that the server is there. */
const probe: Op = { op: 'unsubscribePrice', venue: 'none', marketId: 'heartbeat' }

export function createStreamClient({ clock, url, apiKey, refused }: StreamWorld): StreamClient {
  const state = signal<StreamState>('closed')
  const connections = signal(0)
  const closedBecause = signal<string | null>(null)
  const subscriptions = new Map<string, Subscription>()
  let socket: WebSocket | null = null
  let attempts = 0
  let lastFrameAt = 0
  let retry: Timer | null = null
  let watchdog: Timer | null = null

  const send = (op: Op): void => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(op))
  }

  function subscribe(key: string, subscribeOp: Op, unsubscribeOp: Op, listener: Listener): () => void {
    let subscription = subscriptions.get(key)
    if (subscription === undefined) {
      subscription = { subscribeOp, unsubscribeOp, listeners: new Set(), latest: null }
      subscriptions.set(key, subscription)
      if (state.value === 'open') send(subscribeOp)
      else open()
    }
    const { listeners, latest } = subscription
    listeners.add(listener)
    if (latest !== null) listener(latest)
    return () => {
      listeners.delete(listener)
      if (listeners.size > 0 || subscriptions.get(key)?.listeners !== listeners) return
      subscriptions.delete(key)
      if (state.value === 'open') send(unsubscribeOp)
      if (subscriptions.size === 0) close()
    }
  }

  function open(): void {
    if (socket !== null || apiKey() === null) return
    retry?.cancel()
    state.value = 'connecting'
    const own = new WebSocket(url())
    socket = own
    own.onopen = () => {
      if (socket === own) send({ op: 'auth', apiKey: apiKey() ?? '' })
    }
    own.onmessage = ({ data }) => {
      if (socket !== own) return
      lastFrameAt = clock.monotonic()
      handleFrame(JSON.parse(String(data)) as Frame)
    }
    own.onclose = ({ code, reason }) => {
      if (socket !== own) return
      lost()
      if (code === unauthorized) refused(reason === '' ? 'the stream refused the key' : reason)
      else {
        closedBecause.value = reason === '' ? null : reason
        reopen(leastWaitMs[code])
      }
    }
    lastFrameAt = clock.monotonic()
    watchdog = clock.after(answerMs, () => watch(own))
  }

  function reopen(leastMs = 0): void {
    if (subscriptions.size > 0) retry = clock.after(Math.max(leastMs, backoffMs(attempts++, Math.random())), open)
  }

  /** A stalled connection does not close by itself. */
  function watch(own: WebSocket): void {
    const silentForMs = clock.monotonic() - lastFrameAt
    if (silentForMs >= silentMs + answerMs) {
      lost()
      own.close()
      reopen()
      return
    }
    if (silentForMs >= silentMs) send(probe)
    watchdog = clock.after(answerMs, () => watch(own))
  }

  function close(): void {
    retry?.cancel()
    closedBecause.value = null
    const own = socket
    lost()
    own?.close()
  }

  function lost(): void {
    watchdog?.cancel()
    socket = null
    state.value = 'closed'
    for (const subscription of subscriptions.values()) {
      subscription.latest = null
      for (const listener of subscription.listeners) listener(null)
    }
  }

  function handleFrame(frame: Frame): void {
    if (frame.type === 'auth') {
      attempts = 0
      closedBecause.value = null
      state.value = 'open'
      for (const { subscribeOp } of subscriptions.values()) send(subscribeOp)
      connections.value++
      return
    }
    const subscription = subscriptions.get(keyOf(frame))
    if (subscription === undefined) return
    const isReplayed = 'replay' in frame
    if (!isReplayed && (frame.type === 'snapshot' || frame.type === 'update' || frame.type === 'error'))
      subscription.latest = frame
    for (const listener of subscription.listeners) listener(frame)
  }

  return { state, connections, closedBecause, subscribe, send }
}

function keyOf(frame: Frame): string {
  // A replayed book does not update the live one.
  if ('replay' in frame) return 'replay'
  if (frame.type === 'subscribed') return frame.channel === 'replay' ? 'replay' : ''
  if (frame.type === 'snapshot' || frame.type === 'update') return `book ${frame.venue} ${frame.marketId}`
  if (frame.type === 'trade') return `trade ${frame.venue} ${frame.marketId}`
  if (frame.type === 'arbitrage' || frame.type === 'structures') return frame.type
  if (frame.type === 'orders' || frame.type === 'portfolio') return frame.type
  if (frame.type !== 'error') return ''
  if (frame.marketId === undefined) return frame.channel ?? ''
  return `${frame.channel === 'trades' ? 'trade' : 'book'} ${frame.venue} ${frame.marketId}`
}
