// Decides, for a reader, which owner of a venue to trust: the one with the highest epoch heard of, for as long as it is heard. Messages of
// a former owner are void, its heartbeats too. A reader that slept trusts nothing it holds until it is sent again.
import type { Clock } from '#lib/clock'
import { SleepWatch } from '#lib/sleep'
import { ownerSilentMs, type VenueHealth } from '#schemas/topics'

/** A book delayed by more than this is not current. */
export const bookLateMs = 5_000
/** The backlog is read once nothing late arrived for this long: from then on, asking for books adds nothing to a queue. */
export const caughtUpMs = 2_000
/** A reader that did not run for this long may have missed that an owner fell silent. */
const sleepMs = 5_000

interface Owner {
  epoch: number
  /** When it was last heard, on our monotonic clock. */
  heardAt: number
}

/** Messages for the venue under an epoch below this one are void. */
export type Doubt = (venue: string, below: number) => void

export class VenueOwners {
  private readonly owners = new Map<string, Owner>()
  private readonly listeners = new Set<Doubt>()
  private readonly clock: Pick<Clock, 'monotonic'>
  private readonly unreadMs: () => number
  private watch: SleepWatch | null = null

  /**
   * `unreadMs`: the age of the newest books read here. Heartbeats arrive by another route and do not vouch for books that have not arrived.
   */
  constructor(clock: Pick<Clock, 'monotonic'>, unreadMs: () => number = () => 0) {
    this.clock = clock
    this.unreadMs = unreadMs
  }

  /** Starts distinguishing silence from sleep of this process itself. Something must be asked here every second or so. */
  watchSleep(): void {
    this.watch = new SleepWatch(this.clock, sleepMs)
  }

  /** To be asked of every message for a venue. False: sent by a former owner. */
  admits({ venue, epoch }: { venue: string; epoch?: number }): boolean {
    this.look()
    if (epoch === undefined) return true
    const known = this.owners.get(venue)
    if (known !== undefined && epoch <= known.epoch) return epoch === known.epoch
    this.owners.set(venue, { epoch, heardAt: this.clock.monotonic() })
    if (known !== undefined) this.tell(venue, epoch)
    return true
  }

  /** A heartbeat; false: a former owner's. A delayed one counts from when it was sent. */
  beat(health: Pick<VenueHealth, 'venue' | 'epoch'>, lateMs = 0): boolean {
    if (!this.admits(health)) return false
    const owner = this.owners.get(health.venue)!
    owner.heardAt = Math.max(owner.heardAt, this.clock.monotonic() - lateMs)
    return true
  }

  /** The owner was heard recently, and everything it sent since has been read. */
  isHeard(venue: string): boolean {
    return this.quietMs(venue) <= ownerSilentMs && this.unreadMs() <= ownerSilentMs
  }

  /** Since its owner was last heard; infinite for a venue that never had an owner. */
  quietMs(venue: string): number {
    this.look()
    const owner = this.owners.get(venue)
    return owner === undefined ? Number.POSITIVE_INFINITY : this.clock.monotonic() - owner.heardAt
  }

  /**
   * Called on each change of a venue's owner before any message of the new one is admitted, and for all venues after this process slept.
   */
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
