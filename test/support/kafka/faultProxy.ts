// A TCP proxy in front of a broker whose connections can be cut, and some of whose new connections are half-open: accepted, and never answered.
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export interface FaultProxy {
  /** New connections are half-open where this is true; those that are stay so until they are cut. */
  isHalfOpen: () => boolean
  /** Half-open connections there are. */
  halfOpenCount(): number
  cutAll(): void
  close(): Promise<void>
}

export async function startFaultProxy(port: number, targetPort: number): Promise<FaultProxy> {
  const sockets = new Set<Socket>()
  const halfOpen = new Set<Socket>()
  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      sockets.delete(socket)
      halfOpen.delete(socket)
    })
  }
  const server = createServer((client) => {
    keep(client)
    if (proxy.isHalfOpen()) {
      halfOpen.add(client)
      client.resume()
      return
    }
    const upstream = connect(targetPort, '127.0.0.1')
    keep(upstream)
    client.pipe(upstream)
    upstream.pipe(client)
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const proxy: FaultProxy = {
    isHalfOpen: () => false,
    halfOpenCount: () => halfOpen.size,
    cutAll() {
      for (const socket of sockets) socket.destroy()
    },
    async close() {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
  return proxy
}
