// Reads the portfolios of accounts with subscribers, and sends what changed between two reads. An account is read when it changes, and every
// 30 s for marks and settlements. Nothing can be missed: a change is the difference of two states.
//
//   changed, or 30 s ─► read (few at once, one per account) ─► difference ─► subscribers with a snapshot
//                                                          └─► snapshot ───► those that wait for one, or all if other positions are left out
import { backoffMs } from '#core/backoff'
import type { Clock, Timer } from '#core/clock'
import type { Log } from '#core/log'
import { ThrottledLog } from '#core/throttledLog'
import type { PortfolioSnapshotReason } from '#schemas/stream'
import type { PortfolioReader } from '../ports.ts'
import type { PortfolioAudience } from './channel.ts'
import { changesBetween, isShownOtherwise } from './difference.ts'
import { changeFrames, type NumberedFrame, snapshotFrames } from './frames.ts'
import { rowsOf } from './rows.ts'
import { type PortfolioState, stateOf } from './state.ts'
import { PortfolioSubscriber } from './subscriber.ts'

/** Between the starts of two reads of an account. */
export const readEveryMs = 250
/** Without a change. */
export const refreshEveryMs = 30_000
/** Concurrent reads. */
export const readsMax = 4
/** How often a slow socket is offered its waiting frames again. */
const drainEveryMs = 50
const retry = { baseMs: 250, capMs: 5_000 }

export interface PortfolioFeedOptions {
  reader: PortfolioReader
  clock: Clock
  log: Log
}

export interface PortfolioFeed extends PortfolioAudience {
  /** What these accounts hold may have changed. */
  changed(accountIds: Iterable<string>): void
  /** Those with subscribers. */
  readonly accounts: string[]
  readonly size: number
  /** Resolves when no read is running any more. */
  stop(): Promise<void>
}

/** Times are on the monotonic clock. */
interface Watched {
  id: string
  subscribers: Set<PortfolioSubscriber>
  state: PortfolioState | null
  /** When it is read next. */
  dueAt: number
  /** No read before, whatever changes. */
  notBefore: number
  failures: number
  read: Promise<void> | null
}

export function createPortfolioFeed({ reader, clock, log }: PortfolioFeedOptions): PortfolioFeed {
  const byPeer = new Map<object, PortfolioSubscriber>()
  /** The account read last comes last. */
  const accounts = new Map<string, Watched>()
  const lines = new ThrottledLog(log, clock)
  let reading = 0
  let timer: Timer | null = null
  /** The timer runs after what has already arrived. */
  let isWoken = false
  let stopped = false

  function wake(): void {
    if (isWoken || stopped) return
    isWoken = true
    timer?.cancel()
    timer = clock.soon(run)
  }

  function run(): void {
    timer = null
    isWoken = false
    const now = clock.monotonic()
    for (const account of accounts.values()) deliver(account, now)
    for (const account of [...accounts.values()]) {
      if (reading >= readsMax) break
      if (account.read === null && account.dueAt <= now) startRead(account, now)
    }
    const next = nextRunAt(now)
    if (next !== Number.POSITIVE_INFINITY) timer = clock.after(Math.max(0, next - now), run)
  }

  function deliver({ state, subscribers }: Watched, now: number): void {
    const made = new Map<PortfolioSnapshotReason, NumberedFrame[]>()
    for (const subscriber of subscribers) {
      if (subscriber.isBehind) subscriber.drain()
      const reason = subscriber.waits
      if (state === null || reason === null || subscriber.notBefore > now) continue
      const frames = made.get(reason) ?? snapshotFrames(state, { reason, ts: clock.now() })
      made.set(reason, frames)
      subscriber.begin(frames, now)
    }
  }

  function nextRunAt(now: number): number {
    let next = Number.POSITIVE_INFINITY
    for (const { read, dueAt, state, subscribers } of accounts.values()) {
      if (read === null && reading < readsMax) next = Math.min(next, dueAt)
      for (const { isBehind, waits, notBefore } of subscribers) {
        if (isBehind) next = Math.min(next, now + drainEveryMs)
        if (waits !== null && state !== null) next = Math.min(next, notBefore)
      }
    }
    return next
  }

  function startRead(account: Watched, startedAt: number): void {
    accounts.delete(account.id)
    accounts.set(account.id, account)
    account.dueAt = Number.POSITIVE_INFINITY
    reading++
    account.read = read(account, startedAt).finally(() => {
      reading--
      account.read = null
      if (account.subscribers.size === 0) accounts.delete(account.id)
      wake()
    })
  }

  async function read(account: Watched, startedAt: number): Promise<void> {
    try {
      took(account, stateOf(rowsOf(await reader.read(account.id))), startedAt)
    } catch (error) {
      failed(account, error)
    }
  }

  function took(account: Watched, state: PortfolioState, startedAt: number): void {
    const before = account.state
    const now = clock.monotonic()
    account.state = state
    account.failures = 0
    // A long read is followed by a pause of the same length.
    schedule(account, {
      notBefore: Math.max(startedAt + readEveryMs, now + (now - startedAt)),
      dueAt: now + refreshEveryMs,
    })
    if (before === null) return
    if (isShownOtherwise(before, state)) {
      for (const subscriber of account.subscribers) subscriber.renew(now)
      return
    }
    const change = changesBetween(before, state)
    if (change === null) return
    const frames = changeFrames(change, clock.now())
    for (const subscriber of account.subscribers) subscriber.publish(frames, now)
  }

  function failed(account: Watched, error: unknown): void {
    lines.warn({ err: error }, 'stream: failed to read a portfolio')
    const at = clock.monotonic() + backoffMs(account.failures++, retry, Math.random)
    schedule(account, { notBefore: at, dueAt: at })
  }

  /** A change since the read began keeps its place. */
  function schedule(account: Watched, { notBefore, dueAt }: Pick<Watched, 'notBefore' | 'dueAt'>): void {
    account.notBefore = notBefore
    account.dueAt = Math.max(notBefore, Math.min(account.dueAt, dueAt))
  }

  return {
    add(peer, topic) {
      const subscriber = new PortfolioSubscriber(peer, topic)
      byPeer.set(peer, subscriber)
      const now = clock.monotonic()
      const { accountId: id } = subscriber
      const account = accounts.get(id) ?? newlyWatched(id, now)
      accounts.set(id, account)
      account.subscribers.add(subscriber)
      wake()
    },
    remove(peer) {
      const subscriber = byPeer.get(peer)
      if (subscriber === undefined) return
      byPeer.delete(peer)
      const account = accounts.get(subscriber.accountId)
      account?.subscribers.delete(subscriber)
      if (account?.subscribers.size === 0 && account.read === null) accounts.delete(account.id)
      wake()
    },
    changed(accountIds) {
      for (const id of accountIds) {
        const account = accounts.get(id)
        if (account !== undefined) account.dueAt = Math.min(account.dueAt, account.notBefore)
      }
      wake()
    },
    get accounts() {
      return [...accounts.keys()]
    },
    get size() {
      return byPeer.size
    },
    async stop() {
      stopped = true
      timer?.cancel()
      timer = null
      await Promise.all([...accounts.values()].map(({ read }) => read))
    },
  }
}

const newlyWatched = (id: string, now: number): Watched => ({
  id,
  subscribers: new Set(),
  state: null,
  dueAt: now,
  notBefore: now,
  failures: 0,
  read: null,
})
