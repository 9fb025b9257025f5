// A TCP proxy in front of a server that can hold back requests or responses, and later let them all pass.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface StallingProxy {
  url: string
  /** Bytes to the server wait here. */
  stallRequests: boolean
  /** Bytes from the server wait here: it executes requests, but their results do not arrive. */
  stallAnswers: boolean
  /** Once this text was sent to the server, bytes from the server wait. */
  stallAnswerTo: string | null
  /** Once this text was sent to the server, its response is dropped and the connection is cut. */
  cutAnswerTo: string | null
  /** Lets everything pass again, what waited first. */
  flow(): void
  close(): Promise<void>
}

export async function startStallingProxy(target: string): Promise<StallingProxy> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  const waiting: (() => void)[] = []
  const pass = (stalled: boolean, to: Socket, bytes: Buffer): void => {
    const write = (): void => void (to.writable && to.write(bytes))
    if (stalled) waiting.push(write)
    else write()
  }
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    let isCut = false
    client.on('data', (bytes) => {
      if (proxy.stallAnswerTo !== null && bytes.includes(proxy.stallAnswerTo)) {
        proxy.stallAnswerTo = null
        proxy.stallAnswers = true
      }
      if (proxy.cutAnswerTo !== null && bytes.includes(proxy.cutAnswerTo)) isCut = true
      pass(proxy.stallRequests, upstream, bytes)
    })
    upstream.on('data', (bytes) => {
      if (!isCut) return pass(proxy.stallAnswers, client, bytes)
      proxy.cutAnswerTo = null
      client.destroy()
    })
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one)
      one.on('error', () => undefined)
      one.on('close', () => {
        sockets.delete(one)
        other.end()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  const proxy: StallingProxy = {
    url: url.href,
    stallRequests: false,
    stallAnswers: false,
    stallAnswerTo: null,
    cutAnswerTo: null,
    flow() {
      proxy.stallRequests = false
      proxy.stallAnswers = false
      for (const write of waiting.splice(0)) write()
    },
    async close() {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
  return proxy
}
