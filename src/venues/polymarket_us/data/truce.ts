// The venue said 429: until then nobody asks it. Its edge counts every call made in the meantime against us.
import type { Clock } from '#lib/clock'
import { Fault } from '#lib/fault'
import type { HttpClient } from '#net/http'

/** Where the refusal names no time. */
const usualSeconds = 10
/** A header that says more is not believed for longer. */
const longestSeconds = 120

/** One client is one address as the venue sees it. */
const restUntil = new WeakMap<HttpClient, number>()

/** Throws while the venue wants to be left alone. */
export function keepTruce(http: HttpClient, clock: Clock): void {
  const leftMs = (restUntil.get(http) ?? 0) - clock.monotonic()
  if (leftMs <= 0) return
  throw new Fault('NETWORK_ERROR', 'polymarket_us limits our requests', {
    exchange: 'polymarket_us',
    detail: 'not asked: the time it named is not over',
    retryAfterSeconds: Math.ceil(leftMs / 1000),
  })
}

/** What waits no longer than this waits: the books that come after a 429 in a round are read late instead of not at all. */
const patienceMs = 15_000

/** Resolves when the truce is over; throws where that is too far, or when `signal` says that nobody waits any more. */
export async function sitOutTruce(http: HttpClient, clock: Clock, signal: AbortSignal): Promise<void> {
  for (;;) {
    const leftMs = (restUntil.get(http) ?? 0) - clock.monotonic()
    if (leftMs > patienceMs || signal.aborted) keepTruce(http, clock)
    if (leftMs <= 0) return
    await new Promise<void>((resolve) => {
      const leave = (): void => {
        timer.cancel()
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const timer = clock.after(leftMs, leave)
      signal.addEventListener('abort', leave)
    })
  }
}

/** Returns the seconds that it lasts. */
export function beginTruce(http: HttpClient, clock: Clock, named: number | undefined): number {
  const seconds = Math.min(longestSeconds, named || usualSeconds)
  restUntil.set(http, Math.max(restUntil.get(http) ?? 0, clock.monotonic() + seconds * 1000))
  return seconds
}
