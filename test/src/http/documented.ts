// Holds answers against what the routes' own OpenAPI says: a status that stands nowhere and a body its schema forbids are defects,
// whichever test met them.
import { z } from 'zod'
import type { Route } from '#http/defineRoute'
import { PathTree } from '#http/matchRoute'
import { buildOpenApi } from '#http/openapi'

type JsonSchema = Parameters<typeof z.fromJSONSchema>[0]
interface Documented {
  content?: Readonly<Record<string, { schema: JsonSchema }>>
}
type Operations = Readonly<Record<string, { responses: Readonly<Record<string, Documented>> }>>

/** `json`: the body, where it is JSON. */
export type HoldAgainstDocument = (method: string, path: string, status: number, json: unknown) => void

/** Throws for a status that the operation does not document, and for a success its schema forbids. Paths and methods that are no operation are not judged. */
export function createDocumented(routes: readonly Route<never>[]): HoldAgainstDocument {
  const { paths } = buildOpenApi(routes, { version: 'test' }) as { paths: Readonly<Record<string, Operations>> }
  const tree = new PathTree<{ template: string; operations: Operations }>()
  for (const [template, operations] of Object.entries(paths)) tree.add(template, { template, operations })
  const find = (path: string) => {
    try {
      return tree.match(path)?.found[0]
    } catch {
      return undefined
    }
  }
  const schemas = new Map<Documented, z.ZodType>()
  const schemaOf = (response: Documented): z.ZodType | undefined => {
    const described = response.content?.['application/json']?.schema
    const known = schemas.get(response)
    if (known !== undefined || described === undefined) return known
    const schema = z.fromJSONSchema(described)
    schemas.set(response, schema)
    return schema
  }
  return (method, path, status, json) => {
    const found = find(path)
    const operation = found?.operations[method.toLowerCase()]
    if (operation === undefined) return
    const response = operation.responses[status]
    const name = `${method} ${found!.template}`
    if (response === undefined) throw new Error(`${name} answered ${status}, which its OpenAPI does not know`)
    if (status !== 200 || json === undefined) return
    const judged = schemaOf(response)?.safeParse(json)
    if (judged?.success === false) throw new Error(`${name} answered what its OpenAPI forbids: ${judged.error.message}`)
  }
}
