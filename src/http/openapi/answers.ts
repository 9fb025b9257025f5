// What an operation answers: the envelope around its data, and every refusal by status with the codes that it is told by.
import type { z } from 'zod'
import { type ErrorCode, statusOf } from '#schemas/errors'
import { commonErrors, type Route } from '../defineRoute.ts'
import { darkAnswers } from '../families.ts'
import { type Json, refTo, type Shapes } from './shapes.ts'

export const errorSchemas = (codes: readonly string[]): Readonly<Record<string, Json>> => ({
  ErrorCode: { type: 'string', enum: codes },
  Error: {
    type: 'object',
    required: ['success', 'error'],
    properties: {
      success: { type: 'boolean', const: false },
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
  const dark = route.family === 'core' ? [] : [darkAnswers[route.family][0]]
  return [...new Set([...commonErrors(route), ...route.errors, ...dark])]
}

/** `answer`: the component the envelope is. */
export function responsesOf(route: Route<never>, answer: Json | null, shapes: Shapes): Json {
  return {
    '200': successOf(route, answer, shapes),
    ...(route.revalidates ? { '304': { description: 'What the tag names is what would be answered' } } : {}),
    ...refusalsOf(route),
  }
}

const text: Json = { type: 'string' }

export const headers: Readonly<Record<string, Json>> = {
  'X-Request-Id': { schema: text, description: 'Quote it when reporting' },
  'X-Credits-Charged': {
    description:
      'What the operation weighs (x-credits); 0 on every refusal and failure, on a 304 and on an answer the same Idempotency-Key had before',
    schema: { type: 'integer' },
  },
  'X-Credits-Balance': {
    description: 'What the account has after this call, as far as this gateway knows; absent where it is not limited',
    schema: { type: 'integer' },
  },
  'Idempotency-Replay': {
    description: '`true`: the answer of an earlier call with this Idempotency-Key; absent otherwise',
    schema: text,
  },
  'Retry-After': { description: 'Whole seconds', schema: { type: 'integer' } },
  ETag: { schema: text, description: 'For If-None-Match' },
}

const told = (...names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

function successOf(route: Route<never>, answer: Json | null, shapes: Shapes): Json {
  const names = ['X-Request-Id', ...creditHeaders(route)]
  if (route.keyed) names.push('Idempotency-Replay')
  if (route.revalidates) names.push('ETag')
  const schema = answer ?? (route.raw === null ? text : shapes.of(route.raw, 'output'))
  return { description: 'OK', headers: told(...names), content: { [route.contentType]: { schema } } }
}

export function envelopeOf(data: Json, beside: Readonly<Record<string, z.ZodType>>, shapes: Shapes): Json {
  const siblings = Object.entries(beside).map(([name, schema]) => [name, shapes.of(schema, 'output')])
  return {
    type: 'object',
    required: ['success', 'data', ...Object.keys(beside).filter((name) => !isOptional(beside[name]!))],
    properties: { success: { type: 'boolean', const: true }, data, ...Object.fromEntries(siblings) },
  }
}

const isOptional = (schema: z.ZodType): boolean => schema.safeParse(undefined).success

/** Of what costs credits. Refusals carry them, too: nothing charged, and what is left. */
const creditHeaders = ({ access }: Route<never>): readonly string[] =>
  access === 'public' || access.credits === 0 ? [] : ['X-Credits-Charged', 'X-Credits-Balance']

/** What any operation may say. They stand under `default`, unless the operation has a code of its own for the status. */
const everyday: ReadonlySet<ErrorCode> = new Set(['INSUFFICIENT_CREDITS', 'RATE_LIMITED', 'GEO_BLOCKED', 'INTERNAL'])
const tooLarge = 413

/** One response per status, naming every code that answers with it; the rest under `default`. */
function refusalsOf(route: Route<never>): Json {
  const byStatus = new Map<number, ErrorCode[]>([[tooLarge, ['VALIDATION_ERROR']]])
  for (const code of errorsOf(route)) {
    // A venue without a lane is a path that is not there.
    const status = code === 'VENUE_NOT_SUPPORTED' ? 404 : statusOf(code)
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const all = [...byStatus].toSorted(([a], [b]) => a - b)
  const isEveryday = ([status, codes]: (typeof all)[number]): boolean =>
    status === tooLarge || codes.every((code) => everyday.has(code))
  const rest = all.filter(isEveryday)
  return {
    ...Object.fromEntries(
      all.filter((each) => !isEveryday(each)).map(([status, codes]) => [String(status), refusal(status, codes)]),
    ),
    default: {
      ...refusal(
        429,
        rest.flatMap(([, codes]) => codes),
      ),
      description: rest.map(([status, codes]) => `${status} ${codes.join(', ')}`).join('; '),
    },
  }
}

const mayWait: ReadonlySet<number> = new Set([429, 503])

function refusal(status: number, codes: readonly ErrorCode[]): Json {
  const sorted = codes.toSorted()
  return {
    description: sorted.join(', '),
    ...(mayWait.has(status) ? { headers: told('Retry-After') } : {}),
    content: { 'application/json': { schema: refTo('Error') } },
    'x-codes': sorted,
  }
}
