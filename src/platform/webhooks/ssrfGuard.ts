// Keeps deliveries on the public internet: every address a name resolves to is checked, at registration and again at each attempt,
// and the checked addresses are passed to the dialer. The name is not resolved a second time.
import type { Resolve } from '#net/resolve'
import { isPublicAddress } from './addresses.ts'
import { Refusal, readTarget } from './targetUrl.ts'

export interface GuardOptions {
  resolve: Resolve
  /** `host:port` entries the operator vouches for: not checked, and http is allowed. */
  allowed: ReadonlySet<string>
}

export interface ResolvedTarget {
  url: URL
  /** Where to dial, and nowhere else. */
  addresses: readonly string[]
}

export interface Guard {
  /** The URL to store. Throws `Refusal`. A name that does not resolve now may resolve by the time of a delivery. */
  admit(text: string): Promise<string>
  /** Throws `Refusal`, or the resolver's error. */
  aim(text: string): Promise<ResolvedTarget>
}

const notPublic = 'leads to an address that is not public'

export function createGuard({ resolve, allowed }: GuardOptions): Guard {
  const refuseNotPublic = (addresses: readonly string[]): void => {
    // One private address among public ones is how DNS rebinding begins.
    if (!addresses.every(isPublicAddress)) throw new Refusal(notPublic)
  }
  return {
    async admit(text) {
      const target = readTarget(text, allowed)
      if (!target.allowed) {
        const { literal, url } = target
        refuseNotPublic(literal === null ? await resolve(url.hostname, 'public').catch(() => []) : [literal])
      }
      return target.url.href
    },
    async aim(text) {
      const { url, literal, allowed: exempt } = readTarget(text, allowed)
      const addresses = literal === null ? await resolve(url.hostname, exempt ? 'system' : 'public') : [literal]
      if (!exempt) refuseNotPublic(addresses)
      if (addresses.length === 0) throw new Refusal('has a host without an address')
      return { url, addresses }
    },
  }
}
