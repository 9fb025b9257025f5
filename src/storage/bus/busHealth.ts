// Whether the bus carries what this process publishes and reads, proved by the work itself: a separate connection that answers proves nothing
// about those that carry it.
import type { Clock } from '#lib/clock'
import type { Bus } from './bus.ts'

/** Longer than a broker's death and the election of new leaders take. */
export const publishWithinMs = 12_000
export const readWithinMs = 20_000
/** A process that recovered is relied on again after this long: one that fails now and then takes nothing back. */
export const provenAfterMs = 30_000

export class BusHealth {
  private failedAt = Number.NEGATIVE_INFINITY
  private readonly bus: Pick<Bus, 'figures'>
  private readonly clock: Pick<Clock, 'monotonic'>

  constructor(bus: Pick<Bus, 'figures'>, clock: Pick<Clock, 'monotonic'>) {
    this.bus = bus
    this.clock = clock
  }

  works(): boolean {
    const { stalledMs, unreadMs } = this.bus.figures()
    const works = stalledMs < publishWithinMs && unreadMs < readWithinMs
    if (!works) this.failedAt = this.clock.monotonic()
    return works
  }

  /** It works, and has for a while. To be asked every second or so. */
  isProven(): boolean {
    return this.works() && this.clock.monotonic() - this.failedAt >= provenAfterMs
  }
}
