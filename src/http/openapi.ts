// OpenAPI 3.1 written from the routes themselves, so that no second list can disagree with what is served.
import { z } from 'zod'
import { type ErrorCode, errorCodes, statusOf } from '#schemas/errors'
import { type WebhookEvent, webhookEvents } from '#schemas/webhooks'
import { commonErrors, type Method, type Route } from './defineRoute.ts'
import { darkAnswers } from './families.ts'
import { keyLengthMax } from './idempotencyKey.ts'
import { webhooksSection } from './openapiWebhooks.ts'

type Json = Record<string, unknown>

export interface DocumentInfo {
  version: string
  /** Base address shown to readers; relative when absent. */
  url?: string
  /** Codes that a refusal may have; all there are when absent. */
  codes?: readonly ErrorCode[]
  /** What is sent to endpoints; every event when absent. */
  webhookEvents?: readonly WebhookEvent[]
}

export function buildOpenApi(routes: readonly Route<never>[], info: DocumentInfo): Json {
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const entry = paths[route.path] ?? {}
    paths[route.path] = entry
    for (const method of route.methods) entry[method] = operationOf(route, method)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Crossbook',
      version: info.version,
      description:
        'One normalized interface over many prediction-market venues. Unknown is null, zero is a fact; ids are strings.',
    },
    servers: [{ url: info.url ?? '/' }],
    paths,
    webhooks: webhooksSection(info.webhookEvents ?? webhookEvents),
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'API key; never accepted in the address' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: 'Fallback for older clients' },
      },
      schemas: { Error: errorSchema(info.codes ?? Object.keys(errorCodes)) },
    },
  }
}

const errorSchema = (codes: readonly string[]): Json => ({
  type: 'object',
  required: ['success', 'error'],
  properties: {
    success: { const: false },
    error: {
      type: 'object',
      required: ['message', 'code', 'retryable', 'requestId'],
      properties: {
        message: { type: 'string' },
        code: { type: 'string', enum: codes },
        retryable: { type: 'boolean' },
        requestId: { type: 'string' },
        exchange: { type: 'string', description: 'Only when a venue error is attributed to one exchange' },
        retryAfter: { type: 'integer', description: 'Whole seconds, as the Retry-After header' },
      },
    },
  },
})

function operationOf(route: Route<never>, method: Method): Json {
  const { access } = route
  const query = route.documented?.query ?? route.query
  const body = route.documented?.body ?? route.body
  return {
    operationId: route.methods.length === 1 ? route.operationId : `${route.operationId}_${method}`,
    summary: route.summary,
    tags: [route.tag],
    ...(access === 'public'
      ? { security: [] }
      : {
          security: [{ bearer: [] }, { apiKey: [] }],
          'x-scope': access.scope,
          'x-plan-feature': access.feature ?? null,
          'x-credits': access.credits,
        }),
    'x-family': route.family,
    'x-errors': errorsOf(route),
    parameters: [
      ...parametersOf(route.path, route.params, 'path'),
      ...(method === 'get' ? parametersOf(route.path, query, 'query') : []),
      ...(route.keyed ? [idempotencyKeyParameter] : []),
      ...(route.revalidates ? [ifNoneMatchParameter] : []),
    ],
    ...(method === 'post' && body !== null
      ? {
          requestBody: {
            description: `At most ${route.bodyBytesMax} bytes`,
            content: { 'application/json': { schema: jsonSchema(body, 'input') } },
          },
        }
      : {}),
    responses: {
      '200': successOf(route),
      ...(route.revalidates ? { '304': { description: 'What the tag names is what would be answered' } } : {}),
      ...refusalsOf(route),
    },
  }
}

const idempotencyKeyParameter: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  description:
    'Names this intent for ever: the same key again answers with what it led to, and does nothing twice. Printable ASCII: other bytes at its ends are lost in transport, and two keys that differ by them only are one',
  schema: { type: 'string', minLength: 1, maxLength: keyLengthMax },
}

const ifNoneMatchParameter: Json = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The ETag of an earlier answer to the same question',
  schema: { type: 'string' },
}

function errorsOf(route: Route<never>): string[] {
  const dark = route.family === 'core' ? [] : [darkAnswers[route.family][0]]
  return [...new Set([...commonErrors(route), ...route.errors, ...dark])]
}

function successOf(route: Route<never>): Json {
  const headers = {
    'X-Request-Id': { schema: { type: 'string' } },
    ...creditHeaders(route),
    ...(route.revalidates ? { ETag: { schema: { type: 'string' } } } : {}),
  }
  if (route.data === null) {
    const schema = route.raw === null ? { type: 'string' } : jsonSchema(route.raw, 'output')
    return { description: 'OK', headers, content: { [route.contentType]: { schema } } }
  }
  const schema = {
    type: 'object',
    required: ['success', 'data'],
    properties: {
      success: { const: true },
      data: jsonSchema(route.data, 'output'),
      asOf: { type: ['string', 'null'], format: 'date-time' },
      provenance: { type: 'object', properties: { source: { type: 'string' } } },
      meta: { type: 'object' },
    },
  }
  return { description: 'OK', headers, content: { 'application/json': { schema } } }
}

/** Of what costs credits. Refusals carry them, too: nothing charged, and what is left. */
function creditHeaders({ access }: Route<never>): Json {
  if (access === 'public' || access.credits === 0) return {}
  return {
    'X-Credits-Charged': {
      description: `${access.credits}; 0 on every refusal and failure, on a 304 and on an answer the same Idempotency-Key had before`,
      schema: { type: 'integer' },
    },
    'X-Credits-Balance': {
      description: 'What the account has after this call, as far as this gateway knows; absent where it is not limited',
      schema: { type: 'integer' },
    },
  }
}

/** One response per status, naming every code that answers with it. */
function refusalsOf(route: Route<never>): Json {
  const byStatus = new Map<number, string[]>([
    [405, ['BAD_REQUEST']],
    [413, ['VALIDATION_ERROR']],
  ])
  for (const code of errorsOf(route)) {
    // A venue without a lane is a path that is not there.
    const status = code === 'VENUE_NOT_SUPPORTED' ? 404 : statusOf(code as keyof typeof errorCodes)
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      { description: codes.join(', '), ...(status === 402 ? { headers: creditHeaders(route) } : {}), content },
    ]),
  )
}

function parametersOf(path: string, schema: z.ZodType | null, where: 'path' | 'query'): Json[] {
  const described = schema === null ? {} : jsonSchema(schema, 'input')
  const properties = (described.properties ?? {}) as Record<string, Json>
  const required = new Set((described.required ?? []) as string[])
  const names = where === 'path' ? [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!) : Object.keys(properties)
  return names.map((name) => ({
    name,
    in: where,
    required: where === 'path' || required.has(name),
    schema: properties[name] ?? { type: 'string' },
  }))
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json
  return rest
}
