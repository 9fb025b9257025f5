// What rules count and what they do not: "an announcement counts" against "an announcement alone will not count".
import { blocking, type MatchDifference } from '../../match.ts'
import type { Question } from '../../read/question.ts'
import { stem } from '../../read/text.ts'

/** Maximum length read. */
const longest = 4_000

const verdict =
  /\b(?:(?:will|do|does|is|are|would|shall|can|may)(?:n't)? )?(?:(?:also|not|never|immediately|alone) )*(?:counts?|counted|qualif(?:y|ies)|suffices?|sufficient|enough|(?:be )?(?:considered|included)|resolves? (?:this market |the market )?(?:immediately )?to ["']?yes)\b/
const refusal = /\b(?:not|never|nor)\b|n't\b/
const plain =
  /^(?:the|an?|of|in|on|at|to|by|for|from|with|and|or|any|all|this|that|these|those|such|it|its|be|is|are|will|does|do|not|no|only|also|alone|other|market|markets|purposes?|question|yes|if|as|which|who|mere|merely|official|exact|word|term)$/

interface Counted {
  words: ReadonlySet<string>
  counts: boolean
}

const known = new WeakMap<Question, readonly Counted[]>()

/** Cached: a question is compared in thousands of pairs. */
function countedOf(q: Question): readonly Counted[] {
  const before = known.get(q)
  if (before !== undefined) return before
  const found: Counted[] = []
  for (const sentence of q.rules
    .slice(0, longest)
    .toLowerCase()
    .split(/[.;\n]/)) {
    const match = verdict.exec(sentence)
    if (match === null) continue
    const wordsBefore = sentence.slice(0, match.index).match(/\p{L}+/gu) ?? []
    const words = new Set(wordsBefore.filter((word) => !plain.test(word)).map(stem))
    if (words.size > 0) found.push({ words, counts: !refusal.test(match[0]) && !/^\s*(?:no|neither)\b/.test(sentence) })
  }
  known.set(q, found)
  return found
}

/** One side counts what the other excludes. */
export function compareCounted(a: Question, b: Question): MatchDifference[] {
  for (const mine of countedOf(a))
    for (const other of countedOf(b)) {
      if (mine.counts === other.counts) continue
      const shared = [...mine.words].filter((word) => other.words.has(word))
      if (shared.length === 0 || shared.length * 2 < Math.min(mine.words.size, other.words.size)) continue
      const [yes, no] = mine.counts ? [a, b] : [b, a]
      const detail = `rules: what they say of "${shared.join(' ')}" counts on ${yes.venue} and does not on ${no.venue}`
      return [{ kind: 'rules', points: blocking, detail }]
    }
  return []
}
