// Probes a venue's lab as `crossbook probe` probes the venue.

import type { Fields } from '#cli/probe/fields'
import { type Probed, probeVenue } from '#cli/probe/probeVenue'
import { type WatchedClient, watchClient } from '#cli/probe/watchedClient'
import { type Lab, startLab } from '#lab/lab'
import { systemClock } from '#lib/clock'
import { silentLog } from '#lib/log'
import { VenueBudgets } from '#net/hostBudget'
import type { HttpClient, HttpResponse } from '#net/http'
import { createHttpClient } from '#net/httpClient'
import { type OpenSocket, openSocket } from '#net/socket'
import { labCredentials } from '#test/support/labSettings'
import { venueCases } from '#test/support/venueCases'

export type VenueName = keyof typeof venueCases
export const venueNames = Object.keys(venueCases) as VenueName[]

interface ProbeLabOptions {
  known?: Readonly<Record<string, Fields>>
  seed?: string
  /** Changes answers on their way to the program. */
  answer?(response: HttpResponse): HttpResponse
  openSocket?: OpenSocket
  credentials?: boolean
  socketPatienceMs?: number
}

export async function probeLab(
  name: VenueName,
  {
    known = {},
    seed = 'probe',
    answer,
    openSocket: open = openSocket,
    credentials = true,
    socketPatienceMs = 20_000,
  }: ProbeLabOptions = {},
): Promise<Probed & { client: WatchedClient; lab: Lab }> {
  const { manifest, lab: labName } = venueCases[name]
  const lab = await startLab({ clock: systemClock, seed, ratePerSecond: 60, markets: 40, venues: [labName] })
  const budgets = new VenueBudgets(name, { perSecond: 1_000, burst: 1_000 }, systemClock)
  const real = createHttpClient({ venue: name, budgets })
  const changing: HttpClient = {
    request: async (request) => (answer === undefined ? real.request(request) : answer(await real.request(request))),
  }
  const client = watchClient(changing, () => systemClock.now(), lab[labName].urls)
  try {
    const probed = await probeVenue({
      manifest,
      context: {
        venue: manifest.slug,
        http: client,
        clock: systemClock,
        log: silentLog,
        urls: lab[labName].urls,
        credentials: credentials ? labCredentials(lab, labName) : null,
        signal: new AbortController().signal,
      },
      client,
      clock: systemClock,
      openSocket: open,
      known,
      socketPatienceMs,
    })
    return { ...probed, client, lab }
  } finally {
    await real.close()
    await lab.stop()
  }
}
