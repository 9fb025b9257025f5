// What subscribers are sent, and under which number. No timer, no socket: rows are put and removed, then a publication is made of them.
//
//   put / remove ─► publish ─► per cadence that is due, per group of equal filters: [snapshot,] delta     seq rises with each
//                   greet   ─► per group: the snapshot of what was last published, under the last seq

import { type FilteredRow, type RowFilter, rowFilter, type SubscriberFilter } from './filter.ts'
import { type FrameHead, frameParts, type Piece, rowBytesMax } from './frames.ts'
import { PublishedRows } from './publishedRows.ts'
import { validPublished } from './row.ts'
import { type CadenceKey, cadenceOf, heartbeatMs, heartbeatOf, UpdateInterval } from './updateIntervals.ts'

/** First seq after a restart of the whole process: the clock's milliseconds are beyond all earlier ones. */
export const firstSeq = (nowMs: number): number => Math.trunc(nowMs)
/** Each publication has two numbers: one for a snapshot, one for the delta after it. */
export const sequenceBlock = 2

const rowsPerStep = 4_000

export interface PublicationSettings {
  intervalMs: number
  contracts: number
  limit: number
  /** The first frame takes a later number. */
  seq: number
}

/** One logical frame: all its parts, in order. */
export interface Frame {
  seq: number
  kind: 'snapshot' | 'delta'
  parts: Buffer[]
  bytes: number
}

/** Subscribers with equal filters and one cadence. */
export interface Group {
  readonly key: string
  readonly filter: RowFilter
  readonly cadence: UpdateInterval
  subscribers: number
  /** By row id: 1 while a client of the group may hold the row. */
  visible: Uint8Array
  /** False until the first frame was made for it. */
  current: boolean
  /** The last snapshot made, while it is still current. */
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

/** `pass`: everything was recomputed. `snapshot`: each group's next frame begins with a full one. */
export interface Round {
  pass: boolean
  snapshot: boolean
}

interface Times {
  computedAt: number
  publishedAt: number
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
  private readonly cadences = new Map<CadenceKey, UpdateInterval>()

  constructor(settings: PublicationSettings) {
    this.settings = settings
    this.seq = settings.seq
    this.heartbeatMs = heartbeatOf(settings.intervalMs)
  }

  /** Settings of the process that computes the rows; frames made from now on carry them. */
  retune(changed: Pick<PublicationSettings, 'intervalMs' | 'contracts' | 'limit'>): void {
    const { intervalMs, contracts, limit } = changed
    this.settings = { ...this.settings, intervalMs, contracts, limit }
    this.heartbeatMs = heartbeatOf(intervalMs)
  }

  /** Clients must be updated between full passes, whether anything changes or not: a publication is wanted every `beatMs`. */
  get beats(): boolean {
    for (const key of this.cadences.keys()) if (key !== null && key >= heartbeatMs) return true
    return false
  }

  /** A row that must not be shown is removed instead, and counted. */
  put(key: string, meta: RowMeta, from: Buffer, size: number): void {
    const valid = isValid(meta)
    if (!valid) this.counts.invalidMatchScore++
    if (size > rowBytesMax) this.counts.oversized++
    if (!valid || size > rowBytesMax || meta.matchBand === 'hidden') this.rows.remove(key)
    else this.rows.put(key, meta, from, size, this.cadences.size > 0)
  }

  /** The same for a row whose bytes may never be read: they are written on the first read. False: use `put`. */
  putLater(key: string, meta: RowMeta, number: number): boolean {
    return (
      this.groups.size === 0 && isValid(meta) && meta.matchBand !== 'hidden' && this.rows.putLater(key, meta, number)
    )
  }

  remove(key: string): void {
    this.rows.remove(key)
  }

  join(filter: SubscriberFilter): Group {
    const compiled = rowFilter(filter)
    const pace = cadenceOf(filter.intervalMs, this.settings.intervalMs)
    const key = `${pace} ${compiled.key}`
    let group = this.groups.get(key)
    if (group === undefined) {
      const cadence = this.cadences.get(pace) ?? new UpdateInterval(pace)
      this.cadences.set(pace, cadence)
      cadence.groups++
      group = {
        key,
        filter: compiled,
        cadence,
        subscribers: 0,
        visible: new Uint8Array(0),
        current: false,
        snapshot: null,
      }
      this.groups.set(key, group)
    }
    group.subscribers++
    return group
  }

  leave(group: Group): void {
    group.subscribers--
    if (group.subscribers > 0) return
    this.groups.delete(group.key)
    if (--group.cadence.groups === 0) this.cadences.delete(group.cadence.key)
  }

  /**
   * Sends every group whose cadence is due what changed since its last update. Yields after each part and each walk over the rows; between
   * `next` calls nothing may be put or removed. A snapshot has the number before its delta's.
   */
  *publish(at: Times, { pass, snapshot }: Round): Generator<void, Map<Group, Frame[]>, void> {
    const made = new Map<Group, Frame[]>()
    const { rows } = this
    if (this.groups.size > 0) yield* rows.writeAll()
    this.seq += sequenceBlock
    this.computedAt = at.computedAt
    for (const group of this.groups.values()) group.snapshot = null
    for (const cadence of [...this.cadences.values()]) {
      if (snapshot) cadence.snapshotDue = true
      cadence.note(rows.changes, rows.rows)
      const due = cadence.due(at.publishedAt, pass)
      if (due === null) continue
      const whole = cadence.takeSnapshotDue(at.publishedAt)
      for (const group of [...this.groups.values()]) {
        if (group.cadence !== cadence) continue
        const frames = yield* this.publishGroup(group, due, whole, at)
        if (frames.length > 0) made.set(group, frames)
      }
      cadence.markPublished(due)
    }
    rows.commit((id) => this.isPending(id))
    return made
  }

  /** Makes what was put the state all clients are sent in full next, under the current number. */
  renew(at: Times): void {
    this.computedAt = at.computedAt
    for (const cadence of this.cadences.values()) cadence.markPublished({ ids: cadence.pendingIds(), whole: true })
    for (const group of this.groups.values()) {
      group.current = false
      group.snapshot = null
    }
    this.rows.commit()
  }

  /** The state as last published, under the last seq; made once per group and seq. Only while nothing was put since. */
  *greet(group: Group, publishedAt: number): Generator<void, Frame, void> {
    yield* this.rows.writeAll()
    if (!group.current) {
      yield* this.look(group)
      group.current = true
    }
    if (group.snapshot !== null) return group.snapshot
    // In addition to clients that have not received these yet: clients that may hold a row are notified when it is removed.
    this.reach(group)
    for (const id of group.cadence.pendingIds()) if (this.shows(group, id)) group.visible[id] = 1
    const at = { computedAt: this.computedAt ?? publishedAt, publishedAt }
    group.snapshot = yield* this.frame(group, 'snapshot', this.seq, at, yield* this.shown(group), [])
    return group.snapshot
  }

  private *publishGroup(
    group: Group,
    due: { ids: readonly number[]; whole: boolean },
    snapshot: boolean,
    at: Times,
  ): Generator<void, Frame[], void> {
    const frames: Frame[] = []
    const fresh = !group.current
    const { upserts, removes } = fresh ? { upserts: [], removes: [] } : yield* this.difference(group, due.ids)
    if (fresh) yield* this.look(group)
    group.current = true
    if (snapshot) frames.push(yield* this.frame(group, 'snapshot', this.seq - 1, at, yield* this.shown(group), []))
    // A group without greeted clients has nothing to publish: its clients begin with a snapshot. Between ticks only changes are
    // sent.
    const hasChanges = due.whole || upserts.length > 0 || removes.length > 0
    if (snapshot || (!fresh && hasChanges))
      frames.push(yield* this.frame(group, 'delta', this.seq, at, upserts, removes))
    this.counts.upserts += upserts.length
    this.counts.removes += removes.length
    return frames
  }

  private *frame(
    { cadence: { key } }: Group,
    kind: Frame['kind'],
    seq: number,
    at: Times,
    rows: readonly Piece[],
    removes: readonly Piece[],
  ): Generator<void, Frame, void> {
    const { intervalMs, contracts, limit } = this.settings
    const heartbeatMs = key === null || key === 0 ? this.heartbeatMs : heartbeatOf(key)
    const head: FrameHead = { kind, seq, ...at, intervalMs: key ?? intervalMs, heartbeatMs, contracts, limit }
    const frame: Frame = { seq, kind, parts: [], bytes: 0 }
    for (const part of frameParts(head, rows, removes)) {
      frame.parts.push(part)
      frame.bytes += part.length
      yield
    }
    this.counts.frames++
    return frame
  }

  /** What the group's clients must be sent, and `visible` after that. */
  private *difference(
    group: Group,
    ids: readonly number[],
  ): Generator<void, { upserts: Piece[]; removes: Piece[] }, void> {
    const upserts: Piece[] = []
    const removes: Piece[] = []
    this.reach(group)
    let step = 0
    for (const id of ids) {
      if (++step % rowsPerStep === 0) yield
      const row = this.rows.rows[id]!
      const shows = this.shows(group, id)
      if (shows) upserts.push({ bytes: row.bytes!, size: row.size })
      else if (group.visible[id] === 1) removes.push(wordOf(row.key))
      group.visible[id] = shows ? 1 : 0
    }
    return { upserts, removes }
  }

  private *look(group: Group): Generator<void, void, void> {
    this.reach(group)
    const { length } = this.rows.rows
    for (let id = 0; id < length; id++) {
      if (id % rowsPerStep === 0) yield
      group.visible[id] = this.shows(group, id) ? 1 : 0
    }
  }

  private *shown(group: Group): Generator<void, Piece[], void> {
    const pieces: Piece[] = []
    const { rows } = this.rows
    for (let id = 0; id < rows.length; id++) {
      if (id % rowsPerStep === 0) yield
      if (this.shows(group, id)) pieces.push({ bytes: rows[id]!.bytes!, size: rows[id]!.size })
    }
    return pieces
  }

  private shows(group: Group, id: number): boolean {
    const row = this.rows.rows[id]
    return row !== undefined && row.bytes !== null && group.filter.passes(row)
  }

  private isPending(id: number): boolean {
    for (const cadence of this.cadences.values()) if (cadence.isPending(id)) return true
    return false
  }

  private reach(group: Group): void {
    const needed = this.rows.rows.length
    if (group.visible.length >= needed) return
    const wider = new Uint8Array(2 ** Math.ceil(Math.log2(Math.max(64, needed))))
    wider.set(group.visible)
    group.visible = wider
  }
}

const isValid = (meta: RowMeta): boolean => validPublished(meta as Parameters<typeof validPublished>[0])

/** A removed row's key, as JSON text. */
function wordOf(key: string): Piece {
  const bytes = Buffer.from(JSON.stringify(key))
  return { bytes, size: bytes.length }
}
