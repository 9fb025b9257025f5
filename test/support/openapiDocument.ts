// Reads an OpenAPI document like its readers do, resolving references to shared parts.
export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  schema?: Readonly<Record<string, unknown>>
}
export interface Response {
  description: string
  headers?: Readonly<Record<string, unknown>>
  content?: Readonly<Record<string, { schema: Readonly<Record<string, unknown>>; example?: unknown }>>
}
export interface Operation {
  operationId: string
  summary: string
  security?: readonly unknown[]
  'x-scope'?: string
  'x-credits'?: number
  'x-rows-per-credit'?: number
  'x-credits-per-item'?: boolean
  'x-plan-feature'?: string
  parameters: readonly Parameter[]
  requestBody?: { content: Readonly<Record<string, { schema: Readonly<Record<string, unknown>>; example?: unknown }>> }
  responses: Readonly<Record<string, Response>>
}

type Refs = Readonly<Record<string, Readonly<Record<string, unknown>>>>
interface Raw {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  components: Refs
}

/** `#/components/<section>/<name>`. */
export function resolve<T>(document: object, value: T | { $ref: string }): T {
  const ref = (value as { $ref?: string }).$ref
  if (ref === undefined) return value as T
  const [, , section, name] = ref.split('/')
  const found = (document as Raw).components[section!]?.[name!]
  if (found === undefined) throw new Error(`${ref} does not exist`)
  return found as T
}

export interface ListedOperation extends Operation {
  method: string
  path: string
}

export const operationsOf = (document: object): ListedOperation[] =>
  Object.entries((document as Raw).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
      parameters: operation.parameters.map((parameter) => resolve(document, parameter)),
      responses: Object.fromEntries(
        Object.entries(operation.responses).map(([status, response]) => [status, resolve(document, response)]),
      ),
    })),
  )

/** The codes that a response with this status may have. `default` contains those of several. */
export const codesWith = (status: number | string, { description }: Response): string[] => {
  const parts = description.split('; ')
  const codesText = parts.find((part) => part.startsWith(`${status} `)) ?? (/^\d/.test(description) ? '' : description)
  return codesText.match(/[A-Z][A-Z_]{2,}/g) ?? []
}

/** Every code that an operation can be refused with. */
export const codesOf = ({ responses }: Operation): string[] =>
  Object.entries(responses).flatMap(([status, { description }]) =>
    status === '200' ? [] : (description.match(/[A-Z][A-Z_]{2,}/g) ?? []),
  )
