// The parts of the API documents that a client depends on: the operations, what each takes and returns, and the schemas. Descriptions,
// bounds and examples are left out: they may change freely.
import type { Documents } from './contract.ts'

export interface Schema {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

/** By name: `query.limit` for a parameter, `body`, or the content type of a response. */
export type Members = Record<string, { required: boolean; schema: Schema }>

export interface Summary {
  version: string
  operations: Record<string, { route: string; sends: Members; answers: Members }>
  /** Messages that a socket may send and receive. */
  stream: { sends: Members; answers: Members }
  schemas: Record<string, Schema>
}

interface Parameter {
  name: string
  in: string
  required?: boolean
  schema?: Schema
}
interface Operation {
  operationId: string
  parameters?: (Parameter & { $ref?: string })[]
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> }
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: Schema }> }>
}

export function summarize({ version, openapi, asyncapi }: Documents): Summary {
  const components = openapi.components as Record<string, Record<string, object>>
  const stream = asyncapi.components as {
    messages: Record<string, { payload: Schema }>
    schemas: Record<string, Schema>
  }
  const found = <T extends object>(value: T & { $ref?: string }): T => {
    const [, , section, name] = value.$ref?.split('/') ?? []
    return section === undefined ? value : (components[section]![name!] as T)
  }
  const operations: Summary['operations'] = {}
  for (const [path, methods] of Object.entries(openapi.paths as Record<string, Record<string, Operation>>)) {
    for (const [method, { operationId, parameters = [], requestBody, responses }] of Object.entries(methods)) {
      const taken = parameters
        .map((parameter) => found<Parameter>(parameter))
        .map(({ in: where, name, required = false, schema }) => [`${where}.${name}`, { required, schema }])
      const bodies = Object.values(requestBody?.content ?? {}).map(({ schema }) => ['body', { required: true, schema }])
      const answers = Object.entries(found(responses['200'] ?? {}).content ?? {}).map(([type, { schema }]) => [
        type,
        { required: true, schema },
      ])
      operations[operationId] = {
        route: `${method.toUpperCase()} ${path}`,
        sends: shapesOnly(Object.fromEntries([...taken, ...bodies])) as Members,
        answers: shapesOnly(Object.fromEntries(answers)) as Members,
      }
    }
  }
  const memberOf = ({ payload }: { payload: Schema }) => ({ required: true, schema: payload })
  const { clientOp, ...frames } = stream.messages
  return {
    version,
    operations,
    stream: {
      sends: shapesOnly(clientOp === undefined ? {} : { clientOp: memberOf(clientOp) }) as Members,
      answers: shapesOnly(
        Object.fromEntries(Object.entries(frames).map(([name, frame]) => [name, memberOf(frame)])),
      ) as Members,
    },
    schemas: shapesOnly({ ...stream.schemas, ...components.schemas }) as Record<string, Schema>,
  }
}

const kept = [
  '$ref',
  'type',
  'const',
  'enum',
  'items',
  'properties',
  'required',
  'additionalProperties',
  'anyOf',
  'oneOf',
  'allOf',
  'contentSchema',
]

/** Member names are kept; of a schema only the keywords that define its shape. */
function shapesOnly(named: object): object {
  return Object.fromEntries(
    Object.entries(named).map(([name, value]) => [
      name,
      'schema' in value ? { ...value, schema: shapeOnly(value.schema) } : shapeOnly(value),
    ]),
  )
}

function shapeOnly(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(shapeOnly)
  if (typeof schema !== 'object' || schema === null) return schema
  const { properties, required, ...rest } = schema as Schema & Record<string, unknown>
  const keywords = Object.entries(rest).filter(([name]) => kept.includes(name))
  return {
    ...Object.fromEntries(
      keywords.map(([name, value]) => [name, name === 'const' || name === 'enum' ? value : shapeOnly(value)]),
    ),
    ...(properties !== undefined && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, shapeOnly(member)])),
    }),
    ...(required !== undefined && required.length > 0 && { required }),
  }
}
