// Markets on whether a word is spoken: "China" is not "Chinese", and "AI" is not "artificial intelligence". The exact word counts, not its
// meaning; plurals and possessives are the same word only if the rules of both sides say so.
import type { MatchDifference } from '../../match.ts'
import type { Question } from '../../read/question.ts'

/** The required words, and whether a quotation or a label marks them off. */
export interface MentionMarket {
  words: string
  marked: boolean
}

const verb = /\b(?:says?|said|saying|mentions?|mentioned|utters?)\b/i
const questionWord = /^(?:what|which)\b/i
const known = new WeakMap<Question, MentionMarket | null>()

/** Null for a question about anything else. */
export function mentionedWords(question: Question): MentionMarket | null {
  const before = known.get(question)
  if (before !== undefined) return before
  const found = read(question)
  known.set(question, found)
  return found
}

function read({ text, label }: Question): MentionMarket | null {
  const verbMatch = verb.exec(text)
  if (verbMatch === null) return null
  const behind = text.slice(verbMatch.index + verbMatch[0].length)
  const quoted = [...behind.matchAll(/["“”]([^"“”]+)["“”]/g)].map((match) => match[1] as string)
  if (quoted.length > 0) return { words: quoted.map(plain).join(' | '), marked: true }
  if (label !== '' && questionWord.test(text)) return { words: plain(label), marked: true }
  const clause =
    /^(.*?)(?=\s(?:during|at|in|on|by|before|after|while|this|next|\d+\+?(?: or more)? times?)\b|[?:]|$)/i.exec(behind)
  return { words: plain(clause?.[1] ?? behind), marked: false }
}

const plain = (words: string): string =>
  words
    .toLowerCase()
    .replace(/[‘’']/g, "'")
    .replace(/\(?\b\d+\+?(?: or more)? times?\b\)?|\(\d+\+\)/g, ' ')
    .replace(/[^\p{L}\p{N}'/ ]+/gu, ' ')
    .replace(/^ *(?:that )?(?:the )?(?:(?:words?|phrases?|terms?|names?) )?/, '')
    .replace(/\s+/g, ' ')
    .trim()

/** Only where the exact word decides. */
export function compareMentions(a: Question, b: Question): MatchDifference[] {
  const [x, y] = [mentionedWords(a), mentionedWords(b)]
  if (x === null || y === null || x.words === y.words) return []
  if (bothCount(a, b) && formless(x.words) === formless(y.words)) return []
  if (!x.marked && y.marked && holds(a.text, y.words)) return []
  if (x.marked && !y.marked && holds(b.text, x.words)) return []
  const points = x.marked && y.marked ? 45 : 30
  return [{ kind: 'wording', points, detail: `mention: ${a.venue} asks for "${x.words}", ${b.venue} for "${y.words}"` }]
}

/** The words after the verb begin with it, to the letter. */
function holds(text: string, words: string): boolean {
  const verbMatch = verb.exec(text)
  return verbMatch !== null && `${plain(text.slice(verbMatch.index + verbMatch[0].length))} `.startsWith(`${words} `)
}

const bothCount = (a: Question, b: Question): boolean =>
  [a, b].every(({ rules }) => /\bplurals?\b/i.test(rules) && /\bpossessives?\b/i.test(rules))

const formless = (words: string): string =>
  words
    .split(' ')
    .map((word) => word.replace(/'s?$/, '').replace(/(?<=\p{L}{2})s$/u, ''))
    .join(' ')
