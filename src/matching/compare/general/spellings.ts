// Names in two spellings that would otherwise count as the same. One letter more, less or different is as often another person ("Johnson"
// and "Johnston"), so the result is uncertain; only an explained spelling is certain: a transliteration, a known short form, and, if the
// rest of the name is equal, a doubled letter or two swapped ones.

import { blocking, type MatchDifference } from '../../match.ts'
import { sameGivenName } from '../../read/frames/knowledge/nicknames.ts'
import type { Question, Residual } from '../../read/question.ts'
import { canonicalSpelling, transliterated } from '../../read/text.ts'
import { swapped } from '../frames/arguments.ts'

export function compareSpellings(a: Question, b: Question): MatchDifference[] {
  for (const word of a.rest) {
    if (hasWord(b, word)) continue
    const other = b.rest.find((each) => (word.name || each.name) && !hasWord(a, each) && oneLetterApart(word, each))
    if (other === undefined || isSure(a, word, b, other)) continue
    const detail = `spelling: "${word.text}" on ${a.venue}, "${other.text}" on ${b.venue}, which may be two names`
    return [{ kind: 'spelling', points: blocking, detail }]
  }
  return []
}

const hasWord = ({ rest }: Question, { text }: Residual): boolean => rest.some((word) => word.text === text)

function isSure(a: Question, word: Residual, b: Question, other: Residual): boolean {
  const [x, y] = [word.text, other.text]
  if (transliterated(x) === transliterated(y)) return true
  if (!hasEqualNeighbour(a, word, b, other)) return false
  if (canonicalSpelling(x) === canonicalSpelling(y) || sameGivenName(x, y)) return true
  return swapped(x, y) && (x.at(-1) === y.at(-1) || [x, y].every((each) => /(?:er|re)$/.test(each)))
}

/** Another word of the name occurs on both sides. */
function hasEqualNeighbour(a: Question, word: Residual, b: Question, other: Residual): boolean {
  return a.rest.some(
    (each) =>
      each.run === word.run &&
      each !== word &&
      each.name &&
      b.rest.some((same) => same.run === other.run && same !== other && same.key === each.key),
  )
}

/** A letter more, less, different or doubled, two neighbours swapped, or an ending that is grammar in other words. */
function oneLetterApart(one: Residual, two: Residual): boolean {
  const [x, y] = [one.text, two.text]
  if (/\d/.test(x + y) || Math.min(x.length, y.length) < 3 || x === `${y}s` || y === `${x}s`) return false
  if (one.key === two.key) return true
  if (Math.abs(x.length - y.length) > 1) return false
  const shorter = Math.min(x.length, y.length)
  let head = 0
  while (head < shorter && x[head] === y[head]) head++
  let tail = 0
  while (tail < shorter - head && x.at(-1 - tail) === y.at(-1 - tail)) tail++
  const [left, right] = [x.slice(head, x.length - tail), y.slice(head, y.length - tail)]
  if (left.length === 2 && right.length === 2) return left[0] === right[1] && left[1] === right[0]
  return left.length <= 1 && right.length <= 1
}
