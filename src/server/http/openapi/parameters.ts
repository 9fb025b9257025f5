// An operation's inputs outside its body.
import type { Route } from '../defineRoute.ts'
import { keyLengthMax } from '../idempotencyKey.ts'
import type { Json, Shapes } from './shapes.ts'

export function parametersOf(route: Route<never>, method: string, shapes: Shapes): Json[] {
  const query = method === 'get' || route.documented === null ? (route.documented?.query ?? route.query) : null
  const inPath = route.params === null ? {} : shapes.of(route.params, 'input')
  const inQuery = query === null ? {} : shapes.of(query, 'input')
  return [
    ...[...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) =>
      pathParameter(name!, propertiesOf(inPath)[name!], shapes),
    ),
    ...Object.entries(propertiesOf(inQuery)).map(([name, schema]) =>
      queryParameter(name, schema, requiredOf(inQuery).includes(name), shapes),
    ),
    ...(route.keyed ? [idempotencyKey] : []),
    ...(route.revalidates ? [ifNoneMatch] : []),
    ...(route.ranges ? [range, ifRange] : []),
  ]
}

const propertiesOf = (shape: Json): Record<string, Json> => (shape.properties ?? {}) as Record<string, Json>
const requiredOf = (shape: Json): readonly string[] => (shape.required ?? []) as string[]

/** Parameters that occur in many paths with one meaning. */
const knownParameters: Readonly<Record<string, Json>> = {
  exchange: {
    description: 'A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it',
    schema: { type: 'string' },
  },
  venue: { description: 'The name of a venue, case-insensitive', schema: { type: 'string', minLength: 1 } },
  feed: { description: 'A reference feed: binance or chainlink', schema: { type: 'string' } },
}

function pathParameter(name: string, schema: Json | undefined, shapes: Shapes): Json {
  const { description, ...rest } = schema ?? { type: 'string' }
  return {
    name,
    in: 'path',
    required: true,
    ...(knownParameters[name] ?? {
      ...(description === undefined ? {} : { description }),
      schema: rest,
      ...exampled(rest, shapes),
    }),
  }
}

function queryParameter(name: string, { description, ...schema }: Json, required: boolean, shapes: Shapes): Json {
  return {
    name,
    in: 'query',
    ...(required ? { required } : {}),
    ...(description === undefined ? {} : { description }),
    ...asText(schema, shapes),
  }
}

/** Lists are joined by commas; objects are sent as JSON text. */
function asText(schema: Json, shapes: Shapes): Json {
  if (!hasMembers(schema, shapes))
    return {
      ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
      schema: withoutExamples(schema),
      ...exampled(schema, shapes),
    }
  return { schema: { type: 'string', contentMediaType: 'application/json', contentSchema: schema } }
}

/** Examples by format. */
const formExamples: Readonly<Record<string, string>> = {
  date: '2026-11-22',
  'date-time': '2026-11-22T12:00:00Z',
  uuid: '6c1c1c46-7d3c-4f2a-9a6f-0c8f3f6d2b11',
}

const withoutExamples = ({ examples: _, ...schema }: Json): Json => schema

function exampled(schema: Json, shapes: Shapes): Json {
  const example = exampleOf(schema, shapes)
  return example === undefined ? {} : { example }
}

/** Its own; else a member of its enum, or one of its format. Undefined for unconstrained text. */
function exampleOf(schema: Json, shapes: Shapes): unknown {
  if (typeof schema.$ref === 'string') return exampleOf(shapes.named(schema.$ref), shapes)
  const [own] = (schema.examples ?? schema.enum ?? []) as unknown[]
  if (own !== undefined) return own
  if (schema.type === 'array') {
    const item = exampleOf((schema.items ?? {}) as Json, shapes)
    return item === undefined ? undefined : [item]
  }
  for (const part of (schema.anyOf ?? []) as Json[]) {
    const found = exampleOf(part, shapes)
    if (found !== undefined) return found
  }
  return formExamples[String(schema.format)]
}

function hasMembers(schema: Json, shapes: Shapes): boolean {
  if (typeof schema.$ref === 'string') return hasMembers(shapes.named(schema.$ref), shapes)
  const parts = [schema.items, ...((schema.anyOf as Json[] | undefined) ?? [])].filter((part) => part !== undefined)
  return schema.type === 'object' || parts.some((part) => hasMembers(part as Json, shapes))
}

const idempotencyKey: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  description:
    'Identifies this intent permanently: repeating the key returns the original result and does nothing twice. Printable ASCII',
  schema: { type: 'string', minLength: 1, maxLength: keyLengthMax },
}

const range: Json = {
  name: 'Range',
  in: 'header',
  description: 'One byte range; several return the whole file',
  schema: { type: 'string' },
  example: 'bytes=0-1023',
}

const ifRange: Json = {
  name: 'If-Range',
  in: 'header',
  description: 'The ETag that the range belongs to; if it has changed, the whole file is returned',
  schema: { type: 'string' },
}

const ifNoneMatch: Json = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The ETag of an earlier response to the same request',
  schema: { type: 'string' },
}
