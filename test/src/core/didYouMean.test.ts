import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { findUnknown, nearestName, suggestUnknown } from '#core/didYouMean'

const Filter = z.object({ volume24h: z.strictObject({ min: z.number(), max: z.number() }).optional() })

describe('a name that a schema would drop', () => {
  const schema = z.object({
    id: z.string(),
    limit: z.coerce.number().default(5),
    filter: z.union([z.string(), Filter]).optional(),
    rows: z.array(z.object({ price: z.number() })).nullish(),
    raw: z.looseObject({ id: z.string() }).optional(),
    open: z.record(z.string(), z.unknown()).optional(),
    read: z
      .object({ text: z.string() })
      .transform(({ text }) => text)
      .optional(),
  })

  it.each<[string, unknown, string | null]>([
    ['none', { id: '1', limit: '2' }, null],
    ['at the top', { id: '1', limt: 2 }, 'limt: is not known; did you mean limit?'],
    ['in a union', { filter: { volume: {} } }, 'filter.volume: is not known; did you mean volume24h?'],
    ['below a union', { filter: { volume24h: { mn: 1 } } }, 'filter.volume24h.mn: is not known; did you mean min?'],
    ['in a list', { rows: [{ price: 1 }, { prize: 1 }] }, 'rows.1.prize: is not known; did you mean price?'],
    ['before a transform', { read: { txt: '' } }, 'read.txt: is not known; did you mean text?'],
    ['in an open object', { raw: { id: '1', more: 1 }, open: { anything: 1 } }, null],
    [
      'a method of Object',
      { toString: 1 },
      'toString: is not known; known are id, limit, filter, rows, raw, open, read',
    ],
    ['in another branch of a union', { filter: 'text' }, null],
    ['not an object', 'text', null],
  ])('%s', (_, value, words) => {
    const found = findUnknown(schema, value)
    expect(found === null ? null : suggestUnknown(found)).toBe(words)
  })

  it('known in one branch of a union is known', () => {
    const either = z.union([z.object({ a: z.string() }), z.object({ b: z.string() })])
    expect(findUnknown(either, { b: 1 })).toBeNull()
    expect(findUnknown(either, { a: 1, b: 1 })?.name).toMatch(/^[ab]$/)
    expect(findUnknown(z.union([z.object({ a: z.string() }), z.record(z.string(), z.string())]), { c: 1 })).toBeNull()
  })
})

describe('the nearest name', () => {
  const known = ['marketId', 'outcomeId', 'limit', 'cursor', 'sort']
  it.each([
    ['market_id', 'marketId'],
    ['MARKETID', 'marketId'],
    ['lmiit', 'limit'],
    ['curser', 'cursor'],
    ['outcome', 'outcomeId'],
  ])('%s: %s', (typed, meant) => expect(nearestName(typed, known)).toBe(meant))

  it.each(['', 'zzqqy', 'window', 'x', '地', 'a'.repeat(65)])('suggests nothing for %j', (typed) =>
    expect(nearestName(typed, known)).toBeUndefined(),
  )

  it('lists the first dozen known names when none is near', () => {
    const many = Array.from({ length: 15 }, (_, n) => `name${n}`)
    expect(suggestUnknown({ path: [], name: 'zzqqy', known: many })).toBe(
      `zzqqy: is not known; known are ${many.slice(0, 12).join(', ')} and 3 more`,
    )
  })

  it('suggests nothing when no names are known', () => expect(nearestName('x', [])).toBeUndefined())
})
