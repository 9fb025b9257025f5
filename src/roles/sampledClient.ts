// A client whose answers are compared with what is known of the venue's fields, now and then: a few rows of one answer per address.
import { compareFields, type DriftKind, FieldCollector, type Fields, sourceOf } from '#cli/probe/fields'
import type { Clock } from '#core/clock'
import type { HttpClient, HttpResponse } from '#net/http'

/** Time between two samples of one address. */
export const sampleEveryMs = 10_000
/** Rows looked at in each list. */
const rowsMax = 8

export interface SampledClientOptions {
  clock: Clock
  /** The base addresses that it is used with. */
  urls: Readonly<Record<string, string>>
  /** By source. */
  known: Readonly<Record<string, Fields>>
  found(field: string, kind: DriftKind): void
}

export function sampledClient(http: HttpClient, { clock, urls, known, found }: SampledClientOptions): HttpClient {
  /** By source, of those known only. */
  const samples = new Map<string, { at: number; count: number }>()

  function sample(source: string, { body }: HttpResponse): void {
    const fields = known[source]
    if (fields === undefined) return
    const now = clock.monotonic()
    const last = samples.get(source) ?? { at: Number.NEGATIVE_INFINITY, count: 0 }
    if (now - last.at < sampleEveryMs) return
    samples.set(source, { at: now, count: last.count + 1 })
    const collector = new FieldCollector({ rowsMax, from: last.count })
    collector.take(body)
    for (const { field, kind } of compareFields(source, collector, fields, { isNullAbsence: true }))
      found(field.replaceAll('[].', ''), kind)
  }

  return {
    async request(request) {
      const answer = await http.request(request)
      if (answer.status >= 200 && answer.status <= 299 && request.take === undefined)
        sample(sourceOf(request.method ?? 'GET', request.url, request.body, urls), answer)
      return answer
    },
  }
}
