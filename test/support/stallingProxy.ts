// A TCP proxy before a server, that can be told to keep what comes, or to keep what goes back, and to let it all through again.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface StallingProxy {
  url: string
  /** Bytes to the server wait here. */
  stallRequests: boolean
  /** Bytes from the server wait here: it does as told, and nobody hears of it. */
  stallAnswers: boolean
  /** Once this was seen on its way to the server, bytes from it wait. */
  stallAnswerTo: string | null
  /** Once this was seen on its way to the server, nothing comes back and the connection is cut. */
  cutAnswerTo: string | null
  /** Lets everything through again, what waited first. */
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
