// Which book is read next when hundreds of them are read over REST one after the other.
import { expect, it, vi } from 'vitest'
import { IngestBook } from '#actors/ingest/ingestBook'
import { TapeBuffer } from '#actors/ingest/recordBuffer'
import { RestBooks } from '#actors/ingest/restSnapshots'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { ThrottledLog } from '#core/throttledLog'
import { booksOnly, contextOf } from '#test/support/ingest'
import { ASK, BID, type BookSnapshot } from '#venues/venue'

function reading(...bookIds: string[]) {
  const clock = new ManualClock()
  const requests: string[] = []
  const answers: (() => void)[] = []
  const tape = new TapeBuffer('polymarket')
  const nothing = (): void => undefined
  const books = new Map(
    bookIds.map((marketId) => [
      marketId,
      new IngestBook({
        venue: 'polymarket',
        marketId,
        tickMicros: null,
        tape,
        beat: { at: 0 },
        onDirty: nothing,
        onBroken: nothing,
        onSynced: nothing,
      }),
    ]),
  )
  const snapshot = (bookId: string): BookSnapshot => ({
    bookId,
    bids: [[400_000, 1]],
    asks: [[600_000, 1]],
    eventTs: null,
    recvTs: clock.now(),
    lastTradeMicros: null,
    isNegRisk: null,
    tickMicros: null,
  })
  const rest = new RestBooks({
    venue: 'polymarket',
    data: {
      ...booksOnly,
      poll: { intervalMs: 1_000, concurrency: 1 },
      fetchOrderBook: (_context, bookId) => {
        requests.push(bookId)
        return new Promise((resolve) => answers.push(() => resolve(snapshot(bookId))))
      },
    },
    context: contextOf('polymarket', clock),
    clock,
    lines: new ThrottledLog(silentLog, clock),
    random: () => 0.5,
    books,
    sockets: {
      resync: () => false,
      feeds: () => true,
      delivers: () => true,
      snapshotWritten: nothing,
      lag: { isDistrusted: () => false },
    },
    send: nothing,
    sendBookEvent: nothing,
    onFailure: nothing,
  })
  return {
    rest,
    books,
    requests,
    /** The requested book arrives, and the next one is requested. */
    async answer(): Promise<void> {
      const before = requests.length
      answers.shift()?.()
      await vi.waitFor(() => expect(requests.length).toBeGreaterThan(before))
    },
  }
}

it('reads the books of readers first, then legs near execution', async () => {
  const { rest, requests, answer } = reading('a', 'b', 'c', 'd', 'e')
  rest.resync(0, ['a', 'b', 'c', 'd', 'e'])
  rest.rank(new Set(['e', 'unasked']), ['d'])
  await answer()
  await answer()
  await answer()
  expect(requests).toEqual(['a', 'e', 'd', 'b'])
})

it('skips books that arrived meanwhile or are no longer wanted', async () => {
  const { rest, books, requests, answer } = reading('a', 'b', 'c', 'd')
  rest.resync(0, ['a', 'b', 'c', 'd'])
  const came = books.get('b')!
  came.beginSnapshot()
  came.set(BID, 400_000, 1)
  came.set(ASK, 600_000, 1)
  came.commit(null, 1)
  books.delete('c')
  await answer()
  expect(requests).toEqual(['a', 'd'])
})
