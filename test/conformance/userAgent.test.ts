// Venues behind a content delivery network refuse clients that do not identify themselves. Every simulated venue refuses such requests too,
// so each test against one proves that reads and orders carry the header; venueStream.test.ts counts sockets without it. This file checks
// what the header says.
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { ManualClock } from '#core/clock'
import { version } from '#core/version'
import { type Lab, startLab } from '#lab/lab'
import { createHttpClient } from '#net/httpClient'
import { createHttpSender } from '#net/httpSender'
import { createPinnedSender } from '#net/ipPinnedSender'
import { createSocketOpener, openSocket } from '#net/socket'
import { venueCases } from '#test/support/venueCases'

describe('labs', () => {
  const cases = Object.values(venueCases)
  let lab: Lab
  beforeAll(async () => {
    lab = await startLab({
      clock: new ManualClock(),
      seed: 'user agent',
      ratePerSecond: 0,
      markets: 2,
      venues: cases.map((each) => each.lab),
    })
  }, 60_000)
  afterAll(() => lab?.stop())

  const statusOf = (url: string, headers: Record<string, string>): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      request(url, { headers }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
        .on('error', reject)
        .end()
    })
  it.each(cases.map((each) => each.lab))('%s answers 403 to a request without User-Agent', async (name) => {
    for (const url of Object.values(lab[name].urls).filter((each) => each.startsWith('http'))) {
      expect(await statusOf(url, {}), url).toBe(403)
      expect(await statusOf(url, { 'user-agent': 'curl/8.0' }), url).not.toBe(403)
    }
  })
})

const ignore = (): void => undefined

describe('clients', () => {
  const seen: (string | undefined)[] = []
  const server = createServer((incoming, response) => {
    seen.push(incoming.headers['user-agent'])
    response.setHeader('content-type', 'application/json').end('{}')
  })
  const sockets = new WebSocketServer({ noServer: true })
  server.on('upgrade', (incoming, raw, head) => {
    seen.push(incoming.headers['user-agent'])
    sockets.handleUpgrade(incoming, raw, head, (socket) => socket.close())
  })
  let url: string
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => new Promise((resolve) => server.close(resolve)))

  const contactUrl = 'https://example.com/contact'
  const { signal } = new AbortController()
  const order = { method: 'POST', url: '', text: '{}', headers: {}, timeoutMs: 5_000, signal } as const

  it('send the version and the contact address with reads, orders and sockets', async () => {
    const http = createHttpClient({ venue: 'test', requestsPerSecond: 10, contactUrl })
    await http.request({ url })
    await http.close()
    const sender = createHttpSender({ contactUrl })
    await sender.send({ ...order, url })
    await sender.close()
    await new Promise<void>((resolve) => {
      createSocketOpener(contactUrl)(
        url.replace('http', 'ws'),
        {},
        {
          opened: ignore,
          frame: ignore,
          closed: () => resolve(),
        },
      )
    })
    expect(seen.splice(0)).toEqual(Array(3).fill(`crossbook/${version} (+${contactUrl})`))
  })

  it('send the version without a contact address, with webhooks too', async () => {
    const http = createHttpClient({ venue: 'test', requestsPerSecond: 10 })
    await http.request({ url })
    await http.close()
    const sender = createHttpSender()
    await sender.send({ ...order, url })
    await sender.close()
    await new Promise<void>((resolve) => {
      openSocket(
        url.replace('http', 'ws'),
        {},
        {
          opened: ignore,
          frame: ignore,
          closed: () => resolve(),
        },
      )
    })
    await createPinnedSender().post({ url: new URL(url), addresses: ['127.0.0.1'], headers: {}, text: '{}', signal })
    expect(seen.splice(0)).toEqual(Array(4).fill(`crossbook/${version}`))
  })
})
