// A session where every frame, in both directions, is one JSON value. No socket and no timer in here.
import type { FeedSink, StreamSession } from '../../venue.ts'
import { BookSession, noted, parsedOf, type Read, type Speech } from './bookSession.ts'
import { FedBooks } from './fedBooks.ts'

/** What a venue brings. */
export interface JsonVenue extends Speech {
  /** One frame. It writes what it reads into the books, and answers by `feed.send` what wants an answer. */
  read(message: unknown, recvTs: number): Read
  /** Texts that are no JSON and mean nothing: a greeting, a pong. */
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
