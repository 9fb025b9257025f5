// Probes a venue's lab as `crossbook probe` probes the venue.

import type { Fields } from '#cli/probe/fields'
import { type Probed, probeVenue } from '#cli/probe/probeVenue'
import { type WatchedClient, watchClient } from '#cli/probe/watchedClient'
import { systemClock } from '#core/clock'
import { Fault } from '#core/fault'
import { silentLog } from '#core/log'
import { type Lab, startLab } from '#lab/lab'
import { VenueBudgets } from '#net/hostRateLimiter'
import type { HttpClient, HttpResponse } from '#net/http'
import { createHttpClient } from '#net/httpClient'
import { type OpenSocket, openSocket } from '#net/socket'
import type { Market } from '#schemas/market'
import { labCredentials } from '#test/support/labSettings'
import { venueCases } from '#test/support/venueCases'
import type { VenueManifest } from '#venues/venue'
import type { VenueContext } from '#venues/venueContext'

export type VenueName = keyof typeof venueCases
export const venueNames = Object.keys(venueCases) as VenueName[]

interface ProbeLabOptions {
  known?: Readonly<Record<string, Fields>>
  seed?: string
  /** Instead of the lab's, or in addition to them. */
  urls?: Readonly<Record<string, string>>
  markets?: number
  ratePerSecond?: number
  /** Reads many more markets than a probe does, for their fields. */
  isThorough?: boolean
  /** Changes responses on their way to the program. */
  answer?(response: HttpResponse): HttpResponse
  openSocket?: OpenSocket
  credentials?: boolean
  socketPatienceMs?: number
}

export async function probeLab(
  name: VenueName,
  {
    known = {},
    urls: otherUrls = {},
    seed = 'probe',
    markets = 40,
    ratePerSecond = 60,
    isThorough = false,
    answer,
    openSocket: open = openSocket,
    credentials = true,
    socketPatienceMs = 20_000,
  }: ProbeLabOptions = {},
): Promise<Probed & { client: WatchedClient; lab: Lab }> {
  const { manifest, lab: labName } = venueCases[name]
  const lab = await startLab({ clock: systemClock, seed, ratePerSecond, markets, venues: [labName] })
  const budgets = new VenueBudgets(name, { perSecond: 1_000, burst: 1_000 }, systemClock)
  const real = createHttpClient({ venue: name, budgets })
  const changing: HttpClient = {
    request: async (request) => (answer === undefined ? real.request(request) : answer(await real.request(request))),
  }
  const urls = { ...lab[labName].urls, ...otherUrls }
  const client = watchClient(changing, () => systemClock.now(), urls)
  try {
    const context: VenueContext = {
      venue: manifest.slug,
      http: client,
      clock: systemClock,
      log: silentLog,
      urls,
      credentials: credentials ? labCredentials(lab, labName) : null,
      signal: new AbortController().signal,
    }
    const probed = await probeVenue({
      manifest,
      context,
      client,
      clock: systemClock,
      openSocket: open,
      known,
      socketPatienceMs,
    })
    if (isThorough) await readMarkets(manifest, context)
    return { ...probed, client, lab }
  } finally {
    await real.close()
    await lab.stop()
  }
}

/** Of a large catalog, spread over it. */
const marketsRead = 40

/** The whole catalog, and of its markets what a probe reads of one. */
async function readMarkets({ data }: VenueManifest, context: VenueContext): Promise<void> {
  const markets: Market[] = []
  for await (const { events } of data.walkCatalog(context, { updatedSinceMs: null }))
    markets.push(...events.flatMap((event) => event.markets))
  const step = Math.ceil(markets.length / marketsRead)
  for (const { marketId, eventId, outcomes, sourceMetadata } of markets.filter((_, n) => n % step === 0)) {
    await data.fetchMarket(context, marketId)
    const [{ outcomeId }] = outcomes as [Market['outcomes'][number]]
    const book = data.bookRef(outcomeId, marketId)
    if (book !== null) await data.fetchOrderBook(context, book.bookId)
    // Some venues publish the trades of some markets only.
    await data
      .fetchTrades?.(context, { outcomeId, marketId, eventId, metadata: sourceMetadata }, { limit: 100 })
      .catch((error: unknown) => {
        if (!(error instanceof Fault && error.code === 'NOT_SUPPORTED')) throw error
      })
  }
}
