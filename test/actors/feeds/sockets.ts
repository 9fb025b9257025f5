// Sockets that a test opens, feeds and closes itself.
import type { ClientSocket, OpenSocket, SocketEvents } from '#net/socket'

export interface HandSocket {
  url: string
  sent: { method: string; params: string[]; id: number }[]
  isClosed: boolean
  opened(): void
  deliver(message: unknown): void
  end(reason?: string): void
}

export function handSockets(): { openSocket: OpenSocket; sockets: HandSocket[]; last(): HandSocket } {
  const sockets: HandSocket[] = []
  const openSocket: OpenSocket = (url, _headers, events: SocketEvents): ClientSocket => {
    const socket: HandSocket = {
      url,
      sent: [],
      isClosed: false,
      opened: () => events.opened(),
      deliver: (message) => events.frame(Buffer.from(typeof message === 'string' ? message : JSON.stringify(message))),
      end: (reason = 'ended') => events.closed(reason),
    }
    sockets.push(socket)
    return {
      send: (text) => void socket.sent.push(JSON.parse(text)),
      bufferedBytes: () => 0,
      close() {
        socket.isClosed = true
      },
    }
  }
  return { openSocket, sockets, last: () => sockets.at(-1)! }
}

/** `c` is the price, `E` the time. */
export const windowOf = (id: string, price: string, at: number) => ({
  stream: `${id.toLowerCase()}@ticker`,
  data: {
    ...{ e: '24hrTicker', E: at, s: id, p: '1.0', P: '0.5', w: price, x: price, c: price, Q: '1' },
    ...{ b: price, B: '1', a: price, A: '0', o: price, h: price, l: price, v: '12.5', q: '100' },
    ...{ O: 0, C: at, F: 0, L: 1, n: 2 },
  },
})
