// A venue that fails in every possible way, behind the route and the real client: always a retryable 503, and none of its text.
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { silentLog } from '#core/log'
import { createHttpClient, type OwnedHttpClient } from '#net/httpClient'
import { AccountReads } from '#orders/openOrders/index'
import { createWorld, type World } from '#test/src/server/http/world'
import { hyperliquid } from '#venues/hyperliquid/index'
import type { VenueContext } from '#venues/venueContext'

const secret = 'words of a proxy within'
let server: Server
/** By the first part of the path: all cases fail at the same time. */
const answers = new Map<string, (response: ServerResponse) => void>()
let url: string
const clients: OwnedHttpClient[] = []
beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume()
    request.on('end', () => answers.get(request.url!.split('/')[1]!)!(response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()))
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

/** Without cached data of an earlier world, including a delay that the venue requested. */
function open(place: string): World {
  const http = createHttpClient({ venue: 'hyperliquid', requestsPerSecond: 1_000 })
  clients.push(http)
  const { clock } = createWorld()
  const context: VenueContext = {
    venue: 'hyperliquid',
    http,
    clock,
    log: silentLog,
    urls: { REST: `${url}/${place}` },
    credentials: null,
    signal: new AbortController().signal,
  }
  const venues = new Map([['hyperliquid', { data: hyperliquid.data, context }]])
  return createWorld({
    families: { openOrders: true },
    openOrders: { venues, reads: new AccountReads({ venues, clock }) },
  })
}
const respondWith =
  (status: number, text: string, headers = {}) =>
  (response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(text)
  }
const row = { coin: '#10', side: 'B', limitPx: '0.5', sz: '1', origSz: '1', oid: 1, timestamp: 1_790_000_000_000 }

it.concurrent.each<[name: string, answer: (response: ServerResponse) => void, retryAfter: number]>([
  ['a 429 with a Retry-After', respondWith(429, secret, { 'retry-after': '7' }), 7],
  ['a 500', respondWith(500, secret), 1],
  ['an HTML page', respondWith(200, `<html>${secret}</html>`, { 'content-type': 'text/html' }), 1],
  ['a 403', respondWith(403, JSON.stringify({ error: secret })), 1],
  ['null', respondWith(200, 'null'), 1],
  ['an object', respondWith(200, JSON.stringify({ error: secret })), 1],
  ['an invalid order', respondWith(200, JSON.stringify([row, { ...row, sz: secret }])), 1],
  [
    'a partial response',
    (response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write(`[{"coin":"${secret}"`)
      response.destroy()
    },
    1,
  ],
  ['a response that is too large', respondWith(200, `["${'x'.repeat(33 * 1024 * 1024)}"]`), 1],
])('%s', async (name, fails, retryAfter) => {
  const place = name.replaceAll(' ', '-')
  const world = open(place)
  const path = `/v1/accounts/hyperliquid/0x${'ab'.repeat(20)}/open-orders`
  answers.set(place, fails)
  const { status, json, text, headers } = await world.get(path)
  expect([status, json.error.code, json.error.retryable]).toEqual([503, 'NETWORK_ERROR', true])
  expect([json.error.exchange, headers['retry-after']]).toEqual(['hyperliquid', String(retryAfter)])
  expect(text).not.toContain('words of')
  if (retryAfter > 1) return
  answers.set(place, respondWith(200, JSON.stringify([row])))
  expect((await world.get(path)).json.data).toHaveLength(1)
})
