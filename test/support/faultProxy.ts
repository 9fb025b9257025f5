// A TCP proxy in front of a server. Its connections can be cut, delayed, or left half-open: they stay open, but nothing is forwarded any
// more.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface FaultProxy {
  port: number
  /** New connections are half-open while this is true; half-open ones stay so until they are cut. */
  isHalfOpen: () => boolean
  /** Data from the server arrives this much later. */
  delayMs: number
  /** Number of half-open connections. */
  halfOpenCount(): number
  /** All current connections become half-open. */
  freezeAll(): void
  cutAll(): void
  close(): Promise<void>
}

interface Connection {
  client: Socket
  upstream: Socket | null
  /** Delayed bytes for the client, in order; each has a timer. */
  waiting: Buffer[]
}

/** `port` 0: any free one. */
export async function startFaultProxy(port: number, targetPort: number): Promise<FaultProxy> {
  const connections = new Set<Connection>()
  const halfOpen = new Set<Connection>()
  const timers = new Set<NodeJS.Timeout>()

  /** In order, also when the delay becomes shorter. */
  const passBack = (connection: Connection, bytes: Buffer): void => {
    if (halfOpen.has(connection)) return
    const { client, waiting } = connection
    if (proxy.delayMs === 0 && waiting.length === 0) return void client.write(bytes)
    waiting.push(bytes)
    const timer = setTimeout(() => {
      timers.delete(timer)
      const oldest = waiting.shift()!
      if (client.writable) client.write(oldest)
    }, proxy.delayMs)
    timers.add(timer)
  }

  const server = createServer((client) => {
    const connection: Connection = { client, upstream: null, waiting: [] }
    connections.add(connection)
    client.on('error', () => undefined)
    client.on('close', () => {
      connections.delete(connection)
      halfOpen.delete(connection)
      connection.upstream?.destroy()
    })
    if (proxy.isHalfOpen()) {
      halfOpen.add(connection)
      client.resume()
      return
    }
    const upstream = connect(targetPort, '127.0.0.1')
    connection.upstream = upstream
    upstream.on('error', () => undefined)
    upstream.on('data', (bytes) => passBack(connection, bytes))
    upstream.on('close', () => {
      if (!halfOpen.has(connection)) client.destroy()
    })
    client.on('data', (bytes) => {
      if (!halfOpen.has(connection)) upstream.write(bytes)
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const proxy: FaultProxy = {
    port: (server.address() as AddressInfo).port,
    isHalfOpen: () => false,
    delayMs: 0,
    halfOpenCount: () => halfOpen.size,
    freezeAll() {
      for (const connection of connections) halfOpen.add(connection)
    },
    cutAll() {
      for (const { client } of connections) client.destroy()
    },
    async close() {
      for (const timer of timers) clearTimeout(timer)
      server.close()
      proxy.cutAll()
      await once(server, 'close')
    },
  }
  return proxy
}
