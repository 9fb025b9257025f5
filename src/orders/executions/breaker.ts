// Stops a caller who keeps sending credentials that a venue refuses, before the venue blocks all of us. Per venue and credential: other keys
// of the same account are unaffected, and only the venue's own refusals count. Kept in memory, with credentials only as keyed hashes.
import { createHmac, randomBytes } from 'node:crypto'
import { Cache } from '#core/cache'
import type { Clock } from '#core/clock'
import { Fault } from '#core/fault'
import { Secret } from '#core/secret'

/** Refusals within the window that open the breaker. */
export const refusalsMax = 5
export const windowMs = 10 * 60_000
export const openMs = 5 * 60_000
/** Credentials remembered. */
const credentialsMax = 10_000

interface Record {
  refusedAt: number[]
  openUntil: number
}

/** Breaker of one credential at one venue. */
export interface Circuit {
  /** Throws VENUE_CREDENTIAL_BREAKER_OPEN. */
  check(): void
  /** The venue rejected the credential itself. */
  refused(): void
  accepted(): void
}

/** A signature is valid for one order only: no breaker is needed. */
const nothing = (): void => undefined
const always: Circuit = { check: nothing, refused: nothing, accepted: nothing }

export class CredentialBreaker {
  private readonly clock: Clock
  /** Per process: the hashes mean nothing elsewhere. */
  private readonly key = randomBytes(32)
  private readonly records = new Cache<Record>(credentialsMax)

  constructor(clock: Clock) {
    this.clock = clock
  }

  /** `given`: a body as the lane parsed it. All secrets in it together form the credential. */
  of(venue: string, given: unknown): Circuit {
    const name = this.nameOf(venue, given)
    if (name === null) return always
    return {
      check: () => this.check(name, venue),
      refused: () => this.refused(name),
      accepted: () => this.records.delete(name),
    }
  }

  private check(name: string, venue: string): void {
    const leftMs = (this.records.get(name)?.openUntil ?? 0) - this.clock.monotonic()
    if (leftMs <= 0) return
    throw new Fault('VENUE_CREDENTIAL_BREAKER_OPEN', 'the venue refused these credentials too often; try again later', {
      exchange: venue,
      retryAfterSeconds: Math.ceil(leftMs / 1_000),
    })
  }

  private refused(name: string): void {
    const now = this.clock.monotonic()
    const record = this.records.get(name) ?? { refusedAt: [], openUntil: 0 }
    record.refusedAt = [...record.refusedAt.filter((at) => now - at < windowMs), now]
    if (record.refusedAt.length >= refusalsMax) {
      record.openUntil = now + openMs
      record.refusedAt = []
    }
    this.records.set(name, record)
  }

  private nameOf(venue: string, given: unknown): string | null {
    if (typeof given !== 'object' || given === null) return null
    const secrets = Object.entries(given)
      .filter((entry): entry is [string, Secret] => entry[1] instanceof Secret)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
    if (secrets.length === 0) return null
    const hash = createHmac('sha256', this.key)
    hash.update(JSON.stringify([venue, ...secrets.map(([name, secret]) => [name, secret.reveal()])]))
    return hash.digest('base64')
  }
}
