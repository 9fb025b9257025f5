// A lab venue's port: routes HTTP, upgrades WebSockets, counts both, applies refusals and delays before the venue answers.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { Clock, Timer } from '#core/clock'
import type { Counters } from './counters.ts'
import type { Faults } from './faults.ts'
import { LabSocket, SEND_QUEUE_MAX_BYTES } from './socket.ts'

export interface LabRequest {
  method: string
  path: string
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  headers: IncomingHttpHeaders
  /** Parsed JSON; undefined when there was none. */
  body: unknown
  /** The body as received: signatures cover these exact characters. */
  text: string
}

export interface LabReply {
  status: number
  body: unknown
  headers?: Readonly<Record<string, string>>
  /** The action took effect, but the connection is cut before the response. */
  cut?: true
  /** Delays the answer by this, ms. */
  lateMs?: number
}

export interface LabRoute {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** `/clob/markets/:conditionId` */
  path: string
  /** For a path that serves many kinds of requests: the name faults use for this one. */
  faultPath?(text: string): string
  handle(request: LabRequest): LabReply | Promise<LabReply>
}

export interface SocketHandler {
  message(text: string): void
  closed(): void
}

export interface HostOptions {
  clock: Clock
  counters: Counters
  faults: () => Faults
  port: number
  sendQueueMaxBytes: number | undefined
  routes: readonly LabRoute[]
  /** A refusal in the venue's own format. */
  refusalBody(status: number): unknown
  isSocketPath(path: string): boolean
  /** Null accepts the connection. */
  refuseUpgrade(request: IncomingMessage): LabReply | null
  open(socket: LabSocket, request: IncomingMessage): SocketHandler
  /** A 404 in the venue's format. */
  notFound(path: string): LabReply
}

export interface Host {
  port: number
  sockets: ReadonlySet<LabSocket>
  stop(): Promise<void>
}

const BODY_MAX_BYTES = 1024 * 1024
const FRAME_MAX_BYTES = 1024 * 1024

/** As content delivery networks in front of venues answer clients that do not identify themselves. */
const missingUserAgent: LabReply = {
  status: 403,
  headers: { 'Content-Type': 'text/html' },
  body: '<!DOCTYPE html><html><head><title>Access denied</title></head><body>Error 1010: missing User-Agent</body></html>',
}

export const ok = (body: unknown): LabReply => ({ status: 200, body })

export async function startHost(options: HostOptions): Promise<Host> {
  const { clock, counters } = options
  const sockets = new Set<LabSocket>()
  const delays = new Set<Timer>()
  const match = compileRoutes(options.routes)
  const server = createServer((request, response) => {
    readText(request)
      .then((text) => answer(request, response, text))
      // Input a route cannot read is the caller's mistake and never crashes the venue.
      .catch((error: unknown) => send(response, { status: 400, body: { error: `bad request: ${String(error)}` } }))
  })
  const upgrades = new WebSocketServer({ noServer: true, maxPayload: FRAME_MAX_BYTES, perMessageDeflate: false })

  async function answer(request: IncomingMessage, response: ServerResponse, text: string): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://lab')
    const method = request.method ?? 'GET'
    const found = match(method, url.pathname)
    counters.request(found?.route.path ?? 'unrouted')
    if (!request.headers['user-agent']) return send(response, missingUserAgent)
    await after(options.faults().httpDelayMs)
    const refusal = options.faults().httpRefusal(found?.route.faultPath?.(text) ?? url.pathname)
    if (refusal !== null) {
      if (refusal.retryAfterSeconds !== null) response.setHeader('Retry-After', String(refusal.retryAfterSeconds))
      return send(response, { status: refusal.status, body: options.refusalBody(refusal.status) })
    }
    if (found === null) return send(response, options.notFound(url.pathname))
    const { params, route } = found
    const body: unknown = text === '' ? undefined : JSON.parse(text)
    const seen = { method, path: url.pathname, params, query: url.searchParams, headers: request.headers, body, text }
    const reply = await route.handle(seen)
    await after(reply.lateMs ?? 0)
    if (reply.cut === true) request.socket.destroy()
    else send(response, reply)
  }

  function after(ms: number): Promise<void> | void {
    if (ms === 0) return
    return new Promise((resolve) => {
      const timer = clock.after(ms, () => {
        delays.delete(timer)
        resolve()
      })
      delays.add(timer)
    })
  }

  server.on('upgrade', (request: IncomingMessage, raw: Duplex, head: Buffer) => {
    const path = new URL(request.url ?? '/', 'http://lab').pathname
    raw.on('error', () => raw.destroy())
    const refusal = options.faults().refusesConnections()
      ? { status: 502, body: { error: 'bad gateway' } }
      : options.isSocketPath(path)
        ? options.refuseUpgrade(request)
        : options.notFound(path)
    if (refusal !== null) {
      counters.connectionsRefused++
      return refuse(raw, refusal)
    }
    upgrades.handleUpgrade(request, raw, head, (ws) => {
      const socket = new LabSocket({
        ws,
        raw,
        clock,
        counters,
        delayMs: () => options.faults().wsDelayMs,
        queueMaxBytes: options.sendQueueMaxBytes ?? SEND_QUEUE_MAX_BYTES,
      })
      counters.connectionsOpened++
      if (!request.headers['user-agent']) counters.socketsWithoutUserAgent++
      counters.socketsOpen++
      sockets.add(socket)
      const handler = options.open(socket, request)
      ws.on('message', (data) => handler.message(data.toString()))
      ws.on('error', () => ws.terminate())
      ws.on('close', () => {
        counters.socketsOpen--
        sockets.delete(socket)
        socket.dispose()
        handler.closed()
      })
    })
  })

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, '127.0.0.1', resolve)
  })

  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    async stop() {
      for (const timer of delays) timer.cancel()
      const closed = [...upgrades.clients].map((client) => new Promise((resolve) => client.once('close', resolve)))
      for (const client of upgrades.clients) client.terminate()
      await Promise.all(closed)
      const done = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await done
    },
  }
}

function compileRoutes(routes: readonly LabRoute[]) {
  const compiled = routes.map((route) => ({ route, parts: route.path.split('/') }))
  return (method: string, path: string): { route: LabRoute; params: Record<string, string> } | null => {
    const parts = path.split('/')
    for (const candidate of compiled) {
      if (candidate.route.method !== method || candidate.parts.length !== parts.length) continue
      const params: Record<string, string> = {}
      const fits = candidate.parts.every((part, i) => {
        if (!part.startsWith(':')) return part === parts[i]
        params[part.slice(1)] = decodeURIComponent(parts[i]!)
        return parts[i] !== ''
      })
      if (fits) return { route: candidate.route, params }
    }
    return null
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > BODY_MAX_BYTES) throw new Error('body too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function send(response: ServerResponse, reply: LabReply): void {
  const text = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body)
  response.writeHead(reply.status, {
    'Content-Type': typeof reply.body === 'string' ? 'text/plain' : 'application/json',
    'Content-Length': Buffer.byteLength(text),
    ...reply.headers,
  })
  response.end(text)
}

function refuse(raw: Duplex, reply: LabReply): void {
  const text = JSON.stringify(reply.body)
  raw.end(
    `HTTP/1.1 ${reply.status} Refused\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
  )
}
