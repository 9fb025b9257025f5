// A venue that responds as a test defines: the context of its reads, the recorded requests, and the recorded log messages.
import { ManualClock } from '#core/clock'
import { type Log, silentLog } from '#core/log'
import type { HttpClient, HttpRequest } from '#net/http'
import type { VenueSlug } from '#schemas/venues'
import type { VenueContext } from '#venues/venueContext'

export interface RecordedRequest {
  method: string
  /** Decoded. */
  path: string
  query: Readonly<Record<string, unknown>>
  body: unknown
  headers: HttpRequest['headers']
}
export interface Answer {
  status?: number
  body: unknown
}

export interface AnsweringVenue {
  clock: ManualClock
  context: VenueContext
  requests: RecordedRequest[]
  warnings: string[]
  answer: (request: RecordedRequest) => Answer
}

export const venueNow = 1_790_000_000_000

/** All of the manifest's `urls` have the same base: reads are distinguished by path only. */
export function answeringVenue(venue: VenueSlug, bases: readonly string[] = ['REST']): AnsweringVenue {
  const clock = new ManualClock(venueNow)
  const log: Log = Object.create(silentLog, {
    warn: { value: (_fields: unknown, message: string) => here.warnings.push(message) },
  })
  const http: HttpClient = {
    async request({ method = 'GET', url, query = {}, body, headers }) {
      const path = decodeURIComponent(new URL(url).pathname)
      const request = { method, path, query: JSON.parse(JSON.stringify(query)), body, headers }
      here.requests.push(request)
      const answer = here.answer(request)
      return { status: 200, headers: {}, ...answer, body: structuredClone(answer.body) }
    },
  }
  const urls = Object.fromEntries(bases.map((name) => [name, 'http://venue']))
  const { signal } = new AbortController()
  const here: AnsweringVenue = {
    clock,
    context: { venue, http, clock, log, urls, credentials: null, signal },
    requests: [],
    warnings: [],
    answer: () => ({ status: 404, body: {} }),
  }
  return here
}
