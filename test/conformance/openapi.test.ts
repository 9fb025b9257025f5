// The documents of all routes and of the whole stream, checked by a public linter.
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect, it } from 'vitest'
import { routes } from '#roles/routes'
import { streamChannels } from '#schemas/stream'
import { tradeFilterVenue } from '#schemas/venues'
import { buildAsyncApi } from '#server/http/asyncapi'
import { buildOpenApi } from '#server/http/openapi'
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
    // Paths of the specification with a fixed word and a parameter at the same place. The router prefers the word.
    expect((await complaints(document)).filter((words) => !words.startsWith('no-ambiguous-paths'))).toEqual([])
  }, 60_000)

  it('has a size that people and generators can read', () => {
    expect(JSON.stringify(document).length).toBeLessThanOrEqual(480_000)
  })

  it('describes every group of operations', () => {
    const groups = document.tags as { name: string; description?: string }[]
    expect(groups.filter(({ description }) => description === undefined).map(({ name }) => name)).toEqual([])
  })

  it('uses no pattern that only JavaScript understands: Python can compile them, too', () => {
    const patterns = new Set<string>()
    JSON.stringify(document, (key, value) => {
      if (key === 'pattern' && typeof value === 'string') patterns.add(value)
      return value
    })
    expect(patterns.size).toBeGreaterThan(20)
    // Classes by Unicode property, code points, named groups, sets within sets.
    expect([...patterns].filter((pattern) => /\\[pPuc]|\(\?<[a-zA-Z]|\[[^\]]*\[/.test(pattern))).toEqual([])
  })

  it('names the parts of every choice between objects: generators cannot distinguish unnamed ones', () => {
    const nameless: string[] = []
    for (const [name, schema] of Object.entries(document.components.schemas as Record<string, { anyOf?: object[] }>)) {
      const parts = (schema.anyOf ?? []).filter((part) => 'properties' in part)
      if (parts.length > 1) nameless.push(name)
    }
    expect(nameless).toEqual([])
  })

  it('names every served route', () => {
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

  it('is checked against its schema by the linter: an unknown field is reported', async () => {
    expect(await complaints({ ...stream, operations: { send: { action: 'shout' } } })).not.toEqual([])
  }, 60_000)
})
