// The client of a probe: reads like any other, and keeps the responses.
import { Fault } from '#core/fault'
import type { HttpClient, HttpRequest, HttpResponse } from '#net/http'
import { blockIn } from './blocks.ts'
import { FieldCollector, sourceOf } from './fields.ts'
import { describeError } from './report.ts'

export interface Exchange {
  method: 'GET' | 'POST' | 'DELETE'
  url: string
  /** With its query; without headers, which may contain credentials. */
  query: HttpRequest['query']
  sent: unknown
  /** Null: there was no answer. */
  status: number | null
  headers: Readonly<Record<string, string>>
  /** Parsed JSON, or the beginning of a text that is not JSON. */
  body: unknown
  /** The client's error for an unusable response, or for none at all. */
  failure?: { message: string; detail?: string; retryAfterSeconds?: number }
  /** When it arrived, epoch ms. */
  receivedAt: number
}

/** A probe reads far less; anything beyond this is not kept. */
const keptMax = 500
const keptBytesMax = 64 * 1024 * 1024
/** Of a text that is not JSON. */
const lettersMax = 20_000
/** Longer bodies of failed answers are kept as text: the client may have refused to parse them. */
const parsedBytesMax = 256 * 1024

export interface WatchedClient extends HttpClient {
  /** Collected by source. */
  readonly fields: ReadonlyMap<string, FieldCollector>
  readonly exchanges: readonly Exchange[]
  readonly requests: number
  /** What refused requests, when it was not the venue itself. */
  readonly block: string | null
  /** The first request that failed: an error that a read recovered from is known only here. Null: none did. */
  readonly failure: Fault | null
  /**
   * How far our clock is ahead of the venue's, ms, by its fastest response, including that response's travel time; null: no response had a
   * date.
   */
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
  let failure: Fault | null = null

  function keep(request: HttpRequest, { status, headers, body }: HttpResponse): void {
    noteAnswer({ status, headers, body })
    if (status >= 200 && status <= 299 && request.take === undefined) {
      const source = sourceOf(request.method ?? 'GET', request.url, request.body, urls)
      const collector = fields.get(source) ?? new FieldCollector()
      fields.set(source, collector)
      collector.take(body)
    }
    store(request, { status, headers, body })
  }

  function keepFailure(request: HttpRequest, error: unknown, received: Received | undefined): void {
    if (error instanceof Fault) failure ??= error
    const answer = received && { ...received.head, body: readBody(received.bytes) }
    if (answer !== undefined) noteAnswer(answer)
    store(request, answer ?? { status: null, headers: {}, body: undefined }, describeFailure(error))
  }

  function noteAnswer(answer: HttpResponse): void {
    block = blockIn(answer) ?? block
    const date = Date.parse(answer.headers.date ?? '')
    // The header has whole seconds: half of one on average.
    if (!Number.isNaN(date)) aheadMs = Math.min(aheadMs ?? Number.POSITIVE_INFINITY, now() - (date + 500))
  }

  function store(
    { method = 'GET', url, query, body: sent }: HttpRequest,
    { status, headers, body }: Pick<Exchange, 'status' | 'headers' | 'body'>,
    failed?: Exchange['failure'],
  ): void {
    keptBytes += Number(headers['content-length'] ?? JSON.stringify(body)?.length ?? 0)
    if (exchanges.length >= keptMax || keptBytes > keptBytesMax) return
    const receivedAt = now()
    exchanges.push({ method, url, query, sent, status, headers, body, receivedAt, ...(failed && { failure: failed }) })
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
    get failure() {
      return failure
    },
    async request(request) {
      requests++
      // The last one, when the client tried again.
      const seen: Received[] = []
      const received: HttpRequest['received'] = (body, answer) => {
        request.received?.(body, answer)
        seen.push({ head: answer, bytes: body })
      }
      try {
        const answer = await http.request({ ...request, received })
        keep(request, withWholeText(answer, seen.at(-1)))
        return answer
      } catch (error) {
        keepFailure(request, error, seen.at(-1))
        throw error
      }
    },
  }
}

interface Received {
  head: Pick<HttpResponse, 'status' | 'headers'>
  bytes: Buffer
}

/** The client keeps only the first words of a refusal that is not JSON. */
function withWholeText(answer: HttpResponse, received: Received | undefined): HttpResponse {
  if (answer.status < 400 || received?.head.status !== answer.status) return answer
  const body = readBody(received.bytes)
  return typeof body === 'string' ? { ...answer, body: { error: body } } : answer
}

/** Parsed JSON; the beginning of a text that is not JSON; undefined for an empty body. */
function readBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  const text = bytes.subarray(0, parsedBytesMax).toString()
  try {
    if (bytes.length <= parsedBytesMax) return JSON.parse(text)
  } catch {
    // A page: kept as text.
  }
  return text.slice(0, lettersMax)
}

function describeFailure(error: unknown): NonNullable<Exchange['failure']> {
  if (!(error instanceof Fault)) return { message: describeError(error) }
  const { message, detail, retryAfterSeconds } = error
  return {
    message,
    ...(detail !== undefined && { detail }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  }
}
