// The document of all routes as a public linter sees it.
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect, it } from 'vitest'
import { buildOpenApi } from '#http/openapi'
import { routes } from '#http/routes'

const document = JSON.parse(JSON.stringify(buildOpenApi(routes, { version: '0.0.0', url: 'http://127.0.0.1:8080' })))

interface Operation {
  operationId: string
  responses: Record<string, unknown>
  security?: unknown[]
  'x-scope'?: string
  'x-credits'?: number
}
const operations = Object.values(document.paths as Record<string, Record<string, Operation>>).flatMap((path) =>
  Object.values(path).filter((value) => value?.operationId !== undefined),
)

describe('the OpenAPI document', () => {
  it('passes a public linter', async () => {
    const config = await createConfig({ extends: ['recommended'] })
    const problems = await lintFromString({ source: JSON.stringify(document), config })
    expect(
      problems
        .filter(({ severity }) => severity === 'error')
        .map(({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer}`),
    ).toEqual([])
  }, 60_000)

  it('names every route', () => {
    const ids = new Set(operations.map(({ operationId }) => operationId))
    for (const route of routes)
      expect(
        [...ids].some((id) => id.startsWith(route.operationId)),
        route.operationId,
      ).toBe(true)
  })
})
