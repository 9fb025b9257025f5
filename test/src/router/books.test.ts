import { expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { createRouterBooks } from '#router/index'
import type { BookUpdate } from '#schemas/topics'

const levelsMax = 2_000

/** As a live book is kept: without the closing bracket. */
const coreOf = (asks: { price: number; size: number }[]): Buffer => {
  const text = JSON.stringify({ bids: [], asks })
  return Buffer.from(text.slice(0, -1), 'latin1')
}

it('has the best levels of a deep book, whatever their order is', async () => {
  // The worst first, as in the complement of a book.
  const asks = Array.from({ length: levelsMax + 500 }, (_, n) => ({ price: (levelsMax + 500 - n) / 10_000, size: 1 }))
  const update = { state: 'live', core: coreOf(asks), recvTs: 5, provenAt: null } as unknown as BookUpdate
  const books = createRouterBooks({
    books: { get: () => update, complement: (core) => core },
    hold: () => undefined,
    clock: new ManualClock(),
  })
  const [book] = await books.read([{ venue: 'kalshi', bookId: 'b', complement: true }])
  expect(book!.asks).toHaveLength(levelsMax)
  expect([book!.asks[0], book!.asks.at(-1)]).toEqual([
    { micros: 100, units: 100 },
    { micros: 200_000, units: 100 },
  ])
})
