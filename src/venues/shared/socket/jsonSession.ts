// A session where every frame, in both directions, is one JSON value. Has no socket or timer of its own.
import type { FeedSink, StreamSession } from '../../venue.ts'
import { BookSession, noted, parsedOf, type Read, type Speech } from './bookSession.ts'
import { FedBooks } from './fedBooks.ts'

/** The venue-specific part. */
export interface JsonVenue extends Speech {
  /** Reads one frame: writes it into the books, and replies by `feed.send` when needed. */
  read(message: unknown, recvTs: number): Read
  /** Texts that are not JSON and mean nothing: a greeting, a pong. */
  isNoise?(text: string): boolean
}

export function jsonSession(feed: FeedSink, venueOf: (books: FedBooks) => JsonVenue): StreamSession {
  const books = new FedBooks(feed)
  const venue = venueOf(books)
  return Object.assign(new BookSession({ feed, books, speech: venue, hello: null }), {
    receive(frame: Buffer, recvTs: number): boolean {
      const text = frame.toString()
      const message = parsedOf(text)
      if (message !== undefined) return noted(feed, venue.read(message, recvTs))
      return noted(feed, venue.isNoise?.(text) === true ? 'control' : { malformed: 'no JSON' })
    },
  })
}
