// Arming a conditional order requires a live book of its own market.
import { expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { type BookAvailabilityOptions, createBookAvailability } from '#roles/bookAvailability'

function world({ synthetic = false, bookId = 'b' as string | null, state = 'live' as string | null } = {}) {
  const clock = new ManualClock()
  const held: string[] = []
  const book = { state }
  let checks = 0
  const availability = createBookAvailability({
    catalog: {
      findMarket: async () => ({ sourceMetadata: { synthetic } }),
    } as unknown as BookAvailabilityOptions['catalog'],
    bookOf: () => (bookId === null ? null : { bookId, complement: false }),
    books: {
      get: () => {
        checks++
        return book.state === null ? undefined : book
      },
    } as unknown as BookAvailabilityOptions['books'],
    hold: (venue, id) => held.push(`${venue}:${id}`),
    clock,
  })
  /** Waits until the code under test has set a timer. */
  const waits = async (): Promise<void> => {
    while (clock.pendingCount === 0) await Promise.resolve()
  }
  return { availability, clock, book, held, waits, checks: () => checks }
}

test('reports a live book as live and keeps it fed', async () => {
  const { availability, held, clock } = world()
  expect(await availability('kalshi', 'm', 'o')).toBe('live')
  expect([held, clock.pendingCount]).toEqual([['kalshi:b'], 0])
})

test.each([
  ['of a venue without depth', 'rain', {}],
  ['of a venue whose books are rebuilt from offers', 'sxbet', {}],
  ['that the venue does not know', 'kalshi', { bookId: null }],
  ['that is made up of something else', 'limitless', { synthetic: true }],
])('reports none for a market %s, and does not request its book', async (_why, venue, options) => {
  const { availability, held } = world(options)
  expect(await availability(venue, 'm', 'o')).toBe('none')
  expect(held).toEqual([])
})

test('requests an unwatched book and waits until it is live', async () => {
  const { availability, clock, book, held, waits } = world({ state: null })
  const pending = availability('kalshi', 'm', 'o')
  await waits()
  expect(held).toEqual(['kalshi:b'])
  clock.advance(1_000)
  book.state = 'stale'
  clock.advance(1_000)
  book.state = 'live'
  clock.advance(25)
  expect(await pending).toBe('live')
  expect(clock.pendingCount).toBe(0)
})

test('reports a book that stays stale as silent after three seconds, and concurrent callers share the checks', async () => {
  const { availability, clock, waits, checks } = world({ state: 'stale' })
  const pending = [availability('kalshi', 'm', 'o'), availability('kalshi', 'm', 'o'), availability('kalshi', 'm', 'o')]
  await waits()
  for (let i = 0; i < 10; i++) await Promise.resolve()
  expect(clock.pendingCount).toBe(1)
  clock.advance(2_999)
  const before = checks()
  clock.advance(26)
  expect(await Promise.all(pending)).toEqual(['silent', 'silent', 'silent'])
  expect(checks() - before).toBeLessThanOrEqual(2)
  expect(clock.pendingCount).toBe(0)
})
