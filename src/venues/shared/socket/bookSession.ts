// Shared by all sessions beneath their protocol: books are added before they are requested and requested once the connection is ready, and a book
// read over REST gets the changes that arrived meanwhile.
import { parseFrameJson } from '#net/jsonScan'
import type { FeedSink, StreamSession } from '../../venue.ts'
import type { BookSynchronizer } from './bookSynchronizer.ts'

/** The kind of message read: venue data, another message of its protocol, or one that fits nothing we know. */
export type Read = 'data' | 'control' | { malformed: string }

/** How to talk to a venue, in texts that are sent as they are. */
export interface ProtocolEncoder {
  subscribe(bookIds: readonly string[]): string[]
  unsubscribe(bookIds: readonly string[]): string[]
  /** Requests whole books on the socket itself, if the venue supports it. */
  snapshots?(bookIds: readonly string[]): string[]
}

export interface BookSessionOptions {
  feed: FeedSink
  books: BookSynchronizer
  speech: ProtocolEncoder
  /** Sent before any request, with the first subscription; null when the connection is ready as soon as it is open. */
  hello: readonly string[] | null
}

export class BookSession implements Omit<StreamSession, 'receive'> {
  private readonly options: BookSessionOptions
  private hello: readonly string[]
  private isReady: boolean

  constructor(options: BookSessionOptions) {
    this.options = options
    this.isReady = options.hello === null
    this.hello = options.hello ?? []
  }

  /** The handshake is done: requests the books that waited for it, never more than fit one socket. */
  ready(): void {
    if (this.isReady) return
    this.isReady = true
    const { feed, books, speech } = this.options
    const { ids } = books
    if (ids.length > 0) for (const text of speech.subscribe(ids)) feed.send(text)
  }

  subscribe(bookIds: readonly string[]): string[] {
    const fresh = this.options.books.add(bookIds)
    if (fresh.length === 0) return []
    if (this.isReady) return this.options.speech.subscribe(fresh)
    const { hello } = this
    this.hello = []
    return [...hello]
  }

  unsubscribe(bookIds: readonly string[]): string[] {
    const gone = this.options.books.remove(bookIds)
    return gone.length > 0 && this.isReady ? this.options.speech.unsubscribe(gone) : []
  }

  resync(bookId: string): string[] | null {
    const { books, speech } = this.options
    if (speech.snapshots === undefined) return null
    return this.isReady && books.has(bookId) ? speech.snapshots([bookId]) : []
  }

  confirm(bookIds: readonly string[]): string[] | null {
    const { books, speech } = this.options
    if (speech.snapshots === undefined) return null
    const fed = bookIds.filter((bookId) => books.isFed(bookId))
    return fed.length > 0 ? speech.snapshots(fed) : []
  }

  feeds(bookId: string): boolean {
    return this.options.books.isFed(bookId)
  }

  delivers(bookId: string): boolean {
    return this.options.books.isDelivered(bookId)
  }

  snapshotWritten(bookId: string, recvTs: number): void {
    this.options.books.snapshotWritten(bookId, recvTs)
  }
}

/** True for data, as `receive` returns it. */
export function reportUnknownMessage(feed: FeedSink, read: Read): boolean {
  if (typeof read === 'object') feed.malformed(read.malformed)
  return read === 'data'
}

/** A field of a message whose shape is not known; undefined when it is not there. */
export function fieldOf(message: unknown, ...path: readonly string[]): unknown {
  let value = message
  for (const name of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
  }
  return value
}

/** Undefined for invalid JSON, and for more than a frame may hold; no venue sends undefined. */
export function parsedOf(text: string): unknown {
  try {
    return parseFrameJson(text)
  } catch {
    return undefined
  }
}
