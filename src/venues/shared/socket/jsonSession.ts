// A session where every frame, in both directions, is one JSON value. Has no socket or timer of its own.
import type { FeedSink, StreamSession } from '../../venue.ts'
import { BookSession, type ProtocolEncoder, parsedOf, type Read, reportUnknownMessage } from './bookSession.ts'
import { BookSynchronizer } from './bookSynchronizer.ts'

/** The venue-specific part. */
export interface JsonVenue extends ProtocolEncoder {
  /** Reads one frame: writes it into the books, and replies by `feed.send` when needed. */
  read(message: unknown, recvTs: number): Read
  /** Texts that are not JSON and mean nothing: a greeting, a pong. */
  isNoise?(text: string): boolean
}

export function jsonSession(feed: FeedSink, venueOf: (books: BookSynchronizer) => JsonVenue): StreamSession {
  const books = new BookSynchronizer(feed)
  const venue = venueOf(books)
  return Object.assign(new BookSession({ feed, books, speech: venue, hello: null }), {
    receive(frame: Buffer, recvTs: number): boolean {
      const text = frame.toString()
      const message = parsedOf(text)
      if (message !== undefined) return reportUnknownMessage(feed, venue.read(message, recvTs))
      if (venue.isNoise?.(text) === true) return reportUnknownMessage(feed, 'control')
      books.unreadFrame(text)
      return reportUnknownMessage(feed, { malformed: 'no JSON' })
    },
  })
}
