// How often a subscriber is updated. Subscribers with the same interval share one cadence, and its pending changes are tracked once for all of
// them.
//
//   0          a change immediately; times alone, and the heartbeat, with each full pass
//   published  with each full pass (the default)
//   other      with the first publication in each of its intervals
import { arbitrageIntervalMsMax } from '#schemas/stream'
import type { PublishedRow } from './publishedRows.ts'

/** The requested interval is rounded up to the next of these, milliseconds. */
export const cadencesMs = [100, 200, 250, 500, 1_000, 2_000, 3_000, 5_000, 10_000, 30_000] as const
/** Publications come at least this often while any subscriber wants more than the full passes. */
export const heartbeatMs = 100
/** A full snapshot is due this long after the last, with the next frame. */
export const snapshotEveryMs = 30_000

/** The first tick at or after `snapshotEveryMs`. */
export const heartbeatOf = (intervalMs: number): number => Math.ceil(snapshotEveryMs / intervalMs) * intervalMs

/** Milliseconds, 0: immediately; null: as published. */
export type CadenceKey = number | null

export function cadenceOf(requestedMs: number | undefined, publishedMs: number): CadenceKey {
  if (requestedMs === undefined || requestedMs === publishedMs) return null
  if (requestedMs === 0) return 0
  const next = cadencesMs.find((ms) => ms >= requestedMs) ?? arbitrageIntervalMsMax
  return next === publishedMs ? null : next
}

const none = 0
const times = 1
const substance = 2

export class UpdateInterval {
  readonly key: CadenceKey
  groups = 0
  /** Its next frames begin with a snapshot. */
  snapshotDue = false
  /** Rows with pending changes. */
  private pending: number[] = []
  private substantial = 0
  private marks = new Uint8Array(0)
  private slot = -1
  private snapshotSlot = -1

  constructor(key: CadenceKey) {
    this.key = key
  }

  note(ids: readonly number[], rows: readonly (PublishedRow | undefined)[]): void {
    if (this.marks.length < rows.length) {
      const wider = new Uint8Array(2 ** Math.ceil(Math.log2(Math.max(64, rows.length))))
      wider.set(this.marks)
      this.marks = wider
    }
    for (const id of ids) {
      const mark = rows[id]!.changed === 'times' ? times : substance
      const before = this.marks[id]!
      if (before === none) this.pending.push(id)
      if (mark === substance && before !== substance) this.substantial++
      if (mark > before) this.marks[id] = mark
    }
  }

  isPending(id: number): boolean {
    return id < this.marks.length && this.marks[id] !== none
  }

  /** All pending changes. */
  pendingIds(): readonly number[] {
    return this.pending
  }

  /** Changes to send with this publication; null: nothing, not even a heartbeat. */
  due(now: number, pass: boolean): { ids: number[]; whole: boolean } | null {
    if (this.isTick(now, pass)) return { ids: this.pending, whole: true }
    if (this.key !== 0 || (this.substantial === 0 && !this.snapshotDue)) return null
    return { ids: this.pending.filter((id) => this.marks[id] === substance), whole: false }
  }

  /** True when these frames begin with a snapshot. */
  takeSnapshotDue(now: number): boolean {
    const byTime =
      this.key !== null && this.key > 0 && this.slot - this.snapshotSlot >= heartbeatOf(this.key) / this.key
    const due = this.snapshotDue || (byTime && this.snapshotSlot >= 0)
    if (due || this.snapshotSlot < 0) this.snapshotSlot = this.slotAt(now)
    this.snapshotDue = false
    return due
  }

  markPublished({ ids, whole }: { ids: readonly number[]; whole: boolean }): void {
    for (const id of ids) this.marks[id] = none
    this.pending = whole ? [] : this.pending.filter((id) => this.marks[id] !== none)
    this.substantial = 0
  }

  private isTick(now: number, pass: boolean): boolean {
    if (this.key === null || this.key === 0) return pass
    const slot = this.slotAt(now)
    if (slot === this.slot) return false
    // A client that starts a cadence was greeted in the current interval.
    const begun = this.slot >= 0
    this.slot = slot
    return begun
  }

  private slotAt(now: number): number {
    return this.key === null || this.key === 0 ? 0 : Math.floor(now / this.key)
  }
}
