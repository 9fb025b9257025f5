// Probes a venue whose requests all get the same response from a server.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Probed, probeVenue } from '#cli/probe/probeVenue'
import { type WatchedClient, watchClient } from '#cli/probe/watchedClient'
import { systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { VenueBudgets } from '#net/hostRateLimiter'
import { createHttpClient } from '#net/httpClient'
import { openSocket } from '#net/socket'
import { venueCases } from '#test/support/venueCases'
import type { VenueName } from './probeLab.ts'

export interface FixedAnswer {
  status: number
  text: string
  headers?: Readonly<Record<string, string>>
}

export async function probeRefused(
  name: VenueName,
  { status, text, headers = {} }: FixedAnswer,
): Promise<Probed & { client: WatchedClient; urls: Readonly<Record<string, string>> }> {
  const { manifest } = venueCases[name]
  const server = createServer((_request, response) => {
    response.writeHead(status, headers).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const urls = Object.fromEntries(
    Object.entries(manifest.urls).map(([key, url]) => [
      key,
      `${url.startsWith('ws') ? 'ws' : 'http'}://127.0.0.1:${port}`,
    ]),
  )
  const http = createHttpClient({ venue: name, budgets: new VenueBudgets(name, { perSecond: 1_000, burst: 1_000 }) })
  const client = watchClient(http, () => systemClock.now(), urls)
  try {
    const probed = await probeVenue({
      manifest,
      context: {
        venue: manifest.slug,
        http: client,
        clock: systemClock,
        log: silentLog,
        urls,
        credentials: Object.fromEntries(manifest.credentialNames.map((key) => [key, 'of a test'])),
        signal: new AbortController().signal,
      },
      client,
      clock: systemClock,
      openSocket,
      known: {},
      socketPatienceMs: 1_000,
    })
    return { ...probed, client, urls }
  } finally {
    await http.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}
