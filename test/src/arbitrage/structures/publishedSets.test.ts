import { expect, test } from 'vitest'
import { sideFlag } from '#arbitrage/flags'
import type { FoundInSet } from '#arbitrage/structures/engine'
import { compileStructures, findStructures } from '#arbitrage/structures/index'
import { type CurrentAsks, PublishedSets } from '#arbitrage/structures/publishedSets'
import { book, booksOf, implies, market } from './parts.ts'

const offers = booksOf({ 'k:a no': book([[0.5, 10]]), 'p:b yes': book([[0.4, 10]]) })

function publishOnce(band: 'verified' | 'minor', now: { answer: ReturnType<CurrentAsks> | undefined }) {
  const compiled = compileStructures([market('k:a'), market('p:b')], [implies('k:a', 'p:b', band)])
  const found: FoundInSet = {
    name: 's',
    ...findStructures(compiled, offers, { leastEdge: 1, unitsMax: 1_000, rowsMax: 2 }),
  }
  expect(found.structures).toMatchObject([{ executable: band === 'verified' }])
  const sets = new PublishedSets((key, side) =>
    key === 'p:b' && now.answer !== undefined ? now.answer : offers(key, side),
  )
  sets.markSearched('s')
  expect(sets.take(() => found)).toEqual([found])
  return { sets, found }
}
const flagged = (flags: number) => ({ ...offers('p:b', 'yes')!, flags })

test.each([
  ['verified', null, true],
  ['verified', flagged(sideFlag.stale), true],
  ['verified', flagged(0), false],
  ['verified', 'busy', false],
  // Already published as not executable; a stale book only adds a reason, which the next search publishes.
  ['minor', flagged(sideFlag.stale), false],
  ['minor', flagged(sideFlag.unavailable), true],
  ['minor', null, true],
] as const)('a row on a %s relation whose book is now %o is withdrawn: %s', (band, answer, isGone) => {
  const now: { answer: ReturnType<CurrentAsks> | undefined } = { answer: undefined }
  const { sets, found } = publishOnce(band, now)
  sets.check('s', 'p:b')
  expect(sets.due).toBe(false)
  now.answer = answer
  sets.check('s', 'k:a')
  expect(sets.due).toBe(false)
  sets.check('s', 'p:b')
  expect(sets.due).toBe(isGone)
  // Not searched again yet, so the stored result belongs to earlier books.
  expect(sets.take(() => null)).toEqual(isGone ? [{ ...found, structures: [], proven: false }] : [])
  expect(sets.due).toBe(false)
})

test('a set without rows is published once, and again when another of its fields changes', () => {
  const nothing: FoundInSet = { name: 's', structures: [], refused: [], proven: false, searched: true }
  const sets = new PublishedSets(() => null)
  const publish = (set: FoundInSet): FoundInSet[] => {
    sets.markSearched('s')
    return sets.take(() => set)
  }
  expect(publish(nothing)).toEqual([nothing])
  const open = { ...nothing, searched: false }
  expect(publish(open)).toEqual([open])
  const proven = { ...nothing, proven: true }
  expect(publish(proven)).toEqual([proven])
  expect(publish({ ...proven, refused: [] })).toEqual([])
  const refused: FoundInSet = { ...proven, refused: [{ markets: ['k:a'], reason: 'contradiction' }] }
  expect(publish(refused)).toEqual([refused])
  expect(publish({ ...refused, refused: [{ markets: ['k:a'], reason: 'contradiction' }] })).toEqual([])
  sets.drop('s')
  expect(publish(refused)).toEqual([refused])
})

test('a set that is searched again is published as a whole, and a dropped set is not published', () => {
  const now: { answer: ReturnType<CurrentAsks> | undefined } = { answer: undefined }
  const { sets, found } = publishOnce('verified', now)
  now.answer = null
  sets.check('s', 'p:b')
  sets.markSearched('s')
  expect(sets.take(() => found)).toEqual([found])
  sets.check('s', 'p:b')
  sets.markSearched('s')
  sets.drop('s')
  expect(sets.due).toBe(false)
  sets.check('s', 'p:b')
  expect(sets.take(() => found)).toEqual([])
})
