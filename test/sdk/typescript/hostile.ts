// Test servers that misbehave in a chosen way, and a manual clock.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { vi } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { ManualClock } from '#core/clock'
import type { Clock } from '#sdk/typescript/src/clock'

export interface Turned {
  manual: ManualClock
  clock: Clock
  /** The requested waits, in order. */
  waits: number[]
}

export function turnedClock(): Turned {
  const manual = new ManualClock()
  const waits: number[] = []
  const clock: Clock = {
    now: () => manual.monotonic(),
    after(ms, run) {
      waits.push(ms)
      const timer = manual.after(ms, run)
      return () => timer.cancel()
    },
  }
  return { manual, clock, waits }
}

/** Waits end at once, except for `patienceMs`, which never does. */
export function hurriedClock(patienceMs: number): Pick<Turned, 'clock' | 'waits'> {
  const waits: number[] = []
  const clock: Clock = {
    now: () => 0,
    after(ms, run) {
      if (ms === patienceMs) return () => undefined
      waits.push(ms)
      const turn = setImmediate(run)
      return () => clearImmediate(turn)
    },
  }
  return { clock, waits }
}

export interface ReceivedRequest {
  method: string
  url: URL
  headers: IncomingMessage['headers']
  body: string
}
export type Responder = (request: ReceivedRequest, response: ServerResponse) => void

export interface HostileHttp {
  url: string
  requests: ReceivedRequest[]
  answer(...answers: Responder[]): void
  stop(): Promise<void>
}

/** The last answer is repeated from then on. */
export async function hostileHttp(): Promise<HostileHttp> {
  const requests: ReceivedRequest[] = []
  let answers: Responder[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '/', headers } = request
      const call = { method, url: new URL(url, 'http://hostile'), headers, body: Buffer.concat(chunks).toString() }
      requests.push(call)
      const answer = answers.length > 1 ? answers.shift()! : answers[0]!
      answer(call, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answer(...given) {
      requests.length = 0
      answers = given
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Responder =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }

export const refusal = (
  status: number,
  code: string,
  retryable: boolean,
  headers?: Record<string, string>,
): Responder => json(status, { success: false, error: { code, message: 'no', retryable, requestId: 'r1' } }, headers)

/** Announces more than it sends, and closes. */
export const cut =
  (text: string, type = 'application/json'): Responder =>
  (_, response) => {
    response.writeHead(200, { 'content-type': type, 'content-length': text.length + 100 })
    response.write(text, () => response.destroy())
  }

export type Op = Record<string, unknown> & { op: string }

export interface HostileStream {
  url: string
  /** Sockets that are open. */
  sockets: Set<WebSocket>
  /** All sockets ever opened. */
  connections: number
  /** Operations received since this was last cleared, without `auth`. */
  ops: Op[]
  /** Stops answering. */
  silent: boolean
  /** Sent in place of the acknowledgement. */
  refuse: ((op: Op) => object | null) | null
  send(frame: object): void
  close(code: number): void
  stop(): Promise<void>
}

/** Accepts any key but `bad`, and acknowledges every subscription. */
export async function hostileStream(): Promise<HostileStream> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await new Promise((resolve) => server.once('listening', resolve))
  const hostile: HostileStream = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sockets: new Set(),
    connections: 0,
    ops: [],
    silent: false,
    refuse: null,
    send(frame) {
      for (const socket of hostile.sockets) socket.send(JSON.stringify(frame))
    },
    close(code) {
      for (const socket of hostile.sockets) socket.close(code)
    },
    stop: () =>
      new Promise((resolve) => {
        for (const socket of hostile.sockets) socket.terminate()
        server.close(() => resolve())
      }),
  }
  server.on('connection', (socket) => {
    hostile.connections++
    hostile.sockets.add(socket)
    socket.on('close', () => hostile.sockets.delete(socket))
    socket.on('message', (bytes) => {
      const op = JSON.parse(String(bytes)) as Op
      if (op.op !== 'auth') hostile.ops.push(op)
      if (hostile.silent) return
      const answer = hostile.refuse?.(op) ?? answerTo(op)
      if (answer === null) return
      socket.send(JSON.stringify(answer))
      if ('code' in answer && answer.code === 'UNAUTHORIZED') socket.close(4001)
    })
  })
  return hostile
}

function answerTo({ op, apiKey, ...named }: Op): object | null {
  if (op === 'auth') {
    return apiKey === 'bad'
      ? { type: 'error', code: 'UNAUTHORIZED', message: 'the API key is not valid', ts: 1 }
      : { type: 'auth', status: 'ok' }
  }
  if (named.marketId === 'heartbeat') return { type: 'error', code: 'NOT_SUBSCRIBED', message: 'none', ts: 1, ...named }
  const channel = channelOf(op)
  const details = { channel, ...named, ...(op === 'subscribeAll' && { channel: 'orderbook:all' }) }
  if (op.startsWith('subscribe')) return { type: 'subscribed', ...details }
  if (op.startsWith('unsubscribe')) return { type: 'unsubscribed', ...details }
  return null
}

const channelOf = (op: string): string => {
  const name = op.replace(/^(un)?subscribe/, '')
  return name.charAt(0).toLowerCase() + name.slice(1)
}

export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 10_000, interval: 2 })
