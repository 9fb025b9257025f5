// Watches one chain's node for settlements of one venue that wait for their block, and publishes each fill twice: when it is seen, and when its
// outcome is known. An outcome is final: a block counts once it can no longer leave the chain.
//
// connect ─► ready ─► transactions, logs, heads ─► ended, silent ─► back off ─► connect
// each head: everything due is checked
//
// While the node is unavailable nothing is published; waiting fills are checked when it is back.
//
// Logs and heads only say when to check: every outcome comes from a receipt in a final block, because a block may leave the chain and a
// transaction may be replaced. Each settlement's log is compared with what was published, and differences are counted. Each gateway watches for
// its own sockets, so nothing is stored. A transaction that is mined after it was dropped stays dropped.
import { backoffMs } from '#core/backoff'
import type { Clock, Timer } from '#core/clock'
import type { Log } from '#core/log'
import { ThrottledLog } from '#core/throttledLog'
import {
  type Held,
  Metrics,
  type OnPendingTrade,
  type PendingDisclosure,
  type PendingState,
  PendingTradeStore,
  type PendingTrades,
  parsePendingTransaction,
  tradeOf,
} from '#marketData/pendingTrades/index'
import { nodeName } from '#net/rpc'
import type { OpenSocket } from '#net/socket'
import type { PendingTrades as Manifest } from '#venues/venue'
import { type Head, NodeSession, reasonOf } from './nodeSession.ts'

export interface WatcherOptions {
  venue: string
  manifest: Manifest
  url: string
  openSocket: OpenSocket
  clock: Clock
  log: Log
  random(): number
}

const reconnect = { baseMs: 500, capMs: 30_000 }
/** Blocks come every two seconds. */
export const silentMs = 20_000
/** After a connection that lasted this long, the reconnect delay starts over. */
const goodMs = 60_000
/** A node whose newest block is older has not caught up with the chain: missing data proves nothing. */
const behindMs = 60_000
/** Concurrent requests. */
const looksAtOnce = 32
/** Settlements sent before we listened could not be seen: they say nothing about the rate of seen ones. */
const settlingInMs = 15_000
const expireEveryMs = 5_000

export class PendingWatcher implements PendingTrades {
  /** Settlements not published because too many were waiting. */
  refused = 0
  /** Settlements whose logs differ from what was published. */
  misread = 0
  private readonly options: WatcherOptions
  private readonly contracts: ReadonlySet<string>
  private readonly ledger: PendingTradeStore
  private readonly measures = new Metrics()
  private readonly lines: ThrottledLog
  private readonly listeners = new Set<OnPendingTrade>()
  private readonly resolved = { confirmed: 0, timeout: 0, reverted: 0 }
  private session: NodeSession | null = null
  private readyAt: number | null = null
  private receivedAt = 0
  private headAt: Head | null = null
  private isLooking = false
  private failures = 0
  private retry: Timer | null = null
  private readonly watchdog: Timer
  private isStopped = false

  constructor(options: WatcherOptions) {
    const { clock, manifest, log } = options
    this.options = options
    this.contracts = new Set(manifest.contracts)
    this.ledger = new PendingTradeStore({ timeoutMs: manifest.timeoutMs })
    this.lines = new ThrottledLog(log, clock)
    this.watchdog = clock.every(expireEveryMs, () => this.watch())
    this.connect()
  }

  get isWatching(): boolean {
    return this.readyAt !== null
  }

  /** Waiting settlements. */
  get waiting(): number {
    return this.ledger.size
  }

  get newest(): number {
    return this.ledger.newest
  }

  get counts(): Readonly<Record<'confirmed' | 'timeout' | 'reverted', number>> {
    return this.resolved
  }

  get leadMs(): number | null {
    return this.measures.leadMs
  }

  listen(listener: OnPendingTrade): () => void {
    this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }

  watches(venue: string): boolean {
    return venue === this.options.venue
  }

  get disclosure(): PendingDisclosure {
    const { seen, leadMs } = this.measures
    const share = seen === null ? 'share not measured yet' : `of the last ${seen.of}, ${seen.count} were`
    const paused = this.isWatching ? '' : '; paused: the node is unreachable'
    const completeness = `${this.options.manifest.completeness}; ${share}${paused}`
    return { provenance: 'mempool', latencyMs: leadMs, completeness }
  }

  stop(): void {
    this.isStopped = true
    this.watchdog.cancel()
    this.retry?.cancel()
    this.session?.close()
    this.listeners.clear()
  }

  private connect(): void {
    this.retry = null
    const { url, venue, manifest, openSocket, clock } = this.options
    let mine: NodeSession | null = null
    this.receivedAt = clock.monotonic()
    const isMine = (): boolean => mine !== null && this.session === mine
    mine = new NodeSession({
      url,
      venue,
      chainId: manifest.chainId,
      contracts: manifest.contracts,
      topics: manifest.settledTopics,
      openSocket,
      clock,
      events: {
        ready: () => {
          if (isMine()) this.ready()
        },
        waiting: (body) => {
          if (isMine()) this.see(body)
        },
        settled: (log) => {
          if (isMine()) this.settled(log)
        },
        head: (head) => {
          if (isMine()) this.head(head)
        },
        ended: (reason) => {
          if (mine === null || isMine()) this.ended(reason)
        },
      },
    })
    // It may have ended before it began.
    if (this.retry === null) this.session = mine
  }

  private ready(): void {
    const mono = this.options.clock.monotonic()
    this.readyAt = mono
    this.receivedAt = mono
    this.ledger.lookAtAll(mono)
  }

  private see(body: unknown): void {
    const { manifest, clock } = this.options
    const transaction = parsePendingTransaction(body, this.contracts)
    // Nodes may report one more than once.
    if (transaction === null || this.ledger.knows(transaction.hash)) return
    const fills = manifest.fillsOf(transaction.to, transaction.input)
    if (fills === null) return
    const held = this.ledger.add(transaction, fills, { now: clock.now(), mono: clock.monotonic() })
    if (held === null) {
      this.refused++
      this.lines.warn({ venue: this.options.venue }, 'too many settlements wait; further ones are not published')
      return
    }
    this.publish(held, { status: 'pending' })
  }

  private settled({ hash, blockNumber, data }: { hash: string; blockNumber: number; data: string }): void {
    const { clock, manifest, venue } = this.options
    const mono = clock.monotonic()
    const landed = this.ledger.landed(hash, blockNumber, mono)
    if (this.readyAt !== null && mono - this.readyAt >= settlingInMs) this.measures.settle(hash, landed !== null)
    if (landed === null || landed.leadMs === null) return
    this.measures.lead(landed.leadMs)
    if (manifest.agrees(landed.held.fills[0]!, data)) return
    this.misread++
    this.lines.warn({ venue, transaction: hash }, 'a settlement’s log does not match its call')
  }

  private head(head: Head): void {
    this.receivedAt = this.options.clock.monotonic()
    this.headAt = head
    void this.look()
  }

  /** Checks everything due, some at a time; checks never overlap. */
  private async look(): Promise<void> {
    const { session } = this
    if (this.isLooking || session === null) return
    if (!this.isCurrent) {
      this.lines.warn({ venue: this.options.venue }, 'the node is behind its chain; its missing data proves nothing')
      return
    }
    this.isLooking = true
    try {
      const final = await this.finalBlock(session)
      for (;;) {
        const due = this.ledger.due(this.options.clock.monotonic(), final, looksAtOnce)
        if (due.length === 0) return
        const looked = await Promise.all(due.map((held) => this.lookAt(session, held, final)))
        if (looked.includes(false)) return
      }
    } catch (err) {
      this.lookFailed(session, err)
    } finally {
      this.isLooking = false
    }
  }

  /** False: the node did not respond. */
  private async lookAt(session: NodeSession, held: Held, final: number): Promise<boolean> {
    const { clock } = this.options
    try {
      const status = await session.transactionStatus(held, final)
      if (this.session !== session) return false
      const resolved = this.ledger.resolve(held, status, final, clock.monotonic())
      if (resolved !== null) this.publish(held, resolved)
      return true
    } catch (err) {
      this.ledger.postpone(held, clock.monotonic())
      this.lookFailed(session, err)
      return false
    }
  }

  private lookFailed(session: NodeSession, error: unknown): void {
    if (this.session !== session || this.isStopped) return
    const why = reasonOf(error)
    this.lines.warn({ venue: this.options.venue, why }, 'failed to read the status of settlements from the node')
  }

  private async finalBlock(session: NodeSession): Promise<number> {
    const deep = Math.max(0, this.headAt!.number - this.options.manifest.finalDepth)
    return Math.max(deep, (await session.finalBlock()) ?? 0)
  }

  private get isCurrent(): boolean {
    return this.headAt !== null && this.options.clock.now() - this.headAt.timestampMs < behindMs
  }

  private publish({ hash, fills, first, seenAt }: Held, state: PendingState): void {
    if (state.status !== 'pending') this.resolved[state.status === 'confirmed' ? 'confirmed' : state.dropReason]++
    const { venue } = this.options
    const updates = fills.map((fill, i) => {
      const data = tradeOf(fill, hash, i, seenAt)
      return { venue, bookId: fill.bookId, n: first + i, seenAt, state, data }
    })
    for (const listener of this.listeners) listener(updates)
  }

  private watch(): void {
    const mono = this.options.clock.monotonic()
    for (const held of this.ledger.expire(mono)) this.publish(held, { status: 'dropped', dropReason: 'timeout' })
    if (this.session !== null && mono - this.receivedAt > silentMs) this.ended('no message for too long')
  }

  private ended(reason: string): void {
    const { clock, log, random, url, venue } = this.options
    const wasGood = this.readyAt !== null && clock.monotonic() - this.readyAt >= goodMs
    const { session } = this
    this.session = null
    this.readyAt = null
    this.headAt = null
    session?.close()
    if (this.isStopped || this.retry !== null) return
    this.failures = wasGood ? 0 : this.failures + 1
    log.warn({ venue, node: nodeName(url), why: reason }, 'the node is unavailable; pending trades are paused')
    this.retry = clock.after(backoffMs(this.failures, reconnect, random), () => this.connect())
  }
}
