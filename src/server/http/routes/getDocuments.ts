// The two machine-readable documents. Encoded once: they change only with the program and its enabled features.
import { z } from 'zod'
import { buildAsyncApi } from '../asyncapi.ts'
import { defineRoute, type Route } from '../defineRoute.ts'
import { type EnabledFeatures, servedCodes, servedRoutes } from '../enabledRoutes.ts'
import { buildOpenApi } from '../openapi.ts'
import type { SystemDeps } from './ports.ts'

/** `routes` is called late, because the list it describes contains this very route. */
export function getOpenApi(routes: () => readonly Route<never>[]): Route<SystemDeps> {
  const encoded = new WeakMap<EnabledFeatures, string>()
  return defineRoute({
    operationId: 'getOpenApi',
    method: 'get',
    path: '/openapi.json',
    access: 'public',
    summary: 'This API as OpenAPI 3.1, without routes that are switched off here',
    data: null,
    raw: z.looseObject({
      openapi: z.literal('3.1.0'),
      info: z.looseObject({ title: z.string(), version: z.string() }),
      paths: z.record(z.string(), z.record(z.string(), z.looseObject({}))),
    }),
    handle: (_, { system, served }: SystemDeps) => {
      let body = encoded.get(served)
      if (body === undefined) {
        const { families, webhookEvents } = served
        const codes = servedCodes(routes(), families)
        const info = { version: system.version, codes, webhookEvents }
        body = JSON.stringify(buildOpenApi(servedRoutes(routes(), families), info))
        encoded.set(served, body)
      }
      return { raw: { contentType: 'application/json; charset=utf-8', body } }
    },
  })
}

export const getAsyncApi = defineRoute({
  operationId: 'getAsyncApi',
  method: 'get',
  path: '/asyncapi.json',
  access: 'public',
  summary: 'The stream as AsyncAPI 3, without channels that are switched off here',
  data: null,
  raw: z.looseObject({
    asyncapi: z.string(),
    info: z.looseObject({ title: z.string(), version: z.string() }),
    channels: z.record(z.string(), z.looseObject({})),
  }),
  handle: (_, { system, served }: SystemDeps) => ({
    raw: {
      contentType: 'application/json; charset=utf-8',
      body: JSON.stringify(buildAsyncApi(system.version, served)),
    },
  }),
})
