// Whose word counts for a venue, as a reader sees it: that of the highest epoch heard of, for as long as its owner is heard. What a former
// owner still says is void, its heartbeats too. A reader that slept believes nothing it holds before it is told anew.
import type { Clock } from '#lib/clock'
import { SleepWatch } from '#lib/sleep'
import { ownerSilentMs, type VenueHealth } from '#schemas/topics'

/** A book that waited longer than this on its way is not of now. */
export const bookLateMs = 5_000
/** What waited has been read when nothing late came for this long: then books may be asked for again, and that adds nothing to a queue. */
export const caughtUpMs = 2_000
/** A reader that did not run for this long may have missed that an owner fell silent. */
const sleepMs = 5_000

interface Owner {
  epoch: number
  /** When it last gave a sign of life, by our monotonic clock. */
  heardAt: number
}

/** What was said for the venue under an epoch below this one is void. */
export type Doubt = (venue: string, below: number) => void

export class VenueOwners {
  private readonly owners = new Map<string, Owner>()
  private readonly listeners = new Set<Doubt>()
  private readonly clock: Pick<Clock, 'monotonic'>
  private readonly unreadMs: () => number
  private watch: SleepWatch | null = null

  /** `unreadMs`: how long ago the newest books read here were said. Heartbeats come by another way, and vouch for none that did not arrive. */
  constructor(clock: Pick<Clock, 'monotonic'>, unreadMs: () => number = () => 0) {
    this.clock = clock
    this.unreadMs = unreadMs
  }

  /** From now on it is told from silence when this process itself slept. Something must be asked here every second or so. */
  watchSleep(): void {
    this.watch = new SleepWatch(this.clock, sleepMs)
  }

  /** To be asked of everything that is said for a venue. False: by a former owner. */
  admits({ venue, epoch }: { venue: string; epoch?: number }): boolean {
    this.look()
    if (epoch === undefined) return true
    const known = this.owners.get(venue)
    if (known !== undefined && epoch <= known.epoch) return epoch === known.epoch
    this.owners.set(venue, { epoch, heardAt: this.clock.monotonic() })
    if (known !== undefined) this.tell(venue, epoch)
    return true
  }

  /** A heartbeat; false: a former owner's. One that waited counts from when it was said. */
  beat(health: Pick<VenueHealth, 'venue' | 'epoch'>, lateMs = 0): boolean {
    if (!this.admits(health)) return false
    const owner = this.owners.get(health.venue)!
    owner.heardAt = Math.max(owner.heardAt, this.clock.monotonic() - lateMs)
    return true
  }

  /** It gave a sign of life lately, and what it said since was read. */
  isHeard(venue: string): boolean {
    return this.quietMs(venue) <= ownerSilentMs && this.unreadMs() <= ownerSilentMs
  }

  /** Since its owner's last sign of life; infinite for a venue that never had an owner. */
  quietMs(venue: string): number {
    this.look()
    const owner = this.owners.get(venue)
    return owner === undefined ? Number.POSITIVE_INFINITY : this.clock.monotonic() - owner.heardAt
  }

  /** Told of each change of a venue's owner before anything the new one says is admitted, and of all venues when this process has slept. */
  onDoubt(listener: Doubt): () => void {
    this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }

  private look(): void {
    if (this.watch?.slept() !== true) return
    this.watchSleep()
    for (const [venue, owner] of this.owners) {
      owner.heardAt = Number.NEGATIVE_INFINITY
      this.tell(venue, Number.POSITIVE_INFINITY)
    }
  }

  private tell(venue: string, below: number): void {
    for (const listener of this.listeners) listener(venue, below)
  }
}
