// What this process demands, as it was last published here, and whether it is delivered. Another process may read the same inbox: what only that one
// demands is left out before it is decoded.
import type { Clock } from '#core/clock'
import { parseLease } from '#schemas/parts'
import { type Demand, everyMarket } from '#schemas/topics'

interface Demanded {
  /** Sender within this process → markets. */
  senders: Map<string, ReadonlySet<string>>
  /** On the monotonic clock. */
  beganAt: number
  /** Lease → when its owner's newest heartbeat was sent to the inbox, on the monotonic clock. At most one per part and division. */
  heartbeatAt: Map<string, number>
}

export class OwnDemand {
  /** By venue. */
  private readonly demanded = new Map<string, Demanded>()
  private readonly clock: Pick<Clock, 'monotonic'>

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.clock = clock
  }

  take({ venue, gatewayId, marketIds }: Demand): void {
    const demanded = this.demanded.get(venue) ?? {
      senders: new Map<string, ReadonlySet<string>>(),
      beganAt: this.clock.monotonic(),
      heartbeatAt: new Map<string, number>(),
    }
    if (marketIds.length > 0) demanded.senders.set(gatewayId, new Set(marketIds))
    else demanded.senders.delete(gatewayId)
    if (demanded.senders.size > 0) this.demanded.set(venue, demanded)
    else this.demanded.delete(venue)
  }

  /** A heartbeat of an owner was read from the inbox; `lateMs`: how long its delivery took. */
  onHeartbeat(lease: string, lateMs: number): void {
    const demanded = this.demanded.get(parseLease(lease).venue)
    if (demanded === undefined) return
    const before = demanded.heartbeatAt.get(lease) ?? demanded.beganAt
    demanded.heartbeatAt.set(lease, Math.max(before, this.clock.monotonic() - lateMs))
  }

  /** Since the newest heartbeat, or since the demand began; 0 without demand. */
  undeliveredMs(lease: string): number {
    const demanded = this.demanded.get(parseLease(lease).venue)
    if (demanded === undefined) return 0
    return this.clock.monotonic() - (demanded.heartbeatAt.get(lease) ?? demanded.beganAt)
  }

  /** `key`: of a book or trade, `<venue>:<marketId>`. */
  includes(key: string): boolean {
    const colon = key.indexOf(':')
    const demanded = this.demanded.get(key.slice(0, colon))
    if (demanded === undefined) return false
    const marketId = key.slice(colon + 1)
    for (const marketIds of demanded.senders.values())
      if (marketIds.has(marketId) || marketIds.has(everyMarket)) return true
    return false
  }
}
