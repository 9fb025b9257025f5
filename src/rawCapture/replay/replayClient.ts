// The HTTP client of a replay: a request gets the captured answer to the same request, at the time at which it came. Equal requests get
// their answers in order. A request without one fails as if the venue were unreachable, and is counted.
import type { Clock } from '#core/clock'
import { Fault } from '#core/fault'
import type { HttpClient, HttpRequest, HttpResponse } from '#net/http'
import type { ErrorCode } from '#schemas/errors'
import type { Cleaner } from '../cleaner.ts'
import { bytesOf, type EventLine, type NoteLine } from '../lines.ts'

type Answer = Extract<EventLine, { type: 'response' | 'failure' }>
type RequestLine = Extract<NoteLine, { type: 'request' }>

/** A request that is made here this much later than in the capture still gets its answer; a later one would get an outdated one. */
const lateMaxMs = 1_000
/** Requests without an answer that are named in the report. */
const namedMax = 20

interface Waiting {
  call: HttpRequest
  resolve(answer: HttpResponse): void
  reject(error: unknown): void
}

interface Line {
  /** Requested here and not answered yet. */
  waiting: Waiting[]
  /** The newest answer that came before its request here, and when, on the replay's clock. */
  early: { answer: Answer; at: number } | null
  /** Answers still to come. */
  left: number
  /** Requests that the capture ended before. */
  inFlight: number
}

const keyOf = (method: string, url: string, query: unknown, body: unknown): string =>
  JSON.stringify([
    method,
    url,
    Object.entries(query ?? {})
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, Array.isArray(value) ? value.map(String) : String(value)]),
    body ?? null,
  ])

export class ReplayClient implements HttpClient {
  requests = 0
  unanswered = 0
  /** Captured answers that were not requested here. */
  unused = 0
  readonly unansweredUrls = new Set<string>()
  private readonly lines = new Map<string, Line>()
  /** By the capture's number of the request. */
  private readonly keys = new Map<number, string>()
  private readonly cleaner: Cleaner
  private readonly venue: string
  private readonly clock: Pick<Clock, 'monotonic'>

  constructor(venue: string, cleaner: Cleaner, clock: Pick<Clock, 'monotonic'>) {
    this.venue = venue
    this.clock = clock
    this.cleaner = cleaner
  }

  /** The capture has an answer to it, later. */
  expect({ method, url, query, body }: RequestLine): void {
    this.line(keyOf(method, url, query, body)).left++
  }

  /** The capture ended before the answer: a missing answer is not counted. */
  expectNoAnswer({ method, url, query, body }: RequestLine): void {
    this.line(keyOf(method, url, query, body)).inFlight++
  }

  /** The capture's own request. */
  noteRequest({ request, method, url, query, body }: RequestLine): void {
    this.keys.set(request, keyOf(method, url, query, body))
  }

  take(answer: Answer): void {
    const key = this.keys.get(answer.request)
    if (key === undefined) return
    this.keys.delete(answer.request)
    const line = this.line(key)
    line.left--
    const next = line.waiting.shift()
    if (next !== undefined) this.answer(next, answer)
    else {
      if (line.early !== null) this.unused++
      line.early = { answer, at: this.clock.monotonic() }
    }
  }

  request(call: HttpRequest): Promise<HttpResponse> {
    const { method = 'GET', query, body } = call
    const url = this.cleaner.url(call.url)
    const line = this.line(keyOf(method, url, this.cleaner.body(query), this.cleaner.body(plain(body))))
    this.requests++
    return new Promise((resolve, reject) => {
      const waiting = { call, resolve, reject }
      const { early } = line
      line.early = null
      const isInTime = early !== null && this.clock.monotonic() - early.at <= lateMaxMs
      if (early !== null && !isInTime) this.unused++
      if (isInTime) this.answer(waiting, early.answer)
      else if (line.left > line.waiting.length) line.waiting.push(waiting)
      else {
        if (line.inFlight > 0) line.inFlight--
        else {
          this.unanswered++
          if (this.unansweredUrls.size < namedMax) this.unansweredUrls.add(`${method} ${url}`)
        }
        reject(
          new Fault('NETWORK_ERROR', `${this.venue} is unreachable`, {
            exchange: this.venue,
            detail: 'not in the capture',
          }),
        )
      }
    })
  }

  /** Everything has been played. */
  end(): void {
    for (const { early } of this.lines.values()) if (early !== null) this.unused++
  }

  private line(key: string): Line {
    const line = this.lines.get(key) ?? { waiting: [], early: null, left: 0, inFlight: 0 }
    this.lines.set(key, line)
    return line
  }

  private answer({ call, resolve, reject }: Waiting, answer: Answer): void {
    if (answer.type === 'failure') {
      const { code, message, retryAfterSeconds } = answer
      const more = retryAfterSeconds === undefined ? {} : { retryAfterSeconds }
      reject(new Fault(code as ErrorCode, message, { exchange: this.venue, ...more }))
      return
    }
    const { status, headers } = answer
    const bytes = bytesOf(answer)
    try {
      if (call.take !== undefined && status >= 200 && status <= 299) {
        call.take(bytes)
        resolve({ status, headers, body: undefined })
      } else resolve({ status, headers, body: parsed(bytes, status) })
    } catch (error) {
      reject(error)
    }
  }
}

/** As it was sent. */
const plain = (body: unknown): unknown => (body === undefined ? undefined : JSON.parse(JSON.stringify(body)))

function parsed(bytes: Buffer, status: number): unknown {
  if (bytes.length === 0) return undefined
  const text = new TextDecoder().decode(bytes)
  try {
    return JSON.parse(text)
  } catch (error) {
    if (status >= 400) return { error: text.slice(0, 500) }
    throw error
  }
}
