// The documents of all routes and of the whole stream as a public linter sees them.
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect, it } from 'vitest'
import { buildAsyncApi } from '#http/asyncapi'
import { buildOpenApi } from '#http/openapi'
import { routes } from '#http/routes'
import { streamChannels } from '#schemas/stream'
import { tradeFilterVenue } from '#schemas/venues'
import { operationsOf } from '#test/support/openapiDocument'

const document = JSON.parse(JSON.stringify(buildOpenApi(routes, { version: '0.0.0', url: 'http://127.0.0.1:8080' })))

const operations = operationsOf(document)

async function complaints(source: object): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: JSON.stringify(source), config })
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer}`)
}

describe('the OpenAPI document', () => {
  it('passes a public linter', async () => {
    // The specification's own paths: a fixed word and a name at the same place. The router takes the word first.
    expect((await complaints(document)).filter((words) => !words.startsWith('no-ambiguous-paths'))).toEqual([])
  }, 60_000)

  it('is of a size that a person and a generator can read', () => {
    expect(JSON.stringify(document).length).toBeLessThanOrEqual(310_000)
  })

  it('has no pattern that means something only to JavaScript: Python reads it, too', () => {
    const patterns = new Set<string>()
    JSON.stringify(document, (key, value) => {
      if (key === 'pattern' && typeof value === 'string') patterns.add(value)
      return value
    })
    expect(patterns.size).toBeGreaterThan(20)
    // Classes by Unicode property, code points, named groups, sets within sets.
    expect([...patterns].filter((pattern) => /\\[pPuc]|\(\?<[a-zA-Z]|\[[^\]]*\[/.test(pattern))).toEqual([])
  })

  it('names the parts of every choice between objects: generators lose track of those without', () => {
    const nameless: string[] = []
    for (const [name, schema] of Object.entries(document.components.schemas as Record<string, { anyOf?: object[] }>)) {
      const parts = (schema.anyOf ?? []).filter((part) => 'properties' in part)
      if (parts.length > 1) nameless.push(name)
    }
    expect(nameless).toEqual([])
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

describe('the AsyncAPI document', () => {
  const stream = buildAsyncApi('0.0.0', { channels: streamChannels, pendingTrades: tradeFilterVenue })

  it('passes a public linter', async () => {
    expect(await complaints(stream)).toEqual([])
  }, 60_000)

  it('is read by the linter as what it is: a field that it may not have is told', async () => {
    expect(await complaints({ ...stream, operations: { send: { action: 'shout' } } })).not.toEqual([])
  }, 60_000)
})
