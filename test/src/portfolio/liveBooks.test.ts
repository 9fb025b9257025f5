import { expect, it } from 'vitest'
import { BookCache } from '#core/books/bookCache'
import { complementCore } from '#core/books/encode'
import { ManualClock } from '#core/clock'
import { createPositionBooks } from '#portfolio/liveBooks'
import { liveBook } from '#test/src/server/http/world'

const yes = { venue: 'kalshi', marketId: 'M', outcomeId: 'M' }
const no = { venue: 'kalshi', marketId: 'M', outcomeId: 'M-NO' }

function watched() {
  const clock = new ManualClock()
  const cache = new BookCache()
  const held: string[] = []
  const books = createPositionBooks({
    bookOf: (_venue, outcomeId) =>
      outcomeId === 'none' ? null : { bookId: 'M', complement: outcomeId.endsWith('-NO') },
    books: { get: (venue, bookId) => cache.get(venue, bookId), complement: complementCore },
    hold: (venue, bookId) => held.push(`${venue}:${bookId}`),
    clock,
  })
  const publish = () => cache.apply(liveBook('kalshi', 'M', { bids: [[0.4, 5]], asks: [[0.45, 2]] }))
  return { clock, cache, held, books, publish }
}

const own = { bids: [{ price: 0.4, size: 5 }], asks: [{ price: 0.45, size: 2 }], lastPrice: '0.43' }

it('returns live books at once, the other outcome’s mirrored, and keeps them fed', async () => {
  const { books, publish, held } = watched()
  publish()
  expect(await books.read([yes, no])).toEqual([
    own,
    { bids: [{ price: 0.55, size: 2 }], asks: [{ price: 0.6, size: 5 }], lastPrice: '0.57' },
  ])
  expect(held).toEqual(['kalshi:M', 'kalshi:M'])
})

it('waits for a book that was not watched before', async () => {
  const { books, publish, clock } = watched()
  const read = books.read([yes])
  clock.advance(100)
  publish()
  clock.advance(100)
  expect(await read).toEqual([own])
})

it('gives up on a book that stays silent, and does not wait for it again', async () => {
  const { books, clock } = watched()
  const read = books.read([yes])
  clock.advance(1_000)
  expect(await read).toEqual(['silent'])
  expect(await books.read([yes])).toEqual(['silent'])
})

it('never returns a stale book', async () => {
  const { books, cache, publish, clock } = watched()
  publish()
  cache.apply(liveBook('kalshi', 'M', { bids: [[0.4, 5]], asks: [[0.45, 2]] }, { state: 'stale' }))
  const read = books.read([yes])
  clock.advance(1_000)
  expect(await read).toEqual(['silent'])
})

it('has no book of a venue without real ones, and none of an unknown outcome', async () => {
  const { books } = watched()
  const [emulated, unknown] = [
    { ...yes, venue: 'rain' },
    { ...yes, outcomeId: 'none' },
  ]
  expect(await books.read([emulated, unknown])).toEqual(['none', 'none'])
})
