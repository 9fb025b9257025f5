// HttpClient on undici: pooled, with a per-venue rate limit that queues, retries for reads that honour Retry-After, and caps on size and time.
import { Agent, type Dispatcher, interceptors, request as undiciRequest } from 'undici'
import { type Clock, systemClock } from '#lib/clock'
import { Fault } from '#lib/fault'
import type { HttpClient, HttpRequest, HttpResponse } from './http.ts'
import { createRateQueue } from './rateQueue.ts'

const defaultTimeoutMs = 10_000
const responseBytesMax = 32 * 1024 * 1024
const retriesMax = 2
/** Calls that may wait for the rate limit; more are refused at once. */
const queueMax = 1_000

export interface HttpClientOptions {
  /** Named in faults. */
  venue: string
  requestsPerSecond: number
  clock?: Clock
}

export interface OwnedHttpClient extends HttpClient {
  close(): Promise<void>
}

export function createHttpClient({
  venue,
  requestsPerSecond,
  clock = systemClock,
}: HttpClientOptions): OwnedHttpClient {
  const agent = new Agent({ connections: 16, maxResponseSize: responseBytesMax, connect: { timeout: 5_000 } })
  // The signature stands inside the retries: each attempt gets its own.
  const dispatcher = agent.compose(
    signing,
    interceptors.retry({
      maxRetries: retriesMax,
      minTimeout: 200,
      maxTimeout: 5_000,
      retryAfter: true,
      methods: ['GET', 'POST'],
      statusCodes: [429, 500, 502, 503, 504],
      throwOnError: false,
    }),
  )
  const limiter = createRateQueue({ requestsPerSecond, waitingMax: queueMax }, clock)
  const unreachable = (message: string, cause?: unknown): Fault =>
    new Fault('NETWORK_ERROR', message, {
      exchange: venue,
      cause,
      detail: cause instanceof Error ? cause.message : undefined,
    })

  return {
    async request(call: HttpRequest): Promise<HttpResponse> {
      try {
        await limiter.removeTokens(1)
      } catch (cause) {
        throw unreachable(`${venue}: too many requests are waiting`, cause)
      }
      const made = typeof call.headers === 'function' ? await call.headers() : call.headers
      const deadline = AbortSignal.timeout(call.timeoutMs ?? defaultTimeoutMs)
      const signal = call.signal === undefined ? deadline : AbortSignal.any([deadline, call.signal])
      let status: number
      let headers: Record<string, string>
      let text: string
      try {
        const options: Signed<NonNullable<Parameters<typeof undiciRequest>[1]>> = {
          dispatcher,
          sign: call.sign,
          method: call.method ?? 'GET',
          signal,
          headers: {
            accept: 'application/json',
            ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
            ...made,
          },
          body: call.body === undefined ? null : JSON.stringify(call.body),
        }
        const response = await undiciRequest(withQuery(call), options)
        status = response.statusCode
        headers = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)]))
        text = await response.body.text()
      } catch (cause) {
        throw unreachable(deadline.aborted ? `${venue} did not answer in time` : `${venue} is unreachable`, cause)
      }
      if (status === 429) {
        const wait = Number(headers['retry-after'])
        throw new Fault('NETWORK_ERROR', `${venue} limits our requests`, {
          exchange: venue,
          retryAfterSeconds: Number.isFinite(wait) ? Math.ceil(wait) : undefined,
        })
      }
      if (status >= 500) throw unreachable(`${venue} answered ${status}`)
      return { status, headers, body: text === '' ? undefined : parse(text, status, unreachable) }
    },
    close: () => agent.close(),
  }
}

type Signed<T> = T & { sign?: HttpRequest['sign'] }

const signing: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  const { sign, ...rest } = options as Signed<Dispatcher.DispatchOptions>
  if (sign === undefined) return dispatch(options, handler)
  return dispatch({ ...rest, headers: { ...(rest.headers as Record<string, string>), ...sign() } }, handler)
}

function parse(text: string, status: number, unreachable: (message: string, cause?: unknown) => Fault): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    if (status >= 400) return { error: text.slice(0, 500) }
    throw unreachable('the venue answered with a body that is no JSON', cause)
  }
}

function withQuery({ url, query }: HttpRequest): string {
  if (query === undefined) return url
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    if (Array.isArray(value)) for (const item of value) parameters.append(name, item)
    else parameters.append(name, String(value))
  }
  const text = parameters.toString()
  return text === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${text}`
}
