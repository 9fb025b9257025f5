// The rows as last published and what changed since: bytes kept per row, rewritten in place, never shared with a frame. While the rows have
// no follower they keep their old bytes: the current ones are written when they are read.
import { Slab } from '#core/slabAllocator'
import { equalIgnoringTimestamps } from './equalIgnoringTimestamps.ts'
import type { FilteredRow } from './filter.ts'
import { rowBytesMax } from './frames.ts'

export interface PublishedRow extends FilteredRow {
  /** `<clusterId>:<venueA>:<venueB>` */
  key: string
  /** The row's JSON in the first `size` bytes; null once removed. */
  bytes: Buffer | null
  size: number
  changed: Change
}

/** How a row differs from what was last published: `times`, only in the times of its books. */
export type Change = 'none' | 'times' | 'substance'

/** Writes a row into `scratch` by its number; returns its length. */
export interface RowSource {
  encode(row: number): number
  readonly scratch: Buffer
}

/** A row may grow by this much before it needs another buffer. */
const slackBytes = 48
/** Maximum that its numbers and reasons can add to a row. */
const growthBytesMax = 4_096
const writtenPerStep = 50

export class PublishedRows {
  /** By id; a removed row's slot is reused only after every follower was notified. */
  readonly rows: (PublishedRow | undefined)[] = []
  /** Ids put or removed since `commit`. */
  readonly changes: number[] = []
  count = 0
  /** Of the rows that `putLater` took. */
  source: RowSource | null = null
  /** Rows with outdated bytes, with their numbers in `source`. */
  private readonly outdated = new Map<PublishedRow, number>()
  private readonly ids = new Map<string, number>()
  private readonly free: number[] = []
  /** Removed rows of which some follower has not been notified yet. */
  private readonly gone = new Set<number>()
  private readonly slab = new Slab()

  /** Takes a row; false if it is unchanged. `isPublished`: changes are published, mere times less often. */
  put(key: string, facts: FilteredRow, from: Buffer, size: number, isPublished = true): boolean {
    let id = this.ids.get(key)
    let row = id === undefined ? undefined : this.rows[id]
    if (row === undefined || id === undefined) {
      id = this.free.pop() ?? this.rows.length
      const { executable, venueA, venueB, netMicros, spreadMicros, matchBand } = facts
      row = {
        executable,
        venueA,
        venueB,
        netMicros,
        spreadMicros,
        matchBand,
        key,
        bytes: null,
        size: 0,
        changed: 'none',
      }
      this.rows[id] = row
      this.ids.set(key, id)
    }
    const alike = row.bytes !== null && row.size === size && sameFacts(row, facts)
    if (alike && row.bytes!.compare(from, 0, size, 0, size) === 0) return false
    const change = isPublished && alike && equalIgnoringTimestamps(row.bytes!, from, size) ? 'times' : 'substance'
    if (row.bytes === null) this.count++
    this.keep(row, from, size)
    takeFacts(row, facts)
    this.outdated.delete(row)
    this.gone.delete(id)
    this.note(id, row, change)
    return true
  }

  /**
   * Takes a row's facts and leaves encoding its bytes to the reader. It counts as changed only if it was or is executable. Returns false and
   * takes nothing if that is impossible: the row is new, or it might not fit into a message.
   */
  putLater(key: string, facts: FilteredRow, number: number): boolean {
    const id = this.ids.get(key)
    const row = id === undefined ? undefined : this.rows[id]
    if (row === undefined || id === undefined || row.bytes === null) return false
    if (this.source === null || row.size + growthBytesMax > rowBytesMax) return false
    if (row.executable || facts.executable) this.note(id, row, 'substance')
    takeFacts(row, facts)
    this.outdated.set(row, number)
    return true
  }

  /** Updates the row's bytes to its current state. */
  write(row: PublishedRow): void {
    const number = this.outdated.get(row)
    if (number === undefined || this.source === null) return
    this.outdated.delete(row)
    const size = this.source.encode(number)
    this.keep(row, this.source.scratch, size)
  }

  /** Those of all rows. Yields from time to time. */
  *writeAll(): Generator<void, void, void> {
    let step = 0
    for (const row of this.outdated.keys()) {
      this.write(row)
      if (++step % writtenPerStep === 0) yield
    }
  }

  remove(key: string): boolean {
    const id = this.ids.get(key)
    const row = id === undefined ? undefined : this.rows[id]
    if (id === undefined || row === undefined || row.bytes === null) return false
    this.slab.giveBack(row.bytes)
    row.bytes = null
    row.size = 0
    this.outdated.delete(row)
    this.count--
    this.note(id, row, 'substance')
    return true
  }

  get(key: string): PublishedRow | undefined {
    const id = this.ids.get(key)
    const row = id === undefined ? undefined : this.rows[id]
    return row?.bytes === null ? undefined : row
  }

  *keys(): Generator<string> {
    for (const { key } of this.present()) yield key
  }

  *present(): Generator<PublishedRow & { bytes: Buffer }> {
    for (const row of this.rows)
      if (row !== undefined && row.bytes !== null) yield row as PublishedRow & { bytes: Buffer }
  }

  /** The changes were processed. `isPending`: which rows are still to be published; absent: none. */
  commit(isPending: (id: number) => boolean = () => false): void {
    for (const id of this.changes) {
      const row = this.rows[id]!
      row.changed = 'none'
      if (row.bytes === null) this.gone.add(id)
    }
    this.changes.length = 0
    for (const id of this.gone) {
      if (isPending(id)) continue
      this.gone.delete(id)
      this.ids.delete(this.rows[id]!.key)
      this.rows[id] = undefined
      this.free.push(id)
    }
  }

  private keep(row: PublishedRow, from: Buffer, size: number): void {
    if (row.bytes === null || row.bytes.length < size) {
      if (row.bytes !== null) this.slab.giveBack(row.bytes)
      row.bytes = this.slab.take(size + slackBytes)
    }
    from.copy(row.bytes, 0, 0, size)
    row.size = size
  }

  private note(id: number, row: PublishedRow, change: 'times' | 'substance'): void {
    if (row.changed === 'none') this.changes.push(id)
    if (row.changed !== 'substance') row.changed = change
  }
}

function takeFacts(row: PublishedRow, facts: FilteredRow): void {
  row.executable = facts.executable
  row.netMicros = facts.netMicros
  row.spreadMicros = facts.spreadMicros
  row.venueA = facts.venueA
  row.venueB = facts.venueB
  row.matchBand = facts.matchBand
}

const sameFacts = (a: FilteredRow, b: FilteredRow): boolean =>
  a.executable === b.executable &&
  Object.is(a.netMicros, b.netMicros) &&
  Object.is(a.spreadMicros, b.spreadMicros) &&
  a.venueA === b.venueA &&
  a.venueB === b.venueB &&
  a.matchBand === b.matchBand
