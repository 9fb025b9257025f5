// The demand of gateways and surfaces as last announced, so that a process that takes over a venue does not have to wait for the next announcement.
import type { Clock } from '#core/clock'
import { type Demand, demandRenewMs } from '#schemas/topics'

/** A demand not renewed for this long has lapsed. */
const lapseMs = demandRenewMs * 3

export class DemandRegistry {
  private readonly venues = new Map<string, Map<string, { demand: Demand; renewedAt: number }>>()
  private readonly clock: Pick<Clock, 'monotonic'>

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.clock = clock
  }

  take(demand: Demand): void {
    const of = this.venues.get(demand.venue) ?? new Map()
    this.venues.set(demand.venue, of)
    of.set(demand.gatewayId, { demand, renewedAt: this.clock.monotonic() })
  }

  /** The current demands, one per sender. */
  of(venue: string): Demand[] {
    const of = this.venues.get(venue) ?? new Map()
    const oldest = this.clock.monotonic() - lapseMs
    for (const [gatewayId, { renewedAt }] of of) if (renewedAt < oldest) of.delete(gatewayId)
    return [...of.values()].map(({ demand }) => demand)
  }
}
