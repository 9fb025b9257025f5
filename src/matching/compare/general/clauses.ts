// What a question says besides its words: conditions, who acts and who is acted upon, what a prefix does to a word, and whether something must last.
import type { MatchDifference } from '../../match.ts'
import type { Question } from '../../read/question.ts'
import { canonicalSpelling, stem } from '../../read/text.ts'
import type { Order } from './wordOrder.ts'

const differs = (kind: string, points: number, what: string): MatchDifference[] => [
  { kind, points, detail: `${kind}: ${what}` },
]

/** In lower case: "After Hours" is a song. */
const condition = /\b(before|after|until|unless|[iI]f|once|while)\s+([^?;:]+)/g
const grammar = /^(?:the|an?|of|in|on|at|to|by|is|are|was|be|been|does|do|did|has|have|had|will|his|her|their|its)$/

/** "Before Ana Lima does" and "before Ana Lima is elected"; days are not clauses. */
export function compareClauses(a: Question, x: Order, b: Question, y: Order): MatchDifference[] {
  const other = clausesOf(y)
  for (const [word, mine] of clausesOf(x)) {
    const theirs = other.get(word)
    if (theirs === undefined) continue
    const onlyA = mine.filter((key) => !theirs.includes(key))
    const onlyB = theirs.filter((key) => !mine.includes(key))
    if (onlyA.length + onlyB.length === 0) continue
    const points = onlyA.length > 0 && onlyB.length > 0 ? 30 : 12
    const quoted = (keys: readonly string[]): string => `"${word} ${keys.join(' ')}"`
    return differs('clause', points, `${a.venue} says ${quoted(mine)}, ${b.venue} says ${quoted(theirs)}`)
  }
  return []
}

function clausesOf({ text }: Order): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [, word = '', rest = ''] of text.matchAll(condition)) {
    const keys = (rest.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((each) => !grammar.test(each))
    if (keys.length > 0)
      found.set(
        word.toLowerCase(),
        keys.map((each) => canonicalSpelling(stem(each))),
      )
  }
  return found
}

const suffered = /\b(?:be|is|been|being|gets?) (?:\p{L}+ly )?(\p{L}{3,}(?:ed|en))\b/gu

/** "Will Iran be attacked" and "Will Iran attack". */
export function compareVoices(a: Question, x: Order, b: Question, y: Order): MatchDifference[] {
  const pronoun = /\b(?:some|any)(?:one|body)\b/i
  const unknown = [x, y].filter(({ text }) => pronoun.test(text))
  if (unknown.length === 2 && unknown.filter(({ text }) => /^will (?:some|any)/i.test(text)).length === 1)
    return differs('direction', 40, `who does it to whom differs between ${a.venue} and ${b.venue}`)
  const [one, two] = [x.names[0], y.names[0]]
  if (x.mutual || y.mutual || one === undefined || !one.some((word) => two?.includes(word) === true)) return []
  const found = turned(x, y) ?? turned(y, x)
  if (found === null) return []
  return differs(
    'direction',
    40,
    `on one side the person does "${found}", on the other it is done to them (${a.venue}, ${b.venue})`,
  )
}

/** A verb that is passive in one and active in the other. */
function turned(passive: Order, active: Order): string | null {
  const verbs = [...passive.text.toLowerCase().matchAll(suffered)].map(([, word = '']) => stem(word))
  if (verbs.length === 0) return null
  const spoken = active.text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const last = canonicalSpelling(active.names[0]?.at(-1) ?? '')
  const at = spoken.findIndex((word) => canonicalSpelling(word) === last) + 1
  const behind = at === 0 ? undefined : spoken.slice(at).find((word) => !word.endsWith('ly'))
  if (behind === undefined || /(?:ed|en)$/.test(behind)) return null
  // "TikTok ban" is a thing, "Will TikTok ban" an act.
  const isAct = spoken[0] === 'will' || behind.endsWith('s')
  return isAct && verbs.includes(stem(behind)) ? behind : null
}

const prefixed = /\b(non|anti|ex|by|re|pre|post|co|un|vice|semi|quasi|counter)-(\p{L}{4,})/gu

/** "A by-election" is not an election, and "a non-American" not an American. */
export function comparePrefixes(a: Question, b: Question): MatchDifference[] {
  for (const [one, two] of [
    [a, b],
    [b, a],
  ] as const) {
    const other = ` ${two.text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')}`
    for (const [, prefix = '', word = ''] of one.text.toLowerCase().matchAll(prefixed)) {
      const occurs = other.includes(` ${prefix}${word}`) || other.includes(` ${prefix} ${word}`)
      if (occurs || !other.includes(` ${word}`)) continue
      return differs('wording', 30, `only ${one.venue} says "${prefix}-" before "${word}"`)
    }
  }
  return []
}

const throughout = /(?<!\d )\b(?:until|till|through|throughout)\b/
const lasting = /\b(?:remains?|stays?|still|lasts?|holds?|keeps?|continues?|survives?|serves?)\b/

/** "Be president through 2026" must hold until its end, "in 2026" on one day of it. */
export function compareSpans(a: Question, b: Question): MatchDifference[] {
  const [p, q] = [a.text.toLowerCase(), b.text.toLowerCase()]
  if (throughout.test(p) === throughout.test(q) || lasting.test(p) || lasting.test(q)) return []
  return differs('date', 12, `only ${throughout.test(p) ? a.venue : b.venue} says that it must last`)
}
