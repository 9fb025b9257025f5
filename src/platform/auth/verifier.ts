// Resolves a key to its principal. Mostly from memory; the store is read once for concurrent requests, and may be down for a while.
//
//   shape ──no──> invalid          store says ─ live ──> valid, kept cacheMs
//     │ sha256                                └ not ───> invalid, kept invalidMs
//   memory ──fresh──> answer       store fails ─ known valid, not older than outageMs ──> valid
//     │ old                                    └ else ─────────────────────────────────> inconclusive
import { timingSafeEqual } from 'node:crypto'
import { Cache } from '#core/cache'
import type { Clock } from '#core/clock'
import { hashKey, hasKeyLength, looksLikeKey } from './keys.ts'
import type { KeyVerifier, Principal, Verification } from './principal.ts'

export interface StoredKey {
  sha256: Buffer
  principal: Principal
  /** False once revoked. */
  live: boolean
}

export interface VerifierOptions {
  /** Null: no such key. Rejects when it cannot be determined. */
  find(sha256: Buffer): Promise<StoredKey | null>
  clock: Clock
  /** A revoked key is refused at most this much later. */
  cacheMs?: number
  /** A newly issued key is accepted at most this much later by a gateway that looked it up too early. */
  invalidMs?: number
  /** How long a key that was valid stays valid while the store is unavailable. */
  outageMs?: number
}

/** Memory: some 300 bytes each. Valid and invalid are kept separately, so that guesses cannot evict customers. */
const entriesMax = 20_000
/** Well-formed guesses must not pile up at the store; beyond this many concurrent lookups are inconclusive. */
const lookupsMax = 256
/** After a failed lookup the same key is not looked up again for this long. */
const retryMs = 1_000

interface Known {
  answer: { kind: 'valid'; principal: Principal }
  /** When the store last confirmed it. */
  verifiedAt: number
  /** Not looked up again before. */
  askAgainAt: number
}

const invalid: Verification = { kind: 'invalid' }

export function createKeyVerifier(options: VerifierOptions): KeyVerifier {
  const { find, clock, cacheMs = 10_000, invalidMs = 1_000, outageMs = 15 * 60_000 } = options
  const known = new Cache<Known>(entriesMax)
  const unknown = new Cache<true>(entriesMax, { clock, forMs: invalidMs })
  const lookups = new Map<string, Promise<Verification>>()

  async function lookUp(digest: string): Promise<Verification> {
    const requestedAt = clock.monotonic()
    try {
      const sha256 = Buffer.from(digest, 'hex')
      const stored = await find(sha256)
      const matches = stored !== null && timingSafeEqual(stored.sha256, sha256)
      if (!matches || !stored.live) {
        known.delete(digest)
        unknown.set(digest, true)
        return invalid
      }
      const answer = { kind: 'valid', principal: stored.principal } as const
      // Counted from the request: a revocation right after it must not be older than cacheMs when we ask again.
      known.set(digest, { answer, verifiedAt: requestedAt, askAgainAt: requestedAt + cacheMs })
      return answer
    } catch (cause) {
      const before = known.get(digest)
      if (before && clock.monotonic() - before.verifiedAt <= outageMs) {
        before.askAgainAt = clock.monotonic() + retryMs
        return before.answer
      }
      return { kind: 'inconclusive', cause }
    }
  }

  return {
    verify(apiKey) {
      // The cheapest check first: known keys have passed the others.
      if (!hasKeyLength(apiKey)) return invalid
      const digest = hashKey(apiKey)
      const now = clock.monotonic()
      const entry = known.get(digest)
      if (entry && now < entry.askAgainAt && now - entry.verifiedAt <= outageMs) return entry.answer
      if (!looksLikeKey(apiKey) || unknown.get(digest) === true) return invalid

      const running = lookups.get(digest)
      if (running) return running
      if (lookups.size >= lookupsMax)
        return { kind: 'inconclusive', cause: new Error('too many keys are being looked up') }
      const lookup = lookUp(digest).finally(() => lookups.delete(digest))
      lookups.set(digest, lookup)
      return lookup
    },
  }
}
