// Sockets by API key: how many a key has open, and the re-verification of every key once a minute.
import type { KeyRechecker, KeyVerifier, Principal, Verification } from '#platform/auth/principal'

/** The part of a socket that the ring uses. */
export interface KeySession {
  /** The result of the minute's re-verification. Not called for an inconclusive one, which changes nothing. */
  rechecked(verdict: Extract<Verification, { kind: 'valid' | 'invalid' }>): void
}

interface Ring {
  holders: Set<KeySession>
  verify: () => Verification | Promise<Verification>
  /** A pending verification is not started again. */
  isVerifying: boolean
}

export class KeyRing {
  private readonly auth: KeyRechecker
  private readonly rings = new Map<string, Ring>()

  constructor(auth: KeyRechecker) {
    this.auth = auth
  }

  /** Sockets this key has open. */
  size(keyId: string): number {
    return this.rings.get(keyId)?.holders.size ?? 0
  }

  enter(principal: Principal, holder: KeySession): void {
    let ring = this.rings.get(principal.keyId)
    if (ring === undefined) {
      const verify = () => this.auth.recheck(principal)
      ring = { holders: new Set(), verify, isVerifying: false }
      this.rings.set(principal.keyId, ring)
    }
    ring.holders.add(holder)
  }

  leave(keyId: string, holder: KeySession): void {
    const ring = this.rings.get(keyId)
    if (ring === undefined) return
    ring.holders.delete(holder)
    if (ring.holders.size === 0) this.rings.delete(keyId)
  }

  /** One verification per key, regardless of how many sockets it has. */
  async recheckAll(): Promise<void> {
    await Promise.all([...this.rings.values()].map((ring) => this.recheck(ring)))
  }

  private async recheck(ring: Ring): Promise<void> {
    if (ring.isVerifying) return
    ring.isVerifying = true
    try {
      const verdict = await ring.verify()
      if (verdict.kind === 'inconclusive') return
      for (const holder of [...ring.holders]) holder.rechecked(verdict)
    } catch {
      // A failing store is inconclusive: nothing changes on the socket.
    } finally {
      ring.isVerifying = false
    }
  }
}

/** A verifier that throws or rejects counts as unavailable. */
export function verifySafely(auth: KeyVerifier, apiKey: string): Verification | Promise<Verification> {
  const inconclusive = (cause: unknown): Verification => ({ kind: 'inconclusive', cause })
  try {
    const verdict = auth.verify(apiKey)
    return verdict instanceof Promise ? verdict.catch(inconclusive) : verdict
  } catch (cause) {
    return inconclusive(cause)
  }
}
