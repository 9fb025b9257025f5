// HTTP reads, with the key in a header. Response shapes are those of `schemas/`.
import type { ErrorEnvelope } from '#schemas/errors'
import type { Status } from '#schemas/status'
import { backoffMs } from './backoff.ts'
import { apiKey, isLab, recordResponse, recordTimeout, signOut, signOutReason } from './session.ts'

export interface Answer<Data> {
  data: Data
  asOf?: string | null
  meta?: Readonly<Record<string, unknown>>
  nextCursor?: string | null
  notes?: readonly string[]
}

export class ApiError extends Error {
  readonly code: string
  readonly retryable: boolean
  constructor(code: string, message: string, retryable = false) {
    super(message)
    this.code = code
    this.retryable = retryable
  }
}

type Query = Readonly<Record<string, string | number | boolean | undefined>>

export const api = async <Data>(path: string, query: Query = {}, signal?: AbortSignal): Promise<Answer<Data>> =>
  (await (await request(path, query, signal)).json()) as Answer<Data>

/** Reads NDJSON, parsed line by line. */
export async function apiLines(path: string, query: Query, signal?: AbortSignal): Promise<unknown[]> {
  const text = await (await request(path, query, signal)).text()
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line))
}

/** Reads a file, with the headers that describe it. */
export async function apiFile(path: string, query: Query): Promise<{ body: Blob; headers: Headers }> {
  const response = await request(path, query)
  return { body: await response.blob(), headers: response.headers }
}

/** Requests that change something. `idempotencyKey`: where repeating one must not repeat its effect. */
export const send = async <Data>(
  method: 'POST' | 'DELETE',
  path: string,
  body: unknown,
  idempotencyKey?: string,
): Promise<Answer<Data>> =>
  (await (
    await request(path, {}, undefined, apiKey.value, { method, body: JSON.stringify(body), idempotencyKey })
  ).json()) as Answer<Data>

const signInTries = 4

/**
 * Signs in with a key that the server accepts, and learns whether lab venues are behind it. Retries a few times, for a server that has just
 * started.
 */
export async function signIn(key: string, tried = 1): Promise<void> {
  // A header cannot contain other characters: the browser would refuse to send it.
  if (!/^[\x21-\x7e]+$/.test(key)) throw new ApiError('UNAUTHORIZED', 'the API key has characters that no key has')
  let answer: Answer<Status>
  try {
    answer = (await (await request('/v1/status', {}, undefined, key)).json()) as Answer<Status>
  } catch (error) {
    if (!(error instanceof ApiError) || !error.retryable || tried === signInTries) throw error
    await new Promise((resume) => setTimeout(resume, backoffMs(tried - 1, Math.random())))
    return signIn(key, tried + 1)
  }
  const { data } = answer
  isLab.value = data.lab
  signOutReason.value = null
  apiKey.value = key
}

async function request(
  path: string,
  query: Query,
  signal?: AbortSignal,
  key = apiKey.value,
  { idempotencyKey, ...change }: { method?: string; body?: string; idempotencyKey?: string | undefined } = {},
): Promise<Response> {
  const address = new URL(path, location.origin)
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') address.searchParams.set(name, String(value))
  const headers = {
    ...(key !== null && { authorization: `Bearer ${key}` }),
    ...(change.body !== undefined && { 'content-type': 'application/json' }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
  }
  const response = await answerOf(address, { ...change, headers, cache: 'no-store' }, signal)
  if (response.ok) return response
  const { code, message, retryable } = await errorOf(response)
  if (response.status === 401 && key === apiKey.value) signOut(message)
  throw new ApiError(code, message, retryable)
}

/** Without this, a server that hangs would leave the previous response on the page as if it were current. */
const answerWithinMs = 10_000

async function answerOf(address: URL, init: RequestInit, signal: AbortSignal | undefined): Promise<Response> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), answerWithinMs)
  try {
    const signals = signal === undefined ? [late.signal] : [signal, late.signal]
    const response = await fetch(address, { ...init, signal: AbortSignal.any(signals) })
    recordResponse()
    return response
  } catch (error) {
    if (signal?.aborted === true) throw error
    recordTimeout()
    const words = late.signal.aborted ? `no answer within ${answerWithinMs / 1_000} s` : 'the server cannot be reached'
    throw new ApiError('NETWORK', words, true)
  } finally {
    clearTimeout(timer)
  }
}

async function errorOf(response: Response): Promise<{ code: string; message: string; retryable: boolean }> {
  try {
    return ((await response.json()) as ErrorEnvelope).error
  } catch {
    // The response came from something between here and the program, such as a proxy.
    return { code: `HTTP_${response.status}`, message: `the server answered ${response.status}`, retryable: false }
  }
}
