// A subscriber of the arbitrage channel in tests: keeps the surface as the frames describe it, and checks them against the specification.
import { expect } from 'vitest'
import type { ArbitrageRow } from '#schemas/arbitrage'
import { eventually, type Served, StreamClient, type StreamFrame } from './client.ts'

export interface SurfaceData {
  kind: 'snapshot' | 'delta'
  seq: number
  computedAt: string
  publishedAt: string
  intervalMs: number
  part: { i: number; n: number }
  rows?: ArbitrageRow[]
  upserts?: ArbitrageRow[]
  removes?: string[]
}

export class SurfaceClient {
  readonly stream: StreamClient
  readonly rows = new Map<string, ArbitrageRow>()
  /** Of the last whole frame. */
  seq = -1
  /** Every whole frame, in order. */
  readonly wholeFrames: { seq: number; kind: 'snapshot' | 'delta'; changed: string[] }[] = []
  private read = 0
  private parts: SurfaceData[] = []

  private constructor(stream: StreamClient) {
    this.stream = stream
  }

  static async open(served: Served, filter: object = {}): Promise<SurfaceClient> {
    const client = new SurfaceClient(await StreamClient.open(served))
    client.stream.send({ op: 'subscribeArbitrage', ...filter })
    return client
  }

  /** Reads the received frames; a frame that violates the specification fails here. */
  take(): this {
    this.stream.mark()
    const { frames } = this.stream
    for (; this.read < frames.length; this.read++) {
      const frame = frames[this.read]!
      if (frame.type === 'arbitrage') this.part(frame.data as SurfaceData)
    }
    return this
  }

  /** Waits until the rows satisfy the condition. */
  async until(fits: (rows: ReadonlyMap<string, ArbitrageRow>) => void, timeout?: number): Promise<void> {
    await eventually(() => fits(this.take().rows), timeout)
  }

  /** The frames after the mark. */
  after(mark: number): StreamFrame[] {
    this.take()
    return this.stream.frames.slice(mark)
  }

  close(): void {
    this.stream.close()
  }

  private part(data: SurfaceData): void {
    const before = this.parts.at(-1)
    expect(data.part.i, 'parts arrive in order').toBe((before?.part.i ?? 0) + 1)
    if (before !== undefined)
      expect([data.seq, data.kind, data.part.n]).toEqual([before.seq, before.kind, before.part.n])
    this.parts.push(data)
    if (data.part.i < data.part.n) return
    const parts = this.parts
    this.parts = []
    expect(data.seq, 'seq increases with every frame').toBeGreaterThan(this.seq)
    expect(this.wholeFrames.length > 0 || data.kind === 'snapshot', 'the first frame is a snapshot').toBe(true)
    this.seq = data.seq
    if (data.kind === 'snapshot') this.rows.clear()
    const changed: string[] = []
    for (const { rows, upserts, removes } of parts) {
      for (const row of rows ?? upserts ?? []) {
        this.rows.set(row.clusterId, row)
        changed.push(row.clusterId)
      }
      for (const key of removes ?? []) {
        this.rows.delete(key)
        changed.push(key)
      }
    }
    this.wholeFrames.push({ seq: data.seq, kind: data.kind, changed })
  }
}
