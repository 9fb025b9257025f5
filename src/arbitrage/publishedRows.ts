// The rows as last published and what changed since: bytes kept per row, rewritten in place, never shared with a frame.
import { Slab } from '#lib/slab'
import type { FilteredRow } from './filter.ts'

export interface PublishedRow extends FilteredRow {
  /** `<clusterId>:<venueA>:<venueB>` */
  key: string
  /** The row's JSON in the first `size` bytes; null once removed. */
  bytes: Buffer | null
  size: number
  changed: boolean
}

/** So much may a row grow before it needs another buffer. */
const slackBytes = 48

export class PublishedRows {
  /** By id; a removed row's place is given away only after everyone was told. */
  readonly rows: (PublishedRow | undefined)[] = []
  /** Ids put or removed since `commit`. */
  readonly changes: number[] = []
  count = 0
  private readonly ids = new Map<string, number>()
  private readonly free: number[] = []
  private readonly slab = new Slab()

  /** Takes a row; false when it is what was there already. */
  put(key: string, facts: FilteredRow, from: Buffer, size: number): boolean {
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
        changed: false,
      }
      this.rows[id] = row
      this.ids.set(key, id)
    }
    if (
      sameFacts(row, facts) &&
      row.size === size &&
      row.bytes !== null &&
      row.bytes.compare(from, 0, size, 0, size) === 0
    )
      return false
    if (row.bytes === null) this.count++
    if (row.bytes === null || row.bytes.length < size) {
      if (row.bytes !== null) this.slab.giveBack(row.bytes)
      row.bytes = this.slab.take(size + slackBytes)
    }
    from.copy(row.bytes, 0, 0, size)
    row.size = size
    row.executable = facts.executable
    row.netMicros = facts.netMicros
    row.spreadMicros = facts.spreadMicros
    row.venueA = facts.venueA
    row.venueB = facts.venueB
    row.matchBand = facts.matchBand
    this.note(id, row)
    return true
  }

  remove(key: string): boolean {
    const id = this.ids.get(key)
    const row = id === undefined ? undefined : this.rows[id]
    if (id === undefined || row === undefined || row.bytes === null) return false
    this.slab.giveBack(row.bytes)
    row.bytes = null
    row.size = 0
    this.count--
    this.note(id, row)
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

  /** Everyone was told of the changes. */
  commit(): void {
    for (const id of this.changes) {
      const row = this.rows[id]!
      row.changed = false
      if (row.bytes !== null) continue
      this.rows[id] = undefined
      this.ids.delete(row.key)
      this.free.push(id)
    }
    this.changes.length = 0
  }

  private note(id: number, row: PublishedRow): void {
    if (row.changed) return
    row.changed = true
    this.changes.push(id)
  }
}

const sameFacts = (a: FilteredRow, b: FilteredRow): boolean =>
  a.executable === b.executable &&
  Object.is(a.netMicros, b.netMicros) &&
  Object.is(a.spreadMicros, b.spreadMicros) &&
  a.venueA === b.venueA &&
  a.venueB === b.venueB &&
  a.matchBand === b.matchBand
