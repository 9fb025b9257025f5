// Holds answers against what the routes' own OpenAPI says: a status that stands nowhere is a defect, whichever test met it.
import type { Route } from '#http/defineRoute'
import { PathTree } from '#http/matchRoute'
import { buildOpenApi } from '#http/openapi'

type Operations = Readonly<Record<string, { responses: Readonly<Record<string, unknown>> }>>

/** Throws for a status that the operation does not document. Paths and methods that are no operation are not judged. */
export function createDocumented(
  routes: readonly Route<never>[],
): (method: string, path: string, status: number) => void {
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
  return (method, path, status) => {
    const found = find(path)
    const operation = found?.operations[method.toLowerCase()]
    if (operation === undefined || String(status) in operation.responses) return
    throw new Error(`${method} ${found!.template} answered ${status}, which its OpenAPI does not know`)
  }
}
