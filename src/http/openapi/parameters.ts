// What an operation is told outside its body.
import type { Route } from '../defineRoute.ts'
import { keyLengthMax } from '../idempotencyKey.ts'
import type { Json, Shapes } from './shapes.ts'

export function parametersOf(route: Route<never>, method: string, shapes: Shapes): Json[] {
  const query = method === 'get' || route.documented === null ? (route.documented?.query ?? route.query) : null
  const inPath = route.params === null ? {} : shapes.of(route.params, 'input')
  const inQuery = query === null ? {} : shapes.of(query, 'input')
  return [
    ...[...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => pathParameter(name!, propertiesOf(inPath)[name!])),
    ...Object.entries(propertiesOf(inQuery)).map(([name, schema]) =>
      queryParameter(name, schema, requiredOf(inQuery).includes(name)),
    ),
    ...(route.keyed ? [idempotencyKey] : []),
    ...(route.revalidates ? [ifNoneMatch] : []),
  ]
}

const propertiesOf = (shape: Json): Record<string, Json> => (shape.properties ?? {}) as Record<string, Json>
const requiredOf = (shape: Json): readonly string[] => (shape.required ?? []) as string[]

/** Of names that stand in many paths and are read in one way. */
const said: Readonly<Record<string, Json>> = {
  exchange: {
    description: 'A venue of GET /v1/venues, in any case, or `router` for all of them where the verb has it',
    schema: { type: 'string' },
  },
  venue: { description: 'A venue by its name, in any case', schema: { type: 'string', minLength: 1 } },
  feed: { description: 'A reference feed: binance or chainlink', schema: { type: 'string' } },
}

function pathParameter(name: string, schema: Json | undefined): Json {
  const { description, ...rest } = schema ?? { type: 'string' }
  return {
    name,
    in: 'path',
    required: true,
    ...(said[name] ?? { ...(description === undefined ? {} : { description }), schema: rest }),
  }
}

function queryParameter(name: string, { description, ...schema }: Json, required: boolean): Json {
  return {
    name,
    in: 'query',
    ...(required ? { required } : {}),
    ...(description === undefined ? {} : { description }),
    ...asText(schema),
  }
}

/** Lists are joined by commas; what has members of its own is sent as JSON text. */
function asText(schema: Json): Json {
  if (!hasMembers(schema)) return schema.type === 'array' ? { style: 'form', explode: false, schema } : { schema }
  return { schema: { type: 'string', contentMediaType: 'application/json', contentSchema: schema } }
}

function hasMembers(schema: Json): boolean {
  const parts = [schema.items, ...((schema.anyOf as Json[] | undefined) ?? [])].filter((part) => part !== undefined)
  return schema.type === 'object' || schema.$ref !== undefined || parts.some((part) => hasMembers(part as Json))
}

const idempotencyKey: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  description:
    'Names this intent for ever: the same key again answers with what it led to, and does nothing twice. Printable ASCII: other bytes at its ends are lost in transport, and two keys that differ by them only are one',
  schema: { type: 'string', minLength: 1, maxLength: keyLengthMax },
}

const ifNoneMatch: Json = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The ETag of an earlier answer to the same question',
  schema: { type: 'string' },
}
