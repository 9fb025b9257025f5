// The search by title for other features that find markets by words.
import { expandTerms } from '#storage/postgres/catalog/lexemes'
import type { Pool } from '#storage/postgres/pool'
import { searchTermsOf } from './searchTerms.ts'

/** As a tsquery over catalog_titles; empty when the text has no words. */
export async function titleQuery(pool: Pool, query: string): Promise<string> {
  const terms = await expandTerms(pool, searchTermsOf(query))
  return terms.map((term) => term.query).join(' & ')
}
