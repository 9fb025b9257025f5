// The runner of a strategy refreshes its working orders, against a gateway that has one venue.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createClient } from '#sdk/typescript/src/index'
import { createOrderRefresher } from '../../../src/cli/refreshOrders.ts'
import { createVenueCredentials } from '../../../src/cli/venueCredentials.ts'

const kalshi = { apiKeyId: 'id', privateKeyPem: 'pem', unrelated: 'x' }
const lane = {
  venue: 'kalshi',
  verbs: { refresh: true },
  credentials: { refresh: ['apiKeyId', 'privateKeyPem'], submit: ['apiKeyId'] },
}

let refreshes: { order: string; body: unknown }[]
/** Of the next refreshes, by order. */
let statuses: Record<string, string[]>
let stopping: AbortController
let server: ReturnType<typeof createServer>

beforeEach(async () => {
  refreshes = []
  statuses = {}
  stopping = new AbortController()
  server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    const order = /\/orders\/([^/]+)\/refresh$/.exec(request.url!)?.[1]
    const send = (status: number, answer: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    if (order === undefined) return send(200, { success: true, data: [lane] })
    refreshes.push({ order, body: JSON.parse(body) })
    const status = statuses[order]?.shift()
    if (status === undefined)
      return send(404, { success: false, error: { code: 'EXECUTION_NOT_FOUND', message: 'no such order' } })
    send(200, { success: true, data: { executionId: order, venue: 'kalshi', status } })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  stopping.abort()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

it('refreshes each order with the fields that its venue takes until it has ended, and names a failure once', async () => {
  const { port } = server.address() as AddressInfo
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'xb_test' })
  const credentials = createVenueCredentials(client, { kalshi })
  const logged: string[] = []
  const log = (message: string): void => void logged.push(message)
  const refresher = createOrderRefresher({ client, credentials, signal: stopping.signal, log })
  statuses = { long: ['acked', 'filled'], short: ['canceled'] }
  for (const executionId of ['long', 'gone', 'short', 'missing']) refresher.follow({ venue: 'kalshi', executionId })
  refresher.follow({ venue: 'unknown', executionId: 'other' })
  const running = refresher.run()
  await vi.waitFor(() => expect(statuses).toEqual({ long: [], short: [] }), { timeout: 20_000 })
  stopping.abort()
  await running
  expect(refreshes.map(({ order }) => order)).toEqual(['long', 'gone', 'short', 'missing', 'long'])
  expect(refreshes[0]!.body).toEqual({ apiKeyId: 'id', privateKeyPem: 'pem' })
  expect(logged).toEqual(['an order cannot be refreshed: EXECUTION_NOT_FOUND: no such order'])
  expect(await credentials.of('kalshi')).toMatchObject({ submit: { apiKeyId: 'id' } })
  expect(await credentials.of('unknown')).toBeNull()
})
