// Socket.IO v4 over one WebSocket, following its two protocol documents, without socket or timer of its own.
//
//   ◄─ 0{sid,…}       ─► 40/ns,{auth}       ◄─ 40/ns,{sid}       ─► 42/ns,[subscribe …]      ◄─ 42/ns,[event, …]
//   ◄─ 2              ─► 3                    44: refused, 41 or 1: ended by the venue         43/ns,7[…]: to our command 7
//
// https://socket.io/docs/v4/engine-io-protocol/ https://socket.io/docs/v4/socket-io-protocol/
import type { FeedSink, StreamSession } from '../../venue.ts'
import { BookSession, type ProtocolEncoder, parsedOf, type Read, reportUnknownMessage } from './bookSession.ts'
import { BookSynchronizer } from './bookSynchronizer.ts'

/** The venue-specific part, with its requests as texts of `eventText`. */
export interface SocketIoVenue extends ProtocolEncoder {
  /** An event of its namespace. */
  event(name: string, args: readonly unknown[], recvTs: number): Read
  /** The acknowledgement of an event sent with this id. */
  acknowledged?(id: number, args: readonly unknown[]): Read
}

export interface SocketIoOptions {
  /** `/` is the main one. */
  namespace: string
  /** Sent when joining the namespace; left out when the venue wants none. */
  auth?: Readonly<Record<string, unknown>>
}

/** The URL for a direct WebSocket handshake, without polling first. */
export function socketIoUrl(base: string): string {
  const url = new URL(base)
  if (!url.pathname.endsWith('/')) url.pathname += '/'
  url.pathname += 'socket.io/'
  url.searchParams.set('EIO', '4')
  url.searchParams.set('transport', 'websocket')
  return url.href
}

/** One event to send; with an id the venue acknowledges it. */
export const eventText = (namespace: string, [name, ...args]: readonly [string, ...unknown[]], id?: number): string =>
  `42${prefixOf(namespace)}${id ?? ''}${JSON.stringify([name, ...args])}`

const prefixOf = (namespace: string): string => (namespace === '/' ? '' : `${namespace},`)

/** Kind, namespace, id and payload of a packet. */
const packet = /^(\d)(?:(\/[^,]*),)?(\d+)?(.*)$/s

export function socketIoSession(
  feed: FeedSink,
  { namespace, auth }: SocketIoOptions,
  venueOf: (books: BookSynchronizer) => SocketIoVenue,
): StreamSession {
  const books = new BookSynchronizer(feed)
  const venue = venueOf(books)
  // The venue sends first.
  const session = new BookSession({ feed, books, speech: venue, hello: [] })

  const fail = (reason: string): Read => {
    feed.failed(reason)
    return 'control'
  }
  const readPacket = (text: string, recvTs: number): Read => {
    const [, kind, at = '/', id, body] = packet.exec(text) ?? []
    if (kind === undefined || at !== namespace)
      return { malformed: 'a packet of unknown kind, or of another namespace' }
    const payload = body === '' ? undefined : parsedOf(body!)
    switch (kind) {
      case '0':
        session.ready()
        return 'control'
      case '1':
        return fail('the venue left the namespace')
      case '2':
        if (!Array.isArray(payload) || typeof payload[0] !== 'string') return { malformed: 'an event without a name' }
        return venue.event(payload[0], payload.slice(1), recvTs)
      case '3':
        if (!Array.isArray(payload) || id === undefined) return { malformed: 'a response to no request' }
        return venue.acknowledged?.(Number(id), payload) ?? 'control'
      case '4':
        return fail(`the venue refused the namespace: ${wordsOf(payload)}`)
      default:
        return { malformed: `a packet of kind ${kind}` }
    }
  }
  const read = (text: string, recvTs: number): Read => {
    switch (text[0]) {
      case '0':
        feed.send(`40${prefixOf(namespace)}${auth === undefined ? '' : JSON.stringify(auth)}`)
        return 'control'
      case '1':
        return fail('the venue closed the connection')
      case '2':
        feed.send(`3${text.slice(1)}`)
        return 'control'
      case '4':
        return readPacket(text.slice(1), recvTs)
      case '6':
        return 'control'
      default:
        return { malformed: 'no packet' }
    }
  }
  return Object.assign(session, {
    receive: (frame: Buffer, recvTs: number): boolean => reportUnknownMessage(feed, read(frame.toString(), recvTs)),
  })
}

/** Short, and without parts of unknown shape. */
const wordsOf = (payload: unknown): string =>
  typeof payload === 'object' && payload !== null && 'message' in payload ? String(payload.message).slice(0, 120) : ''
