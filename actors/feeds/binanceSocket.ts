// The single connection to Binance's market streams. It is open while any symbol is wanted, subscribes and unsubscribes as that changes, and
// reconnects when it closes, has a request refused or falls silent.
//
// wanted ─► connect ─► open ─► frames ─► ended, silent, shut down ─► back off ─► connect

import { backoffMs } from '#core/backoff'
import type { Clock, Timer } from '#core/clock'
import type { Log } from '#core/log'
import { ThrottledLog } from '#core/throttledLog'
import { readFrame, request, streamUrl } from '#marketData/feeds/binance/stream'
import type { StreamTicker } from '#marketData/feeds/binance/wire'
import type { ClientSocket, OpenSocket } from '#net/socket'

/** Binance allows 300 connections in five minutes. */
const reconnect = { baseMs: 500, capMs: 30_000 }
/** Binance allows five messages a second, and a change takes two. */
const changesEveryMs = 500
/** Windows arrive every second. */
export const silentMs = 15_000
/** After a connection that lasted this long, the reconnect delay starts over. */
const goodMs = 60_000

export interface BinanceSocketOptions {
  url: string
  openSocket: OpenSocket
  clock: Clock
  log: Log
  random(): number
  onWindow(window: StreamTicker): void
}

interface Connection {
  socket: ClientSocket
  subscribed: Set<string>
  isOpen: boolean
  receivedAt: number
  openedAt: number
}

export class BinanceSocket {
  private readonly options: BinanceSocketOptions
  private readonly lines: ThrottledLog
  private wanted: ReadonlySet<string> = new Set()
  private connection: Connection | null = null
  private retry: Timer | null = null
  private changes: Timer | null = null
  private readonly watchdog: Timer
  private failures = 0
  private requests = 0
  private isStopped = false

  constructor(options: BinanceSocketOptions) {
    this.options = options
    this.lines = new ThrottledLog(options.log, options.clock)
    this.watchdog = options.clock.every(silentMs / 3, () => this.look())
  }

  get isOpen(): boolean {
    return this.connection?.isOpen === true
  }

  get isWanted(): boolean {
    return this.wanted.size > 0
  }

  /** Replaces the wanted set, by Binance's ids. */
  want(ids: ReadonlySet<string>): void {
    if (this.isStopped) return
    this.wanted = new Set(ids)
    if (this.wanted.size === 0) this.rest()
    else if (this.connection === null) this.retry ??= this.options.clock.after(0, () => this.connect())
    else if (this.connection.isOpen) this.changes ??= this.options.clock.after(changesEveryMs, () => this.change())
  }

  stop(): void {
    this.isStopped = true
    this.watchdog.cancel()
    this.rest()
  }

  private connect(): void {
    this.retry = null
    const { url, openSocket, clock } = this.options
    const subscribed = new Set(this.wanted)
    let connection: Connection | null = null
    const isMine = (): boolean => connection !== null && this.connection === connection
    const socket = openSocket(
      streamUrl(url, [...subscribed]),
      {},
      {
        opened: () => {
          if (!isMine()) return
          Object.assign(connection!, { isOpen: true, receivedAt: clock.monotonic(), openedAt: clock.monotonic() })
          this.change()
        },
        frame: (data) => {
          if (isMine()) this.read(connection!, data)
        },
        closed: (reason) => {
          if (connection === null || isMine()) this.ended(reason)
        },
      },
    )
    connection = { socket, subscribed, isOpen: false, receivedAt: clock.monotonic(), openedAt: clock.monotonic() }
    this.connection = connection
  }

  private read(connection: Connection, data: Buffer): void {
    const frame = readFrame(data)
    if (frame.kind === 'end') this.ended(frame.why)
    else if (frame.kind === 'malformed') this.lines.warn({}, 'binance: a frame could not be read')
    else if (frame.kind === 'window') {
      connection.receivedAt = this.options.clock.monotonic()
      this.options.onWindow(frame.window)
    }
  }

  private change(): void {
    this.changes = null
    const { connection, wanted } = this
    if (connection === null || !connection.isOpen) return
    const added = [...wanted].filter((id) => !connection.subscribed.has(id))
    const gone = [...connection.subscribed].filter((id) => !wanted.has(id))
    if (added.length > 0) connection.socket.send(request('SUBSCRIBE', added, ++this.requests))
    if (gone.length > 0) connection.socket.send(request('UNSUBSCRIBE', gone, ++this.requests))
    connection.subscribed = new Set(wanted)
  }

  private look(): void {
    const { connection } = this
    if (connection?.isOpen !== true || this.options.clock.monotonic() - connection.receivedAt <= silentMs) return
    this.ended('no message arrived for too long')
  }

  private ended(why: string): void {
    const { connection } = this
    const { clock, random } = this.options
    const wasGood = connection?.isOpen === true && clock.monotonic() - connection.openedAt >= goodMs
    this.drop()
    if (this.isStopped || this.wanted.size === 0) return
    this.lines.warn({ why }, 'binance: the stream ended')
    this.failures = wasGood ? 0 : this.failures + 1
    this.retry?.cancel()
    this.retry = clock.after(backoffMs(this.failures, reconnect, random), () => this.connect())
  }

  /** Nothing is wanted. */
  private rest(): void {
    this.retry?.cancel()
    this.retry = null
    this.failures = 0
    this.drop()
  }

  private drop(): void {
    this.changes?.cancel()
    this.changes = null
    const { connection } = this
    this.connection = null
    connection?.socket.close()
  }
}
