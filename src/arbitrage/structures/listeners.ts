// Stream subscribers of structures. Each gets a snapshot, then deltas, in parts that share a seq. A part that a socket refuses is kept for
// it; changes meanwhile are not queued: a new snapshot follows instead.
//
//   waiting ──snapshot──► parts left ──all out──► live ──refused──► parts left … then waiting
import type { StructureRow } from '#schemas/structures'
import { messageBytesMax } from '../frames.ts'
import type { ArbitragePeer } from '../subscribers.ts'
import { type StructureFilter, structureFilterKey, structurePasses } from './read.ts'

/** Head and tail of a message never need more than this, bytes. */
const envelopeBytesMax = 640

export interface StructureState {
  rows(): Iterable<StructureRow>
  /** Epoch ms. */
  computedAt: number | null
  /** False: some sets have not been searched yet. */
  complete: boolean
}

interface Audience {
  filter: StructureFilter
  passes(row: StructureRow): boolean
  /** Ids that live subscribers of this filter have. */
  shown: Set<string>
  listeners: Set<Listener>
}

interface Listener {
  peer: ArbitragePeer
  topic: string
  audience: Audience
  /** Unsent parts. */
  parts: Buffer[]
  live: boolean
}

export class StructureListeners {
  private readonly now: () => number
  private readonly audiences = new Map<string, Audience>()
  private readonly byPeer = new Map<ArbitragePeer, Map<string, Listener>>()
  private readonly behind = new Set<Listener>()
  private seq: number
  private wasComplete = false

  constructor(now: () => number) {
    this.now = now
    this.seq = now()
  }

  get any(): boolean {
    return this.byPeer.size > 0
  }

  /** A subscriber waits for a snapshot or for the rest of one. */
  get due(): boolean {
    return this.behind.size > 0
  }

  add(peer: ArbitragePeer, topic: string, filter: StructureFilter): void {
    this.remove(peer, topic)
    const key = structureFilterKey(filter)
    const audience = this.audiences.get(key) ?? {
      filter,
      passes: structurePasses(filter),
      shown: new Set<string>(),
      listeners: new Set<Listener>(),
    }
    this.audiences.set(key, audience)
    const listener: Listener = { peer, topic, audience, parts: [], live: false }
    audience.listeners.add(listener)
    const topics = this.byPeer.get(peer) ?? new Map<string, Listener>()
    this.byPeer.set(peer, topics.set(topic, listener))
    this.behind.add(listener)
  }

  remove(peer: ArbitragePeer, topic: string): void {
    const topics = this.byPeer.get(peer)
    const listener = topics?.get(topic)
    if (topics === undefined || listener === undefined) return
    topics.delete(topic)
    if (topics.size === 0) this.byPeer.delete(peer)
    this.behind.delete(listener)
    const { audience } = listener
    audience.listeners.delete(listener)
    if (audience.listeners.size === 0) this.audiences.delete(structureFilterKey(audience.filter))
  }

  /** All subscribers are sent the whole state next. */
  renew(): void {
    for (const { listeners } of this.audiences.values()) for (const listener of listeners) this.fallBehind(listener)
  }

  /** Sends changes to all subscribers that are up to date. */
  changed(
    upserts: readonly StructureRow[],
    removes: readonly string[],
    state: Pick<StructureState, 'computedAt' | 'complete'>,
  ): void {
    const isNews = state.complete !== this.wasComplete
    this.wasComplete = state.complete
    this.seq++
    for (const audience of this.audiences.values()) {
      const visible: StructureRow[] = []
      const gone = removes.filter((id) => audience.shown.delete(id))
      for (const row of upserts) {
        if (audience.passes(row)) {
          audience.shown.add(row.id)
          visible.push(row)
        } else if (audience.shown.delete(row.id)) gone.push(row.id)
      }
      if (visible.length === 0 && gone.length === 0 && !isNews) continue
      let parts: Buffer[] | null = null
      for (const listener of audience.listeners) {
        if (!listener.live) continue
        parts ??= this.frame('delta', visible, gone, state)
        listener.parts = [...parts]
        if (!this.send(listener)) this.behind.add(listener)
      }
    }
  }

  /**
   * Continues with pending sends; `state` null: nothing may be shown now. One subscriber's parts between two yields.
   */
  *turn(state: StructureState | null): Generator<void, void, void> {
    for (const listener of [...this.behind]) {
      if (!this.behind.has(listener)) continue
      if (listener.parts.length === 0 && !listener.live) {
        if (state === null) continue
        const { audience } = listener
        const rows = [...state.rows()].filter(audience.passes)
        audience.shown = new Set(rows.map(({ id }) => id))
        listener.parts = this.frame('snapshot', rows, [], state)
        listener.live = true
      }
      if (this.send(listener) && listener.live) this.behind.delete(listener)
      yield
    }
  }

  /** True: everything was sent. */
  private send(listener: Listener): boolean {
    while (listener.parts.length > 0) {
      if (listener.peer.offer(listener.topic, listener.parts[0]!) === 'dropped') {
        // Changes before the rest is sent are covered by a snapshot.
        listener.live = false
        return false
      }
      listener.parts.shift()
    }
    return true
  }

  private fallBehind(listener: Listener): void {
    listener.parts = []
    listener.live = false
    this.behind.add(listener)
  }

  private frame(
    kind: 'snapshot' | 'delta',
    rows: readonly StructureRow[],
    removes: readonly string[],
    { computedAt, complete }: Pick<StructureState, 'computedAt' | 'complete'>,
  ): Buffer[] {
    const packed: { rows: string[]; removes: string[]; bytes: number }[] = [{ rows: [], removes: [], bytes: 0 }]
    const reserve = (size: number) => {
      const last = packed.at(-1)!
      if (last.bytes > 0 && last.bytes + size > messageBytesMax - envelopeBytesMax)
        packed.push({ rows: [], removes: [], bytes: 0 })
      packed.at(-1)!.bytes += size
      return packed.at(-1)!
    }
    for (const row of rows) {
      const text = JSON.stringify(row)
      reserve(Buffer.byteLength(text) + 1).rows.push(text)
    }
    for (const id of removes) reserve(id.length + 3).removes.push(JSON.stringify(id))
    const publishedAt = this.now()
    return packed.map((part, index) => {
      const head = JSON.stringify({
        exchange: 'router',
        kind,
        seq: this.seq,
        computedAt: computedAt === null ? null : new Date(computedAt).toISOString(),
        publishedAt: new Date(publishedAt).toISOString(),
        complete,
        part: { i: index + 1, n: packed.length },
      }).slice(0, -1)
      const body =
        kind === 'snapshot'
          ? `"rows":[${part.rows.join(',')}]`
          : `"upserts":[${part.rows.join(',')}],"removes":[${part.removes.join(',')}]`
      return Buffer.from(`{"type":"structures","ts":${publishedAt},"data":${head},${body}}}`)
    })
  }
}
