// Why a book is not shown as current. Each reason is a stable value with a sentence that explains it: the error frame of the stream, `/v1/status`,
// a metric and the tape's gaps carry the value. A gap of the tape may carry another text instead: it also reports rows that were not recorded.
import { z } from 'zod'

export const staleReasons = {
  disconnected: 'The connection to the venue was lost.',
  feed_error: 'The venue reported an error on the feed.',
  unsubscribed: 'The venue ended the subscription of this book.',
  gap: 'A message of the feed was lost.',
  unreadable: 'A message of the feed could not be read.',
  hash_mismatch: 'The book does not match the checksum that the venue sent.',
  negative: 'A change would make a level negative.',
  scale: 'The venue changed the unit of its prices or sizes.',
  crossed: 'The best bid is not below the best ask.',
  best_mismatch: 'The best prices that the feed reports differ from those of the book.',
  book_mismatch: 'The book differs from the one that the venue serves over REST.',
  frozen: 'The venue’s book changed while its feed sent nothing.',
  silence: 'The connection sent nothing for too long, or nothing that the venue’s own books confirm.',
  resync_unanswered: 'The venue did not answer requests for a new snapshot.',
  lagging: 'The feed is too far behind the venue.',
  moved: 'The book moves to another connection.',
  resync: 'A new snapshot was requested.',
  unreachable: 'The venue could not be read.',
  clock_turned_back: 'The venue’s times went back, so updates could not be ordered.',
  not_polled: 'The book was not read in time, because others were more urgent.',
  unwatched: 'The book was not subscribed to, or was dropped because it had no readers; a new reader gets a snapshot.',
  ingest_restarted: 'The ingest actor of this venue failed and starts again.',
  ingest_stopped: 'The ingest process of this venue was stopped.',
  owner_silent: 'The ingest process of this venue has not been heard from.',
  owner_changed: 'Another ingest process took over this venue.',
  received_late: 'The update waited too long in a process that had been suspended.',
  not_received: 'No book has arrived yet.',
} as const satisfies Record<string, string>

export type StaleReason = keyof typeof staleReasons
export const StaleReason = z
  .enum(Object.keys(staleReasons) as [StaleReason, ...StaleReason[]])
  .meta({ id: 'StaleReason' })
