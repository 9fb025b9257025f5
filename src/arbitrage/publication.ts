// What subscribers are told, and under which number. No timer, no socket: rows are put and removed, then a publication is made of them.
//
//   put / remove ─► publish ─► per group of equal filters: [snapshot,] delta        seq rises with each
//                   greet   ─► per group: the snapshot of what was last published, under the last seq
import { type FilteredRow, type RowFilter, rowFilter, type SubscriberFilter } from './filter.ts'
import { type FrameHead, frameParts, type Piece, rowBytesMax } from './frames.ts'
import { PublishedRows } from './publishedRows.ts'
import { validPublished } from './row.ts'

/** A full snapshot is due this long after the last, at the first pass then. */
export const snapshotEveryMs = 30_000
/** What a seq may be after a restart of the whole process: the clock's milliseconds leave earlier ones behind. */
export const firstSeq = (nowMs: number): number => Math.trunc(nowMs)

/** The first pass at or after `snapshotEveryMs`. */
export const heartbeatOf = (intervalMs: number): number => Math.ceil(snapshotEveryMs / intervalMs) * intervalMs

const rowsPerStep = 4_000

export interface PublicationSettings {
  intervalMs: number
  contracts: number
  limit: number
  /** The first frame takes the next number. */
  seq: number
}

/** One logical frame: all its parts, in order. */
export interface Frame {
  seq: number
  kind: 'snapshot' | 'delta'
  parts: Buffer[]
  bytes: number
}

export interface Group {
  readonly key: string
  readonly filter: RowFilter
  subscribers: number
  /** By row id: 1 while the group's clients hold the row. */
  visible: Uint8Array
  /** False until the first frame was made for it. */
  current: boolean
  /** The last snapshot made, while it is still the state. */
  snapshot: Frame | null
}

export interface PublicationCounts {
  frames: number
  upserts: number
  removes: number
  invalidMatchScore: number
  /** Rows that fit into no message. */
  oversized: number
}

export interface RowMeta extends FilteredRow {
  matchScore: number | null
}

export class Publication {
  readonly rows = new PublishedRows()
  readonly groups = new Map<string, Group>()
  heartbeatMs: number
  readonly counts: PublicationCounts = { frames: 0, upserts: 0, removes: 0, invalidMatchScore: 0, oversized: 0 }
  settings: Readonly<PublicationSettings>
  seq: number
  /** When the rows last published were computed; null before the first publication. */
  computedAt: number | null = null

  constructor(settings: PublicationSettings) {
    this.settings = settings
    this.seq = settings.seq
    this.heartbeatMs = heartbeatOf(settings.intervalMs)
  }

  /** Whoever computes the rows says how; frames made from now on carry it. */
  retune(told: Pick<PublicationSettings, 'intervalMs' | 'contracts' | 'limit'>): void {
    const { intervalMs, contracts, limit } = told
    this.settings = { ...this.settings, intervalMs, contracts, limit }
    this.heartbeatMs = heartbeatOf(intervalMs)
  }

  /** A row that must not be shown is removed instead, and counted. */
  put(key: string, meta: RowMeta, from: Buffer, size: number): void {
    const valid = validPublished(meta as Parameters<typeof validPublished>[0])
    if (!valid) this.counts.invalidMatchScore++
    if (size > rowBytesMax) this.counts.oversized++
    if (!valid || size > rowBytesMax || meta.matchBand === 'hidden') this.rows.remove(key)
    else this.rows.put(key, meta, from, size)
  }

  remove(key: string): void {
    this.rows.remove(key)
  }

  join(filter: SubscriberFilter): Group {
    const compiled = rowFilter(filter)
    let group = this.groups.get(compiled.key)
    if (group === undefined) {
      group = {
        key: compiled.key,
        filter: compiled,
        subscribers: 0,
        visible: new Uint8Array(0),
        current: false,
        snapshot: null,
      }
      this.groups.set(compiled.key, group)
    }
    group.subscribers++
    return group
  }

  leave(group: Group): void {
    group.subscribers--
    if (group.subscribers === 0) this.groups.delete(group.key)
  }

  /**
   * Tells every group what changed. Yields after each part and each walk over the rows; between `next` calls nothing may be put or removed. With `snapshot` each
   * group first gets a full one, under a seq of its own.
   */
  *publish(
    at: { computedAt: number; publishedAt: number },
    snapshot: boolean,
  ): Generator<void, Map<Group, Frame[]>, void> {
    const made = new Map<Group, Frame[]>()
    const seq = this.seq
    this.seq += snapshot ? 2 : 1
    this.computedAt = at.computedAt
    for (const group of [...this.groups.values()]) {
      const frames: Frame[] = []
      const fresh = !group.current
      const pieces = fresh ? null : yield* this.difference(group)
      if (snapshot || fresh) yield* this.look(group)
      group.current = true
      group.snapshot = null
      if (snapshot) frames.push(yield* this.frame('snapshot', seq + 1, at, yield* this.shown(group), []))
      // A group nobody was greeted in yet has nothing to be told of: its clients begin with a snapshot.
      const { upserts, removes } = pieces ?? { upserts: [], removes: [] }
      if (!fresh || snapshot) frames.push(yield* this.frame('delta', this.seq, at, upserts, removes))
      this.counts.upserts += upserts.length
      this.counts.removes += removes.length
      made.set(group, frames)
    }
    this.rows.commit()
    return made
  }

  /** The state as last published, under the last seq; made once per group and seq. Only while nothing was put since. */
  *greet(group: Group, publishedAt: number): Generator<void, Frame, void> {
    if (!group.current) {
      yield* this.look(group)
      group.current = true
    }
    const at = { computedAt: this.computedAt ?? publishedAt, publishedAt }
    group.snapshot ??= yield* this.frame('snapshot', this.seq, at, yield* this.shown(group), [])
    return group.snapshot
  }

  private *frame(
    kind: Frame['kind'],
    seq: number,
    at: { computedAt: number; publishedAt: number },
    rows: readonly Piece[],
    removes: readonly Piece[],
  ): Generator<void, Frame, void> {
    const { intervalMs, contracts, limit } = this.settings
    const head: FrameHead = { kind, seq, ...at, intervalMs, heartbeatMs: this.heartbeatMs, contracts, limit }
    const frame: Frame = { seq, kind, parts: [], bytes: 0 }
    for (const part of frameParts(head, rows, removes)) {
      frame.parts.push(part)
      frame.bytes += part.length
      yield
    }
    this.counts.frames++
    return frame
  }

  /** What the group's clients must be told, and `visible` as it is after that. */
  private *difference(group: Group): Generator<void, { upserts: Piece[]; removes: Piece[] }, void> {
    const upserts: Piece[] = []
    const removes: Piece[] = []
    this.reach(group)
    let step = 0
    for (const id of this.rows.changes) {
      if (++step % rowsPerStep === 0) yield
      const row = this.rows.rows[id]!
      const shows = row.bytes !== null && group.filter.passes(row)
      if (shows) upserts.push({ bytes: row.bytes!, size: row.size })
      else if (group.visible[id] === 1) removes.push(wordOf(row.key))
      group.visible[id] = shows ? 1 : 0
    }
    return { upserts, removes }
  }

  private *look(group: Group): Generator<void, void, void> {
    this.reach(group)
    const { rows } = this.rows
    for (let id = 0; id < rows.length; id++) {
      if (id % rowsPerStep === 0) yield
      const row = rows[id]
      group.visible[id] = row !== undefined && row.bytes !== null && group.filter.passes(row) ? 1 : 0
    }
  }

  private *shown(group: Group): Generator<void, Piece[], void> {
    const pieces: Piece[] = []
    const { rows } = this.rows
    for (let id = 0; id < rows.length; id++) {
      if (id % rowsPerStep === 0) yield
      const row = rows[id]
      if (group.visible[id] === 1 && row !== undefined && row.bytes !== null) {
        pieces.push({ bytes: row.bytes, size: row.size })
      }
    }
    return pieces
  }

  private reach(group: Group): void {
    const needed = this.rows.rows.length
    if (group.visible.length >= needed) return
    const wider = new Uint8Array(2 ** Math.ceil(Math.log2(Math.max(64, needed))))
    wider.set(group.visible)
    group.visible = wider
  }
}

/** A removed row's key, as JSON text. */
function wordOf(key: string): Piece {
  const bytes = Buffer.from(JSON.stringify(key))
  return { bytes, size: bytes.length }
}
