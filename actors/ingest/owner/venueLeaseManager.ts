// Takes, renews and hands over the venues, or parts of venues, that this process feeds; here both are called venues. Each living process has its
// share. A dead process's venues are free once its leases expire; a living process hands a venue over itself, and it is never taken from
// it. A process that cannot publish registers with no venues, and hands its own to those that can.
//
// free ──acquired──► held ──should be another's──► leaving ──all published──► released
//                     └───────the lease was lost──► lost (nothing more is published)
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import { parseLease } from '#schemas/parts'
import type { IngestProcess } from '#storage/postgres/venueLeases'
import { LeaseWatchdog } from './leaseWatchdog.ts'
import { assignPartitions } from './partitionAssignment.ts'

/** Its state in the storage. */
export interface VenueLeases {
  /** How long a lease lasts without renewal, ms. */
  leaseMs: number
  /** Registers this process as alive; returns the others that are. */
  register(process: IngestProcess): Promise<IngestProcess[]>
  /**
   * Acquires or renews leases; returns those now held. `renewed`: those of the venues that this process feeds already and whose epoch
   * stays. With every other one the epoch rises, across all processes, even if this process was the last holder.
   */
  hold(id: string, venues: readonly string[], renewed: readonly string[]): Promise<{ venue: string; epoch: number }[]>
  release(id: string, venues: readonly string[]): Promise<void>
  leave(id: string): Promise<void>
}

/** A held lease: the right to publish for a venue, or for a part of it. */
export interface LeaseTerm {
  readonly epoch: number
  /** Absent: for all of it. */
  readonly part?: string | undefined
  /** False: nothing may be published now, but perhaps later. */
  holds(): boolean
  /** Resolves when it is lost for good. */
  readonly over: Promise<void>
}

const renewMs = 1_000
/** A venue moves only to a process that has been up this long, so that one that dies at startup moves nothing. */
const settleMs = 3_000

export interface VenueOwnerOptions {
  leases: VenueLeases
  /** Unique per run. */
  id: string
  /** Leases: each of a venue, or of a part of one. */
  venues: readonly string[]
  /**
   * False: what this process publishes does not arrive. Another process that can publish takes its venues; without another it keeps them.
   */
  isAble?(): boolean
  clock: Clock
  log: Log
  /** Feeds the venue from now on. If ended meanwhile, it gives up. */
  begin(venue: string, leaseTerm: LeaseTerm): Promise<void>
  /** Resolves when it has published its last message and holds nothing any more. */
  end(venue: string): Promise<void>
}

export interface VenueOwner {
  /** Lease → epoch. */
  held(): ReadonlyMap<string, number>
  stop(): Promise<void>
}

class Holding implements LeaseTerm {
  readonly epoch: number
  readonly part: string | undefined
  readonly over: Promise<void>
  leaving = false
  private ended = false
  private finish: () => void = () => undefined
  private readonly watchdog: LeaseWatchdog

  constructor(epoch: number, part: string | undefined, watchdog: LeaseWatchdog) {
    this.epoch = epoch
    this.part = part
    this.watchdog = watchdog
    this.over = new Promise((resolve) => {
      this.finish = resolve
    })
  }

  holds(): boolean {
    return !this.ended && this.watchdog.holds()
  }

  end(): void {
    this.ended = true
    this.finish()
  }
}

export async function startVenueOwner(options: VenueOwnerOptions): Promise<VenueOwner> {
  const { leases, id, venues, isAble = () => true, clock, log, begin, end } = options
  const watchdog = new LeaseWatchdog(clock, leases.leaseMs)
  const holdings = new Map<string, Holding>()
  /** Venue → its last begin or end, which the next one waits for. */
  const pendingByVenue = new Map<string, Promise<void>>()
  const knownSince = new Map<string, number>()
  let failedAt = Number.NEGATIVE_INFINITY
  let round: Promise<void> | null = null
  let stopped = false

  function inTurn(venue: string, work: () => Promise<void>): Promise<void> {
    const done = (pendingByVenue.get(venue) ?? Promise.resolve())
      .then(work)
      .catch((error: unknown) => log.error({ venue, err: error }, 'failed to start or stop feeding the venue'))
      .then(() => {
        if (pendingByVenue.get(venue) === done) pendingByVenue.delete(venue)
      })
    pendingByVenue.set(venue, done)
    return done
  }

  function take(venue: string, epoch: number): void {
    log.info({ venue, epoch }, 'this process feeds the venue')
    const holding = new Holding(epoch, parseLease(venue).part, watchdog)
    holdings.set(venue, holding)
    void inTurn(venue, () => begin(venue, holding))
  }

  function lose(venue: string, holding: Holding): void {
    log.warn({ venue, epoch: holding.epoch }, 'another process feeds the venue: its lease was lost')
    holding.end()
    holdings.delete(venue)
    void inTurn(venue, () => end(venue))
  }

  async function leave(venue: string, holding: Holding): Promise<void> {
    holding.leaving = true
    // Nothing would ever be published: another process may already feed the venue, or the bus takes nothing.
    if (!holding.holds() || !isAble()) holding.end()
    await inTurn(venue, async () => {
      await end(venue)
      holding.end()
      if (holdings.get(venue) === holding) holdings.delete(venue)
      // A renewal in flight would retake what was released before it.
      await round
      await leases
        .release(id, [venue])
        .catch((error: unknown) => log.debug({ venue, err: error }, 'failed to release the lease; it will expire'))
    })
  }

  /** New processes get nothing at first. */
  function settled(others: readonly IngestProcess[], now: number): IngestProcess[] {
    const ids = new Set(others.map((other) => other.id))
    for (const known of knownSince.keys()) if (!ids.has(known)) knownSince.delete(known)
    for (const other of ids) if (!knownSince.has(other)) knownSince.set(other, now)
    return others.filter((other) => now - knownSince.get(other.id)! >= settleMs)
  }

  async function renew(): Promise<void> {
    try {
      const own = { id, venues: isAble() ? venues : [] }
      const others = await leases.register(own)
      const now = watchdog.noteTime()
      const shares = assignPartitions([own, ...others])
      // After a storage outage the process that fed a venue throughout has priority.
      const mayTakeNew = now - failedAt >= leases.leaseMs
      const claims = venues.filter(
        // When no process is able, the first one feeds the venue: none may be left without an owner.
        (venue) =>
          holdings.has(venue) ||
          (mayTakeNew && !stopped && (shares.get(venue) ?? id) === id && !pendingByVenue.has(venue)),
      )
      const requestedAt = clock.monotonic()
      const renewed = claims.filter((venue) => holdings.has(venue))
      const granted = new Map((await leases.hold(id, claims, renewed)).map(({ venue, epoch }) => [venue, epoch]))
      watchdog.confirmed(requestedAt)
      for (const [venue, holding] of [...holdings]) {
        if (granted.get(venue) !== holding.epoch && !holding.leaving) lose(venue, holding)
      }
      if (stopped) return
      for (const [venue, epoch] of granted) if (!holdings.has(venue) && !pendingByVenue.has(venue)) take(venue, epoch)
      const moved = assignPartitions([own, ...settled(others, now)])
      for (const [venue, holding] of holdings) {
        // Without another process that is able, this one keeps it.
        if (holding.leaving || !moved.has(venue) || moved.get(venue) === id || shares.get(venue) === id) continue
        log.info({ venue, to: shares.get(venue) }, 'handing the venue over to another process')
        void leave(venue, holding)
      }
    } catch (error) {
      failedAt = watchdog.noteTime()
      log.debug({ err: error }, 'failed to renew the leases of venues')
    }
  }

  const tick = (): void => {
    watchdog.noteTime()
    round ??= renew().finally(() => {
      round = null
    })
  }
  const timer = clock.every(renewMs, tick)
  tick()
  await round

  return {
    held: () => new Map([...holdings].map(([venue, { epoch }]) => [venue, epoch])),
    async stop() {
      if (stopped) return
      stopped = true
      await Promise.all([...holdings].map(([venue, holding]) => leave(venue, holding)))
      timer.cancel()
      await round
      await Promise.all(pendingByVenue.values())
      await leases
        .leave(id)
        .catch((error: unknown) =>
          log.debug({ err: error }, 'failed to deregister the process; its registration will expire'),
        )
    },
  }
}

/** For a deployment with a single process: grants every lease; no storage. */
export function singleProcessLeases(clock: Clock): VenueLeases {
  const epoch = clock.now()
  return {
    leaseMs: 5_000,
    register: async () => [],
    hold: async (_id, venues) => venues.map((venue) => ({ venue, epoch })),
    release: async () => undefined,
    leave: async () => undefined,
  }
}
