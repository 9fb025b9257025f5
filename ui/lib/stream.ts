// One socket to the stream for the whole page. It is opened with the first subscription, closed with the last, and comes back by itself.
import { signal } from '@preact/signals'
import type { z } from 'zod'
import type { ClientOp, closeUnauthorized } from '#schemas/stream'
import { backoffMs } from './backoff.ts'
import type { Frame } from './frame.ts'
import { apiKey, signOut } from './session.ts'

type Op = z.input<typeof ClientOp>

export type StreamState = 'closed' | 'connecting' | 'open'
export const streamState = signal<StreamState>('closed')

/** `null`: the connection was lost, and with it the promise that what was told still stands. */
type Listener = (frame: Frame | null) => void

interface Subscription {
  ask: Op
  end: Op
  listeners: Set<Listener>
  /** For who comes later: the book as it was told last. */
  latest: Frame | null
}

const subscriptions = new Map<string, Subscription>()
const unauthorized: typeof closeUnauthorized = 4001
let socket: WebSocket | null = null
let attempts = 0
let waiting: ReturnType<typeof setTimeout> | undefined

/** A page sees no pings: a stream that was silent for so long is asked something, and is lost if nothing comes back in time. */
const silentMs = 20_000
const answerMs = 5_000
/** Ending what was never begun is refused, and the refusal proves that the stream is there. */
const probe: Op = { op: 'unsubscribePrice', venue: 'none', marketId: 'heartbeat' }
let heardAt = 0

export const bookOf = (venue: string, outcomeId: string, depth: 1 | 5 | 20, listener: Listener): (() => void) =>
  subscribe(
    `book ${venue} ${outcomeId}`,
    { op: 'subscribe', channel: 'orderbook', venue, marketId: outcomeId, depth },
    { op: 'unsubscribe', channel: 'orderbook', venue, marketId: outcomeId },
    listener,
  )

export const tradesOf = (venue: string, outcomeId: string, listener: Listener): (() => void) =>
  subscribe(
    `trade ${venue} ${outcomeId}`,
    { op: 'subscribe', channel: 'trades', venue, marketId: outcomeId },
    { op: 'unsubscribe', channel: 'trades', venue, marketId: outcomeId },
    listener,
  )

export const arbitrage = (listener: Listener): (() => void) =>
  subscribe('arbitrage', { op: 'subscribeArbitrage' }, { op: 'unsubscribeArbitrage' }, listener)

export const structures = (listener: Listener): (() => void) =>
  subscribe('structures', { op: 'subscribeStructures' }, { op: 'unsubscribeStructures' }, listener)

export const orders = (listener: Listener): (() => void) =>
  subscribe('orders', { op: 'subscribeOrders' }, { op: 'unsubscribeOrders' }, listener)

type ReplayAsk = Extract<Op, { op: 'subscribeReplay' }>

/** One at a time. Whoever loses the connection ends it and asks anew for the rest: what was told is paid for. */
export const replay = (wanted: Omit<ReplayAsk, 'op'>, listener: Listener): (() => void) =>
  subscribe('replay', { op: 'subscribeReplay', ...wanted }, { op: 'unsubscribeReplay' }, listener)

export const pauseReplay = (): void => send({ op: 'pauseReplay' })
export const resumeReplay = (): void => send({ op: 'resumeReplay' })

function subscribe(key: string, ask: Op, end: Op, listener: Listener): () => void {
  let subscription = subscriptions.get(key)
  if (subscription === undefined) {
    subscription = { ask, end, listeners: new Set(), latest: null }
    subscriptions.set(key, subscription)
    if (streamState.value === 'open') send(ask)
    else open()
  }
  const { listeners, latest } = subscription
  listeners.add(listener)
  if (latest !== null) listener(latest)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0 || subscriptions.get(key)?.listeners !== listeners) return
    subscriptions.delete(key)
    if (streamState.value === 'open') send(end)
    if (subscriptions.size === 0) close()
  }
}

const send = (op: Op): void => socket?.send(JSON.stringify(op))

function open(): void {
  if (socket !== null || apiKey.value === null) return
  clearTimeout(waiting)
  streamState.value = 'connecting'
  const own = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/v1/stream`)
  socket = own
  own.onopen = () => send({ op: 'auth', apiKey: apiKey.value ?? '' })
  own.onmessage = ({ data }) => {
    heardAt = performance.now()
    hear(JSON.parse(String(data)) as Frame)
  }
  own.onclose = ({ code, reason }) => {
    if (socket !== own) return
    lost()
    if (code === unauthorized) return signOut(reason === '' ? 'the stream refused the key' : reason)
    reopen()
  }
  heardAt = performance.now()
  setTimeout(watch, answerMs, own)
}

function reopen(): void {
  if (subscriptions.size > 0) waiting = setTimeout(open, backoffMs(attempts++, Math.random()))
}

/** A connection that stalls does not close by itself. */
function watch(own: WebSocket): void {
  if (socket !== own) return
  const silentForMs = performance.now() - heardAt
  if (silentForMs >= silentMs + answerMs) {
    lost()
    own.close()
    reopen()
    return
  }
  if (silentForMs >= silentMs && own.readyState === WebSocket.OPEN) send(probe)
  setTimeout(watch, answerMs, own)
}

function close(): void {
  clearTimeout(waiting)
  const own = socket
  lost()
  own?.close()
}

function lost(): void {
  socket = null
  streamState.value = 'closed'
  for (const subscription of subscriptions.values()) {
    subscription.latest = null
    for (const listener of subscription.listeners) listener(null)
  }
}

function hear(frame: Frame): void {
  if (frame.type === 'auth') {
    attempts = 0
    streamState.value = 'open'
    for (const { ask } of subscriptions.values()) send(ask)
    return
  }
  const subscription = subscriptions.get(keyOf(frame))
  if (subscription === undefined) return
  const isOfThen = 'replay' in frame
  if (!isOfThen && (frame.type === 'snapshot' || frame.type === 'update' || frame.type === 'error'))
    subscription.latest = frame
  for (const listener of subscription.listeners) listener(frame)
}

function keyOf(frame: Frame): string {
  // A book of then is no news of the live one.
  if ('replay' in frame) return 'replay'
  if (frame.type === 'subscribed') return frame.channel === 'replay' ? 'replay' : ''
  if (frame.type === 'snapshot' || frame.type === 'update') return `book ${frame.venue} ${frame.marketId}`
  if (frame.type === 'trade') return `trade ${frame.venue} ${frame.marketId}`
  if (frame.type === 'arbitrage' || frame.type === 'structures' || frame.type === 'orders') return frame.type
  if (frame.type !== 'error') return ''
  if (frame.marketId === undefined) return frame.channel ?? ''
  return `${frame.channel === 'trades' ? 'trade' : 'book'} ${frame.venue} ${frame.marketId}`
}
