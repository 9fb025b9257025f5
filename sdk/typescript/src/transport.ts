// One call over HTTP, retried until it is answered, rejected, or given up.
import { type Clock, sleep } from './clock.ts'
import { ApiError, ConnectionError, CrossbookError, type ErrorCode, type Refusal } from './errors.ts'
import { type AnyParams, addressOf, factsOf, type OperationName } from './operations.ts'
import { type RetryOptions, retryDelay } from './retry.ts'

/** Duration of one attempt. */
export interface AnswerInfo {
  operation: OperationName
  status: number
  /** 0: the first attempt. */
  attempt: number
  requestId: string | null
  /** Null: not stated. */
  creditsCharged: number | null
  creditsBalance: number | null
  /** The response repeats that of an earlier call with this Idempotency-Key. */
  replayed: boolean
}

export interface CallOptions {
  signal?: AbortSignal
  /** Per attempt: until the response's head, and then until each next piece of its body. */
  timeoutMs?: number
  /** Identifies the intent. Generated if absent, and kept for all attempts of one call. */
  idempotencyKey?: string
  /** In addition to those of this client, such as `Range` for a download. */
  headers?: Readonly<Record<string, string>>
}

export interface TransportSettings {
  baseUrl: string
  apiKey: string | undefined
  timeoutMs: number
  retry: RetryOptions
  fetch: typeof fetch
  clock: Clock
  random: () => number
  onAnswer: ((info: AnswerInfo) => void) | undefined
}

interface Try {
  name: OperationName
  url: string
  init: RequestInit & { headers: Record<string, string> }
  options: CallOptions
  attempt: number
}

/** A successful response whose body is still to be read. `end` releases it. */
export interface Opened {
  response: Response
  idempotencyKey: string | undefined
  /** The next bytes; null at the end. Throws `ConnectionError` if they do not arrive. */
  read(): Promise<Uint8Array | null>
  end(): void
}

export class Transport {
  readonly settings: TransportSettings

  constructor(settings: TransportSettings) {
    this.settings = settings
  }

  /** Opens the response and reads all of it; an incomplete body is retried like a missing response. */
  fetch<T>(
    name: OperationName,
    params: AnyParams,
    options: CallOptions,
    parse: (bytes: Uint8Array, response: Response) => T,
  ): Promise<T> {
    return this.tries(name, params, options, async (opened) => {
      try {
        return parse(await wholeOf(opened), opened.response)
      } catch (cause) {
        if (!(cause instanceof SyntaxError)) throw cause
        throw new ConnectionError('the response was incomplete', { cause, idempotencyKey: opened.idempotencyKey })
      } finally {
        opened.end()
      }
    })
  }

  /** The caller reads the body, and handles an interruption. */
  open(name: OperationName, params: AnyParams, options: CallOptions): Promise<Opened> {
    return this.tries(name, params, options, async (opened) => opened)
  }

  private async tries<T>(
    name: OperationName,
    params: AnyParams,
    options: CallOptions,
    use: (opened: Opened) => Promise<T>,
  ): Promise<T> {
    const { baseUrl, clock, retry, random } = this.settings
    const init = this.initOf(name, params, options)
    const url = `${baseUrl}${addressOf(name, params)}`
    for (let attempt = 0; ; attempt++) {
      try {
        return await use(await this.once({ name, url, init, options, attempt }))
      } catch (failure) {
        options.signal?.throwIfAborted()
        const waitMs = retryDelay(name, failure, attempt, retry, random)
        if (waitMs === null) throw failure
        await sleep(clock, waitMs, options.signal)
      }
    }
  }

  private initOf(name: OperationName, { body }: AnyParams, options: CallOptions): Try['init'] {
    const { method, keyed } = factsOf(name)
    const headers: Record<string, string> = { ...options.headers }
    if (this.settings.apiKey !== undefined) headers.authorization = `Bearer ${this.settings.apiKey}`
    if (keyed) headers['idempotency-key'] = options.idempotencyKey ?? crypto.randomUUID()
    if (method === 'POST' || body !== undefined) headers['content-type'] = 'application/json'
    return {
      method,
      headers,
      redirect: 'error',
      ...(method === 'POST' || body !== undefined ? { body: JSON.stringify(body ?? {}) } : {}),
    }
  }

  private async once({ name, url, init, options, attempt }: Try): Promise<Opened> {
    const { fetch: fetchOnce, timeoutMs, onAnswer } = this.settings
    const idempotencyKey = init.headers['idempotency-key']
    const opened = new Opening(this.settings.clock, options.timeoutMs ?? timeoutMs, options.signal, idempotencyKey)
    const response = await opened.head((signal) => fetchOnce(url, { ...init, signal }))
    onAnswer?.(infoOf(name, response, attempt))
    if (response.ok) return opened.body(response)
    try {
      throw refusalOf(response, await wholeOf(opened.body(response)), idempotencyKey)
    } finally {
      opened.end()
    }
  }
}

/** One reason for all: an exception of its own for every response costs more than the rest of the call. */
const released = new CrossbookError('the response was released')

/** A fetch with a deadline for each step, and one way to end it. */
class Opening {
  private readonly clock: Clock
  private readonly timeoutMs: number
  private readonly idempotencyKey: string | undefined
  private readonly controller = new AbortController()
  private readonly given: AbortSignal | undefined
  private timedOut = false

  constructor(clock: Clock, timeoutMs: number, given: AbortSignal | undefined, idempotencyKey: string | undefined) {
    this.clock = clock
    this.timeoutMs = timeoutMs
    this.given = given
    this.idempotencyKey = idempotencyKey
    given?.addEventListener('abort', this.abort, { once: true })
    if (given?.aborted) this.abort()
  }

  private readonly abort = (): void => this.controller.abort(this.given?.reason)

  head(fetchOnce: (signal: AbortSignal) => Promise<Response>): Promise<Response> {
    return this.inTime(() => fetchOnce(this.controller.signal))
  }

  body(response: Response): Opened {
    const reader = response.body?.getReader()
    return {
      response,
      idempotencyKey: this.idempotencyKey,
      read: async () => {
        if (reader === undefined) return null
        const { done, value } = await this.inTime(() => reader.read())
        return done ? null : value
      },
      end: () => this.end(),
    }
  }

  end(): void {
    this.given?.removeEventListener('abort', this.abort)
    this.controller.abort(released)
  }

  private async inTime<T>(step: () => Promise<T>): Promise<T> {
    const cancel = this.clock.after(this.timeoutMs, () => {
      this.timedOut = true
      this.controller.abort()
    })
    try {
      return await step()
    } catch (cause) {
      this.end()
      this.given?.throwIfAborted()
      const { timedOut, idempotencyKey } = this
      const message = timedOut ? `no data for ${this.timeoutMs} ms` : 'the connection failed'
      throw new ConnectionError(message, { cause, timedOut, idempotencyKey })
    } finally {
      cancel()
    }
  }
}

async function wholeOf({ read }: Pick<Opened, 'read'>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for (let chunk = await read(); chunk !== null; chunk = await read()) {
    chunks.push(chunk)
    length += chunk.length
  }
  if (chunks.length === 1) return chunks[0]!
  const whole = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

const numberIn = (headers: Headers, name: string): number | null => {
  const text = headers.get(name)
  return text === null || !/^\d+$/.test(text) ? null : Number(text)
}

const infoOf = (operation: OperationName, { status, headers }: Response, attempt: number): AnswerInfo => ({
  operation,
  status,
  attempt,
  requestId: headers.get('x-request-id'),
  creditsCharged: numberIn(headers, 'x-credits-charged'),
  creditsBalance: numberIn(headers, 'x-credits-balance'),
  replayed: headers.get('idempotency-replay') === 'true',
})

/** A stand-in for the error body if something between us and the service responded, such as a proxy. */
const proxyStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504])

function refusalOf({ status, headers }: Response, body: Uint8Array, idempotencyKey?: string): ApiError {
  const retryAfter = numberIn(headers, 'retry-after') ?? undefined
  const envelope = envelopeIn(body)
  const refusal: Refusal = envelope ?? {
    code: status === 429 ? 'RATE_LIMITED' : 'INTERNAL',
    message: `status ${status}, and the body is not the service's`,
    retryable: proxyStatuses.has(status),
    requestId: headers.get('x-request-id'),
  }
  return new ApiError(status, { ...refusal, retryAfter: retryAfter ?? envelope?.retryAfter }, idempotencyKey)
}

function envelopeIn(body: Uint8Array): Refusal | null {
  try {
    const { error } = JSON.parse(new TextDecoder().decode(body)) as { error?: Partial<Refusal> & { code?: ErrorCode } }
    if (typeof error?.code !== 'string') return null
    const { code, message = '', retryable = false, requestId = null, exchange, retryAfter } = error
    return {
      code,
      message,
      retryable,
      requestId,
      ...(exchange !== undefined && { exchange }),
      ...(retryAfter !== undefined && { retryAfter }),
    }
  } catch {
    // Not JSON: the status alone is reported.
    return null
  }
}
