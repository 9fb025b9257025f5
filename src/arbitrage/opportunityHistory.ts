// The surface's history for the tape: each stretch in which a row was executable, from the first publication that showed it to the last.
//
//   executable ─► a stretch begins ─► published again every `republishMs` while it lasts ─► not executable, gone, or withheld ─► it ends
import type { ArbitrageRecord } from '#schemas/topics'

/** An ongoing stretch is recorded again this often: the most a dying process can lose of its end. */
export const republishMs = 30_000

const rowsPerStep = 200

/** The fields of a published row its record needs. */
export interface RecordedRow {
  executable: boolean
  venueA: string
  venueB: string
  /** NaN when unpriceable; an executable row has one. */
  netMicros: number
  bytes: Buffer | null
  size: number
}

/** The published rows. */
export interface RecordedRows {
  get(rowId: string): RecordedRow | undefined
  /** Must be called before its bytes are read. */
  write(row: RecordedRow): void
  keys(): Iterable<string>
}

interface Stretch extends ArbitrageRecord {
  emittedAt: number
}

export class ArbitrageRecords {
  private readonly open = new Map<string, Stretch>()
  private readonly rows: RecordedRows
  private readonly emit: (record: ArbitrageRecord) => void
  private wholeDue = false

  constructor(rows: RecordedRows, emit: (record: ArbitrageRecord) => void) {
    this.rows = rows
    this.emit = emit
  }

  /** Ongoing stretches. */
  get size(): number {
    return this.open.size
  }

  /** After each publication: these rows changed. All others are still valid at `now`. Yields from time to time. */
  *published(changed: readonly string[], now: number): Generator<void, void, void> {
    const rowIds = this.wholeDue ? this.rows.keys() : changed
    this.wholeDue = false
    let step = 0
    for (const rowId of rowIds) {
      this.look(rowId, now)
      if (++step % rowsPerStep !== 0) continue
      yield
      // Withheld meanwhile: the rest is no longer valid.
      if (this.wholeDue) return
    }
    for (const stretch of this.open.values()) {
      stretch.lastSeen = now
      if (now - stretch.emittedAt >= republishMs) this.emitRecord(stretch, now)
    }
  }

  /**
   * Nothing is shown any more: every stretch ended when it was last published. Whatever is shown next starts a new one.
   */
  withheld(): void {
    this.wholeDue = true
    for (const stretch of this.open.values()) this.end(stretch, stretch.lastSeen)
  }

  private look(rowId: string, now: number): void {
    const row = this.rows.get(rowId)
    const stretch = this.open.get(rowId)
    if (row === undefined || row.bytes === null || !row.executable) {
      if (stretch !== undefined) this.end(stretch, now)
      return
    }
    if (stretch !== undefined && !(row.netMicros > stretch.bestEdgeMicros)) return
    this.rows.write(row)
    const best = row.bytes.toString('utf8', 0, row.size)
    if (stretch !== undefined) {
      stretch.bestEdgeMicros = row.netMicros
      stretch.bestAt = now
      stretch.best = best
      return
    }
    const begun: Stretch = {
      rowId,
      venueYes: row.venueA,
      venueNo: row.venueB,
      firstSeen: now,
      lastSeen: now,
      ended: false,
      bestEdgeMicros: row.netMicros,
      bestAt: now,
      best,
      emittedAt: now,
    }
    this.open.set(rowId, begun)
    this.emitRecord(begun, now)
  }

  private end(stretch: Stretch, at: number): void {
    this.open.delete(stretch.rowId)
    stretch.lastSeen = at
    stretch.ended = true
    this.emitRecord(stretch, at)
  }

  private emitRecord(stretch: Stretch, now: number): void {
    stretch.emittedAt = now
    const { emittedAt: _, ...record } = stretch
    this.emit(record)
  }
}
