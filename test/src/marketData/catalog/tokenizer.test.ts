import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wordsOf } from '#marketData/catalog/tokenizer'

test('splits words into runs of letters and digits, without case, accents or repetition', () => {
  expect(wordsOf("Will Bitcoin hit $100k? bitcoin's Pokémon ÉLYSÉE 2024-25 東京 ﬁnal")).toEqual([
    'will',
    'bitcoin',
    'hit',
    '100k',
    's',
    'pokemon',
    'elysee',
    '2024',
    '25',
    '東京',
    'final',
  ])
  expect(wordsOf(' ?!… ')).toEqual([])
})

test('returns words that are safe in a query and bounded in number and length, whatever the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      for (const word of wordsOf(text)) expect(word).toMatch(/^[\p{L}\p{N}]{1,64}$/u)
    }),
  )
  expect(wordsOf('x'.repeat(10_000))[0]).toHaveLength(64)
  expect(wordsOf(Array.from({ length: 5_000 }, (_, i) => `w${i}`).join(' '))).toHaveLength(1_000)
})
