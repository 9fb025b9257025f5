// Names by general means: titles dropped, diacritics and transliteration folded, initials, short forms, second names, a slip of the pen.
import { spelling, stem } from '../text.ts'
import { sameGivenName } from './knowledge/nicknames.ts'
import { isSharedSurname } from './knowledge/surnames.ts'
import { type Phrase, slipOf } from './terms.ts'

/** Points that a name may cost and still be the same. */
export interface NameVerdict {
  /** Null where the two are not one. */
  points: number | null
  how: string
}

const titles =
  /^(?:sen|senator|rep|gov|governor|president|mr|mrs|ms|dr|sir|cardinal|pope|king|queen|prince|princess|judge|justice|general|the)$/
const suffixes = /^(?:jr|sr|ii|iii|iv)$/
const particles = /^(?:de|da|do|dos|del|di|du|van|von|der|den|bin|ibn|al|el|la|le|of|and|y)$/

interface Name {
  words: string[]
  /** In their common spelling. */
  keys: string[]
  suffix: string
}

function nameOf(text: string, people: boolean): Name {
  const words = (text.match(/[\p{L}\p{N}]+(?:[.'][\p{L}\p{N}]+)*/gu) ?? [])
    .map((word) => word.replace(/'s$/, '').replace(/[.']/g, ''))
    .filter((word) => word !== '')
  const suffix = words.filter((word) => suffixes.test(word)).join(' ')
  // Of a work every word counts but its article.
  const dress = people ? titles : /^the$/
  const plain = words.filter((word, at) => !suffixes.test(word) && !(dress.test(word) && at < words.length - 1))
  return { words: plain, keys: plain.map(key), suffix }
}

const known = { people: new WeakMap<Phrase, Name>(), works: new WeakMap<Phrase, Name>() }

/** Read once: a name is compared in thousands of pairs. */
function read(phrase: Phrase, people: boolean): Name {
  const names = people ? known.people : known.works
  const name = names.get(phrase) ?? nameOf(phrase.text, people)
  names.set(phrase, name)
  return name
}

const key = (word: string): string => spelling(word)
/** "The Liberals" and "the Liberal Party". */
const plain = (words: readonly string[]): string[] =>
  words.filter((word) => !/^part[yi]$/.test(word)).map((word) => stem(word))

export function compareNames(a: Phrase, b: Phrase, people: boolean): NameVerdict {
  const [x, y] = [read(a, people), read(b, people)]
  if (x.words.length === 0 || y.words.length === 0) return { points: null, how: 'no name' }
  if (x.suffix !== y.suffix) return { points: null, how: 'another generation' }
  const [mine, other] = [x.keys, y.keys]
  if (mine.join('') === other.join('')) return { points: 0, how: 'the same name' }
  const solid = (words: string[]): string[] =>
    words.filter((word) => (word.length > 1 || /\d/.test(word)) && !particles.test(word))
  if (
    solid(mine).join(' ') === solid(other).join(' ') &&
    (people || (inner(mine) && inner(other))) &&
    initialsAgree(mine, other)
  )
    return { points: 0, how: 'the same name but for initials' }
  const [formA, formB] = [plain(mine).join(' '), plain(other).join(' ')]
  if (!people && formA !== '' && formA === formB) return { points: 2, how: 'another form' }
  if (initialsOf(x.words, y.words) || initialsOf(y.words, x.words)) return { points: 3, how: 'initials' }
  return differing(solid(x.words), solid(y.words), people)
}

/** "Thomas J Smith": the letter stands between names. "Plan B" is no initial. */
const inner = (words: readonly string[]): boolean => (words[0]?.length ?? 0) > 1 && (words.at(-1)?.length ?? 0) > 1

/** Initials that both give must be the same. */
function initialsAgree(a: readonly string[], b: readonly string[]): boolean {
  const [x, y] = [a, b].map((words) => words.filter((word) => /^\p{L}$/u.test(word)).join('')) as [string, string]
  return x === '' || y === '' || x === y
}

/** "aoc", "rfk", "jd vance": the first words are letters of the other's. */
function initialsOf(short: readonly string[], long: readonly string[]): boolean {
  const [first = ''] = short
  if (first.length < 2 || first.length > 4 || short.length >= long.length) return false
  const rest = short.slice(1)
  const tail = long.slice(long.length - rest.length)
  if (rest.length > 0 && rest.map(key).join(' ') !== tail.map(key).join(' ')) return false
  const heads = long.slice(0, long.length - rest.length)
  return heads.length === first.length && heads.map((word) => word[0]).join('') === first
}

function differing(a: readonly string[], b: readonly string[], people: boolean): NameVerdict {
  const onlyA = a.filter((word) => !b.some((other) => key(other) === key(word)))
  const onlyB = b.filter((word) => !a.some((other) => key(other) === key(word)))
  const shared = a.length - onlyA.length
  const none: NameVerdict = { points: null, how: 'other names' }
  if (onlyA.length === 0 || onlyB.length === 0) {
    // One more word may be another work, or the rest of a club's name.
    if (!people) return { points: 25, how: 'a word more' }
    const [short, long] = onlyA.length === 0 ? [a, b] : [b, a]
    if (long.length - short.length > 2) return none
    // "Fridolin Ambongo" and "Fridolin Ambongo Besungu"; the first word must stay the first.
    if (shared >= 2 && key(short[0] as string) === key(long[0] as string)) return { points: 3, how: 'a name more' }
    if (shared >= 2 && key(short.at(-1) as string) === key(long.at(-1) as string))
      return { points: 5, how: 'a name more' }
    const [surname = ''] = short
    if (shared === 1 && long.length <= 3 && key(surname) === key(long.at(-1) as string) && !isSharedSurname(surname))
      return { points: 6, how: 'the surname alone' }
    return none
  }
  if (onlyA.length !== 1 || onlyB.length !== 1 || shared === 0 || a.length !== b.length) return none
  const [x, y] = [onlyA[0] as string, onlyB[0] as string]
  if (a.indexOf(x) !== b.indexOf(y)) return none
  if (a.indexOf(x) === 0 && sameGivenName(x, y)) return { points: 2, how: 'a short form' }
  // The other names agree: a short one may have a letter more, too.
  return slipOf(x, y, 4) ? { points: 3, how: 'a spelling' } : none
}
