// One POST to previously checked addresses: the name in the URL serves TLS and the Host header, and is not resolved again. No redirect is
// followed, no connection is kept, and only the status of the answer is read.
import type { LookupFunction } from 'node:net'
import { Client } from 'undici'
import { formatUserAgent } from '#core/userAgent'

export interface PinnedPost {
  url: URL
  /**
   * The first few are dialled, one after the other, until one answers. If the host is itself an address, it must be the only one
   * here.
   */
  addresses: readonly string[]
  headers: Readonly<Record<string, string>>
  text: string
  /** The only deadline. */
  signal: AbortSignal
}

export interface PinnedSender {
  /** Resolves with the status of the answer; rejects when there was none. */
  post(request: PinnedPost): Promise<number>
}

const connectTimeoutMs = 10_000
/** Per address while there is another to try. The platform's 250 ms would give up on receivers across an ocean. */
const addressTimeoutMs = 2_000
const addressesMax = 4
const headerBytesMax = 16 * 1024
/** A short response body is read, so that the receiver sees a clean end. */
const bodyBytesMax = 4 * 1024
const bodyWithinMs = 500

export function createPinnedSender({ ca }: { ca?: string } = {}): PinnedSender {
  return {
    async post({ url, addresses, headers, text, signal }) {
      const client = new Client(url.origin, {
        connect: {
          lookup: pinnedTo(addresses),
          timeout: connectTimeoutMs,
          maxCachedSessions: 0,
          ...(ca === undefined ? {} : { ca }),
        },
        autoSelectFamily: true,
        autoSelectFamilyAttemptTimeout: addressTimeoutMs,
        maxHeaderSize: headerBytesMax,
        pipelining: 0,
      })
      try {
        const { statusCode, body } = await client.request({
          method: 'POST',
          path: `${url.pathname}${url.search}`,
          headers: { 'user-agent': formatUserAgent(), ...headers },
          body: text,
          signal,
        })
        const end = AbortSignal.any([signal, AbortSignal.timeout(bodyWithinMs)])
        // The answer is already known; how its body ends changes nothing.
        await body.dump({ limit: bodyBytesMax, signal: end }).catch(() => undefined)
        return statusCode
      } finally {
        await client.destroy()
      }
    },
  }
}

/** Returns the checked addresses for every lookup. */
const pinnedTo =
  (addresses: readonly string[]): LookupFunction =>
  (_hostname, options, callback) => {
    const all = addresses.slice(0, addressesMax).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    if (options.all === true) callback(null, all)
    else callback(null, all[0]!.address, all[0]!.family)
  }
