// The two API documents as the reference page reads them. Pure: what is missing is left out, never guessed.

export type Schema = Readonly<Record<string, unknown>>

export interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema?: Schema
  example?: unknown
}

export interface Content {
  schema?: Schema
  example?: unknown
  examples?: Readonly<Record<string, { value?: unknown }>>
}

export interface Reply {
  description?: string
  content?: Readonly<Record<string, Content>>
}

export interface Operation {
  operationId: string
  summary?: string
  description?: string
  tags?: readonly string[]
  security?: readonly unknown[]
  parameters?: readonly (Parameter | { $ref: string })[]
  requestBody?: { content?: Readonly<Record<string, Content>> }
  responses?: Readonly<Record<string, Reply | { $ref: string }>>
  'x-scope'?: string
  'x-plan-feature'?: string
  'x-credits'?: number
  'x-rows-per-credit'?: number
}

export interface Document {
  info: { title: string; version: string; description?: string }
  tags?: readonly { name: string; description?: string }[]
  paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  webhooks?: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  components?: unknown
}

export interface Message {
  name: string
  summary?: string
  payload?: Schema
}

export interface StreamDocument extends Document {
  channels: Readonly<Record<string, { address?: string }>>
  operations: Readonly<
    Record<string, { action: 'send' | 'receive'; summary?: string; messages?: readonly { $ref: string }[] }>
  >
}

export interface Listed {
  /** The id in the address. */
  id: string
  tag: string
  method: string
  path: string
  operation: Operation
}

const methods = ['get', 'post', 'put', 'patch', 'delete']

/** In the order of the document. */
export function operationsOf({ paths = {}, webhooks = {} }: Document): Listed[] {
  const listed = (from: Document['paths'], methodOf: (method: string) => string): Listed[] =>
    Object.entries(from ?? {}).flatMap(([path, item]) =>
      methods.flatMap((method) => {
        const operation = item[method]
        return operation === undefined
          ? []
          : [
              {
                id: operation.operationId,
                tag: operation.tags?.[0] ?? 'others',
                method: methodOf(method),
                path,
                operation,
              },
            ]
      }),
    )
  return [...listed(paths, (method) => method.toUpperCase()), ...listed(webhooks, () => 'EVENT')]
}

/** Resolves a reference, over several hops; null: it leads nowhere, or in a circle. */
export function resolve<T>(document: unknown, value: T | { $ref: string }): T | null {
  let current: unknown = value
  for (let hop = 0; hop < hopsMax; hop++) {
    const reference = referenceOf(current)
    if (reference === null) return current as T
    current = at(document, reference)
  }
  return null
}

const hopsMax = 8

export const referenceOf = (value: unknown): string | null =>
  typeof value === 'object' && value !== null && '$ref' in value ? String(value.$ref) : null

function at(document: unknown, reference: string): unknown {
  const words = reference.replace(/^#\//, '').split('/')
  return words.reduce<unknown>((place, word) => {
    const name = word.replaceAll('~1', '/').replaceAll('~0', '~')
    return typeof place === 'object' && place !== null && Object.hasOwn(place, name)
      ? (place as Record<string, unknown>)[name]
      : undefined
  }, document)
}

/** Operations that contain every word of `query`. */
export function found(operations: readonly Listed[], query: string): Listed[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return operations.filter(({ path, operation: { operationId, summary = '' } }) => {
    const text = `${path} ${operationId} ${summary}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

/** A call as a shell command. Required values without an example are placeholders with their names. */
export function curlOf({ method, path, operation }: Listed, parameters: readonly Parameter[], origin: string): string {
  const needed = parameters.filter((parameter) => parameter.required === true)
  const standIn = ({ name, example }: Parameter): string => (example === undefined ? `<${name}>` : String(example))
  const place = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = needed.find((each) => each.name === name)
    return parameter === undefined ? `<${name}>` : standIn(parameter)
  })
  const query = needed.filter((parameter) => parameter.in === 'query')
  const search = query.length === 0 ? '' : `?${query.map((each) => `${each.name}=${standIn(each)}`).join('&')}`
  const headers = [
    ...(operation.security?.length === 0 ? [] : ['-H "Authorization: Bearer $KEY"']),
    ...needed.filter((each) => each.in === 'header').map((each) => `-H "${each.name}: ${standIn(each)}"`),
  ]
  const content = operation.requestBody?.content ?? {}
  const body = content['application/json']
  const sent = body?.example ?? Object.values(body?.examples ?? {})[0]?.value
  const data = body === undefined ? [] : [`-H "Content-Type: application/json" -d '${JSON.stringify(sent ?? {})}'`]
  const verb = method === 'GET' ? [] : [`-X ${method}`]
  return ['curl', ...verb, ...headers, ...data, `"${origin}${place}${search}"`].join(' ')
}
