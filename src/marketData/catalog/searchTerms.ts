// What a search asks for: one term per word, number or name. A text matches when it matches every term.
import { clubsCalled } from '#matching/read/teams'
import type { SearchTerm } from '#storage/postgres/catalog/searchTerm'
import { aliasAt } from './aliases.ts'
import { amountsOf } from './numbers.ts'
import { wordsOf } from './tokenizer.ts'

/** More terms than anyone types; the rest of the text is not searched. */
const termsMax = 32
const nicknameWordsMax = 3

export function searchTermsOf(query: string): SearchTerm[] {
  const terms: SearchTerm[] = []
  let from = 0
  for (const { digits, start, end } of amountsOf(query)) {
    terms.push(...namesOf(wordsOf(query.slice(from, start))), numberTerm(digits))
    from = end
  }
  terms.push(...namesOf(wordsOf(query.slice(from))))
  return [...new Map(terms.map((term) => [JSON.stringify(term), term])).values()].slice(0, termsMax)
}

function namesOf(words: readonly string[]): SearchTerm[] {
  const terms: SearchTerm[] = []
  for (let at = 0; at < words.length; ) {
    const rest = words.slice(at)
    const alias = aliasAt(rest)
    const nickname = alias === null ? clubsAt(rest) : null
    const length = alias?.length ?? nickname?.length ?? 1
    const typed = { all: rest.slice(0, length).map((word) => ({ word, form: 'typed' as const })) }
    const others = (alias?.others ?? []).map((name) => ({ all: name.map((word) => ({ word, form: 'stem' as const })) }))
    terms.push({ any: [typed, ...others, ...(nickname?.cities ?? [])] })
    at += length
  }
  return terms
}

/** Venues call many clubs by their city alone: that is meant, unless another club of the city is named. */
function clubsAt(words: readonly string[]): { length: number; cities: SearchTerm['any'] } | null {
  for (let length = Math.min(nicknameWordsMax, words.length); length > 0; length--) {
    const clubs = clubsCalled(words.slice(0, length).join(' '))
    if (clubs.length === 0) continue
    const exact = (word: string) => ({ word, form: 'exact' as const })
    const cities = clubs.flatMap((club) =>
      club.cities.map((city) => ({
        all: wordsOf(city).map(exact),
        none: club.neighbours.map(wordsOf).flatMap((name) => (name.length === 1 ? name : [])),
      })),
    )
    return { length, cities }
  }
  return null
}

/** Years and shorter numbers stay beginnings of words ("2026Q1"); larger ones are exact, in whichever form they are typed. */
function numberTerm(digits: string): SearchTerm {
  if (/^(?:19|20)\d\d$/.test(digits)) return { any: [{ all: [{ word: digits, form: 'typed' }] }] }
  return { any: [{ all: [{ word: digits, form: 'exact' }] }] }
}
