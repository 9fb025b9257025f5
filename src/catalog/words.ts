// What counts as a word when markets are searched. The same for stored texts and for queries, on every database.

const wordLengthMax = 64
/** Resolution rules can run to pages; the rest of such a text is not searched. */
const wordsMax = 1_000

/** Distinct runs of letters and digits, lower case, accents removed: "Pokémon's 100k?" → pokemon, s, 100k. */
export function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const words = new Set<string>()
  for (const [word] of plain.matchAll(/[\p{L}\p{N}]+/gu)) {
    words.add([...word].slice(0, wordLengthMax).join(''))
    if (words.size === wordsMax) break
  }
  return [...words]
}
