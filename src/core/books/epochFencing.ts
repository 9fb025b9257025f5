// Decides, for a reader, which owner of a venue to trust, or of each of its parts: the one with the highest epoch received, while its
// heartbeats arrive. Messages of a former owner are ignored, including its heartbeats. A reader that was suspended trusts nothing it holds
// until it is sent again.
import type { Clock } from '#core/clock'
import { OwnerEpochs, type Sender } from '#core/ownerEpochs'
import { SuspendDetector } from '#core/suspendDetector'
import { countParts, formatLease, listParts } from '#schemas/parts'
import { ownerTimeoutMs, type VenueHealth } from '#schemas/topics'

/** A book delayed by more than this is not current. */
export const bookLateMs = 5_000
/** The backlog is read once nothing late arrived for this long: from then on, asking for books adds nothing to a queue. */
export const backlogReadMs = 2_000
/** A reader that did not run for this long may have missed that an owner became silent. */
const sleepMs = 5_000

export interface Invalidation {
  /** True for what may no longer be trusted. */
  isVoid(sent: Sender): boolean
  /** Nothing can be trusted, because this process was suspended: the owners do not know that. */
  hasSlept: boolean
}

export type InvalidationListener = (venue: string, invalidation: Invalidation) => void

export class VenueOwners {
  private readonly epochs = new OwnerEpochs()
  /** When each owner last sent something, on our monotonic clock; by lease. */
  private readonly lastSeenAt = new Map<string, number>()
  private readonly listeners = new Set<InvalidationListener>()
  private readonly clock: Pick<Clock, 'monotonic'>
  private readonly unreadMs: (venue: string, part: string | undefined) => number
  private watch: SuspendDetector | null = null

  /**
   * `unreadMs`: for how long books of the venue, or of the part, may have been sent that were not read here. Heartbeats arrive by another
   * route and do not prove that they were read.
   */
  constructor(
    clock: Pick<Clock, 'monotonic'>,
    unreadMs: (venue: string, part: string | undefined) => number = () => 0,
  ) {
    this.clock = clock
    this.unreadMs = unreadMs
  }

  /** Starts distinguishing silent owners from a suspended process. Some method here must be called about every second. */
  watchSleep(): void {
    this.watch = new SuspendDetector(this.clock, sleepMs)
  }

  /** Must be called for every message of a venue. False: sent by a former owner. */
  admits({ venue, epoch, part }: { venue: string; epoch?: number; part?: string | undefined }): boolean {
    this.look()
    if (epoch === undefined) return true
    const ownership = this.epochs.take(venue, { epoch, part })
    if (ownership === 'known') return true
    if (ownership === 'former') return false
    this.lastSeenAt.set(formatLease(venue, part), this.clock.monotonic())
    if (ownership === 'replaced') {
      this.invalidate(venue, { isVoid: (sent) => sent.part === part && sent.epoch < epoch, hasSlept: false })
    } else if (ownership === 'divided') {
      const count = countParts(part)
      this.invalidate(venue, { isVoid: (sent) => countParts(sent.part) !== count, hasSlept: false })
    }
    return true
  }

  /** A heartbeat; false: a former owner's. A delayed one counts from when it was sent. */
  beat({ venue, epoch, part }: Pick<VenueHealth, 'venue' | 'epoch' | 'part'>, lateMs = 0): boolean {
    if (!this.admits({ venue, epoch, part })) return false
    const lease = formatLease(venue, part)
    this.lastSeenAt.set(lease, Math.max(this.lastSeenAt.get(lease)!, this.clock.monotonic() - lateMs))
    return true
  }

  /** Its parts, according to its owners; of a whole venue, or one that never had an owner, the only element is undefined. */
  parts(venue: string): (string | undefined)[] {
    const count = this.epochs.countParts(venue) ?? 1
    return count === 1 ? [undefined] : listParts(count)
  }

  /** The owner of this part sent something recently, and everything it sent since has been read. False for a part of a former division. */
  isAlive(venue: string, part?: string): boolean {
    return this.quietMs(venue, part) <= ownerTimeoutMs && this.unreadMs(venue, part) <= ownerTimeoutMs
  }

  /** Time since the last message of the owner of this part, ms; infinite if it has none. */
  quietMs(venue: string, part?: string): number {
    this.look()
    const isDividedSo = this.epochs.countParts(venue) === countParts(part)
    const lastSeenAt = isDividedSo ? this.lastSeenAt.get(formatLease(venue, part)) : undefined
    return lastSeenAt === undefined ? Number.POSITIVE_INFINITY : this.clock.monotonic() - lastSeenAt
  }

  /**
   * Called on each change of an owner before any message of the new one is admitted, and for all venues after this process slept.
   */
  onInvalidation(listener: InvalidationListener): () => void {
    this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }

  private look(): void {
    if (this.watch?.slept() !== true) return
    this.watchSleep()
    for (const lease of this.lastSeenAt.keys()) this.lastSeenAt.set(lease, Number.NEGATIVE_INFINITY)
    for (const [venue] of this.epochs) this.invalidate(venue, { isVoid: () => true, hasSlept: true })
  }

  private invalidate(venue: string, invalidate: Invalidation): void {
    for (const listener of this.listeners) listener(venue, invalidate)
  }
}
