// Streams changes of their accounts' orders to sockets: one follower of the database and one listener for the whole process. Without
// subscribers it reads nothing.
//
// notification, or every second ─► pass: read changes ─► send to readers ─► snapshots for new subscribers ─► pause ─► again if requested
//
// Passes never overlap. A snapshot is read after everything visible was sent and before the next pass, so that no change
// between the two is lost; one that is in both is covered by the snapshot alone.
import { backoffMs } from '#core/backoff'
import type { Clock, Timer } from '#core/clock'
import type { Log } from '#core/log'
import { createPasses, type PassResult } from '#core/passes'
import { ThrottledLog } from '#core/throttledLog'
import type { OrdersAudience } from '#orders/stream/channel'
import { algorithmFrame, conditionalFrame, fillFrame, snapshotFrames, statusFrame } from '#orders/stream/frames'
import { type OrdersPeer, OrdersSubscriber, type SnapshotReason } from '#orders/stream/subscriber'
import { listen } from '#storage/postgres/orderChanges/listen'
import { orderChangesChannel } from '#storage/postgres/orderChanges/notify'
import { readOpenOrders } from '#storage/postgres/orderChanges/readOpenOrders'
import type { Pool } from '#storage/postgres/pool'
import { type Changes, Follower } from './follower.ts'

/** Polling interval without a notification. */
const lookEveryMs = 1_000
/** Notifications within this time lead to one pass. */
const restAfterMs = 10
/** How often a slow socket is offered its waiting frames again. */
const drainEveryMs = 50
/** Of executions, and of conditional orders. */
export const snapshotRowsMax = 500
/** Accounts whose snapshots are read per pass. */
const greetedPerTurn = 20
/** Minimum time between new snapshots for a socket that fell behind. */
const renewEveryMs = 1_000
const retry = { baseMs: 100, capMs: 2_000 }

export interface OrderFeedOptions {
  pool: Pool
  clock: Clock
  log: Log
}

export interface OrderFeed extends OrdersAudience {
  /** Runs a pass now; tests may call it directly. */
  look(): void
  readonly size: number
  stop(): Promise<void>
}

export function startOrderFeed({ pool, clock, log }: OrderFeedOptions): OrderFeed {
  const byPeer = new Map<OrdersPeer, OrdersSubscriber>()
  const byAccount = new Map<string, Set<OrdersSubscriber>>()
  const lines = new ThrottledLog(log, clock)
  let follower: Follower | null = null
  /** Got a snapshot since the last pass. */
  const greeted: OrdersSubscriber[] = []
  let stopped = false
  let failures = 0
  let draining: Timer | null = null
  const passes = createPasses({ clock, isNeeded: () => byPeer.size > 0, pass })
  const look = passes.request

  async function pass(): Promise<PassResult> {
    let result: PassResult
    try {
      follower ??= await Follower.start(pool)
      const changes = await follower.read([...byAccount.keys()])
      publish(changes)
      for (const subscriber of greeted.splice(0)) subscriber.passed()
      result = { restMs: restAfterMs, again: !(await greet()) }
      failures = 0
    } catch (error) {
      lines.warn({ err: error }, 'stream: failed to read order changes')
      result = { restMs: backoffMs(failures++, retry, Math.random), again: true }
    }
    if (byPeer.size === 0) forget()
    return result
  }

  /** Later subscribers get a new follower. */
  function forget(): void {
    follower = null
    greeted.length = 0
  }

  function publish({ fills, statuses, conditionals, algorithms, lost }: Changes): void {
    const ts = clock.now()
    for (const fill of fills) toAccount(fill.account_id, fillFrame(fill, ts), null)
    for (const change of statuses)
      toAccount(change.account_id, statusFrame(change, ts), { id: change.execution_id, number: change.change })
    for (const change of conditionals)
      toAccount(change.account_id, conditionalFrame(change, ts), { id: change.id, number: change.change })
    for (const change of algorithms)
      toAccount(change.account_id, algorithmFrame(change, ts), { id: change.id, number: change.change })
    if (lost) for (const subscriber of byPeer.values()) subscriber.renew('gap')
    drainLater()
  }

  function toAccount(accountId: string, frame: Buffer, change: { id: string; number: number } | null): void {
    for (const reader of byAccount.get(accountId) ?? []) {
      reader.publish(frame, change)
      if (reader.waits === 'behind') reader.notBefore = clock.monotonic() + renewEveryMs
    }
  }

  /** False: some accounts are left for the next pass. */
  async function greet(): Promise<boolean> {
    let left = greetedPerTurn
    for (const [accountId, subscribers] of [...byAccount]) {
      const now = clock.monotonic()
      const isDue = ({ waits, notBefore }: OrdersSubscriber) => waits !== null && notBefore <= now
      if (![...subscribers].some(isDue)) continue
      if (left-- === 0) return false
      const living = await readOpenOrders(pool, accountId, snapshotRowsMax + 1)
      const truncated = [living.executions, living.conditionals, living.algorithms].some(
        ({ length }) => length > snapshotRowsMax,
      )
      const shown = {
        executions: living.executions.slice(0, snapshotRowsMax),
        conditionals: living.conditionals.slice(0, snapshotRowsMax),
        algorithms: living.algorithms.slice(0, snapshotRowsMax),
      }
      const known = new Map<string, number>()
      for (const { execution_id, up_to } of shown.executions) known.set(execution_id, Number(up_to))
      for (const { id, up_to } of [...shown.conditionals, ...shown.algorithms]) known.set(id, Number(up_to))
      const made = new Map<SnapshotReason, Buffer[]>()
      for (const subscriber of subscribers) {
        if (!isDue(subscriber)) continue
        const reason = subscriber.waits!
        const frames = made.get(reason) ?? snapshotFrames(shown, { reason, truncated, ts: clock.now() })
        made.set(reason, frames)
        subscriber.begin(frames, known)
        greeted.push(subscriber)
      }
      drainLater()
    }
    return true
  }

  function drainLater(): void {
    if (draining !== null || stopped || ![...byPeer.values()].some(({ isBehind }) => isBehind)) return
    draining = clock.after(drainEveryMs, () => {
      draining = null
      for (const subscriber of byPeer.values()) if (subscriber.isBehind) subscriber.drain()
      drainLater()
    })
  }

  const listener = listen({ pool, channel: orderChangesChannel, clock, log, onWake: look })
  const timer = clock.every(lookEveryMs, look)

  return {
    add(peer, topic) {
      const subscriber = new OrdersSubscriber(peer, topic)
      byPeer.set(peer, subscriber)
      const accountSubscribers = byAccount.get(subscriber.accountId)
      if (accountSubscribers === undefined) byAccount.set(subscriber.accountId, new Set([subscriber]))
      else accountSubscribers.add(subscriber)
      look()
    },
    remove(peer) {
      const subscriber = byPeer.get(peer)
      if (subscriber === undefined) return
      byPeer.delete(peer)
      const accountSubscribers = byAccount.get(subscriber.accountId)
      accountSubscribers?.delete(subscriber)
      if (accountSubscribers?.size === 0) byAccount.delete(subscriber.accountId)
      if (byPeer.size === 0 && !passes.isRunning) forget()
    },
    look,
    get size() {
      return byPeer.size
    },
    async stop() {
      stopped = true
      timer.cancel()
      draining?.cancel()
      const ended = passes.stop()
      await listener.stop()
      await ended
    },
  }
}
