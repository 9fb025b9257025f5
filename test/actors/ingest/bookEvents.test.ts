import { expect, it } from 'vitest'
import { BookEvents } from '#actors/ingest/bookEvents'

it('keeps at most one message pending, and reports each change of each book once and in order', () => {
  let announced = 0
  const events = new BookEvents(() => void announced++)
  for (let n = 0; n < 1_000; n++)
    for (const bookId of ['a', 'b']) events.push({ kind: 'broken', bookId, reason: n % 2 === 0 ? 'gap' : 'crossed' })
  events.push({ kind: 'synced', bookId: 'a' })
  events.push({ kind: 'broken', bookId: 'a', reason: 'crossed' })
  expect(announced).toBe(1)
  expect(events.take().map(({ kind, bookId }) => `${bookId} ${kind}`)).toEqual([
    'a broken',
    'b broken',
    'a synced',
    'a broken',
  ])
  expect(events.take()).toEqual([])
  events.push({ kind: 'synced', bookId: 'b' })
  expect(announced).toBe(2)
})
