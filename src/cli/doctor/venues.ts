// Whether the venues are reachable from here, and what time they report.
import type { Config } from '#config'
import type { Clock } from '#core/clock'
import { manifests } from '#venues/registry'
import type { Finding } from './finding.ts'

const answerWithinMs = 5_000

export interface Reached {
  finding: Finding
  /** Of our clock relative to the venue's, ms; null: it did not report its time. */
  aheadMs: number | null
}

/** Each gets one small request; any HTTP answer will do. */
export function pingVenues(config: Pick<Config, 'venues' | 'venueSetting'>, clock: Clock): Promise<Reached[]> {
  return Promise.all(
    manifests
      .filter(({ slug }) => config.venues.includes(slug))
      .map(async ({ slug, urls }) => {
        const name = Object.keys(urls).find((each) => urls[each]!.startsWith('http'))
        const url = name === undefined ? undefined : (config.venueSetting(slug, `${name}_URL`) ?? urls[name])
        if (url === undefined)
          return { finding: { check: slug, state: 'warn', message: 'has no HTTP address' }, aheadMs: null }
        return pingVenue(slug, new URL(url).origin, clock)
      }),
  )
}

async function pingVenue(venue: string, origin: string, clock: Clock): Promise<Reached> {
  const begun = clock.monotonic()
  try {
    const answer = await fetch(origin, { redirect: 'manual', signal: AbortSignal.timeout(answerWithinMs) })
    const tookMs = clock.monotonic() - begun
    const now = clock.now()
    await answer.body?.cancel()
    const venueTime = Date.parse(answer.headers.get('date') ?? '')
    const message = `${new URL(origin).host} answers after ${Math.round(tookMs)} ms`
    // The header has whole seconds: half of one on average, plus the return trip.
    const aheadMs = Number.isNaN(venueTime) ? null : now - tookMs / 2 - (venueTime + 500)
    return { finding: { check: venue, state: 'ok', message }, aheadMs }
  } catch (error) {
    const { message: text, cause } = error as Error & { cause?: { code?: string } }
    const message = `${new URL(origin).host}: ${cause?.code ?? text}`
    // The others continue without it.
    return { finding: { check: venue, state: 'warn', message }, aheadMs: null }
  }
}
