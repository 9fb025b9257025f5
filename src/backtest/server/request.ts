// A request to the API of a backtest, however it came, and its answer.
import { Fault } from '#core/fault'
import { parseTimestamp } from '#core/timestamp'
import { errorCodes } from '#schemas/errors'
import {
  type AnyParams,
  addressOf,
  factsOf,
  type OperationName,
  operationNames,
  pathNamesOf,
  pathPartsOf,
  searchOf,
} from '#sdk/typescript/src/operations'

export interface ApiRequest {
  /** Null: the API has no operation at this address. */
  operation: OperationName | null
  /** Of the parameters in its path, in their order. */
  parts: readonly string[]
  query: URLSearchParams
  /** The Idempotency-Key; null: none. */
  key: string | null
  body: Readonly<Record<string, unknown>>
  /** Method and path, where it came with an address. */
  target: string | null
}

export interface ApiAnswer {
  status: number
  headers: Readonly<Record<string, string>>
  body: object
}

/** `url`: an address, or its path with the query. */
export function requestOf(method: string, url: string, key: string | null, text: string | null): ApiRequest {
  const { pathname, searchParams } = new URL(url, 'http://backtest')
  const { operation, parts } = findOperation(method, pathname)
  return { operation, parts, query: searchParams, key, body: bodyOf(text), target: `${method} ${pathname}` }
}

const noQuery = new URLSearchParams()

/** Within the process: operation and values. */
export const localRequest = (operation: OperationName, params: AnyParams, key: string | null): ApiRequest => ({
  operation,
  parts: pathPartsOf(operation, params),
  query: params.query === undefined ? noQuery : searchOf(params.query),
  key,
  body: typeof params.body === 'object' && params.body !== null ? (params.body as Record<string, unknown>) : {},
  target: null,
})

/** Method and path. */
export function targetOf({ operation, parts, target }: ApiRequest): string {
  if (operation === null || target !== null) return target ?? ''
  const path = Object.fromEntries(pathNamesOf(operation).map((name, i) => [name, parts[i]]))
  return `${factsOf(operation).method} ${addressOf(operation, { path })}`
}

const patterns = operationNames.map((operation) => {
  const { method, path } = factsOf(operation)
  return { operation, method, pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '([^/]+)')}$`) }
})

function findOperation(method: string, path: string): Pick<ApiRequest, 'operation' | 'parts'> {
  // A path without parameters comes before one in which a parameter has that value.
  let found: Pick<ApiRequest, 'operation' | 'parts'> | null = null
  for (const { operation, method: verb, pattern } of patterns) {
    const match = verb === method ? pattern.exec(path) : null
    if (match === null || (found !== null && found.parts.length < match.length)) continue
    found = { operation, parts: match.slice(1).map(decodeURIComponent) }
  }
  return found ?? { operation: null, parts: [] }
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

const noHeaders: ApiAnswer['headers'] = {}

/** `siblings`: of `data` in the envelope. */
export const answer = (data: unknown, siblings?: object): ApiAnswer => ({
  status: 200,
  headers: noHeaders,
  body: siblings === undefined ? { success: true, data } : { success: true, data, ...siblings },
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
