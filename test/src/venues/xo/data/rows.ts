// Rows by hand, with the fields that clients of the venue read (nothing was recorded), and a context that serves them.
import { ManualClock } from '#core/clock'
import { type Log, silentLog } from '#core/log'
import type { HttpRequest } from '#net/http'
import type { VenueContext } from '#venues/venueContext'

export const outcome = (n: number, more: object = {}) => ({
  id: 70 + n,
  outcomeTokenId: `${n}${'5'.repeat(70)}`,
  title: n === 0 ? 'Yes' : 'No',
  price: n === 0 ? '650000000000000000' : '350000000000000000',
  ...more,
})

export const market = (id: number, more: object = {}) => ({
  id,
  slug: 'btc-5m-pulse',
  title: 'BTC up in five minutes?',
  status: 'ACTIVE',
  type: 'BINARY',
  startsAt: '2026-09-01T12:00:00.000Z',
  expiresAt: '2026-09-01T12:05:00.000Z',
  outcomes: [outcome(0), outcome(1)],
  totalVolumeInUSD: '1234.5',
  ...more,
})

export interface VenueRequest {
  path: string
  query: Record<string, unknown>
}

export function venueThat(answer: (request: VenueRequest) => { status?: number; body: unknown }): {
  context: VenueContext
  requests: string[]
  warnings: unknown[]
} {
  const requests: string[] = []
  const warnings: unknown[] = []
  const log: Log = Object.create(silentLog, { warn: { value: (fields: unknown) => warnings.push(fields) } })
  const http = {
    async request({ url, query = {} }: HttpRequest) {
      const { host, pathname } = new URL(url)
      requests.push(`${host}${pathname} ${JSON.stringify(query)}`)
      return { status: 200, headers: {}, ...answer({ path: pathname, query }) }
    },
  }
  const context: VenueContext = {
    venue: 'xo',
    http,
    clock: new ManualClock(),
    log,
    urls: { DATA: 'http://data', CLOB: 'http://clob', WS: 'ws://clob/ws/market' },
    credentials: null,
    signal: new AbortController().signal,
  }
  return { context, requests, warnings }
}
