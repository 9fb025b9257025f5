// An operation's responses: the envelope around its data, and every refusal by status with its codes.
import type { z } from 'zod'
import { type ErrorCode, statusOf } from '#schemas/errors'
import { commonErrors, type Media, type Route } from '../defineRoute.ts'
import { disabledResponses } from '../featureFlags.ts'
import { type Json, refTo, type Shapes } from './shapes.ts'

export const errorSchemas = (codes: readonly string[]): Readonly<Record<string, Json>> => ({
  ErrorCode: { type: 'string', enum: codes },
  Error: {
    type: 'object',
    required: ['success', 'error'],
    properties: {
      success: { const: false },
      error: refTo('ErrorDetail'),
    },
  },
  ErrorDetail: {
    type: 'object',
    required: ['message', 'code', 'retryable', 'requestId'],
    properties: {
      message: { type: 'string' },
      code: refTo('ErrorCode'),
      retryable: { type: 'boolean', description: 'The same call may succeed later' },
      requestId: { type: 'string' },
      exchange: { type: 'string', description: 'Only when a venue error is attributed to one exchange' },
      retryAfter: { type: 'integer', description: 'Whole seconds, as the Retry-After header' },
    },
  },
})

/** Every code the operation can be refused with. */
export function errorsOf(route: Route<never>): ErrorCode[] {
  const dark = route.family === 'core' ? [] : [disabledResponses[route.family][0]]
  return [...new Set([...commonErrors(route), ...route.errors, ...dark])]
}

/** `answer`: the component of the envelope. */
export function responsesOf(route: Route<never>, answer: Json | null, shapes: Shapes): Json {
  return {
    '200': successOf(route, answer, shapes),
    ...(route.ranges ? { '206': partOf(route) } : {}),
    ...(route.revalidates ? { '304': { description: 'Unchanged since the response with that tag' } } : {}),
    ...refusalsOf(route),
  }
}

const text: Json = { type: 'string' }

export const headers: Readonly<Record<string, Json>> = {
  'X-Request-Id': { schema: text, description: 'On every response; quote it when you report a problem' },
  'X-Credits-Charged': {
    description:
      'The operation’s cost: x-credits, or one credit for every x-rows-per-credit rows of the response if that is more; with x-credits-per-item, x-credits for every item that was done; 0 on an error, a 304 and a response repeated for the same Idempotency-Key',
    schema: { type: 'integer' },
  },
  'X-Credits-Balance': {
    description: 'The account’s balance after this call, as far as this gateway knows; absent if unlimited',
    schema: { type: 'integer' },
  },
  'Idempotency-Replay': {
    description: '`true`: an earlier call with this Idempotency-Key returned this',
    schema: text,
  },
  'Retry-After': { description: 'Whole seconds', schema: { type: 'integer' } },
  ETag: { schema: text, description: 'For If-None-Match' },
}

const headersOf = (names: readonly string[]): Json =>
  names.length === 0
    ? {}
    : { headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])) }

function successOf(route: Route<never>, answer: Json | null, shapes: Shapes): Json {
  const names = [...(route.keyed ? ['Idempotency-Replay'] : []), ...(route.revalidates ? ['ETag'] : [])]
  return {
    description: 'OK',
    ...withOwn(headersOf(names), route.headers),
    content: contentOf(route, answer, shapes),
  }
}

function contentOf({ contentType, raw, media }: Route<never>, answer: Json | null, shapes: Shapes): Json {
  const others = Object.fromEntries(
    Object.entries(media).map(([type, medium]) => [type, { schema: mediaOf(type, medium, shapes) }]),
  )
  if (answer === null && Object.keys(others).length > 0) return others
  const schema = answer ?? (raw === null ? text : shapes.of(raw, 'output'))
  return { [contentType]: { schema }, ...others }
}

function mediaOf(contentMediaType: string, { line, words, binary }: Media, shapes: Shapes): Json {
  const description = line === undefined ? words : (words ?? 'Each line is one of these')
  return {
    type: 'string',
    ...(binary ? { format: 'binary' } : {}),
    ...(description === undefined ? {} : { description }),
    ...(line === undefined ? {} : { contentMediaType, contentSchema: shapes.of(line, 'output') }),
  }
}

function withOwn({ headers: shared = {} }: Json, own: Route<never>['headers']): Json {
  const named = Object.entries(own).map(([name, description]) => [name, { description, schema: text }])
  const all = { ...(shared as Json), ...Object.fromEntries(named) }
  return Object.keys(all).length === 0 ? {} : { headers: all }
}

const partOf = ({ media }: Route<never>): Json => ({
  description: 'The requested range',
  headers: { ...(headersOf(['ETag']).headers as Json), 'Content-Range': { schema: text } },
  content: Object.fromEntries(
    Object.keys(media).map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
  ),
})

/** `closed`: nothing next to `data` except what the route declares. */
export function envelopeOf(
  data: Json,
  topLevelFields: Readonly<Record<string, z.ZodType>>,
  { shapes, closed }: { shapes: Shapes; closed: boolean },
): Json {
  const siblings = Object.entries(topLevelFields).map(([name, schema]) => [name, shapes.of(schema, 'output')])
  return {
    type: 'object',
    required: ['success', 'data', ...Object.keys(topLevelFields).filter((name) => !isOptional(topLevelFields[name]!))],
    properties: { success: { const: true }, data, ...Object.fromEntries(siblings) },
    ...(closed ? { additionalProperties: false } : {}),
  }
}

const isOptional = (schema: z.ZodType): boolean => schema.safeParse(undefined).success

const tooLarge = 413

/**
 * Refusals common to all operations with the same access: by status, in `default`. A status with a code of the operation's own is listed
 * separately.
 */
function everydayOf({ access }: Route<never>): ReadonlyMap<number, readonly ErrorCode[]> {
  const always = byStatus(commonErrors({ access: everydayAccess(access), keyed: false }))
  return new Map([...always.set(tooLarge, ['VALIDATION_ERROR'])].toSorted(([a], [b]) => a - b))
}

/** Without the plan's feature: that is documented where it applies. */
const everydayAccess = (access: Route<never>['access']): Route<never>['access'] =>
  access === 'public' ? access : { scope: access.scope, credits: access.credits }

function byStatus(codes: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  const found = new Map<number, ErrorCode[]>()
  for (const code of codes) {
    const status = statusOf(code)
    found.set(status, [...(found.get(status) ?? []), code].toSorted())
  }
  return found
}

/** One response per status for which the operation has its own code, naming every code with that status; the rest under `default`. */
function refusalsOf(route: Route<never>): Json {
  const everyday = everydayOf(route)
  const all = [...byStatus(errorsOf(route))].toSorted(([a], [b]) => a - b)
  const own = all.filter(([status, codes]) => codes.some((code) => everyday.get(status)?.includes(code) !== true))
  // Documentation tools and linters expect a 4xx refusal.
  if (!own.some(([status]) => status < 500)) own.unshift(...all.filter(([status]) => status === 400))
  return {
    ...Object.fromEntries(own.map(([status, codes]) => [String(status), refusal(codes.join(', '), waits(status))])),
    ...(route.ranges ? { '416': noSuchPart } : {}),
    default: refusal([...everyday].map(([status, codes]) => `${status} ${codes.join(', ')}`).join('; '), [
      'X-Request-Id',
      ...creditHeaders(route),
      'Retry-After',
    ]),
  }
}

/** For operations that cost credits. */
const creditHeaders = ({ access }: Route<never>): readonly string[] =>
  access === 'public' || access.credits === 0 ? [] : ['X-Credits-Charged', 'X-Credits-Balance']

const waits = (status: number): readonly string[] => (status === 429 || status === 503 ? ['Retry-After'] : [])

/** `codes`: every possible code. */
const refusal = (codes: string, names: readonly string[]): Json => ({
  description: codes,
  ...headersOf(names),
  content: { 'application/json': { schema: refTo('Error') } },
})

const noSuchPart: Json = {
  ...refusal('VALIDATION_ERROR', []),
  headers: { 'Content-Range': { description: '`bytes */<size>`', schema: text } },
}
