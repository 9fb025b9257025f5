// The sockets of one venue: opens them, sends heartbeats, passes frames to the protocol session, reports what happened. Decides nothing.
import { backoffMs } from '#core/backoff'
import type { Clock, Timer } from '#core/clock'
import type { ClientSocket, OpenSocket } from '#net/socket'
import { countingLost } from '#venues/shared/data/row'
import type { FeedSink, StreamSession, VenueStream } from '#venues/venue'
import type { VenueContext } from '#venues/venueContext'
import { FeedLag } from './feedLatency.ts'

/** A venue with this many unread bytes from us is treated as gone. */
const sendBufferMax = 1024 * 1024
/** The maximum delay is short, so that books recover soon after their venue. */
const reconnectBackoff = { baseMs: 250, capMs: 4_000 }
/** If a venue announced the end of a connection and does not end it, its successor takes over after this. */
const overlapMaxMs = 60_000
const resyncBackoff = { baseMs: 250, capMs: 2_000 }

export interface VenueSocketsOptions {
  stream: VenueStream
  context: VenueContext
  openSocket: OpenSocket
  clock: Clock
  random(): number
  /** One sink per connection, so that a `failed` names it and responses go out on it. */
  feed(shard: number, send: (text: string) => void): FeedSink
  onOpened(shard: number): void
  /** `lastDataAt`: when it last brought data, on the monotonic clock; undefined if never. */
  onClosed(shard: number, reason: string, lastDataAt?: number): void
  /** The connection was not trusted because of its feed's lag, and has proved to be in time. */
  onTrusted(shard: number): void
  /** The connection has delivered its first data. */
  onDelivering(shard: number): void
  onRetry(shard: number): void
  onResyncDue(shard: number): void
}

interface Connection {
  socket: ClientSocket
  session: StreamSession
  heartbeat: Timer | null
  opened: boolean
  /** It has delivered data of any book. */
  hasData: boolean
  lastDataAt: number
  /** Subscribed on it. */
  readonly books: Set<string>
}

/** The successor of a connection that its venue is about to close. It brings the same books, and takes over when the other one ends. */
interface Successor {
  connection: Connection
  overlap: Timer
}

export class VenueSockets {
  private readonly connections = new Map<number, Connection>()
  private readonly successors = new Map<number, Successor>()
  private readonly retries = new Map<number, Timer>()
  private readonly resyncs = new Map<number, Timer>()
  /** The token that a shard's next connection waits for. */
  private readonly tokenRequests = new Map<number, Promise<string>>()
  /** When each shard last tried to connect, on the monotonic clock. */
  private readonly triedAt = new Map<number, number>()
  private readonly options: VenueSocketsOptions
  /** The lag of the sockets. */
  readonly lag = new FeedLag((shard) => this.options.onTrusted(shard))
  /** Frames received over all shards, for metrics. */
  frames = 0

  constructor(options: VenueSocketsOptions) {
    this.options = options
  }

  connect(shard: number): void {
    const { stream, context, clock } = this.options
    this.drop(shard)
    this.triedAt.set(shard, clock.monotonic())
    if (stream.fetchToken === undefined) this.begin(shard)
    else void this.openWith(shard, stream.fetchToken(context))
  }

  private async openWith(shard: number, tokenRequest: Promise<string>): Promise<void> {
    // Another attempt, or the end, may come first.
    this.tokenRequests.set(shard, tokenRequest)
    const isWanted = (): boolean => this.tokenRequests.get(shard) === tokenRequest && this.tokenRequests.delete(shard)
    try {
      const token = await tokenRequest
      if (isWanted()) this.begin(shard, token)
    } catch (error) {
      if (isWanted()) this.options.onClosed(shard, error instanceof Error ? error.message : String(error))
    }
  }

  private begin(shard: number, token?: string): void {
    const connection = this.openConnection(shard, { token, isSuccessor: false })
    if (connection === null) this.options.onClosed(shard, 'no credentials for the live feed')
    else if (connection !== 'closed') this.connections.set(shard, connection)
  }

  /**
   * The venue will soon close this shard's connection: a second one is opened and subscribed to the same books, so that none of them is
   * stale in between. Not for streams that need a token.
   */
  succeed(shard: number): void {
    const { stream, clock } = this.options
    if (stream.fetchToken !== undefined || !this.connections.has(shard) || this.successors.has(shard)) return
    const connection = this.openConnection(shard, { token: undefined, isSuccessor: true })
    if (connection === null || connection === 'closed') return
    const overlap = clock.after(overlapMaxMs, () => this.takeOver(shard))
    this.successors.set(shard, { connection, overlap })
  }

  /** False when no successor is open. */
  private takeOver(shard: number): boolean {
    const next = this.successors.get(shard)
    if (next?.connection.opened !== true) return false
    const { connection, overlap } = next
    overlap.cancel()
    this.successors.delete(shard)
    this.drop(shard)
    this.connections.set(shard, connection)
    this.started(shard, connection)
    return true
  }

  /** Null: the stream cannot connect. `closed`: it ended while it was opened, which was reported. */
  private openConnection(
    shard: number,
    { token, isSuccessor }: { token: string | undefined; isSuccessor: boolean },
  ): Connection | 'closed' | null {
    const { stream, context, openSocket, clock, feed } = this.options
    const target = stream.connect(context, token)
    if (target === null) return null
    let connection: Connection | null = null
    let isOver = false
    const isCurrent = (): boolean => connection !== null && this.connections.get(shard) === connection
    const isNext = (): boolean => connection !== null && this.successors.get(shard)?.connection === connection
    const answer = (text: string): void => {
      if (isCurrent()) this.send(shard, [text])
      else if (isNext()) connection!.socket.send(text)
    }
    const session = stream.open(feed(shard, answer), token)
    const socket = openSocket(target.url, target.headers, {
      opened: () => {
        if (isCurrent()) {
          connection!.opened = true
          this.started(shard, connection!)
          this.options.onOpened(shard)
        } else if (isNext()) {
          connection!.opened = true
          connection!.lastDataAt = clock.monotonic()
          subscribeOn(connection!, [...(this.connections.get(shard)?.books ?? [])])
        }
      },
      frame: (data) => {
        if (connection === null || !(isCurrent() || isNext())) return
        this.frames++
        const now = clock.monotonic()
        this.lag.begin(shard, now)
        const isData = countingLost(context, () => session.receive(data, clock.now()))
        this.lag.end()
        if (!isData) return
        connection.lastDataAt = now
        if (connection.hasData) return
        connection.hasData = true
        if (isCurrent()) this.options.onDelivering(shard)
      },
      closed: (reason) => {
        if (isNext()) return this.dropSuccessor(shard)
        if (connection === null) isOver = true
        if (connection === null ? isSuccessor : !isCurrent()) return
        if (this.takeOver(shard)) return
        this.drop(shard)
        this.options.onClosed(shard, reason, connection?.opened ? connection.lastDataAt : undefined)
      },
    })
    if (isOver) return 'closed'
    connection = { socket, session, heartbeat: null, opened: false, hasData: false, lastDataAt: 0, books: new Set() }
    return connection
  }

  private started(shard: number, connection: Connection): void {
    const { stream, clock } = this.options
    this.lag.opened(shard, clock.monotonic())
    connection.lastDataAt = clock.monotonic()
    if (stream.heartbeat === null) return
    const { everyMs, text } = stream.heartbeat
    connection.heartbeat = clock.every(everyMs, () => this.send(shard, [text]))
  }

  subscribe(shard: number, bookIds: readonly string[]): void {
    const connection = this.connections.get(shard)
    if (connection === undefined) return
    for (const bookId of bookIds) connection.books.add(bookId)
    this.send(shard, connection.session.subscribe(bookIds))
    const next = this.successors.get(shard)?.connection
    if (next?.opened === true) subscribeOn(next, bookIds)
  }

  unsubscribe(shard: number, bookIds: readonly string[]): void {
    const connection = this.connections.get(shard)
    if (connection === undefined) return
    for (const bookId of bookIds) connection.books.delete(bookId)
    this.send(shard, connection.session.unsubscribe(bookIds))
    const next = this.successors.get(shard)?.connection
    if (next?.opened !== true) return
    for (const bookId of bookIds) next.books.delete(bookId)
    for (const text of next.session.unsubscribe(bookIds)) next.socket.send(text)
  }

  /** Requests a snapshot on the socket itself; false when the protocol has no such request. */
  resync(shard: number, bookId: string): boolean {
    const texts = this.connections.get(shard)?.session.resync(bookId) ?? null
    if (texts === null) return false
    this.send(shard, texts)
    return true
  }

  /** Resubscribes: the venue sends the first snapshot again. */
  renew(shard: number, bookIds: readonly string[]): void {
    this.unsubscribe(shard, bookIds)
    this.subscribe(shard, bookIds)
  }

  /** Requests snapshots of these books on the sockets themselves; returns those that only REST has. */
  confirm(bookIds: readonly string[]): string[] {
    const left = new Set(bookIds)
    for (const [shard, { opened, session }] of this.connections) {
      if (!opened) continue
      const mine = [...left].filter((bookId) => session.feeds(bookId))
      const texts = session.confirm(mine)
      if (texts === null) continue
      this.send(shard, texts)
      for (const bookId of mine) left.delete(bookId)
    }
    return [...left]
  }

  /** True when the socket that feeds this book has brought data of any book since then, on the monotonic clock. */
  dataSince(bookId: string, at: number): boolean {
    for (const { session, lastDataAt } of this.connections.values()) if (session.feeds(bookId)) return lastDataAt >= at
    return false
  }

  /** True while the connection is open and has itself sent something about this book since it was subscribed there. */
  feeds(shard: number, bookId: string): boolean {
    const connection = this.connections.get(shard)
    return connection?.opened === true && connection.session.feeds(bookId)
  }

  /**
   * True once the open connection has delivered data about this book since it was subscribed there, or about any book (null); acknowledgements
   * are not enough.
   */
  delivers(shard: number, bookId: string | null): boolean {
    const connection = this.connections.get(shard)
    if (connection?.opened !== true) return false
    return bookId === null ? connection.hasData : connection.session.delivers(bookId)
  }

  /** False while the connection feeding this book is not trusted because of lag and has not been quiet for long enough either. */
  isQuiet(bookId: string): boolean {
    for (const [shard, { session }] of this.connections)
      if (session.feeds(bookId)) return this.lag.isQuiet(shard, this.options.clock.monotonic())
    return false
  }

  /** Notifies the session that the book now holds a REST snapshot. */
  snapshotWritten(shard: number, bookId: string, recvTs: number): void {
    this.connections.get(shard)?.session.snapshotWritten?.(bookId, recvTs)
  }

  /** Measured from attempt to attempt: the time a connection took to fail counts towards the delay. */
  retryLater(shard: number, attempt: number): void {
    const { clock, random, onRetry } = this.options
    const tookMs = clock.monotonic() - (this.triedAt.get(shard) ?? clock.monotonic())
    const delayMs = attempt === 0 ? 0 : Math.max(0, backoffMs(attempt - 1, reconnectBackoff, random) - tookMs)
    this.after(this.retries, shard, delayMs, onRetry)
  }

  resyncLater(shard: number, attempt: number): void {
    this.after(this.resyncs, shard, backoffMs(attempt, resyncBackoff, this.options.random), this.options.onResyncDue)
  }

  /** Closes without calling `onClosed`: the caller knows. */
  disconnect(shard: number): void {
    for (const timers of [this.retries, this.resyncs]) {
      timers.get(shard)?.cancel()
      timers.delete(shard)
    }
    this.triedAt.delete(shard)
    this.drop(shard)
  }

  closeAll(): void {
    for (const shard of [...this.connections, ...this.retries, ...this.resyncs, ...this.tokenRequests].map(
      ([id]) => id,
    ))
      this.disconnect(shard)
  }

  lastDataAt(): Map<number, number> {
    return new Map([...this.connections].map(([shard, connection]) => [shard, connection.lastDataAt]))
  }

  get open(): number {
    let count = 0
    for (const { opened } of this.connections.values()) if (opened) count++
    return count
  }

  private after(timers: Map<number, Timer>, shard: number, delayMs: number, run: (shard: number) => void): void {
    timers.get(shard)?.cancel()
    timers.set(
      shard,
      this.options.clock.after(delayMs, () => {
        timers.delete(shard)
        run(shard)
      }),
    )
  }

  private dropSuccessor(shard: number): void {
    const next = this.successors.get(shard)
    if (next === undefined) return
    this.successors.delete(shard)
    next.overlap.cancel()
    next.connection.socket.close()
  }

  private drop(shard: number): void {
    this.tokenRequests.delete(shard)
    this.dropSuccessor(shard)
    const connection = this.connections.get(shard)
    if (connection === undefined) return
    this.connections.delete(shard)
    connection.heartbeat?.cancel()
    connection.socket.close()
  }

  private send(shard: number, texts: readonly string[]): void {
    const connection = this.connections.get(shard)
    if (connection === undefined) return
    for (const text of texts) connection.socket.send(text)
    if (connection.socket.bufferedBytes() <= sendBufferMax) return
    this.drop(shard)
    this.options.onClosed(shard, 'the venue no longer reads')
  }
}

function subscribeOn({ socket, session, books }: Connection, bookIds: readonly string[]): void {
  for (const bookId of bookIds) books.add(bookId)
  for (const text of session.subscribe(bookIds)) socket.send(text)
}
