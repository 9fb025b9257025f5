// A subscriber that follows the specification: joins parts, keeps rows by id, and validates everything it receives.
import type { ArbitragePeer } from '#arbitrage/subscribers'

export interface ClientRow {
  clusterId: string
}

interface Data {
  exchange: string
  kind: 'snapshot' | 'delta'
  seq: number
  computedAt: string
  publishedAt: string
  intervalMs: number
  heartbeatMs: number
  contracts: number
  limit: number
  part: { i: number; n: number }
  rows?: ClientRow[]
  upserts?: ClientRow[]
  removes?: string[]
}

export class TestClient implements ArbitragePeer {
  readonly id: number
  rows = new Map<string, string>()
  /** Seq of the newest frame that was completely applied. */
  seq = -1
  kinds: string[] = []
  frames = 0
  /** Deltas without rows, which only signal liveness. */
  empty = 0
  /** Per frame: the interval it states, and when it was published. */
  paces: { intervalMs: number; heartbeatMs: number; publishedAt: number }[] = []
  biggest = 0
  /** Removed rows it never had, with the time of the previous delta; after a snapshot a delta may repeat earlier changes. */
  strangers: { id: string; previousDeltaAt: number }[] = []
  refuse: () => 'sent' | 'buffered' | 'dropped' = () => 'sent'
  private started = -1
  private pending: Data[] = []

  constructor(id: number) {
    this.id = id
  }

  offer(_topic: string, frame: Buffer): 'sent' | 'buffered' | 'dropped' {
    const answer = this.refuse()
    if (answer !== 'dropped') this.receive(frame)
    return answer
  }

  /** The state as JSON by id. */
  state(): Record<string, string> {
    return Object.fromEntries([...this.rows].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  private receive(frame: Buffer): void {
    this.biggest = Math.max(this.biggest, frame.length)
    if (frame.length > 200 * 1024) throw new Error(`a message of ${frame.length} bytes`)
    const { type, ts, data } = JSON.parse(frame.toString()) as { type: string; ts: number; data: Data }
    if (type !== 'arbitrage' || !Number.isInteger(ts) || data.exchange !== 'router')
      throw new Error('not an arbitrage frame')
    if (data.part.i === 1) {
      if (data.seq <= this.started) throw new Error(`seq ${data.seq} after ${this.started}`)
      this.started = data.seq
      this.pending = []
    } else if (data.seq !== this.started || data.part.i !== this.pending.length + 1) {
      throw new Error(`part ${data.part.i} of ${data.seq} out of order`)
    }
    this.pending.push(data)
    if (this.pending.length < data.part.n) return
    const parts = this.pending
    this.pending = []
    this.apply(data.kind, parts)
    const { intervalMs, heartbeatMs, publishedAt } = data
    this.paces.push({ intervalMs, heartbeatMs, publishedAt: Date.parse(publishedAt) })
    this.seq = data.seq
    this.frames++
    this.kinds.push(data.kind)
  }

  private apply(kind: Data['kind'], parts: readonly Data[]): void {
    if (parts.some((part) => part.kind !== kind || part.part.n !== parts.length)) throw new Error('parts disagree')
    if (kind === 'snapshot') this.rows.clear()
    else if (this.seq < 0) throw new Error('a delta before any snapshot')
    let changes = 0
    for (const { rows, upserts, removes } of parts) {
      for (const row of (kind === 'snapshot' ? rows : upserts)!) this.rows.set(row.clusterId, JSON.stringify(row))
      for (const id of removes ?? [])
        if (!this.rows.delete(id) && this.kinds.at(-1) === 'delta')
          this.strangers.push({ id, previousDeltaAt: this.paces.at(-1)!.publishedAt })
      changes += (rows?.length ?? 0) + (upserts?.length ?? 0) + (removes?.length ?? 0)
    }
    if (kind === 'delta' && changes === 0) this.empty++
  }
}
