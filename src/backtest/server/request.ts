// A request to the API of a backtest, however it came, and its answer.
import { Fault } from '#core/fault'
import { parseTimestamp } from '#core/timestamp'
import { errorCodes } from '#schemas/errors'

export interface ApiRequest {
  method: string
  /** Without the query. */
  path: string
  query: URLSearchParams
  /** The Idempotency-Key; null: none. */
  key: string | null
  body: Readonly<Record<string, unknown>>
}

export interface ApiAnswer {
  status: number
  headers: Readonly<Record<string, string>>
  body: object
}

/** `url`: an address, or its path with the query. */
export function requestOf(method: string, url: string, key: string | null, text: string | null): ApiRequest {
  const { pathname, searchParams } = new URL(url, 'http://backtest')
  return { method, path: pathname, query: searchParams, key, body: bodyOf(text) }
}

const noQuery = new URLSearchParams()

/** Within the process: the body is a value. */
export function localRequest(method: string, address: string, key: string | null, body: unknown): ApiRequest {
  const mark = address.indexOf('?')
  return {
    ...{ method, key },
    path: mark === -1 ? address : address.slice(0, mark),
    query: mark === -1 ? noQuery : new URLSearchParams(address.slice(mark + 1)),
    body: typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {},
  }
}

function bodyOf(text: string | null): Readonly<Record<string, unknown>> {
  if (text === null || text === '') return {}
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Record<string, unknown>
  } catch (cause) {
    throw new Fault('VALIDATION_ERROR', 'the body is not JSON', { cause })
  }
  throw new Fault('VALIDATION_ERROR', 'the body must be an object')
}

export const answer = (data: unknown, siblings: object = {}, headers: ApiAnswer['headers'] = {}): ApiAnswer => ({
  status: 200,
  headers,
  body: { success: true, data, ...siblings },
})

/** Faults are answers; anything else is an error of the program, and ends the run. */
export function refusal(error: unknown, newId: () => string): ApiAnswer {
  if (!(error instanceof Fault)) throw error
  const [status, retryable] = errorCodes[error.code]
  const { code, message, exchange } = error
  return {
    status: error.status ?? status,
    headers: {},
    body: {
      success: false,
      error: {
        ...{ message, code, retryable: error.retryable ?? retryable, requestId: newId() },
        ...(exchange === undefined ? {} : { exchange }),
      },
    },
  }
}

/** A page of rows; `cursor` is the number of rows before it. */
export function pageOf<Row>(rows: readonly Row[], query: URLSearchParams, limitDefault: number, limitMax: number) {
  const after = readWhole(query, 'cursor') ?? 0
  const limit = Math.min(limitMax, Math.max(1, readWhole(query, 'limit') ?? limitDefault))
  const page = rows.slice(after, after + limit)
  return { page, next: rows.length > after + limit ? { nextCursor: String(after + limit) } : {} }
}

/** Epoch ms; null: not given. */
export function readTime(query: URLSearchParams, name: string): number | null {
  const text = query.get(name)
  if (text === null) return null
  const parsed = parseTimestamp(text)
  if ('refusal' in parsed) throw new Fault('VALIDATION_ERROR', `${name}: ${parsed.refusal}`)
  return parsed.ms
}

function readWhole(query: URLSearchParams, name: string): number | null {
  const text = query.get(name)
  if (text === null) return null
  if (!/^\d{1,12}$/.test(text)) throw new Fault('VALIDATION_ERROR', `${name}: must be a whole number`)
  return Number(text)
}
