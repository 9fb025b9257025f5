// HttpClient on undici: pooled, within the budget of each host, with retries for reads, and caps on size and time.
import { Agent, type Dispatcher, interceptors, request as undiciRequest } from 'undici'
import type { Clock } from '#core/clock'
import { Fault } from '#core/fault'
import { formatUserAgent } from '#core/userAgent'
import { hostOf, requestChannel } from './diagnostics.ts'
import { type CreditBudget, type RequestBudget, VenueBudgets } from './hostRateLimiter.ts'
import type { HttpClient, HttpRequest, HttpResponse } from './http.ts'
import { AnswerTooComplex, JsonScan } from './jsonScan.ts'
import { parseInSlices } from './slicedJson.ts'

const defaultTimeoutMs = 10_000
const responseBytesMax = 32 * 1024 * 1024
/** For an answer taken piece by piece. */
const takenBytesMax = 256 * 1024 * 1024
const retriesMax = 2
/** Whatever a shorter answer holds, it is parsed within some 25 milliseconds. A longer one is scanned as it arrives and parsed in slices. */
const slicedFromBytes = 256 * 1024

export type HttpClientOptions = {
  /** Named in faults. */
  venue: string
  /** Its requests go ahead of others: orders depend on them. */
  urgent?: boolean
  purse?: CreditBudget
  clock?: Clock
  /** Where the venue reaches the operator. */
  contactUrl?: string
} & (
  | { budgets: VenueBudgets }
  /** Of this client alone. */
  | ({ requestsPerSecond: number } & Omit<RequestBudget, 'perSecond'>)
)

export interface OwnedHttpClient extends HttpClient {
  close(): Promise<void>
}

export function createHttpClient(options: HttpClientOptions): OwnedHttpClient {
  const { venue, urgent, purse = 'ours', contactUrl } = options
  const userAgent = formatUserAgent(contactUrl)
  const budgets = 'budgets' in options ? options.budgets : ownBudgets(options)
  const agent = new Agent({ connections: 16, maxResponseSize: responseBytesMax, connect: { timeout: 5_000 } })
  const roomy = new Agent({ connections: 2, maxResponseSize: takenBytesMax, connect: { timeout: 5_000 } })
  // Counting and signing are inside the retries: each attempt costs, and gets its own.
  const retrying = (own: Agent): Dispatcher =>
    own.compose(
      attempt,
      interceptors.retry({
        maxRetries: retriesMax,
        minTimeout: 200,
        maxTimeout: 5_000,
        retryAfter: true,
        methods: ['GET', 'POST'],
        statusCodes: [500, 502, 503, 504],
        throwOnError: false,
      }),
    )
  const [dispatcher, roomyDispatcher] = [retrying(agent), retrying(roomy)]
  const unreachable = (message: string, cause?: unknown): Fault =>
    new Fault('NETWORK_ERROR', message, {
      exchange: venue,
      cause,
      detail: cause instanceof Error ? cause.message : undefined,
    })

  const client: HttpClient = {
    async request(call: HttpRequest): Promise<HttpResponse> {
      const budget = budgets.of(call.url)
      const { weight, patienceMs, lineMs } = call
      try {
        await budget.take({ weight, patienceMs, lineMs, urgent, purse, signal: call.signal })
      } catch (cause) {
        throw cause instanceof Fault ? cause : unreachable(`no request was sent to ${venue}`, cause)
      }
      const made = typeof call.headers === 'function' ? await call.headers() : call.headers
      const deadline = AbortSignal.timeout(call.timeoutMs ?? defaultTimeoutMs)
      const signal = call.signal === undefined ? deadline : AbortSignal.any([deadline, call.signal])
      let status: number
      let headers: Record<string, string>
      let body: unknown
      try {
        const options: Attempted<NonNullable<Parameters<typeof undiciRequest>[1]>> = {
          dispatcher: call.take === undefined ? dispatcher : roomyDispatcher,
          attempts: { made: 0, sign: call.sign, again: () => budget.spend(weight, purse) },
          method: call.method ?? 'GET',
          signal,
          headers: {
            accept: 'application/json',
            'user-agent': userAgent,
            ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
            ...made,
          },
          body: call.body === undefined ? null : JSON.stringify(call.body),
        }
        const response = await undiciRequest(withQuery(call), options)
        status = response.statusCode
        headers = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)]))
        if (call.take !== undefined && status >= 200 && status <= 299) {
          for await (const piece of response.body as AsyncIterable<Buffer>) call.take(piece)
          body = undefined
        } else {
          const bytes = await bytesOf(response.body)
          call.received?.(bytes, { status, headers })
          body = await parse(bytes, status, unreachable)
        }
      } catch (cause) {
        if (cause instanceof Fault) throw cause
        if (cause instanceof AnswerTooComplex) throw unreachable(`${venue} answered with more than can be read`, cause)
        throw unreachable(deadline.aborted ? `${venue} did not answer in time` : `${venue} is unreachable`, cause)
      }
      if (status === 429) throw limited(venue, budget.rest(headers['retry-after'], purse))
      if (status >= 500) throw unreachable(`${venue} answered ${status}`)
      const answer = { status, headers, body }
      const unused = remainingOf(call, answer)
      if (unused > 0) budget.refund(unused, purse)
      return answer
    },
  }
  return {
    request: (call) => (requestChannel.hasSubscribers ? tracedRequest(venue, call, client) : client.request(call)),
    close: async () => void (await Promise.all([agent.close(), roomy.close()])),
  }
}

function tracedRequest(venue: string, call: HttpRequest, client: HttpClient): Promise<HttpResponse> {
  const request = { venue, method: call.method ?? 'GET', host: hostOf(call.url) }
  return requestChannel.tracePromise(async () => {
    const answer = await client.request(call)
    Object.assign(request, { status: answer.status })
    return answer
  }, request)
}

/** The unused part of a request's weight. */
export const remainingOf = ({ weight = 1, costOf }: HttpRequest, answer: HttpResponse): number =>
  costOf === undefined ? 0 : Math.max(0, weight - costOf(answer))

const ownBudgets = (options: Extract<HttpClientOptions, { requestsPerSecond: number }>): VenueBudgets =>
  new VenueBudgets(options.venue, { ...options, perSecond: options.requestsPerSecond }, options.clock)

const limited = (venue: string, retryAfterSeconds: number): Fault =>
  new Fault('NETWORK_ERROR', `${venue} limits our requests`, { exchange: venue, retryAfterSeconds })

interface Attempts {
  made: number
  sign: HttpRequest['sign']
  /** Called for each attempt but the first, which has had its turn. */
  again(): void
}
type Attempted<T> = T & { attempts?: Attempts }

const attempt: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  const { attempts, ...rest } = options as Attempted<Dispatcher.DispatchOptions>
  if (attempts === undefined) return dispatch(options, handler)
  if (attempts.made++ > 0) attempts.again()
  if (attempts.sign === undefined) return dispatch(rest, handler)
  return dispatch({ ...rest, headers: { ...(rest.headers as Record<string, string>), ...attempts.sign() } }, handler)
}

/** Cut off as soon as it turns out to be too much for the parser. */
async function bytesOf(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = []
  const scan = new JsonScan()
  let bytes = 0
  for await (const piece of body) {
    const before = bytes
    bytes += piece.length
    pieces.push(piece)
    if (bytes < slicedFromBytes) continue
    if (before < slicedFromBytes) for (const earlier of pieces) scan.take(earlier)
    else scan.take(piece)
  }
  return Buffer.concat(pieces)
}

/** Undefined for an empty body. */
async function parse(
  body: Buffer,
  status: number,
  unreachable: (message: string, cause?: unknown) => Fault,
): Promise<unknown> {
  if (body.length === 0) return undefined
  try {
    return body.length < slicedFromBytes ? JSON.parse(new TextDecoder().decode(body)) : await parseInSlices(body)
  } catch (cause) {
    if (cause instanceof AnswerTooComplex) throw cause
    if (status >= 400) return { error: new TextDecoder().decode(body.subarray(0, 2_000)).slice(0, 500) }
    throw unreachable('the venue answered with a body that is not JSON', cause)
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
