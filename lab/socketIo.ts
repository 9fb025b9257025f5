// Socket.IO v4, server side, over a WebSocket, from its protocol documents: the handshake, namespaces, pings, events and their acknowledgements.
// https://socket.io/docs/v4/engine-io-protocol/ https://socket.io/docs/v4/socket-io-protocol/
import type { Clock, Timer } from '#core/clock'
import type { LabSocket } from './socket.ts'
import type { SocketHandler } from './venueServer.ts'

export interface SocketIoHandler {
  /** `answer` is null when the client wants none. */
  event(name: string, args: readonly unknown[], answer: ((...args: unknown[]) => void) | null): void
  closed(): void
}

export interface SocketIoOptions {
  clock: Clock
  namespace: string
  /** 25 s and 20 s by default, like the real server. */
  pingEveryMs?: number
  pongWithinMs?: number
  /** Why a client may not join; null accepts it. */
  refuse?(auth: unknown): string | null
  open(socket: LabSocket): SocketIoHandler
}

export const isSocketIoPath = (path: string): boolean => path === '/socket.io/'

/** One event as every client in the namespace gets it. */
export const socketIoEvent = (namespace: string, name: string, ...args: readonly unknown[]): string =>
  `42${namespacePrefix(namespace)}${JSON.stringify([name, ...args])}`

const namespacePrefix = (namespace: string): string => (namespace === '/' ? '' : `${namespace},`)

export function socketIoServer(options: SocketIoOptions): (socket: LabSocket) => SocketHandler {
  const { clock, namespace, pingEveryMs = 25_000, pongWithinMs = 20_000 } = options
  let sockets = 0
  return (socket) => {
    const sid = `lab${++sockets}`
    let handler: SocketIoHandler | null = null
    let overdue: Timer | null = null
    const greeting = { sid, upgrades: [], pingInterval: pingEveryMs, pingTimeout: pongWithinMs, maxPayload: 1_000_000 }
    socket.control(`0${JSON.stringify(greeting)}`)
    const pings = clock.every(pingEveryMs, () => {
      socket.control('2')
      overdue ??= clock.after(pongWithinMs, () => socket.terminate())
    })

    function packet(text: string): void {
      const [, kind, at = '/', id, body] = /^(\d)(?:(\/[^,]*),)?(\d+)?(.*)$/s.exec(text) ?? []
      const payload = payloadOf(body)
      if (kind === '0') enter(at, payload)
      else if (kind === '1' && at === namespace) leave()
      else if (kind === '2' && at === namespace && handler !== null && Array.isArray(payload)) {
        const [name, ...args] = payload as [string, ...unknown[]]
        const answer = (...values: unknown[]): void =>
          socket.control(`43${namespacePrefix(namespace)}${id}${JSON.stringify(values)}`)
        handler.event(name, args, id === undefined ? null : answer)
      } else socket.terminate()
    }
    function enter(at: string, auth: unknown): void {
      const refusal = at === namespace ? (options.refuse?.(auth) ?? null) : 'Invalid namespace'
      if (refusal === null) handler = options.open(socket)
      const answer = refusal === null ? { sid: `${sid}ns` } : { message: refusal }
      socket.control(`4${refusal === null ? 0 : 4}${namespacePrefix(at)}${JSON.stringify(answer)}`)
    }
    function leave(): void {
      handler?.closed()
      handler = null
    }

    return {
      message(text) {
        if (text[0] === '4') packet(text.slice(1))
        else if (text === '3') {
          overdue?.cancel()
          overdue = null
        } else if (text === '1') socket.close(1005, '')
        else socket.terminate()
      },
      closed() {
        pings.cancel()
        overdue?.cancel()
        leave()
      },
    }
  }
}

/** Undefined for an absent or invalid payload. */
function payloadOf(body: string | undefined): unknown {
  try {
    return JSON.parse(body ?? '')
  } catch {
    return undefined
  }
}
