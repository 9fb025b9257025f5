// The client of a probe: reads like any other, and keeps what it was answered.
import type { HttpClient, HttpRequest, HttpResponse } from '#net/http'
import { blockIn } from './blocks.ts'
import { FieldCollector, sourceOf } from './fields.ts'

export interface Exchange {
  method: 'GET' | 'POST' | 'DELETE'
  url: string
  /** With its query; without headers, which may contain credentials. */
  query: HttpRequest['query']
  sent: unknown
  status: number
  headers: Readonly<Record<string, string>>
  body: unknown
  /** When it arrived, epoch ms. */
  receivedAt: number
}

/** A probe reads far less; what is beyond is not kept. */
const keptMax = 500
const keptBytesMax = 64 * 1024 * 1024

export interface WatchedClient extends HttpClient {
  /** Collected by source. */
  readonly fields: ReadonlyMap<string, FieldCollector>
  readonly exchanges: readonly Exchange[]
  readonly requests: number
  /** What refused requests, when it was not the venue itself. */
  readonly block: string | null
  /** How far our clock is ahead of the venue's, ms, by its fastest answer, whose way back is in it; null: no answer had a date. */
  readonly aheadMs: number | null
}

/** `urls`: the base addresses that it is used with. */
export function watchClient(
  http: HttpClient,
  now: () => number,
  urls: Readonly<Record<string, string>>,
): WatchedClient {
  const fields = new Map<string, FieldCollector>()
  const exchanges: Exchange[] = []
  let aheadMs: number | null = null
  let requests = 0
  let keptBytes = 0
  let block: string | null = null

  function keep(request: HttpRequest, answer: HttpResponse): void {
    const receivedAt = now()
    const source = sourceOf(request.method ?? 'GET', request.url, request.body, urls)
    block = blockIn(answer) ?? block
    const date = Date.parse(answer.headers.date ?? '')
    // The header has whole seconds: half of one on average.
    if (!Number.isNaN(date)) aheadMs = Math.min(aheadMs ?? Number.POSITIVE_INFINITY, receivedAt - (date + 500))
    if (answer.status >= 200 && answer.status <= 299 && request.take === undefined) {
      const collector = fields.get(source) ?? new FieldCollector()
      fields.set(source, collector)
      collector.take(answer.body)
    }
    keptBytes += Number(answer.headers['content-length'] ?? JSON.stringify(answer.body)?.length ?? 0)
    if (exchanges.length >= keptMax || keptBytes > keptBytesMax) return
    const { method = 'GET', url, query, body: sent } = request
    const { status, headers, body } = answer
    exchanges.push({ method, url, query, sent, status, headers, body, receivedAt })
  }

  return {
    fields,
    exchanges,
    get aheadMs() {
      return aheadMs
    },
    get requests() {
      return requests
    },
    get block() {
      return block
    },
    async request(request) {
      requests++
      const answer = await http.request(request)
      keep(request, answer)
      return answer
    },
  }
}
