// One test in front of a list of patterns, since most texts match none of them. It is stateless, so it needs no reset.

/** Matches wherever one of the patterns does. */
export function wordTrieRegex(patterns: readonly RegExp[]): RegExp {
  const sources = patterns.map(({ source }) => source)
  const [words, others] = [sources.filter(isWord), sources.filter((source) => !isWord(source))]
  // The word boundary is tested once, not once for each of them.
  const one = words.length === 0 ? [] : [`\\b(?:${words.map((source) => wrapped(source.slice(2))).join('|')})`]
  return new RegExp([...one, ...others.map(wrapped)].join('|'), patterns.some(({ unicode }) => unicode) ? 'u' : '')
}

const wrapped = (source: string): string => `(?:${source})`

/** Starts at a word boundary, whichever of its alternatives matches. */
const isWord = (source: string): boolean => source.startsWith('\\b') && !hasAlternatives(source)

/** A bar outside any group or character class. */
function hasAlternatives(source: string): boolean {
  let [depth, inClass] = [0, false]
  for (let at = 0; at < source.length; at++) {
    const letter = source[at]
    if (letter === '\\') at++
    else if (inClass) inClass = letter !== ']'
    else if (letter === '[') inClass = true
    else if (letter === '(') depth++
    else if (letter === ')') depth--
    else if (letter === '|' && depth === 0) return true
  }
  return false
}
