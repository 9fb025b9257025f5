// What counts as a word when markets are searched. The same for stored texts and for queries, on every database.
import { amountsOf } from './numbers.ts'

const wordLengthMax = 64
/** Resolution rules can run to pages; the rest of such a text is not searched. */
const wordsMax = 1_000

/** Distinct runs of letters and digits, lower case, accents removed: "Pokémon's 100k?" → pokemon, s, 100k. */
export function wordsOf(text: string): string[] {
  const words = new Set<string>()
  for (const word of plainOf(text).match(/[\p{L}\p{N}]+/gu) ?? []) {
    words.add(word.length <= wordLengthMax ? word : [...word].slice(0, wordLengthMax).join(''))
    if (words.size === wordsMax) break
  }
  return [...words]
}

/** Increased when texts are stored with other words than before: every row is then rewritten. */
export const wordsVersion = 2

/** Stored for a search: the words, and every amount as its digits. */
export const storedWordsOf = (text: string): string[] => [
  ...new Set([...wordsOf(text), ...amountsOf(text).map(({ digits }) => digits)]),
]

/** Most texts are plain ASCII and only need case folding, which is ten times cheaper. */
const plainOf = (text: string): string =>
  /[^ -~\s]/.test(text) ? text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase() : text.toLowerCase()
