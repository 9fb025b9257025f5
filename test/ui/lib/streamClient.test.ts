import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { type WebSocket as ServerSocket, WebSocketServer } from 'ws'
import { ManualClock } from '#core/clock'
import { createStreamClient, type StreamClient } from '../../../ui/lib/streamClient.ts'

interface ReceivedOp {
  from: ServerSocket
  op: { op: string; apiKey?: string }
}

let server: WebSocketServer
let clock: ManualClock
let receivedOps: ReceivedOp[]
let refusals: string[]
/** The server's response to an op; undefined: none. */
let answer: (op: string) => object | undefined

beforeEach(async () => {
  clock = new ManualClock()
  receivedOps = []
  refusals = []
  answer = (op) => (op === 'auth' ? { type: 'auth', status: 'ok' } : undefined)
  server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  server.on('connection', (from) =>
    from.on('message', (data) => {
      const op = JSON.parse(String(data)) as ReceivedOp['op']
      receivedOps.push({ from, op })
      const response = answer(op.op)
      if (response !== undefined) from.send(JSON.stringify(response))
    }),
  )
  await once(server, 'listening')
})
afterEach(() => {
  for (const each of server.clients) each.terminate()
  server.close()
})

/** A page that subscribes to the surface; what it received, `null` for a lost connection. */
function opened(): { client: StreamClient; received: unknown[]; end: () => void } {
  const client = createStreamClient({
    clock,
    url: () => `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey: () => 'xb_test_key',
    refused: (because) => refusals.push(because),
  })
  const received: unknown[] = []
  const end = client.subscribe('arbitrage', { op: 'subscribeArbitrage' }, { op: 'unsubscribeArbitrage' }, (frame) =>
    received.push(frame),
  )
  onTestFinished(end)
  return { client, received, end }
}

async function page(): Promise<ReturnType<typeof opened>> {
  const page = opened()
  await expectOps('auth', 'subscribeArbitrage')
  expect(page.client.state.value).toBe('open')
  return page
}

const expectOps = (...ops: string[]): Promise<void> =>
  vi.waitFor(() => expect(receivedOps.map(({ op }) => op.op)).toEqual(ops), { interval: 2 })

it('gives up a connection that stalls without closing, and moves its subscriptions to another', async () => {
  const { client, received } = await page()
  const stalled = receivedOps[0]!.from

  clock.advance(20_000)
  await expectOps('auth', 'subscribeArbitrage', 'unsubscribePrice')
  expect(received, 'probed first, given up later').toEqual([])
  clock.advance(5_000)
  expect([client.state.value, client.connections.value, received]).toEqual(['closed', 1, [null]])

  clock.advance(500)
  await expectOps('auth', 'subscribeArbitrage', 'unsubscribePrice', 'auth', 'subscribeArbitrage')
  expect(receivedOps.at(-1)!.from).not.toBe(stalled)
  stalled.send(JSON.stringify({ type: 'arbitrage', ts: 1 }))
  receivedOps.at(-1)!.from.send(JSON.stringify({ type: 'arbitrage', ts: 2 }))
  await vi.waitFor(() => expect(received).toEqual([null, { type: 'arbitrage', ts: 2 }]), { interval: 2 })
  expect([client.connections.value, refusals]).toEqual([2, []])
})

it('keeps a connection that is merely quiet: the server answers a probe', async () => {
  const { client, received } = await page()
  let answers = 0
  answer = () => ({ type: 'error', code: 'NOT_SUBSCRIBED', channel: 'arbitrage', message: String(++answers) })

  for (let quiet = 1; quiet <= 3; quiet++) {
    clock.advance(20_000)
    await vi.waitFor(() => expect(received).toHaveLength(quiet), { interval: 2 })
  }
  expect(answers).toBe(3)
  expect(received).not.toContain(null)
  expect([client.state.value, server.clients.size]).toEqual(['open', 1])
})

it('gives up on a server that never answers a connection as well', async () => {
  answer = () => undefined
  const { client } = opened()
  await expectOps('auth')
  clock.advance(25_000)
  expect(client.state.value).toBe('closed')
  clock.advance(500)
  expect(client.state.value).toBe('connecting')
})

it('leaves no timer behind after the last subscription', async () => {
  const { client, end } = await page()
  end()
  expect([client.state.value, clock.pendingCount]).toEqual(['closed', 0])
})

it('a refused key ends the connection for good, with the reason', async () => {
  const { client } = await page()
  receivedOps[0]!.from.close(4001, 'revoked')
  await vi.waitFor(() => expect(refusals).toEqual(['revoked']), { interval: 2 })
  expect([client.state.value, clock.pendingCount]).toEqual(['closed', 0])
})

it('reports too many connections, and waits ten seconds before the next attempt', async () => {
  const { client } = await page()
  receivedOps[0]!.from.close(4029, 'at most 5 connections per key')
  await vi.waitFor(() => expect(client.closedBecause.value).toBe('at most 5 connections per key'), { interval: 2 })
  clock.advance(9_999)
  expect(client.state.value).toBe('closed')
  clock.advance(1)
  await vi.waitFor(() => expect(client.state.value).toBe('open'), { interval: 2 })
  expect(client.closedBecause.value).toBeNull()
})

it('gives the frames and errors of the portfolio to its listener alone', async () => {
  const { client, received } = await page()
  const own: unknown[] = []
  onTestFinished(
    client.subscribe('portfolio', { op: 'subscribePortfolio' }, { op: 'unsubscribePortfolio' }, (frame) =>
      own.push(frame),
    ),
  )
  await expectOps('auth', 'subscribeArbitrage', 'subscribePortfolio')
  const frames = [
    { type: 'portfolio', ts: 1, data: { kind: 'change', seq: 2 } },
    { type: 'error', ts: 2, code: 'SCOPE_MISSING', channel: 'portfolio', message: 'portfolio needs a key' },
  ]
  for (const frame of frames) receivedOps[0]!.from.send(JSON.stringify(frame))
  await vi.waitFor(() => expect(own).toEqual(frames), { interval: 2 })
  expect(received).toEqual([])
})
