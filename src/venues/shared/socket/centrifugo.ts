// Centrifugo's JSON protocol over one WebSocket, without socket or timer of its own.
//
//   ─► {connect,id:1}       ◄─ {id:1,connect}       ─► {subscribe,id:2} …       ◄─ {id:2,subscribe}, {push:{channel,pub}}, …
//   ◄─ {}   ─► {}             a frame may hold several lines, one value each
//
// https://centrifugal.dev/docs/transports/client_protocol https://centrifugal.dev/docs/server/codes
import { z } from 'zod'
import type { FeedSink, StreamSession } from '../../venue.ts'
import { BookSession, fieldOf, parsedOf, type Read, reportUnknownMessage } from './bookSession.ts'
import { BookSynchronizer } from './bookSynchronizer.ts'
import { Commands } from './commands.ts'

/** The venue-specific part. */
export interface CentrifugoVenue {
  /** The first one feeds the book, the others are about it. Several books may share a channel: it is requested once. */
  channelsOf(bookId: string): readonly [book: string, ...others: string[]]
  /** True when the first channel sends nothing until something changes: the book is read over REST. */
  isUnseeded: boolean
  publication(channel: string, data: unknown, recvTs: number): Read
}

export interface CentrifugoOptions {
  /**
   * From `VenueStream.fetchToken`. When it expires the venue closes the connection, and the next one has a new token.
   */
  token?: string | undefined
  /** Our client name. */
  name: string
}

/** Transient errors that the venue does not mark so: transport errors below 100, and an expired token. */
const isTemporary = ({ code, temporary }: z.output<typeof Failure>): boolean =>
  temporary === true || code < 100 || code === 109
/** For an `unsubscribe` push: from this code on the channel may be requested again. */
const resubscribeFrom = 2_500

const Failure = z.object({ code: z.number(), message: z.string().catch(''), temporary: z.boolean().optional() })
const Publication = z.object({ data: z.unknown(), offset: z.number().optional() })
const Subscribed = z.object({
  offset: z.number().optional(),
  recoverable: z.boolean().optional(),
  positioned: z.boolean().optional(),
  publications: z.array(Publication).optional(),
})
const Reply = z.object({
  id: z.number(),
  error: Failure.optional(),
  connect: z.object({ pong: z.boolean().optional() }).optional(),
  subscribe: Subscribed.optional(),
})
const Ended = z.object({ code: z.number().catch(0), reason: z.string().catch('') })
const Push = z.object({
  push: z.object({
    channel: z.string().optional(),
    pub: Publication.optional(),
    unsubscribe: Ended.optional(),
    disconnect: Ended.optional(),
  }),
})
/** Of a push: its content is missing. Pushes of other kinds (`join`, `leave`) have it under their own name. */
const isEmpty = (message: unknown): boolean =>
  Object.keys(fieldOf(message, 'push') as object).every((name) => name === 'channel')

interface Channel {
  readonly name: string
  /** Books of the channel. */
  bookIds: Set<string>
  /** Books it feeds. */
  fedIds: Set<string>
  state: 'asked' | 'open' | 'refused'
  /** Offset of the newest publication, if the venue counts them. */
  offset: number | null
}

/** What a command was about: the channel as it was then. */
type About = { kind: 'connect' } | { kind: 'subscribe' | 'unsubscribe'; channel: Channel }

export function centrifugoSession(
  feed: FeedSink,
  options: CentrifugoOptions,
  venueOf: (books: BookSynchronizer) => CentrifugoVenue,
): StreamSession {
  const books = new BookSynchronizer(feed)
  const protocol = new Centrifugo(feed, books, venueOf(books))
  const session = new BookSession({ feed, books, speech: protocol, hello: [protocol.hello(options)] })
  protocol.onReady = () => session.ready()
  return Object.assign(session, {
    receive: (frame: Buffer, recvTs: number): boolean => protocol.receive(frame.toString(), recvTs),
  })
}

class Centrifugo {
  onReady: () => void = () => undefined
  private readonly feed: FeedSink
  private readonly books: BookSynchronizer
  private readonly venue: CentrifugoVenue
  private readonly channels = new Map<string, Channel>()
  private readonly commands = new Commands<About>()
  private answersPings = false
  private isOver = false

  constructor(feed: FeedSink, books: BookSynchronizer, venue: CentrifugoVenue) {
    this.feed = feed
    this.books = books
    this.venue = venue
  }

  hello({ token, name }: CentrifugoOptions): string {
    const id = this.commands.next({ kind: 'connect' })
    return JSON.stringify({ id, connect: { ...(token === undefined ? {} : { token }), name } })
  }

  subscribe(bookIds: readonly string[]): string[] {
    const requests: string[] = []
    for (const bookId of bookIds) {
      for (const [i, name] of this.venue.channelsOf(bookId).entries()) {
        const channel = this.channels.get(name) ?? channelOf(name)
        this.channels.set(name, channel)
        channel.bookIds.add(bookId)
        if (i === 0) channel.fedIds.add(bookId)
        if (i === 0 && channel.state === 'open') this.taken(bookId)
        if (channel.state === 'refused') requests.push(this.ask(channel))
      }
    }
    return requests
  }

  unsubscribe(bookIds: readonly string[]): string[] {
    const left: string[] = []
    for (const bookId of bookIds) {
      for (const name of this.venue.channelsOf(bookId)) {
        const channel = this.channels.get(name)
        channel?.bookIds.delete(bookId)
        channel?.fedIds.delete(bookId)
        if (channel === undefined || channel.bookIds.size > 0) continue
        this.channels.delete(name)
        if (channel.state !== 'refused') left.push(this.command('unsubscribe', channel))
      }
    }
    return left
  }

  receive(frame: string, recvTs: number): boolean {
    let isData = false
    for (const line of frame.split('\n'))
      if (line !== '' && !this.isOver) isData = reportUnknownMessage(this.feed, this.read(line, recvTs)) || isData
    return isData
  }

  private read(line: string, recvTs: number): Read {
    const message = parsedOf(line)
    // Nearly all messages are pushes.
    const push = Push.safeParse(message).data?.push
    if (push !== undefined && (push.pub !== undefined || !isEmpty(message))) return this.push(push, recvTs)
    if (push !== undefined) return this.unread(line, message)
    const reply = Reply.safeParse(message).data
    if (reply !== undefined) return this.reply(reply, recvTs)
    if (typeof message !== 'object' || message === null || Array.isArray(message) || Object.keys(message).length > 0)
      return this.unread(line, message)
    if (this.answersPings) this.feed.send('{}')
    return 'control'
  }

  /** It may have changed the books of its channel; a part of a frame, any. */
  private unread(line: string, message: unknown): Read {
    const name = fieldOf(message, 'push', 'channel')
    const channel = typeof name === 'string' ? this.channels.get(name) : undefined
    if (message === undefined) this.books.unreadFrame(line)
    else if (channel !== undefined) this.books.unread([...channel.fedIds])
    return { malformed: 'neither a reply nor a push' }
  }

  private reply({ id, error, connect, subscribe }: z.output<typeof Reply>, recvTs: number): Read {
    const about = this.commands.take(id)
    if (about === undefined) return { malformed: 'a reply to no request' }
    if (about.kind === 'connect') {
      this.answersPings = connect?.pong === true
      if (error === undefined) this.onReady()
      else this.end(`the venue refused the connection: ${wordsOf(error)}`)
      return 'control'
    }
    const { channel } = about
    // Left meanwhile; or requested again, which has a reply of its own.
    if (about.kind === 'unsubscribe' || this.channels.get(channel.name) !== channel) return 'control'
    if (error !== undefined) this.refused(channel, error)
    if (subscribe === undefined) return 'control'
    channel.state = 'open'
    channel.offset = subscribe.recoverable === true || subscribe.positioned === true ? (subscribe.offset ?? 0) : null
    for (const bookId of channel.fedIds) this.taken(bookId)
    let read: Read = 'control'
    for (const { data } of subscribe.publications ?? []) read = this.venue.publication(channel.name, data, recvTs)
    return read
  }

  private push({ channel: name, pub, unsubscribe, disconnect }: z.output<typeof Push>['push'], recvTs: number): Read {
    if (disconnect !== undefined) this.end(`the venue ended the connection: ${disconnect.code} ${disconnect.reason}`)
    const channel = name === undefined ? undefined : this.channels.get(name)
    // A reply to a request given up meanwhile, or the venue's own service messages.
    if (channel === undefined) return 'control'
    if (unsubscribe !== undefined) this.lost(channel, unsubscribe)
    if (pub === undefined || channel.state !== 'open') return 'control'
    if (pub.offset !== undefined && channel.offset !== null) {
      if (pub.offset <= channel.offset) return 'control'
      const isNext = pub.offset === channel.offset + 1
      channel.offset = pub.offset
      if (!isNext) for (const bookId of channel.fedIds) this.books.gapBefore(bookId)
    }
    return this.venue.publication(channel.name, pub.data, recvTs)
  }

  private taken(bookId: string): void {
    if (this.venue.isUnseeded) this.books.unseeded(bookId)
    else this.books.acknowledged(bookId)
  }

  /** Transient: requested again with the books, which ingest resubscribes when they do not come. */
  private refused(channel: Channel, error: z.output<typeof Failure>): void {
    channel.state = 'refused'
    if (!isTemporary(error)) this.gone(channel, wordsOf(error))
    else if (channel.fedIds.size === 0) this.end(`${channel.name} is not available now: ${wordsOf(error)}`)
  }

  /** The venue ended one subscription by itself. */
  private lost(channel: Channel, { code, reason }: z.output<typeof Ended>): void {
    channel.state = 'refused'
    if (code < resubscribeFrom) {
      this.gone(channel, `${code} ${reason}`)
      return
    }
    for (const bookId of channel.fedIds) this.books.broken(bookId, 'unsubscribed')
    this.feed.send(this.ask(channel))
  }

  /** Permanently. Books continue without channels that are only about them. */
  private gone(channel: Channel, reason: string): void {
    if (channel.fedIds.size === 0) this.feed.malformed(`the venue refuses ${channel.name}: ${reason}`)
    for (const bookId of [...channel.fedIds]) this.books.refused(bookId, reason)
  }

  private end(reason: string): void {
    this.isOver = true
    this.feed.failed(reason)
  }

  private ask(channel: Channel): string {
    channel.state = 'asked'
    return this.command('subscribe', channel)
  }

  private command(kind: 'subscribe' | 'unsubscribe', channel: Channel): string {
    return JSON.stringify({ id: this.commands.next({ kind, channel }), [kind]: { channel: channel.name } })
  }
}

const channelOf = (name: string): Channel => ({
  name,
  bookIds: new Set(),
  fedIds: new Set(),
  state: 'refused',
  offset: null,
})

const wordsOf = ({ code, message }: z.output<typeof Failure>): string => `${code} ${message.slice(0, 120)}`
