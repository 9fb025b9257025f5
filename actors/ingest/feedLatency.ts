// How far a venue's feed has fallen behind. A message may say when it happened; the smallest recent delay is the cost of two clocks and the
// network, and any delay beyond that is lag. Measured on the monotonic clock, so setting the wall clock changes nothing.
import type { StaleReason } from '#schemas/staleReason'

/**
 * The baseline is the minimum over this many minutes: a feed that falls behind slowly does not become its own baseline.
 */
const minutes = 15
const minuteMs = 60_000
/** Less than this is network jitter, not lag. */
export const pollJitterMs = 1_000
/** A feed further behind than this is not trusted. */
export const lagMaxMs = 8_000
/** After a feed was distrusted, its new connection is not trusted until one of its messages took no longer than this. */
export const lagTrustedMs = lagMaxMs / 2
/** After this long without a conclusive message its markets are quiet: each book that equals the venue's own is shown. */
export const suspectQuietMs = 12_000
/** The stale reason shown to readers. */
export const laggingReason = 'lagging' satisfies StaleReason
/** Lag counts once this many consecutive messages show it, over at least this long: one old message proves nothing. */
const messagesMin = 3
const insistMs = 1_000

interface SocketLag {
  excessMs: number
  /** Of its newest frame. */
  frameAt: number
  /** Consecutive messages beyond the limit, and when the first of them came. */
  late: number
  lateSince: number
  /** A new connection of a distrusted feed: no message was conclusive yet, or those that came were late as well. Null: it is trusted. */
  distrust: 'unheard' | 'late' | null
  openedAt: number
}

export class FeedLag {
  private readonly mins: number[] = []
  private minuteEnd = Number.NEGATIVE_INFINITY
  private baseline = Number.POSITIVE_INFINITY
  private early = 0
  private earlyMost = Number.NEGATIVE_INFINITY
  private readonly sockets = new Map<number, SocketLag>()
  /** For the current frame; null between frames, as for REST reads. */
  private socket: SocketLag | null = null
  private shard = 0
  private receivedAt = 0
  private isNoted = false
  private readonly onTrusted: (shard: number) => void

  /** `onTrusted`: this connection was not trusted, and has proved to be in time. */
  constructor(onTrusted: (shard: number) => void = () => undefined) {
    this.onTrusted = onTrusted
  }

  /** A frame of this socket is being read from here to `end`. `now`: monotonic. */
  begin(shard: number, now: number): void {
    const socket = this.of(shard, now)
    socket.frameAt = now
    this.socket = socket
    this.shard = shard
    this.receivedAt = now
    this.isNoted = false
    if (now >= this.minuteEnd) this.turn(now)
  }

  end(): void {
    this.socket = null
  }

  /** A new connection starts counting from zero; the venue's known lag remains until a message is conclusive. */
  opened(shard: number, now: number): void {
    const socket = this.of(shard, now)
    socket.late = 0
    socket.openedAt = now
    socket.distrust = socket.excessMs < lagMaxMs ? null : 'unheard'
  }

  /** Whether the current frame comes from a connection that is not trusted; null between frames. */
  get isFrameDistrusted(): boolean | null {
    return this.socket === null ? null : this.socket.distrust !== null
  }

  isDistrusted(shard: number): boolean {
    return (this.sockets.get(shard)?.distrust ?? null) !== null
  }

  /** True when the venue's own book suffices as proof for one that this connection feeds. */
  isQuiet(shard: number, now: number): boolean {
    const socket = this.sockets.get(shard)
    if (socket === undefined || socket.distrust === null) return true
    return socket.distrust === 'unheard' && now - socket.openedAt >= suspectQuietMs
  }

  /**
   * How late the current message is, ms; 0 within the usual range. A snapshot of a quiet market is as old as the market: it may prove its
   * socket in time, never late.
   */
  note(eventTs: number | null, isSnapshot: boolean): number {
    const { socket } = this
    if (socket === null) return 0
    if (eventTs !== null) {
      const took = this.receivedAt - eventTs
      const excess = this.excessOf(took, isSnapshot)
      if (!isSnapshot || excess < socket.excessMs) {
        socket.excessMs = excess
        if (excess < lagMaxMs) socket.late = 0
        else if (!this.isNoted && socket.late++ === 0) socket.lateSince = this.receivedAt
        this.isNoted = true
      }
      if (socket.distrust !== null) this.updateTrust(socket, took, isSnapshot)
    }
    return socket.excessMs < pollJitterMs ? 0 : socket.excessMs
  }

  /** Sockets whose newest messages were all too late. */
  *lagging(now: number): Generator<number> {
    for (const [shard, { frameAt }] of this.sockets) if (now - frameAt > minuteMs) this.sockets.delete(shard)
    for (const [shard, { late, lateSince }] of this.sockets)
      if (late >= messagesMin && now - lateSince >= insistMs) yield shard
  }

  /** Of the socket that is furthest behind, ms. */
  worstMs(now: number): number {
    let worst = 0
    for (const { excessMs, frameAt } of this.sockets.values())
      if (now - frameAt <= minuteMs) worst = Math.max(worst, excessMs)
    return worst
  }

  /** A snapshot may prove its socket in time; one dated before it can have happened proves nothing. */
  private updateTrust(socket: SocketLag, took: number, isSnapshot: boolean): void {
    const excess = took - this.baseline
    if (excess < lagTrustedMs && excess >= -pollJitterMs) {
      socket.distrust = null
      this.onTrusted(this.shard)
    } else if (!isSnapshot && excess >= lagTrustedMs) socket.distrust = 'late'
  }

  private of(shard: number, now: number): SocketLag {
    let socket = this.sockets.get(shard)
    if (socket === undefined) {
      // Until a new connection proves otherwise it is considered as late as the others of its venue.
      socket = { excessMs: this.worstMs(now), frameAt: now, late: 0, lateSince: 0, distrust: null, openedAt: now }
      this.sockets.set(shard, socket)
    }
    return socket
  }

  private excessOf(took: number, isSnapshot: boolean): number {
    if (took < this.baseline - pollJitterMs) {
      // A changed clock, or one message with a wrong time: only several in a row count.
      if (isSnapshot) return 0
      this.earlyMost = Math.max(this.earlyMost, took)
      if (++this.early >= messagesMin) this.lower(this.earlyMost)
      return 0
    }
    this.calm()
    if (!isSnapshot && took < this.mins.at(-1)!) this.lower(took)
    return Math.max(0, took - this.baseline)
  }

  private lower(took: number): void {
    this.mins[this.mins.length - 1] = Math.min(this.mins.at(-1)!, took)
    this.baseline = Math.min(this.baseline, took)
    this.calm()
  }

  private calm(): void {
    this.early = 0
    this.earlyMost = Number.NEGATIVE_INFINITY
  }

  private turn(now: number): void {
    this.minuteEnd = now + minuteMs
    this.mins.push(Number.POSITIVE_INFINITY)
    if (this.mins.length > minutes) this.mins.shift()
    this.baseline = Math.min(...this.mins)
  }
}
