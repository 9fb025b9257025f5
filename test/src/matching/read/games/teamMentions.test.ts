import fc from 'fast-check'
import { expect, test } from 'vitest'
import { replaced } from '#matching/read/games/teamMentions'

/** The same replacement as one regular expression. */
const slow = (text: string, name: string, token: string): string =>
  text.replace(
    new RegExp(
      `(?<![\\p{L}\\d])(?:the )?${name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?:'s?)?(?![\\p{L}\\d])`,
      'gu',
    ),
    token,
  )

test.each([
  ['will the lakers beat boston?', 'lakers', 'will @ beat boston?'],
  ["the lakers' game, lakers's, lakers'x", 'lakers', "@ game, @, @'x"],
  ['bathe lakers and slakers', 'lakers', 'bathe @ and slakers'],
  ['\u00e9lakers lakers\u00e9 lakers', 'lakers', '\u00e9lakers lakers\u00e9 @'],
])('in %s replaces the name %s', (text, name, expected) => {
  expect(replaced(text, name, '@')).toBe(expected)
})

test('finds a name exactly where the regular expression finds it', () => {
  const piece = fc.constantFrom('the ', 'a', 'ab', 'aba', "'", 's', "'s", ' ', '1', '.', '\u00e9', 'x')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), fc.constantFrom('a', 'ab', 'aba', 'ab a', 'a.'), (pieces, name) => {
      const text = pieces.join('')
      expect(replaced(text, name, '@')).toBe(slow(text, name, '@'))
    }),
    { numRuns: 3_000 },
  )
})
