// What this gateway wants watched upstream: one entry per market, regardless of how many sockets read it. Sent on change and repeated, so
// that the demand of a dead gateway expires.
import type { Clock, Timer } from '#core/clock'
import { type Demand as DemandMessage, demandRenewMs } from '#schemas/topics'
import type { Bus } from '#storage/bus/bus'
import type { Watch } from './topicIndex.ts'

/** Changes within this time are sent together. */
const coalesceMs = 50
/** Markets per venue that HTTP reads may hold at once; above it a read is answered but holds nothing. */
const holdsPerVenueMax = 10_000

export interface DemandOptions {
  bus: Pick<Bus, 'publish'>
  clock: Clock
  /** Unique per running gateway. */
  gatewayId: string
  /** Venues whose demand is sent from the start, even when empty, so that ingest can distinguish a silent bus from idle gateways. */
  venues?: readonly string[]
}

interface VenueDemand {
  /** Readers per market. */
  readers: Map<string, number>
  /** Until when HTTP reads want the market, on the monotonic clock. */
  holds: Map<string, number>
  changed: boolean
}

export class DemandKeeper implements Watch {
  private readonly bus: Pick<Bus, 'publish'>
  private readonly clock: Clock
  private readonly gatewayId: string
  private readonly always: ReadonlySet<string>
  private readonly venues = new Map<string, VenueDemand>()
  private readonly renewal: Timer
  private publishTimer: Timer | null = null
  private expiry: Timer | null = null
  private stopped = false

  constructor({ bus, clock, gatewayId, venues = [] }: DemandOptions) {
    this.bus = bus
    this.clock = clock
    this.gatewayId = gatewayId
    this.always = new Set(venues)
    for (const venue of venues) this.of(venue)
    this.renewal = clock.every(demandRenewMs, () => this.renew())
  }

  add(venue: string, marketId: string): void {
    const { readers, holds } = this.of(venue)
    const before = readers.get(marketId) ?? 0
    readers.set(marketId, before + 1)
    if (before === 0 && !holds.has(marketId)) this.change(venue)
  }

  remove(venue: string, marketId: string): void {
    const demand = this.venues.get(venue)
    const before = demand?.readers.get(marketId)
    if (demand === undefined || before === undefined) return
    if (before > 1) {
      demand.readers.set(marketId, before - 1)
      return
    }
    demand.readers.delete(marketId)
    if (!demand.holds.has(marketId)) this.change(venue)
  }

  /** Keeps a market watched for a while after an HTTP read. False when too many are held already. */
  hold(venue: string, marketId: string, ms: number): boolean {
    if (this.stopped) return false
    const demand = this.of(venue)
    const until = this.clock.monotonic() + ms
    const held = demand.holds.get(marketId)
    if (held === undefined) {
      if (demand.holds.size >= holdsPerVenueMax) return false
      if (!demand.readers.has(marketId)) this.change(venue)
    }
    if (held === undefined || until > held) demand.holds.set(marketId, until)
    this.expiry ??= this.clock.after(ms, () => this.expire())
    return true
  }

  /** The markets currently wanted from the venue, sorted. */
  marketIds(venue: string): string[] {
    const demand = this.venues.get(venue)
    return demand === undefined ? [] : [...new Set([...demand.readers.keys(), ...demand.holds.keys()])].sort()
  }

  /** Publishes an empty demand for every venue. */
  stop(): void {
    if (this.stopped) return
    this.stopped = true
    for (const timer of [this.renewal, this.publishTimer, this.expiry]) timer?.cancel()
    for (const [venue, demand] of this.venues) {
      demand.readers.clear()
      demand.holds.clear()
      this.publishDemand(venue)
    }
    this.venues.clear()
  }

  private of(venue: string): VenueDemand {
    let demand = this.venues.get(venue)
    if (demand === undefined) {
      demand = { readers: new Map(), holds: new Map(), changed: false }
      this.venues.set(venue, demand)
    }
    return demand
  }

  private change(venue: string): void {
    if (this.stopped) return
    this.of(venue).changed = true
    this.publishTimer ??= this.clock.after(coalesceMs, () => {
      this.publishTimer = null
      for (const [name, demand] of this.venues) {
        if (!demand.changed) continue
        demand.changed = false
        this.publishDemand(name)
        if (demand.readers.size + demand.holds.size === 0 && !this.always.has(name)) this.venues.delete(name)
      }
    })
  }

  private renew(): void {
    for (const venue of this.venues.keys()) this.publishDemand(venue)
  }

  private publishDemand(venue: string): void {
    const { gatewayId } = this
    const message: DemandMessage = { gatewayId, venue, marketIds: this.marketIds(venue), at: this.clock.now() }
    this.bus.publish('demand', `${gatewayId}:${venue}`, message)
  }

  /** Drops expired holds and schedules the next expiry. */
  private expire(): void {
    this.expiry = null
    const now = this.clock.monotonic()
    let next = Number.POSITIVE_INFINITY
    for (const [venue, { holds, readers }] of this.venues) {
      for (const [marketId, until] of holds) {
        if (until > now) {
          next = Math.min(next, until)
          continue
        }
        holds.delete(marketId)
        if (!readers.has(marketId)) this.change(venue)
      }
    }
    if (next !== Number.POSITIVE_INFINITY) this.expiry = this.clock.after(next - now, () => this.expire())
  }
}
