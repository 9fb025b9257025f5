/** Words are few and come back in thousands of texts. */
const most = 8_192
/** A part of a text that is longer than this is kept by the engine as a view of that text, which may be pages of rules. */
const longest = 12

/** Remembers what was found for a word; those not asked about for long are forgotten. */
export function perWord(find: (word: string) => string): (word: string) => string {
  let young = new Map<string, string>()
  let old = new Map<string, string>()
  return (word) => {
    if (word.length > longest) return find(word)
    const known = young.get(word)
    if (known !== undefined) return known
    const found = old.get(word) ?? find(word)
    young.set(word, found)
    if (young.size >= most) {
      old = young
      young = new Map()
    }
    return found
  }
}
