// The two machine-readable documents. Encoded once: they change only with the program.

import { buildAsyncApi } from '../asyncapi.ts'
import { defineRoute, type Route } from '../defineRoute.ts'
import { buildOpenApi } from '../openapi.ts'
import type { SystemDeps } from './ports.ts'

/** `routes` is asked late, because the list it describes contains this very route. */
export function getOpenApi(routes: () => readonly Route<never>[]): Route<SystemDeps> {
  let encoded: string | null = null
  return defineRoute({
    operationId: 'getOpenApi',
    method: 'get',
    path: '/openapi.json',
    access: 'public',
    summary: 'This interface as OpenAPI 3.1',
    data: null,
    handle: (_, { system }: SystemDeps) => {
      encoded ??= JSON.stringify(buildOpenApi(routes(), { version: system.version }))
      return { raw: { contentType: 'application/json; charset=utf-8', body: encoded } }
    },
  })
}

export const getAsyncApi = defineRoute({
  operationId: 'getAsyncApi',
  method: 'get',
  path: '/asyncapi.json',
  access: 'public',
  summary: 'The stream as AsyncAPI 3',
  data: null,
  handle: (_, { system }: SystemDeps) => ({
    raw: { contentType: 'application/json; charset=utf-8', body: JSON.stringify(buildAsyncApi(system.version)) },
  }),
})
