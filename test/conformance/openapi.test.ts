// The document of all routes as a public linter sees it.
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect, it } from 'vitest'
import { buildOpenApi } from '#http/openapi'
import { routes } from '#http/routes'
import { operationsOf } from '#test/support/openapiDocument'

const document = JSON.parse(JSON.stringify(buildOpenApi(routes, { version: '0.0.0', url: 'http://127.0.0.1:8080' })))

const operations = operationsOf(document)

describe('the OpenAPI document', () => {
  it('passes a public linter', async () => {
    const config = await createConfig({ extends: ['recommended'] })
    const problems = await lintFromString({ source: JSON.stringify(document), config })
    // The specification's own paths: a fixed word and a name at the same place. The router takes the word first.
    const told = problems.filter(({ ruleId }) => ruleId !== 'no-ambiguous-paths')
    expect(told.map(({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer}`)).toEqual([])
  }, 60_000)

  it('is of a size that a person and a generator can read', () => {
    expect(JSON.stringify(document).length).toBeLessThanOrEqual(300_000)
  })

  it('names every route that is served', () => {
    const ids = new Set(operations.map(({ operationId }) => operationId))
    for (const route of routes.filter(({ served }) => served))
      expect(
        [...ids].some((id) => id.startsWith(route.operationId)),
        route.operationId,
      ).toBe(true)
  })
})
