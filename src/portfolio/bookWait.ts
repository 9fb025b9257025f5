// Waits briefly for books that were not watched until now.
import { Cache } from '#core/cache'
import type { Clock } from '#core/clock'
import type { LiveBooks } from '#marketData/markets/index'

const pollIntervalMs = 25
/** A book that did not become live is not awaited again for this long. */
const silentForMs = 30_000
const silentMax = 50_000

export interface BookWaitOptions {
  books: Pick<LiveBooks, 'get'>
  /** Keeps the book fed for a while. */
  hold(venue: string, bookId: string): void
  clock: Clock
  waitMs: number
}

export interface BookName {
  venue: string
  bookId: string
}

/** Has the books fed from now on; resolves once all of them are live, or the wait has timed out. */
export function createBookWait({ books, hold, clock, waitMs }: BookWaitOptions) {
  const awaited = new Cache<true>(silentMax, { clock, forMs: silentForMs })
  const nameOf = ({ venue, bookId }: BookName): string => `${venue}:${bookId}`
  const isLive = ({ venue, bookId }: BookName): boolean => books.get(venue, bookId)?.state === 'live'

  return async (watched: readonly BookName[]): Promise<void> => {
    for (const { venue, bookId } of watched) hold(venue, bookId)
    const wanted = watched.filter((book) => awaited.get(nameOf(book)) === undefined)
    const isDone = (): boolean => wanted.every(isLive)
    if (isDone()) return
    const until = clock.monotonic() + waitMs
    await new Promise<void>((resolve) => {
      const timer = clock.every(pollIntervalMs, () => {
        if (!isDone() && clock.monotonic() < until) return
        timer.cancel()
        resolve()
      })
    })
    for (const book of wanted) if (!isLive(book)) awaited.set(nameOf(book), true)
  }
}
