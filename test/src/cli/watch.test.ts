// Commands that call a gateway, run against a scripted stream.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { projectRoot } from '#test/support/compose'
import { freePort } from '#test/support/freePort'
import { arb } from '../../../src/cli/arb.ts'
import { watch } from '../../../src/cli/watch.ts'

interface Op {
  op: string
  channel?: string
}

let http: Server
let url: string
let stream: WebSocketServer
let answer: (op: Op, socket: WebSocket) => void
const settings = { dataDir: '/nowhere' }

beforeEach(async () => {
  http = createServer((_, response) => response.end('{}'))
  stream = new WebSocketServer({ server: http })
  stream.on('connection', (socket) =>
    socket.on('message', (bytes: Buffer) => answer(JSON.parse(bytes.toString()) as Op, socket)),
  )
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
})
afterEach(async () => {
  vi.restoreAllMocks()
  for (const socket of stream.clients) socket.terminate()
  stream.close()
  http.close()
  await once(http, 'close')
})

const sendFrame = (socket: WebSocket, frame: object): void => socket.send(JSON.stringify(frame))
const printed = (): string[] => {
  const lines: string[] = []
  vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
  return lines
}
const run = (options = {}): Promise<void> => watch('kalshi', 'x', { url, key: 'k', ...options }, settings)
const refusal = { type: 'error', code: 'MARKET_NOT_FOUND', message: 'no such market', ts: 0 }

it('watch fails when nothing can be subscribed', async () => {
  const lines = printed()
  answer = ({ op, channel }, socket) => sendFrame(socket, op === 'auth' ? { type: 'auth' } : { ...refusal, channel })
  await expect(run()).rejects.toThrow('MARKET_NOT_FOUND: no such market')
  expect(lines.join()).not.toMatch(/subscribed|MARKET_NOT_FOUND/)
  answer = (_, socket) => sendFrame(socket, { ...refusal, code: 'UNAUTHORIZED', message: 'no such key' })
  await expect(run({ frames: '1' })).rejects.toThrow('UNAUTHORIZED: no such key')
})

it('watch counts books and trades, and continues when one of the two is rejected', async () => {
  const lines = printed()
  answer = ({ channel }, socket) => {
    if (channel !== 'orderbook') return
    sendFrame(socket, { ...refusal, code: 'NOT_SUPPORTED', channel: 'trades' })
    sendFrame(socket, { type: 'subscribed', channel })
    for (const type of ['snapshot', 'update', 'update'])
      sendFrame(socket, { type, ts: 0, data: { bids: [], asks: [] } })
  }
  await run({ frames: '2', json: true })
  expect(lines.map((line) => (JSON.parse(line) as { type: string }).type)).toEqual([
    ...['error', 'subscribed', 'snapshot', 'update'],
  ])
})

it('names an unreachable gateway and the cause', async () => {
  const away = `http://127.0.0.1:${await freePort()}`
  const because = `cannot reach the gateway at ${away}: ECONNREFUSED`
  const to = { url: away, key: 'k' }
  await expect(watch('kalshi', undefined, to, settings)).rejects.toThrow(because)
  await expect(watch('kalshi', 'x', to, settings)).rejects.toThrow(because)
  for (const options of [{}, { watch: true }, { structures: true }])
    await expect(arb({ ...to, ...options }, settings)).rejects.toThrow(because)
  await expect(arb({ url, key: 'k' }, settings)).rejects.toThrow(`${url} answers 200, and not as a gateway does`)
})

it('ends quietly when its reader closes the pipe', async () => {
  answer = ({ channel }, socket) => {
    if (channel !== 'orderbook') return
    const timer = setInterval(() => sendFrame(socket, { type: 'subscribed', channel }), 1)
    socket.once('close', () => clearInterval(timer))
  }
  const words = [
    '--disable-warning=ExperimentalWarning',
    'src/cli.ts',
    'watch',
    'kalshi',
    'x',
    '--url',
    url,
    '--key',
    'k',
  ]
  const child = spawn(process.execPath, words, { cwd: projectRoot, stdio: ['ignore', 'pipe', 'pipe'] })
  let stderrText = ''
  child.stderr.on('data', (bytes: Buffer) => {
    stderrText += bytes.toString()
  })
  await once(child.stdout, 'data')
  child.stdout.destroy()
  expect(await once(child, 'close')).toEqual([0, null])
  expect(stderrText).toBe('')
}, 60_000)
