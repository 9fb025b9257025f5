// Whether the bus carries what this process publishes and reads, derived from the messages themselves: a separate probe connection would
// prove nothing about the connections in use.
import type { Clock } from '#core/clock'
import type { Bus } from './bus.ts'

/** Longer than detecting a dead broker and electing new leaders takes. */
export const publishWithinMs = 12_000
export const readWithinMs = 20_000
/** A recovered process counts as healthy after this long, so that one that fails repeatedly does not. */
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

  /** True once it has worked for a while. Must be called about every second. */
  isProven(): boolean {
    return this.works() && this.clock.monotonic() - this.failedAt >= provenAfterMs
  }
}
