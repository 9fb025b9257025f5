// A subscriber in the drill: keeps the last update of every book, and of the surface the last number and its executable rows, but
// nothing else, however long it runs.
import { expect } from 'vitest'
import type { ArbitrageRow } from '#schemas/arbitrage'
import { RawSocket } from '#test/src/server/gateway/support'
import { levelsOf, type Served, type StreamFrame, type WireBook } from '../client.ts'
import type { SurfaceData } from '../surfaceClient.ts'
import type { WatchedBook } from './truth.ts'

export class Watcher {
  /** `venue:marketId` → levels as text; null after the book was reported stale. */
  readonly books = new Map<string, string | null>()
  /** Messages of error frames, with counts. */
  readonly complaints = new Map<string, number>()
  readonly rows = new Map<string, ArbitrageRow>()
  seq: number
  /** When the surface last sent anything. */
  surfaceAt = Number.NEGATIVE_INFINITY
  private failure: unknown = null
  private readonly socket: RawSocket

  private constructor(socket: RawSocket, seq: number) {
    this.socket = socket
    this.seq = seq
  }

  /** `seq`: the last number this gateway sent to any subscriber. */
  static async open({ stream, apiKey }: Served, books: readonly WatchedBook[], seq: number): Promise<Watcher> {
    const socket = new RawSocket(Number(new URL(stream).port), [`Authorization: Bearer ${apiKey}`])
    await socket.upgraded()
    const watcher = new Watcher(socket, seq)
    // Read as it arrives: data queued while the gateway slept does not prove that it was awake at that moment.
    socket.tcp.on('data', () => watcher.read())
    for (const { venue, marketId } of books) watcher.subscribe(venue, marketId)
    socket.send({ op: 'subscribeArbitrage' })
    return watcher
  }

  get closed(): boolean {
    return this.socket.closed
  }

  /** Throws the first error in the received frames. */
  check(): void {
    if (this.failure !== null) throw this.failure
  }

  private read(): void {
    try {
      this.take()
    } catch (error) {
      this.failure ??= error
    }
  }

  private take(): void {
    for (const text of this.socket.frames.splice(0)) {
      const frame = JSON.parse(text) as StreamFrame
      const key = `${frame.venue}:${frame.marketId}`
      if (frame.type === 'snapshot' || frame.type === 'update') this.books.set(key, levelsOf(frame.data as WireBook))
      else if (frame.type === 'error') {
        this.books.set(key, null)
        if (frame.code === 'CATALOG_UNAVAILABLE') this.subscribe(frame.venue!, frame.marketId!)
        const words = frame.message ?? ''
        this.complaints.set(words, (this.complaints.get(words) ?? 0) + 1)
      } else if (frame.type === 'arbitrage') this.surface(frame.data as SurfaceData)
    }
  }

  private subscribe(venue: string, marketId: string): void {
    this.socket.send({ op: 'subscribe', channel: 'orderbook', venue, marketId })
  }

  close(): void {
    this.socket.tcp.destroy()
  }

  private surface({ kind, seq, part, rows, upserts, removes }: SurfaceData): void {
    // A new subscriber may first receive the last frame of the previous one.
    const least = this.surfaceAt === Number.NEGATIVE_INFINITY ? this.seq : this.seq + 1
    if (part.i === 1) expect(seq, 'the surface’s numbers increase').toBeGreaterThanOrEqual(least)
    else expect(seq).toBe(this.seq)
    this.seq = seq
    this.surfaceAt = performance.now()
    if (kind === 'snapshot' && part.i === 1) this.rows.clear()
    for (const row of rows ?? upserts ?? []) this.rows.set(row.clusterId, row)
    for (const key of removes ?? []) this.rows.delete(key)
  }
}
