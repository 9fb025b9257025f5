// The words of all titles. A word is stored before the first title that contains it becomes visible.
import type { Queryable } from '../pool.ts'

/** When more words than this share a prefix, a prefix query is cheaper than listing them. */
export const expansionsMax = 16

/** Sorted, so that two writers never deadlock. */
export async function insertLexemes(db: Queryable, words: readonly string[]): Promise<void> {
  await db.query('INSERT INTO catalog_lexemes SELECT unnest($1::text[]) ORDER BY 1 ON CONFLICT DO NOTHING', [words])
}

/** For titles: a tsquery equivalent to `tsqueryOf`, in whole words where few share the prefix. */
export async function expandWords(db: Queryable, words: readonly string[]): Promise<string> {
  if (words.length === 0) return ''
  const { rows } = await db.query<{ word: string; lexemes: string[] }>(
    `SELECT w.word, ARRAY(
       SELECT l.word FROM catalog_lexemes l WHERE l.word >= w.word AND l.word < w.word || U&'\\+10FFFF' LIMIT $2) AS lexemes
     FROM unnest($1::text[]) AS w (word)`,
    [words, expansionsMax + 1],
  )
  return rows
    .map(({ word, lexemes }) =>
      lexemes.length === 0 || lexemes.length > expansionsMax
        ? `'${word}':*`
        : `(${lexemes.map((lexeme) => `'${lexeme}'`).join(' | ')})`,
    )
    .join(' & ')
}
