// Against a server on loopback.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { createHttpClient } from '#net/httpClient'

const stops: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stops.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

it('a signed request is signed when it is sent: neither the wait for the rate limit nor a retry makes its signature old', async () => {
  let made = 0
  const seen: { made: number; signature: string | undefined; plain: string | undefined }[] = []
  const url = await serve(({ headers }, response) => {
    seen.push({ made, signature: headers['x-signature'] as string, plain: headers['x-plain'] as string })
    response.statusCode = seen.length === 1 ? 503 : 200
    response.end('{}')
  })
  const client = createHttpClient({ venue: 'kalshi', requestsPerSecond: 2 })
  stops.push(() => client.close())
  const signed = () =>
    client.request({ url, headers: { 'x-plain': 'p' }, sign: () => ({ 'x-signature': String(++made) }) })
  const asked = [signed(), signed(), signed()]
  // Those that wait for the next second are not signed yet.
  await asked[1]
  expect(made).toBeLessThan(4)
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 200])
  // Each sending, also the second attempt of the first, had a signature of its own.
  expect(seen.map(({ signature }) => signature).sort()).toEqual(['1', '2', '3', '4'])
  expect(new Set(seen.map(({ plain }) => plain))).toEqual(new Set(['p']))
})
