// The page's location, after the `#`: `#/market/kalshi/KXBTC-26DEC31`. Segments are escaped, so that any venue's id fits.

export interface Place {
  page: string
  words: string[]
}

export function placeOf(hash: string): Place {
  const [page = '', ...words] = hash.replace(/^#\/?/, '').split('/').map(unescapeWord)
  return { page: page === '' ? 'status' : page, words }
}

export const hashOf = (page: string, ...words: string[]): string =>
  `#/${[page, ...words].map((word) => encodeURIComponent(word)).join('/')}`

function unescapeWord(word: string): string {
  try {
    return decodeURIComponent(word)
  } catch {
    return word
  }
}
