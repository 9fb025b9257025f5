// The rule of arming: an order waits for a book of the market's own that is live now.
import { expect, test } from 'vitest'
import { ManualClock } from '#lib/clock'
import { type BookStandingOptions, createBookAvailability } from '#run/bookAvailability'

function world({ synthetic = false, bookId = 'b' as string | null, state = 'live' as string | null } = {}) {
  const clock = new ManualClock()
  const held: string[] = []
  const book = { state }
  let looks = 0
  const standing = createBookAvailability({
    catalog: {
      findMarket: async () => ({ sourceMetadata: { synthetic } }),
    } as unknown as BookStandingOptions['catalog'],
    bookOf: () => (bookId === null ? null : { bookId, complement: false }),
    books: {
      get: () => {
        looks++
        return book.state === null ? undefined : book
      },
    } as unknown as BookStandingOptions['books'],
    hold: (venue, id) => held.push(`${venue}:${id}`),
    clock,
  })
  /** Until a timer of the wait is there to be turned. */
  const waits = async (): Promise<void> => {
    while (clock.pendingCount === 0) await Promise.resolve()
  }
  return { standing, clock, book, held, waits, looks: () => looks }
}

test('a book that is live is one to wait for, and is fed from then on', async () => {
  const { standing, held, clock } = world()
  expect(await standing('kalshi', 'm', 'o')).toBe('live')
  expect([held, clock.pendingCount]).toEqual([['kalshi:b'], 0])
})

test.each([
  ['of a venue without depth', 'rain', {}],
  ['of a venue whose books are rebuilt from offers', 'sxbet', {}],
  ['that the venue does not know', 'kalshi', { bookId: null }],
  ['that is made up of something else', 'limitless', { synthetic: true }],
])('there is none %s, and nobody feeds it', async (_why, venue, options) => {
  const { standing, held } = world(options)
  expect(await standing(venue, 'm', 'o')).toBe('none')
  expect(held).toEqual([])
})

test('a book that nobody watched is asked for and waited for: live as soon as it is proved', async () => {
  const { standing, clock, book, held, waits } = world({ state: null })
  const asked = standing('kalshi', 'm', 'o')
  await waits()
  expect(held).toEqual(['kalshi:b'])
  clock.advance(1_000)
  book.state = 'stale'
  clock.advance(1_000)
  book.state = 'live'
  clock.advance(25)
  expect(await asked).toBe('live')
  expect(clock.pendingCount).toBe(0)
})

test('one that stays stale is silent after three seconds, and those who ask meanwhile share the looks at it', async () => {
  const { standing, clock, waits, looks } = world({ state: 'stale' })
  const asked = [standing('kalshi', 'm', 'o'), standing('kalshi', 'm', 'o'), standing('kalshi', 'm', 'o')]
  await waits()
  for (let i = 0; i < 10; i++) await Promise.resolve()
  expect(clock.pendingCount).toBe(1)
  clock.advance(2_999)
  const before = looks()
  clock.advance(26)
  expect(await Promise.all(asked)).toEqual(['silent', 'silent', 'silent'])
  expect(looks() - before).toBeLessThanOrEqual(2)
  expect(clock.pendingCount).toBe(0)
})
