// Rows by hand, in the shapes of the recording and of the venue's documents, and a context that answers with them.
import { ManualClock } from '#lib/clock'
import { type Log, silentLog } from '#lib/log'
import type { HttpRequest } from '#net/http'
import type { VenueContext } from '#venues/venue'

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

export interface Asked {
  query: string
  variables: Record<string, unknown>
}

export function venueThat(answer: (asked: Asked) => unknown): {
  context: VenueContext
  asked: Asked[]
  warnings: unknown[]
} {
  const asked: Asked[] = []
  const warnings: unknown[] = []
  const log: Log = Object.create(silentLog, { warn: { value: (fields: unknown) => warnings.push(fields) } })
  const http = {
    async request({ body }: HttpRequest) {
      asked.push(body as Asked)
      return { status: 200, headers: {}, body: answer(body as Asked) }
    },
  }
  const context: VenueContext = {
    venue: 'novig',
    http,
    clock: new ManualClock(),
    log,
    urls: { GQL: 'http://venue' },
    credentials: null,
    signal: new AbortController().signal,
  }
  return { context, asked, warnings }
}
