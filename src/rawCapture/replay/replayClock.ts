// The clock of a replay: it stops between the lines of a capture, and shows the times at which they were written.
import { ManualClock } from '#core/clock'

export class ReplayClock extends ManualClock {
  private wallAt = 0
  private wallMono = 0
  private readonly offset: number

  /** `mono`: of the first line. */
  constructor(at: number, mono: number) {
    super(0)
    this.offset = mono
    this.wallAt = at
    this.wallMono = 0
  }

  /** Whole milliseconds, as a machine's clock has them. */
  override now(): number {
    return this.wallAt + Math.floor(super.monotonic() - this.wallMono)
  }

  override steady(): number {
    return this.now()
  }

  /** On the capturing process' clock. */
  captured(): number {
    return this.offset + super.monotonic()
  }

  /** Time until then, on the capturing process' clock, ms; below zero when it has passed. */
  until(mono: number): number {
    return mono - this.offset - super.monotonic()
  }

  /** From now on it shows that time. */
  show(at: number): void {
    this.wallAt = at
    this.wallMono = super.monotonic()
  }

  /** Time until the next timer, ms. */
  untilDue(): number | null {
    const dueAt = this.nextDueAt
    return dueAt === null ? null : Math.max(0, dueAt - super.monotonic())
  }
}
