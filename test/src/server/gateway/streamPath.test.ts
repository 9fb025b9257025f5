import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from './support.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const call = (method: string) => fetch(`${server.gateway.url}/v1/stream`, { method })

it.each(['GET', 'HEAD'])('%s without an upgrade explains which upgrade to send', async (method) => {
  const answer = await call(method)
  expect(answer.status).toBe(426)
  expect(answer.headers.get('upgrade')).toBe('websocket')
  expect(answer.headers.get('sec-websocket-version')).toBe('13')
  if (method === 'GET') expect(await answer.json()).toMatchObject({ success: false, error: { code: 'BAD_REQUEST' } })
})

it('OPTIONS lists the methods, and other methods are refused with the same list', async () => {
  const options = await call('OPTIONS')
  expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, OPTIONS'])
  const post = await call('POST')
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, OPTIONS'])
  expect(await post.json()).toMatchObject({ success: false, error: { code: 'BAD_REQUEST' } })
})
