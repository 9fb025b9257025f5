// The page's subscriptions, over one socket.

import { apiKey, signOut } from './session.ts'
import { createStreamClient, type Listener, type Op } from './streamClient.ts'

const { state, connections, closedBecause, subscribe, send } = createStreamClient({
  clock: {
    monotonic: () => performance.now(),
    after(delayMs, run) {
      const handle = setTimeout(run, delayMs)
      return { cancel: () => clearTimeout(handle) }
    },
  },
  url: () => `${location.origin.replace(/^http/, 'ws')}/v1/stream`,
  apiKey: () => apiKey.value,
  refused: signOut,
})

export const streamState = state
export const streamConnections = connections
export const streamClosedBecause = closedBecause

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

export const portfolio = (listener: Listener): (() => void) =>
  subscribe('portfolio', { op: 'subscribePortfolio' }, { op: 'unsubscribePortfolio' }, listener)

type ReplayAsk = Extract<Op, { op: 'subscribeReplay' }>

/** One at a time. When the connection is lost, end it and request only the rest: what was already received has been paid for. */
export const replay = (wanted: Omit<ReplayAsk, 'op'>, listener: Listener): (() => void) =>
  subscribe('replay', { op: 'subscribeReplay', ...wanted }, { op: 'unsubscribeReplay' }, listener)

export const pauseReplay = (): void => send({ op: 'pauseReplay' })
export const resumeReplay = (): void => send({ op: 'resumeReplay' })
