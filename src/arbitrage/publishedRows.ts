// The rows as last published and what changed since: bytes kept per row, rewritten in place, never shared with a frame.
import { Slab } from '#lib/slab'
import type { FilteredRow } from './filter.ts'
import { sameButTimes } from './sameButTimes.ts'

export interface PublishedRow extends FilteredRow {
  /** `<clusterId>:<venueA>:<venueB>` */
  key: string
  /** The row's JSON in the first `size` bytes; null once removed. */
  bytes: Buffer | null
  size: number
  changed: Change
}

/** How a row differs from what was last told: `times`, only by when its books are of. */
export type Change = 'none' | 'times' | 'substance'

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
  /** Removed rows of which not everyone was told yet. */
  private readonly gone = new Set<number>()
  private readonly slab = new Slab()

  /** Takes a row; false when it is what was there already. `isTold`: somebody hears of changes, and of mere times more rarely. */
  put(key: string, facts: FilteredRow, from: Buffer, size: number, isTold = true): boolean {
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
    const change = isTold && alike && sameButTimes(row.bytes!, from, size) ? 'times' : 'substance'
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
    this.gone.delete(id)
    this.note(id, row, change)
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

  /** The changes were taken note of. `owed`: somebody is still to be told of the row, absent: nobody is. */
  commit(owed: (id: number) => boolean = () => false): void {
    for (const id of this.changes) {
      const row = this.rows[id]!
      row.changed = 'none'
      if (row.bytes === null) this.gone.add(id)
    }
    this.changes.length = 0
    for (const id of this.gone) {
      if (owed(id)) continue
      this.gone.delete(id)
      this.ids.delete(this.rows[id]!.key)
      this.rows[id] = undefined
      this.free.push(id)
    }
  }

  private note(id: number, row: PublishedRow, change: 'times' | 'substance'): void {
    if (row.changed === 'none') this.changes.push(id)
    if (row.changed !== 'substance') row.changed = change
  }
}

const sameFacts = (a: FilteredRow, b: FilteredRow): boolean =>
  a.executable === b.executable &&
  Object.is(a.netMicros, b.netMicros) &&
  Object.is(a.spreadMicros, b.spreadMicros) &&
  a.venueA === b.venueA &&
  a.venueB === b.venueB &&
  a.matchBand === b.matchBand
