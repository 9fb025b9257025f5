// The input and output of each operation, derived from the generated types.
import type { operations } from './generated/api.ts'
import { table } from './generated/operations.ts'

export interface OperationFacts {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  /** Takes an Idempotency-Key. */
  readonly keyed?: true
  /** The parameter that takes a page's `nextCursor`. */
  readonly cursor?: 'cursor' | 'after'
}

/** `operationId`; for verbs with GET and POST the plain name is the GET, and `…_post` the other. */
export type OperationName = keyof typeof table

type IdOf<Name extends OperationName> = Name extends keyof operations ? Name : `${Name}_get` & keyof operations
type Operation<Name extends OperationName> = operations[IdOf<Name>]

/** `never` if the operation takes nothing, so that nothing can be passed. */
type Part<Key extends string, Value> = [NonNullable<Value>] extends [never]
  ? { [key in Key]?: never }
  : undefined extends Value
    ? { [key in Key]?: NonNullable<Value> }
    : { [key in Key]: Value }

interface AnyOperation {
  parameters: { path?: unknown; query?: unknown }
  requestBody?: unknown
}

/** Optional members may also be `undefined`. */
type Content<Body> = Body extends { content: { 'application/json': infer Json } } ? Json : Body

type ParamsOf<Operation extends AnyOperation> = Part<'path', Operation['parameters']['path']> &
  Part<'query', Operation['parameters']['query']> &
  Part<'body', Content<Operation['requestBody']>>

export type Params<Name extends OperationName> = ParamsOf<Operation<Name>>

type Contents<Name extends OperationName> =
  Operation<Name> extends { responses: { 200: { content: infer All } } } ? All : never

/** The complete envelope; text for text responses, bytes for anything else. */
export type Answer<Name extends OperationName> =
  Contents<Name> extends { 'application/json': infer Body }
    ? Body
    : Contents<Name> extends { 'text/plain': string }
      ? string
      : Uint8Array

export type Args<Name extends OperationName, Options> =
  Record<never, never> extends Params<Name>
    ? [params?: Params<Name>, options?: Options]
    : [params: Params<Name>, options?: Options]

/** Run-time data of a call. */
export interface AnyParams {
  path?: Readonly<Record<string, unknown>>
  query?: Readonly<Record<string, unknown>>
  body?: unknown
}

export const factsOf = (name: OperationName): OperationFacts => table[name]
export const operationNames = Object.keys(table) as OperationName[]

const none: Readonly<Record<string, unknown>> = {}
const pathParameter = /\{(\w+)\}/g

/** Path and query: lists are joined by commas, objects are sent as JSON text. */
export function addressOf(name: OperationName, { path = none, query = none }: AnyParams): string {
  const filled = factsOf(name).path.replace(pathParameter, (_, key: string) =>
    encodeURIComponent(pathPart(name, path, key)),
  )
  if (query === none) return filled
  const search = searchOf(query)
  return search.size === 0 ? filled : `${filled}?${search}`
}

export function searchOf(query: Readonly<Record<string, unknown>>): URLSearchParams {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) if (value !== undefined) search.set(key, textOf(value))
  return search
}

const pathNames = new Map<OperationName, readonly string[]>()

/** The parameters in the path of an operation, in their order. */
export function pathNamesOf(name: OperationName): readonly string[] {
  const known = pathNames.get(name)
  if (known !== undefined) return known
  const names = Array.from(factsOf(name).path.matchAll(pathParameter), ([, key]) => key!)
  pathNames.set(name, names)
  return names
}

/** The value of each. */
export const pathPartsOf = (name: OperationName, { path = none }: AnyParams): string[] =>
  pathNamesOf(name).map((key) => pathPart(name, path, key))

function pathPart(name: OperationName, path: Readonly<Record<string, unknown>>, key: string): string {
  const value = path[key]
  if (value === undefined || value === null || value === '') throw new TypeError(`${name}: path.${key} is missing`)
  return String(value)
}

function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.join(',')
  return JSON.stringify(value)
}
