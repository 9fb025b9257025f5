// Stops a caller who keeps sending credentials that a venue refuses, before the venue stops all of us. Per account and venue, in memory.
import type { Clock } from '#lib/clock'
import { Fault } from '#lib/fault'

/** So many refusals within the window open it. */
export const refusalsMax = 5
export const windowMs = 10 * 60_000
export const openMs = 5 * 60_000
/** Pairs remembered; the one untouched longest is forgotten first. */
const pairsMax = 10_000

interface Record {
  refusedAt: number[]
  openUntil: number
}

export class CredentialBreaker {
  private readonly clock: Clock
  private readonly records = new Map<string, Record>()

  constructor(clock: Clock) {
    this.clock = clock
  }

  /** Throws VENUE_CREDENTIAL_BREAKER_OPEN. */
  check(accountId: string, venue: string): void {
    const record = this.records.get(`${accountId} ${venue}`)
    const leftMs = (record?.openUntil ?? 0) - this.clock.monotonic()
    if (leftMs <= 0) return
    throw new Fault('VENUE_CREDENTIAL_BREAKER_OPEN', 'the venue refused these credentials too often; try again later', {
      exchange: venue,
      retryAfterSeconds: Math.ceil(leftMs / 1_000),
    })
  }

  refused(accountId: string, venue: string): void {
    const now = this.clock.monotonic()
    const key = `${accountId} ${venue}`
    const record = this.records.get(key) ?? { refusedAt: [], openUntil: 0 }
    record.refusedAt = [...record.refusedAt.filter((at) => now - at < windowMs), now]
    if (record.refusedAt.length >= refusalsMax) {
      record.openUntil = now + openMs
      record.refusedAt = []
    }
    this.records.delete(key)
    this.records.set(key, record)
    if (this.records.size > pairsMax) for (const oldest of this.records.keys()) return void this.records.delete(oldest)
  }

  accepted(accountId: string, venue: string): void {
    this.records.delete(`${accountId} ${venue}`)
  }
}
