// OpenAPI 3.1 generated from the routes themselves, so that no second list can disagree with what is served. Routes that only answer that
// they are not served are in no document.
import type { z } from 'zod'
import { type ErrorCode, errorCodes } from '#schemas/errors'
import { type DeliveredEvent, testEvent, type WebhookEvent, webhookEvents } from '#schemas/webhooks'
import { lanes as builtLanes, statusLanes } from '#venues/registry'
import { bodyBytesMax } from './contract.ts'
import { commonErrors, type Method, type Route } from './defineRoute.ts'
import {
  type DescribedVenue,
  executionSchemas,
  type LaneShapes,
  withArtifactSchemas,
} from './openapi/executionSchemas.ts'
import { parametersOf } from './openapi/parameters.ts'
import { envelopeOf, errorSchemas, headers, responsesOf } from './openapi/responses.ts'
import { type Io, type Json, refTo, type Shapes, shapesOf } from './openapi/shapes.ts'
import { extractSharedSchemas, type Place, slotsOf, upperCamel } from './openapi/shared.ts'
import { tagsOf } from './openapi/tags.ts'
import { webhookSchemas, webhooksSection } from './openapi/webhooks.ts'

export interface DocumentInfo {
  version: string
  /** Base address shown to readers; relative when absent. */
  url?: string
  /** Possible refusal codes; defaults to all. */
  codes?: readonly ErrorCode[]
  /** Lanes whose bodies and artifacts are documented; defaults to every lane of this version. */
  lanes?: readonly DescribedVenue[]
  /** Events sent to endpoints; defaults to all. */
  webhookEvents?: readonly WebhookEvent[]
  /** Forbids unnamed fields in answers: for tests. */
  closed?: boolean
}

const everyLane: readonly DescribedVenue[] = [...Object.values(builtLanes), ...statusLanes]

export function buildOpenApi(all: readonly Route<never>[], info: DocumentInfo): Json {
  const routes = all.filter(({ served }) => served)
  // Documented only if something is built.
  const builds = routes.some(({ laneVerb }) => laneVerb === 'build')
  const lanes = executionSchemas(builds ? (info.lanes ?? everyLane) : [])
  const bodyOf = bodiesWith(lanes)
  const shapes = shapesOf(schemasOf(routes, bodyOf, lanes), { closed: info.closed ?? false })
  const answers = createAnswers(shapes, info.closed ?? false)
  const paths: Record<string, Record<string, Operation>> = {}
  for (const route of routes) {
    const entry = paths[route.path] ?? {}
    paths[route.path] = entry
    for (const method of route.methods)
      entry[method] = operationOf(route, { method, body: takesBody(method) ? bodyOf(route) : null }, shapes, answers)
  }
  const webhooks = webhooksSection(sentTo(routes, info), shapes)
  const sent = Object.values(webhooks).map(({ post }) => post)
  const { parameters, responses } = shareParts([
    ...Object.values(paths).flatMap((entry) => Object.values(entry)),
    ...sent,
  ])
  return {
    openapi: '3.1.0',
    info: {
      title: 'Crossbook',
      version: info.version,
      description: `One normalized interface over many prediction-market venues. null means unknown, 0 means zero; ids are strings. Responses may gain fields. The description of an error lists its codes; \`default\` lists by status what any operation may return. Every response has an X-Request-Id and, if x-credits is above 0, X-Credits-Charged and X-Credits-Balance. A body has at most ${bodyBytesMax} bytes unless stated otherwise.`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: info.url ?? '/' }],
    security: [{ bearer: [] }, { apiKey: [] }],
    tags: tagsOf([...routes.map(({ tag }) => tag), 'webhooks']),
    paths,
    webhooks,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'API key; never accepted in the address' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: 'Fallback for older clients' },
      },
      schemas: {
        ...withArtifactSchemas(shapes, lanes, info.closed ?? false),
        ...answers.components,
        ...errorSchemas(info.codes ?? Object.keys(errorCodes)),
      },
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

/** Meaningless for GET. */
const takesBody = (method: Method): boolean => method !== 'get'

const queryOf = (route: Route<never>): z.ZodType | null => route.documented?.query ?? route.query

type BodyOf = (route: Route<never>) => z.ZodType | null
const bodiesWith =
  ({ bodies }: LaneShapes): BodyOf =>
  ({ laneVerb, documented, body }) =>
    (laneVerb === null ? null : bodies[laneVerb]) ?? documented?.body ?? body

function schemasOf(
  routes: readonly Route<never>[],
  bodyOf: BodyOf,
  { artifacts }: LaneShapes,
): Record<Io, z.ZodType[]> {
  const given = (schemas: readonly (z.ZodType | null)[]): z.ZodType[] => schemas.flatMap((schema) => schema ?? [])
  return {
    input: given([
      ...routes.flatMap((route) => [route.params, queryOf(route), bodyOf(route)]),
      ...artifacts.flatMap(({ schemas }) => schemas),
    ]),
    output: given([
      ...routes.flatMap(({ data, raw, media, topLevelFields }) => [
        data,
        raw,
        ...Object.values(media).map(({ line }) => line ?? null),
        ...Object.values(topLevelFields),
      ]),
      ...webhookSchemas,
    ]),
  }
}

/** An endpoint that may request a test may receive one. */
const sentTo = (routes: readonly Route<never>[], info: DocumentInfo): readonly DeliveredEvent[] => {
  const events = info.webhookEvents ?? webhookEvents
  return routes.some(({ operationId }) => operationId === 'testWebhook') ? [...events, testEvent] : events
}

interface Answers {
  of(route: Route<never>): Json | null
  components: Record<string, Json>
}

/** Envelopes by name: routes with the same answer share one. */
function createAnswers(shapes: Shapes, closed: boolean): Answers {
  const components: Record<string, Json> = {}
  return {
    components,
    of(route) {
      if (route.data === null) return null
      const data = shapes.of(route.data, 'output')
      const envelope = envelopeOf(data, route.topLevelFields, { shapes, closed })
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

/** Repeated parts of operations become shared components. */
function shareParts(operations: readonly Operation[]): { parameters: Json; responses: Json } {
  const parameters = operations.flatMap(({ parameters, operationId }) => placesOf(parameters, operationId))
  const responses = operations.flatMap(({ responses, operationId }) => placesOf(responses, operationId))
  return {
    parameters: extractSharedSchemas(parameters, 'parameters', ({ name, in: where }, { operation }) => {
      const plain = where === 'header' ? upperCamel(String(name)) : String(name)
      return [plain, `${plain}Of${upperCamel(operation)}`]
    }),
    responses: extractSharedSchemas(responses, 'responses', (response, place) => [nameOfResponse(response, place)]),
  }
}

interface OperationPart extends Place {
  operation: string
}
const placesOf = (holder: object, operationId: string): OperationPart[] =>
  slotsOf(holder).map((place) => ({ ...place, operation: operationId.replace(/_.*/, '') }))

/** Longer lists are named after an operation that uses them. */
const codesNamedMax = 3
const everyday: ReadonlySet<string> = new Set(commonErrors({ access: { scope: 'read', credits: 1 }, keyed: false }))

function nameOfResponse({ description }: Json, { key: status, operation }: OperationPart): string {
  if (status === '304') return 'NotModified'
  const codes = String(description).match(/[A-Z][A-Z_]{2,}/g) ?? []
  if (status === 'default') return defaultName(codes)
  const own = codes.filter((code) => !everyday.has(code))
  return own.length === 0 || own.length > codesNamedMax
    ? `${upperCamel(operation)}${status}`
    : own.map(upperCamel).join('Or')
}

const defaultName = (codes: readonly string[]): string =>
  codes.includes('INSUFFICIENT_CREDITS') ? 'Metered' : codes.includes('RATE_LIMITED') ? 'Keyed' : 'Public'

function operationOf(
  route: Route<never>,
  { method, body }: { method: Method; body: z.ZodType | null },
  shapes: Shapes,
  answers: Answers,
): Operation {
  const { access } = route
  return {
    operationId: route.methods.length === 1 ? route.operationId : `${route.operationId}_${method}`,
    summary: method === 'post' && route.methods.includes('get') ? `As ${route.operationId}_get` : route.summary,
    tags: [route.tag],
    ...(access === 'public'
      ? { security: [] }
      : {
          'x-scope': access.scope,
          ...(access.feature === undefined ? {} : { 'x-plan-feature': access.feature }),
          'x-credits': access.credits,
          ...(access.rowsPerCredit === undefined ? {} : { 'x-rows-per-credit': access.rowsPerCredit }),
          ...(access.itemsIn === undefined ? {} : { 'x-credits-per-item': true }),
        }),
    ...(route.family === 'core' ? {} : { 'x-family': route.family }),
    parameters: parametersOf(route, method, shapes),
    ...(body === null
      ? {}
      : {
          requestBody: {
            ...(route.bodyBytesMax === bodyBytesMax ? {} : { description: `At most ${route.bodyBytesMax} bytes` }),
            content: { 'application/json': { schema: shapes.of(body, 'input') } },
          },
        }),
    responses: responsesOf(route, answers.of(route), shapes),
  }
}
