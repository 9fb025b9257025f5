// Whose word counts for a venue, as a reader sees it: that of the highest epoch heard of, for as long as its owner is heard. What a former
// owner still says is void, its heartbeats too.
import type { Clock } from '#lib/clock'
import { Lateness } from '#lib/lateness'
import { ownerSilentMs, type VenueHealth } from '#schemas/topics'

interface Owner {
  epoch: number
  /** When it last gave a sign of life, by our monotonic clock. */
  heardAt: number
  lateness: Lateness
}

export class VenueOwners {
  private readonly owners = new Map<string, Owner>()
  private readonly listeners = new Set<(venue: string, epoch: number) => void>()
  private readonly clock: Pick<Clock, 'monotonic'>

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.clock = clock
  }

  /** To be asked of everything that is said for a venue. False: by a former owner, or by nobody that counts. */
  admits({ venue, epoch }: { venue: string; epoch?: number }): boolean {
    if (epoch === undefined) return true
    const known = this.owners.get(venue)
    if (known !== undefined && epoch <= known.epoch) return epoch === known.epoch
    this.owners.set(venue, { epoch, heardAt: this.clock.monotonic(), lateness: new Lateness() })
    if (known !== undefined) for (const listener of this.listeners) listener(venue, epoch)
    return true
  }

  /** A heartbeat; false: a former owner's. One that waited while this process slept counts from when it was said. */
  beat(health: Pick<VenueHealth, 'venue' | 'epoch' | 'saidAt'>): boolean {
    if (!this.admits(health)) return false
    const owner = this.owners.get(health.venue)!
    const now = this.clock.monotonic()
    owner.heardAt = Math.max(owner.heardAt, now - owner.lateness.of(health.saidAt, now))
    return true
  }

  /** It gave a sign of life lately. */
  isHeard(venue: string): boolean {
    return this.quietMs(venue) <= ownerSilentMs
  }

  /** Since its owner's last sign of life; infinite for a venue that nobody ever spoke for. */
  quietMs(venue: string): number {
    const owner = this.owners.get(venue)
    return owner === undefined ? Number.POSITIVE_INFINITY : this.clock.monotonic() - owner.heardAt
  }

  /** Told once for each change of a venue's owner, before anything the new one says is admitted: what earlier ones said is void. */
  onChange(listener: (venue: string, epoch: number) => void): () => void {
    this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }
}
