// Repeats one task for as long as it is wanted, with a pause between the end of one run and the beginning of the next.
import type { Clock, Timer } from '#core/clock'

export interface RepeatOptions {
  clock: Clock
  everyMs: number
  isWanted(): boolean
  /** Never rejects. */
  run(): Promise<void>
}

export class PeriodicTask {
  private readonly options: RepeatOptions
  private timer: Timer | null = null
  private isRunning = false
  private isStopped = false

  constructor(options: RepeatOptions) {
    this.options = options
  }

  /** Runs at once, unless it is running or pausing. */
  begin(): void {
    if (this.timer === null) this.wait(0)
  }

  /** The same, but without the pause. */
  hurry(): void {
    this.timer?.cancel()
    this.wait(0)
  }

  stop(): void {
    this.isStopped = true
    this.timer?.cancel()
    this.timer = null
  }

  private wait(ms: number): void {
    if (this.isStopped || this.isRunning) return
    this.timer = this.options.clock.after(ms, () => {
      this.timer = null
      if (this.options.isWanted()) void this.turn()
    })
  }

  private async turn(): Promise<void> {
    this.isRunning = true
    await this.options.run()
    this.isRunning = false
    this.wait(this.options.everyMs)
  }
}
