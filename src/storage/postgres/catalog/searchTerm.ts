// A search as data, and as a tsquery.

/**
 * `typed`: any word with this prefix, or that has the same stem or, if there is none, differs by one letter. `stem`: any word of the same
 * stem. `exact`: this word.
 */
export interface SearchWord {
  word: string
  form: 'typed' | 'stem' | 'exact'
}

/** One of the alternatives matches: all of its words, none of the others. */
export interface SearchTerm {
  any: readonly { all: readonly SearchWord[]; none?: readonly string[] }[]
}

/** Words hold letters and digits only, so they need no escape. `expand` returns the tsquery of one word. */
export function tsqueryOfTerm({ any }: SearchTerm, expand: (word: SearchWord) => string): string {
  const alternatives = any.map(({ all, none = [] }) =>
    [...all.map(expand), ...none.map((word) => `!'${word}'`)].join(' & '),
  )
  return alternatives.length === 1 ? alternatives[0]! : `(${alternatives.map((each) => `(${each})`).join(' | ')})`
}

/** Without the dictionary of titles: beginnings, for texts whose words are not in it. */
export const plainTsquery = (terms: readonly SearchTerm[]): string =>
  terms
    .map((term) => tsqueryOfTerm(term, ({ word, form }) => (form === 'typed' ? `'${word}':*` : `'${word}'`)))
    .join(' & ')
