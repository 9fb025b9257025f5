// OpenAPI 3.1 written from the routes themselves, so that no second list can disagree with what is served. What answers only that it is not
// served stands in no document.
import type { z } from 'zod'
import { type ErrorCode, errorCodes } from '#schemas/errors'
import { type WebhookEvent, webhookEvents } from '#schemas/webhooks'
import type { Method, Route } from './defineRoute.ts'
import { envelopeOf, errorSchemas, headers, responsesOf } from './openapi/answers.ts'
import { parametersOf } from './openapi/parameters.ts'
import { type Io, type Json, refTo, type Shapes, shapesOf } from './openapi/shapes.ts'
import { hoist, type Place, placesIn, upperCamel } from './openapi/shared.ts'
import { tagsOf } from './openapi/tags.ts'
import { webhookSchemas, webhooksSection } from './openapi/webhooks.ts'

export interface DocumentInfo {
  version: string
  /** Base address shown to readers; relative when absent. */
  url?: string
  /** Codes that a refusal may have; all there are when absent. */
  codes?: readonly ErrorCode[]
  /** What is sent to endpoints; every event when absent. */
  webhookEvents?: readonly WebhookEvent[]
  /** Answers with fields that are not named are forbidden: for tests. */
  closed?: boolean
}

export function buildOpenApi(all: readonly Route<never>[], info: DocumentInfo): Json {
  const routes = all.filter(({ served }) => served)
  const shapes = shapesOf(schemasOf(routes), { closed: info.closed ?? false })
  const answers = createAnswers(shapes)
  const paths: Record<string, Record<string, Operation>> = {}
  for (const route of routes) {
    const entry = paths[route.path] ?? {}
    paths[route.path] = entry
    for (const method of route.methods) entry[method] = operationOf(route, method, shapes, answers)
  }
  const { parameters, responses } = shareWords(Object.values(paths).flatMap((entry) => Object.values(entry)))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Crossbook',
      version: info.version,
      description:
        'One normalized interface over many prediction-market venues. Unknown is null, zero is a fact; ids are strings. Answers may get further fields.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: info.url ?? '/' }],
    security: [{ bearer: [] }, { apiKey: [] }],
    tags: tagsOf([...routes.map(({ tag }) => tag), 'webhooks']),
    paths,
    webhooks: webhooksSection(info.webhookEvents ?? webhookEvents, shapes),
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'API key; never accepted in the address' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: 'Fallback for older clients' },
      },
      schemas: { ...shapes.components, ...answers.components, ...errorSchemas(info.codes ?? Object.keys(errorCodes)) },
      parameters,
      headers,
      responses,
    },
  }
}

interface Operation extends Json {
  operationId: string
  parameters: Json[]
  responses: Json
}

const queryOf = (route: Route<never>): z.ZodType | null => route.documented?.query ?? route.query
const bodyOf = (route: Route<never>): z.ZodType | null => route.documented?.body ?? route.body

function schemasOf(routes: readonly Route<never>[]): Record<Io, z.ZodType[]> {
  const given = (schemas: readonly (z.ZodType | null)[]): z.ZodType[] => schemas.flatMap((schema) => schema ?? [])
  return {
    input: given(routes.flatMap((route) => [route.params, queryOf(route), bodyOf(route)])),
    output: given([
      ...routes.flatMap(({ data, raw, beside }) => [data, raw, ...Object.values(beside)]),
      ...webhookSchemas,
    ]),
  }
}

interface Answers {
  of(route: Route<never>): Json | null
  components: Record<string, Json>
}

/** Envelopes by name: routes that answer the same share one. */
function createAnswers(shapes: Shapes): Answers {
  const components: Record<string, Json> = {}
  return {
    components,
    of(route) {
      if (route.data === null) return null
      const data = shapes.of(route.data, 'output')
      const envelope = envelopeOf(data, route.beside, shapes)
      const names = [nameOfData(data), upperCamel(route.operationId)].flatMap((name) =>
        name === null ? [] : [`${name}Answer`],
      )
      for (const name of names) {
        components[name] ??= envelope
        if (JSON.stringify(components[name]) === JSON.stringify(envelope)) return refTo(name)
      }
      throw new Error(`${route.operationId}: no name is left for its answer`)
    },
  }
}

const nameIn = ({ $ref }: Json): string | null =>
  typeof $ref === 'string' ? $ref.slice($ref.lastIndexOf('/') + 1) : null

function nameOfData(data: Json): string | null {
  const items = data.type === 'array' ? nameIn(data.items as Json) : null
  return items === null ? nameIn(data) : `${items}List`
}

/** What several operations say in the same words, said once. */
function shareWords(operations: readonly Operation[]): { parameters: Json; responses: Json } {
  const parameters = operations.flatMap((operation) => placesIn(operation.parameters))
  const responses = operations.flatMap((operation) =>
    placesIn(operation.responses).map((place) => ({ ...place, operation: operation.operationId.replace(/_.*/, '') })),
  )
  return {
    parameters: hoist(parameters, 'parameters', ({ name, in: where }) =>
      where === 'header' ? upperCamel(String(name)) : String(name),
    ),
    responses: hoist(responses, 'responses', nameOfResponse),
  }
}

/** Longer lists are named after an operation that tells them. */
const codesNamedMax = 3

function nameOfResponse(response: Json, { key: status, operation }: Place & { operation: string }): string {
  const codes = response['x-codes'] as string[] | undefined
  if (status === 'default') return defaultName(codes!)
  return codes === undefined || codes.length > codesNamedMax
    ? `${upperCamel(operation)}${status}`
    : codes.map(upperCamel).join('Or')
}

const defaultName = (codes: readonly string[]): string =>
  codes.includes('INSUFFICIENT_CREDITS')
    ? 'MeteredDefault'
    : codes.includes('RATE_LIMITED')
      ? 'KeyedDefault'
      : 'PublicDefault'

function operationOf(route: Route<never>, method: Method, shapes: Shapes, answers: Answers): Operation {
  const { access } = route
  const body = method === 'post' ? bodyOf(route) : null
  return {
    operationId: route.methods.length === 1 ? route.operationId : `${route.operationId}_${method}`,
    summary: route.summary,
    tags: [route.tag],
    ...(access === 'public'
      ? { security: [] }
      : {
          'x-scope': access.scope,
          ...(access.feature === undefined ? {} : { 'x-plan-feature': access.feature }),
          'x-credits': access.credits,
        }),
    ...(route.family === 'core' ? {} : { 'x-family': route.family }),
    parameters: parametersOf(route, method, shapes),
    ...(body === null
      ? {}
      : {
          requestBody: {
            description: `At most ${route.bodyBytesMax} bytes`,
            content: { 'application/json': { schema: shapes.of(body, 'input') } },
          },
        }),
    responses: responsesOf(route, answers.of(route), shapes),
  }
}
