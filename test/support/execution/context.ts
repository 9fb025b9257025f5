// The context of the test adapter: the real HTTP client and sender, with a venue on loopback.
import { randomBytes, randomUUID } from 'node:crypto'
import { systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { createHttpClient } from '#net/httpClient'
import { createHttpSender } from '#net/httpSender'
import type { LaneContext } from '#venues/lane'

const unused = () => Promise.reject(new Error('the test adapter uses no catalog'))

export function createTestContext(url: string) {
  const http = createHttpClient({ venue: 'novig', requestsPerSecond: 10_000 })
  const sender = createHttpSender()
  return {
    context: (signal: AbortSignal): LaneContext => ({
      http,
      sender,
      clock: systemClock,
      log: silentLog,
      urls: { REST: url },
      settings: {},
      signal,
      heavy: async (work) => work(),
      catalog: { outcome: unused, side: unused },
      randomBytes: (length: number) => randomBytes(length),
      randomUuid: () => randomUUID(),
    }),
    close: () => Promise.all([http.close(), sender.close()]),
  }
}
