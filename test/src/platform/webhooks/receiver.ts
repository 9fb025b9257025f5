// A receiver on loopback that records deliveries exactly and answers as the test wants.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export interface Received {
  path: string
  headers: IncomingHttpHeaders
  /** The exact bytes. */
  raw: Buffer
}

/** `hang` accepts the request and never answers; `drip` answers 200 and never ends its body; `cut` drops the connection. */
export type Behavior = number | 'hang' | 'drip' | 'cut' | { redirectTo: string }

export interface Receiver {
  origin: string
  /** In the form of the allow list. */
  hostPort: string
  received: Received[]
  /** By path, where it differs from the others. */
  behaviors: Map<string, Behavior>
  behavior: Behavior
  connections(): number
  close(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const path = request.url ?? ''
      receiver.received.push({ path, headers: request.headers, raw: Buffer.concat(chunks) })
      respond(response, receiver.behaviors.get(path) ?? receiver.behavior)
    })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 4_096, resolve))
  const hostPort = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const receiver: Receiver = {
    origin: `http://${hostPort}`,
    hostPort,
    received: [],
    behaviors: new Map(),
    behavior: 200,
    connections: () => sockets.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return receiver
}

function respond(response: ServerResponse, behavior: Behavior): void {
  if (behavior === 'hang') return
  if (behavior === 'cut') {
    response.socket?.destroy()
    return
  }
  if (behavior === 'drip') {
    response.writeHead(200, { 'content-length': '1000000' }).write('x')
    return
  }
  if (typeof behavior === 'object') {
    response.writeHead(307, { location: behavior.redirectTo }).end()
    return
  }
  response.writeHead(behavior).end('ok')
}
