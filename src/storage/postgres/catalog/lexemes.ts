// The words of all titles. A word is stored before the first title that contains it becomes visible.
import type { Queryable } from '../pool.ts'
import { type SearchTerm, type SearchWord, tsqueryOfTerm } from './searchTerm.ts'

/** When more words than this share a prefix, a prefix query is cheaper than listing them. */
export const expansionsMax = 16

/** A shorter word is too near to too many others. */
const misspelledFromLength = 4
/** Longer ones have too many spellings that differ by a letter. */
const misspelledToLength = 24

/** Sorted, so that two writers never deadlock. */
export async function insertLexemes(db: Queryable, words: readonly string[]): Promise<void> {
  await db.query('INSERT INTO catalog_lexemes SELECT unnest($1::text[]) ORDER BY 1 ON CONFLICT DO NOTHING', [words])
}

export interface ExpandedTerm {
  /** For titles, in whole words where few share the prefix. */
  query: string
  /** Typed words of its first alternative that no title contains, not even misspelled. */
  unknown: string[]
}

/** In at most two statements; the second one only for words that no title contains. */
export async function expandTerms(db: Queryable, terms: readonly SearchTerm[]): Promise<ExpandedTerm[]> {
  const expandable = terms.flatMap(({ any }) => any.flatMap(({ all }) => all)).filter(({ form }) => form !== 'exact')
  const found = await findLexemes(db, [...new Set(expandable.map(({ word }) => word))])
  const isUnknown = ({ word, form }: SearchWord): boolean =>
    form === 'typed' && found.get(word)?.beginning.length === 0 && found.get(word)?.related.length === 0
  const spellings = await findSpellings(
    db,
    expandable.filter(isUnknown).map(({ word }) => word),
  )
  const queryOf = (word: SearchWord): string => {
    if (word.form === 'exact') return anyOf([word.word])
    const { beginning = [], related = [] } = found.get(word.word) ?? {}
    if (word.form === 'stem') return anyOf(related.length === 0 ? [word.word] : related)
    if (beginning.length > expansionsMax) return anyOf(related, [word.word])
    const known = [...new Set([...beginning, ...related, ...(spellings.get(word.word) ?? [])])]
    return known.length === 0 ? anyOf([], [word.word]) : anyOf(known)
  }
  return terms.map((term) => ({
    query: tsqueryOfTerm(term, queryOf),
    unknown: term.any[0]!.all.filter((word) => isUnknown(word) && !spellings.has(word.word)).map(({ word }) => word),
  }))
}

function anyOf(words: readonly string[], beginnings: readonly string[] = []): string {
  const each = [...words.map((word) => `'${word}'`), ...beginnings.map((word) => `'${word}':*`)]
  return each.length === 1 ? each[0]! : `(${each.join(' | ')})`
}

interface Lexemes {
  /** Words that begin like this; one more than `expansionsMax` means that there are more. */
  beginning: string[]
  /** Words of the same stem. */
  related: string[]
}

async function findLexemes(db: Queryable, words: readonly string[]): Promise<ReadonlyMap<string, Lexemes>> {
  if (words.length === 0) return new Map()
  const { rows } = await db.query<Lexemes & { word: string }>(
    `SELECT w.word,
       ARRAY(SELECT l.word FROM catalog_lexemes l WHERE l.word >= w.word AND l.word < w.word || U&'\\+10FFFF' LIMIT $2) AS beginning,
       ARRAY(SELECT l.word FROM catalog_lexemes l
         WHERE l.stem = coalesce((ts_lexize('pg_catalog.english_stem'::regdictionary, w.word))[1], w.word) COLLATE "C" LIMIT $2) AS related
     FROM unnest($1::text[]) AS w (word)`,
    [words, expansionsMax + 1],
  )
  return new Map(rows.map((row) => [row.word, row]))
}

/** Known words that differ from each by one letter: missing, added, wrong, or swapped with its neighbour. */
async function findSpellings(db: Queryable, words: readonly string[]): Promise<ReadonlyMap<string, string[]>> {
  const candidates = [...new Set(words)].filter(
    (word) => word.length >= misspelledFromLength && word.length <= misspelledToLength && !/^\d+$/.test(word),
  )
  if (candidates.length === 0) return new Map()
  const { rows } = await db.query<{ at: number; word: string }>(
    `SELECT v.at, l.word FROM unnest($1::int[], $2::text[]) AS v (at, word) JOIN catalog_lexemes l ON l.word = v.word`,
    [candidates.flatMap((word, at) => spellingsOf(word).map(() => at)), candidates.flatMap(spellingsOf)],
  )
  const found = new Map<string, string[]>()
  for (const { at, word } of rows)
    found.set(candidates[at]!, [...(found.get(candidates[at]!) ?? []), word].slice(0, expansionsMax))
  return found
}

/** Letters of the word itself count too: it may be of another script. */
export function spellingsOf(word: string): string[] {
  const letters = [...word]
  const alphabet = new Set(`abcdefghijklmnopqrstuvwxyz0123456789${word}`)
  const spellings = new Set<string>()
  for (let at = 0; at <= letters.length; at++) {
    const [before, letter, after] = [letters.slice(0, at).join(''), letters[at], letters.slice(at + 1).join('')]
    for (const other of alphabet) spellings.add(before + other + (letter ?? '') + after)
    if (letter === undefined) continue
    spellings.add(before + after)
    for (const other of alphabet) spellings.add(before + other + after)
    if (letters[at + 1] !== undefined)
      spellings.add(before + letters[at + 1]! + letter + letters.slice(at + 2).join(''))
  }
  spellings.delete(word)
  return [...spellings]
}

/** Of pg_trgm: below this, two words share little more than a beginning. */
const similarityMin = 0.3

/** The known words most similar to one that no title contains. */
export async function findSimilarLexemes(db: Queryable, word: string, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ word: string }>(
    `SELECT word FROM (SELECT word, word <-> $1 AS distance FROM catalog_lexemes ORDER BY word <-> $1 LIMIT $2) n
     WHERE distance <= $3 ORDER BY distance, word`,
    [word, limit, 1 - similarityMin],
  )
  return rows.map((row) => row.word)
}
