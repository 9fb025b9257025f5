// Who does what to whom: two questions with the same words may ask opposite things.

import type { MatchDifference } from '../../match.ts'
import { placeOf, placePattern } from '../../read/gazetteer.ts'
import type { Question } from '../../read/question.ts'
import { canonicalSpelling, stem } from '../../read/text.ts'

/** Both do it, or it is done by the one named last. */
const mutual = /\b(?:and|with|meets?|met|marry|engaged|vs\.?|versus|between|deal|call|debate|by|than)\b|:/

/** "Will Israel strike Iran" and "Will Iran strike Israel". */
export function compareRoles(a: Question, b: Question): MatchDifference[] {
  if (a.matchup !== null || b.matchup !== null || mutual.test(a.text) || mutual.test(b.text)) return []
  const [x, y] = [subjectOf(a.text), subjectOf(b.text)]
  if (x === null || y === null || x.words.some((word) => y.words.includes(word))) return []
  const swapped = x.words.every((word) => y.behind.includes(word)) && y.words.every((word) => x.behind.includes(word))
  if (!swapped) return []
  const detail = `roles: ${a.venue} begins with "${x.text}", ${b.venue} with "${y.text}"`
  return [{ kind: 'name', points: 40, detail }]
}

interface Subject {
  text: string
  words: string[]
  /** Words of the rest of the sentence. */
  behind: string[]
}

const anyPlace = new RegExp(placePattern.source, 'gi')

function subjectOf(text: string): Subject | null {
  const plain = text.replace(/^Will (?:the )?/, '')
  const found = /^\p{Lu}[\p{L}.'-]*(?: \p{Lu}[\p{L}.'-]*)*/u.exec(plain)
  if (found === null) return null
  return { text: found[0], words: keys(found[0]), behind: keys(plain.slice(found[0].length)) }
}

const keys = (text: string): string[] =>
  (
    text
      .replace(anyPlace, (whole, name: string) => placeOf(name.toLowerCase(), whole) ?? whole)
      .toLowerCase()
      .match(/[\p{L}-]+/gu) ?? []
  ).map((word) => canonicalSpelling(stem(word)))
