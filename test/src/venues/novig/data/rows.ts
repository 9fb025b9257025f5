// Rows by hand, in the formats of the recording and of the venue’s documentation, and a context that serves them.
import { ManualClock } from '#core/clock'
import { Fault } from '#core/fault'
import { type Log, silentLog } from '#core/log'
import type { HttpRequest, HttpResponse } from '#net/http'
import type { VenueContext } from '#venues/venueContext'

export const idOf = (n: number, kind = '0'): string => `${String(n).padStart(8, '0')}-000${kind}-4000-a000-000000000000`

export const order = (price: number | string, qty: number | string, more: object = {}) => ({
  status: 'OPEN',
  currency: 'CASH',
  qty,
  price,
  ...more,
})

export const outcome = (n: number, description: string, more: object = {}) => ({
  id: idOf(n, '3'),
  index: null,
  description,
  status: 'TBD',
  last: null,
  available: null,
  ...more,
})

export const market = (n: number, outcomes: object[], more: object = {}) => ({
  id: idOf(n, '2'),
  description: 'CWS @ BAL t7.5',
  status: 'OPEN',
  type: 'TOTAL',
  strike: 7.5,
  volume: 1_200,
  is_consensus: true,
  updated_at: '2026-09-03T20:00:00.12+00:00',
  player: null,
  outcomes,
  ...more,
})

export const event = (n: number, markets: unknown[], more: object = {}) => ({
  id: idOf(n, '1'),
  description: 'Chicago White Sox @ Baltimore Orioles',
  status: 'OPEN_PREGAME',
  game: { scheduled_start: '2026-09-03T22:35:00+00:00', league: 'MLB' },
  markets,
  ...more,
})

export interface GraphqlRequest {
  query: string
  variables: Record<string, unknown>
}

/** An answer of the public catalog; undefined: no answer. */
export type CatalogAnswer = (path: string, query: Readonly<Record<string, unknown>>) => HttpResponse | undefined

let addresses = 0

/** The GraphQL answers; the catalog answers only if `catalog` does. */
export function venueThat(
  answer: (request: GraphqlRequest) => unknown,
  catalog: CatalogAnswer = () => undefined,
): {
  context: VenueContext
  requests: GraphqlRequest[]
  /** Requested paths of the catalog. */
  read: string[]
  warnings: unknown[]
} {
  const requests: GraphqlRequest[] = []
  const read: string[] = []
  const warnings: unknown[] = []
  const log: Log = Object.create(silentLog, { warn: { value: (fields: unknown) => warnings.push(fields) } })
  const http = {
    async request({ url, query, body }: HttpRequest) {
      if (url.startsWith('http://catalog')) {
        const path = url.replace(/^.*\/v3\/public\/catalog/, '')
        read.push(path)
        const found = catalog(path, query ?? {})
        if (found !== undefined) return found
        throw new Fault('NETWORK_ERROR', 'novig does not answer', { exchange: 'novig' })
      }
      requests.push(body as GraphqlRequest)
      return { status: 200, headers: {}, body: answer(body as GraphqlRequest) }
    },
  }
  const context: VenueContext = {
    venue: 'novig',
    http,
    clock: new ManualClock(),
    log,
    // Adapters cache by address, so each venue gets its own.
    urls: { GQL: 'http://venue', REST: `http://catalog-${addresses++}` },
    credentials: null,
    signal: new AbortController().signal,
  }
  return { context, requests, read, warnings }
}
