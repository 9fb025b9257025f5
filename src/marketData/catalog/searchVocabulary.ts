// Registers the words of titles before the titles are written, in a separate statement: it holds no lock while a batch is written.
import type { Event } from '#schemas/market'
import { insertLexemes } from '#storage/postgres/catalog/lexemes'
import type { Pool } from '#storage/postgres/pool'
import { storedWordsOf } from './tokenizer.ts'

/** Words this process knows to be stored; beyond this it starts over. */
const knownMax = 200_000

export function createLexicon(pool: Pool): (events: readonly Event[]) => Promise<void> {
  const known = new Set<string>()
  return async (events) => {
    const titles = events.flatMap(({ title, markets }) => [title, ...markets.map((market) => market.title)])
    const words = [...new Set(titles.flatMap(storedWordsOf))].filter((word) => !known.has(word))
    if (words.length === 0) return
    await insertLexemes(pool, words)
    if (known.size + words.length > knownMax) known.clear()
    for (const word of words) known.add(word)
  }
}
