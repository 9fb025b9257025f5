import { describe, expect, it } from 'vitest'
import { routes } from '#roles/routes'
import { withCors } from '#server/http/cors'
import { buildOpenApi } from '#server/http/openapi'
import { operationsOf } from '#test/support/openapiDocument'
import { callOf, createWorld, readAnswer } from './world.ts'

const page = 'https://app.example.com'

const request = async (origins: string[], method: string, headers: Record<string, string>) => {
  const handler = withCors(createWorld().handler, origins)
  return readAnswer(await handler(callOf(method, '/health', { key: null, headers })))
}
const preflight = { 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' }

describe('pages of other origins', () => {
  it('get no CORS headers while no origin is allowed', async () => {
    const { headers } = await request([], 'OPTIONS', { origin: page, ...preflight })
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control') || name === 'vary')).toEqual([])
  })

  it('of an allowed origin may read, and caches keep origins apart', async () => {
    const { status, headers } = await request([page, 'https://other.example'], 'GET', { origin: page })
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'access-control-allow-origin': page,
      'access-control-expose-headers': '*',
      vary: 'Origin',
    })
    expect(headers['access-control-allow-credentials']).toBeUndefined()
  })

  it.each(['https://app.example.com.evil.example', 'http://app.example.com', 'https://app.example.com:8443', 'null'])(
    'of %s may not read, and the response still varies by origin',
    async (origin) => {
      const { headers } = await request([page], 'GET', { origin })
      expect(headers['access-control-allow-origin']).toBeUndefined()
      expect(headers.vary).toBe('Origin')
    },
  )

  it('learn in the preflight what they may send', async () => {
    const { status, headers } = await request([page], 'OPTIONS', { origin: page, ...preflight })
    expect(status).toBe(204)
    expect(headers['access-control-allow-methods']).toBe('GET, HEAD, OPTIONS')
    expect(headers['access-control-max-age']).toBe('600')
  })

  it('may send every header that an operation reads, and trace headers', async () => {
    const { headers } = await request([page], 'OPTIONS', { origin: page, ...preflight })
    const read = operationsOf(buildOpenApi(routes, { version: '0.0.0' })).flatMap(({ parameters }) =>
      parameters.filter((each) => each.in === 'header').map(({ name }) => name.toLowerCase()),
    )
    expect(read).toEqual(expect.arrayContaining(['idempotency-key', 'if-none-match', 'if-range']))
    expect(headers['access-control-allow-headers']!.toLowerCase().split(', ')).toEqual(
      expect.arrayContaining([...read, 'authorization', 'x-api-key', 'content-type', 'traceparent', 'tracestate']),
    )
  })

  it('can read refusals, too', async () => {
    const handler = withCors(createWorld().handler, ['*'])
    const { status, headers } = await readAnswer(
      await handler(callOf('GET', '/v1/status', { key: null, headers: { origin: page } })),
    )
    expect(status).toBe(401)
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(headers.vary).toBeUndefined()
  })
})
