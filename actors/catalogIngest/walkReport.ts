// What one catalog walk could not parse, and what is reported of it: a venue whose rows become unparsable must not look like one without
// markets.
import type { JobReport } from '#schemas/topics'

/** Share of a walk's rows at or above which unparsable ones are reported; fewer are only counted. */
const unreadableShareToReport = 0.05
/** Failed walks in a row at or above which the venue is reported; a single one may be an outage of seconds. */
const failuresBeforeReport = 2
/** Different fields remembered per walk: names are those of our own schemas. */
const fieldsMax = 500

export class WalkReport {
  private unreadable = 0
  private readonly fields = new Map<string, number>()
  private failures = 0

  /** The walk that begins. */
  begin(): void {
    this.unreadable = 0
    this.fields.clear()
  }

  leftOut(rows: number): void {
    this.unreadable += rows
  }

  lostField(field: string): void {
    const count = this.fields.get(field)
    if (count !== undefined || this.fields.size < fieldsMax) this.fields.set(field, (count ?? 0) + 1)
  }

  get unreadableRows(): number {
    return this.unreadable
  }

  get lostFields(): number {
    return [...this.fields.values()].reduce((sum, count) => sum + count, 0)
  }

  failed(message: string): Pick<JobReport, 'state' | 'reason'> | null {
    this.failures++
    if (this.failures < failuresBeforeReport) return null
    return { state: 'failing', reason: `the last ${this.failures} catalog walks failed: ${message}` }
  }

  succeeded({ markets, full }: { markets: number; full: boolean }): Pick<JobReport, 'state' | 'reason'> {
    this.failures = 0
    const rows = this.unreadable + markets
    if (this.unreadable > 0 && this.unreadable >= rows * unreadableShareToReport) {
      return { state: 'rowsLost', reason: `${this.unreadable} rows of the last catalog walk could not be read` }
    }
    if (full && rows === 0) return { state: 'rowsLost', reason: 'the last catalog walk found no markets' }
    const [most] = [...this.fields].sort(([, a], [, b]) => b - a)
    if (most !== undefined && most[1] >= markets * unreadableShareToReport) {
      const [field, count] = most
      return {
        state: 'fieldsLost',
        reason: `the field ${field} of ${count} rows of the last catalog walk could not be read`,
      }
    }
    return { state: 'ok', reason: null }
  }
}
