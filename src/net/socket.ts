// Outbound WebSockets to venues. Frames arrive as Buffers; control pings are answered by the library.
import WebSocket from 'ws'
import { formatUserAgent } from '#core/userAgent'

/** A venue frame larger than this closes the socket: no venue sends one. What JSON of that size may hold: `parseFrameJson`. */
const frameBytesMax = 4 * 1024 * 1024
/** An unreachable venue may swallow what is sent to it: waiting longer would not notice that it is back. */
export const handshakeTimeoutMs = 4_000

export interface SocketEvents {
  opened(): void
  /** One text or binary frame. */
  frame(data: Buffer): void
  /** Called exactly once, even if the connection never opened. */
  closed(reason: string): void
}

export interface ClientSocket {
  /** Ignored once closed. */
  send(text: string): void
  /** Bytes queued and not yet in the kernel. */
  bufferedBytes(): number
  close(): void
}

export type OpenSocket = (url: string, headers: Record<string, string>, events: SocketEvents) => ClientSocket

export const createSocketOpener =
  (contactUrl?: string): OpenSocket =>
  (url, headers, events) => {
    let ended = false
    const end = (reason: string): void => {
      if (ended) return
      ended = true
      events.closed(reason)
    }
    const socket = new WebSocket(url, {
      headers: { 'user-agent': formatUserAgent(contactUrl), ...headers },
      perMessageDeflate: false,
      maxPayload: frameBytesMax,
      handshakeTimeout: handshakeTimeoutMs,
    })
    socket.binaryType = 'nodebuffer'
    socket.on('open', () => {
      if (!ended) events.opened()
    })
    socket.on('message', (data) => {
      if (!ended) events.frame(data as Buffer)
    })
    socket.on('unexpected-response', (_request, response) => {
      response.resume()
      end(`upgrade refused with ${response.statusCode}`)
      socket.terminate()
    })
    socket.on('error', (error) => end(error.message))
    socket.on('close', (code) => end(`closed by venue with ${code}`))
    return {
      send(text) {
        if (socket.readyState === WebSocket.OPEN) socket.send(text)
      },
      bufferedBytes: () => socket.bufferedAmount,
      close() {
        end('closed by us')
        // An unresponsive venue does not answer a closing handshake either.
        socket.terminate()
      },
    }
  }

export const openSocket = createSocketOpener()
