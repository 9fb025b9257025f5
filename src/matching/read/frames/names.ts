// Names compared by general means: titles dropped, diacritics and transliteration folded, initials, short forms, second names, typing errors.

import { couldBeTypo, type Phrase, shapeOf, typoDistance } from '../../compare/frames/arguments.ts'
import { canonicalSpelling, stem } from '../text.ts'
import { isGivenName, sameGivenName } from './knowledge/nicknames.ts'
import { isSharedSurname } from './knowledge/surnames.ts'

/** Points a name difference may cost for the same person. */
export interface NameVerdict {
  /** Null if the two are not one. */
  points: number | null
  how: string
}

const titles =
  /^(?:sen|senator|rep|gov|governor|president|mr|mrs|ms|dr|sir|cardinal|pope|king|queen|prince|princess|judge|justice|general|the)$/
const suffixes = /^(?:jr|sr|ii|iii|iv)$/
const particles = /^(?:de|da|do|dos|del|di|du|van|von|der|den|bin|ibn|al|el|la|le|of|and|y)$/

interface Name {
  words: string[]
  /** In their normalized spelling. */
  keys: string[]
  joined: string
  /** Without initials and particles. */
  solid: string[]
  /** The same in their normalized spelling. */
  solidKeys: string[]
  /** Without the grammar of parties, as one text. */
  form: string
  suffix: string
}

function nameOf(text: string, people: boolean): Name {
  const words = (text.match(/[\p{L}\p{N}]+(?:[.'][\p{L}\p{N}]+)*/gu) ?? [])
    .map((word) => word.replace(/'s$/, '').replace(/[.']/g, ''))
    .filter((word) => word !== '')
  const suffix = words.filter((word) => suffixes.test(word)).join(' ')
  // In a work's title every word counts but its article.
  const dress = people ? titles : /^the$/
  const plain = words.filter((word, at) => !suffixes.test(word) && !(dress.test(word) && at < words.length - 1))
  const solid = plain.filter(isSolid)
  const keys = plain.map(key)
  return {
    words: plain,
    keys,
    joined: keys.join(''),
    solid,
    solidKeys: solid.map(key),
    form: formOf(keys),
    suffix,
  }
}

const known = { people: new WeakMap<Phrase, Name>(), works: new WeakMap<Phrase, Name>() }

/** Cached: a name is compared in thousands of pairs. */
function read(phrase: Phrase, people: boolean): Name {
  const names = people ? known.people : known.works
  const before = names.get(phrase)
  if (before !== undefined) return before
  const name = nameOf(phrase.text, people)
  names.set(phrase, name)
  return name
}

const key = (word: string): string => canonicalSpelling(word)
const partyWord = /^part[yi]$/
const isSolid = (word: string): boolean => (word.length > 1 || /\d/.test(word)) && !particles.test(word)
/** "The Liberals" and "the Liberal Party". */
const formOf = (words: readonly string[]): string =>
  words
    .filter((word) => !partyWord.test(word))
    .map((word) => stem(word))
    .join(' ')

/** Whether nothing suggests the two are one. */
export const disjointNames = (a: Phrase, b: Phrase, people: boolean): boolean =>
  compareNames(a, b, people).points === null

export interface NameFingerprint {
  /** Bits of all words, twice. */
  words: number
  wordsToo: number
  /** Of all letters, with the number of words in the last three bits. */
  letters: number
  /**
   * For a name of two plain words: a hash of each, and their shapes, the first with `givenMark`. Zeros for any other.
   */
  pair: number
  first: number
  last: number
}

/** Marks the shape of a given name that has short forms. */
const givenMark = 1 << 31

/** Null for a name without solid words. */
export function nameFingerprint(phrase: Phrase, people: boolean): NameFingerprint | null {
  const { words, keys, solid, solidKeys, joined } = read(phrase, people)
  if (solidKeys.length === 0) return null
  const sign: NameFingerprint = { words: 0, wordsToo: 0, letters: 0, pair: 0, first: 0, last: 0 }
  for (const each of [...keys, ...solidKeys]) {
    const code = lettersOf(stem(each))
    sign.words |= 1 << (Math.imul(code, 0x9e3779b1) >>> 27)
    sign.wordsToo |= 1 << (Math.imul(code, 0x85ebca6b) >>> 27)
  }
  sign.letters = (lettersOf(joined) & 0xfffffff) * 8 + (keys.length % 8)
  const [first = '', last = ''] = solidKeys
  if (words.length === 2 && solid.length === 2 && first !== last && keys.every(isPlain)) {
    sign.pair = (halfOf(stem(first)) << 16) | halfOf(stem(last))
    sign.first = shapeOf(solid[0]!) | (isGivenName(solid[0]!) ? givenMark : 0)
    sign.last = shapeOf(solid[1]!)
  }
  return sign
}

const isPlain = (word: string): boolean => isSolid(word) && !partyWord.test(word)

/** Sixteen bits, never all 0. */
const halfOf = (word: string): number => (Math.imul(lettersOf(word), 0x9e3779b1) >>> 16) | 1

/**
 * For two names of two plain words with different letters: whether neither word of one can be the other's with a typo or a short form next to
 * it.
 */
export function disjointPairs(
  pair: number,
  first: number,
  last: number,
  otherPair: number,
  otherFirst: number,
  otherLast: number,
): boolean {
  const differ = pair ^ otherPair
  if (differ >>> 16 === 0) return (differ & 0xffff) !== 0 && !couldBeTypo(last, otherLast)
  if ((differ & 0xffff) !== 0) return true
  return (first & otherFirst & givenMark) === 0 && !couldBeTypo(first & ~givenMark, otherFirst & ~givenMark)
}

/** Equal for texts with the same letters. */
function lettersOf(text: string): number {
  let sum = 0
  for (let at = 0; at < text.length; at++) sum += Math.imul(text.charCodeAt(at), 0x9e3779b1) >>> 12
  return sum
}

export function compareNames(a: Phrase, b: Phrase, people: boolean): NameVerdict {
  const [x, y] = [read(a, people), read(b, people)]
  if (x.words.length === 0 || y.words.length === 0) return { points: null, how: 'no name' }
  if (x.suffix !== y.suffix) return { points: null, how: 'another generation' }
  if (x.joined === y.joined) return { points: 0, how: 'the same name' }
  if (!people && x.form !== '' && x.form === y.form) return { points: 2, how: 'another form' }
  if (initialsOf(x.words, y.words) || initialsOf(y.words, x.words)) return { points: 3, how: 'initials' }
  return differing(x, y, people)
}

/** Every word of one is in the other, and no generational suffix distinguishes them. */
export function isSubset(a: Phrase, b: Phrase, people: boolean): boolean {
  const [x, y] = [read(a, people), read(b, people)]
  if (x.suffix !== y.suffix) return false
  const [short, long] = x.solidKeys.length <= y.solidKeys.length ? [x, y] : [y, x]
  return short.solidKeys.length > 0 && short.solidKeys.every((word) => long.solidKeys.includes(word))
}

/** "aoc", "rfk", "jd vance": the first words are initials of the other's. */
function initialsOf(short: readonly string[], long: readonly string[]): boolean {
  const [first = ''] = short
  if (first.length < 2 || first.length > 4 || short.length >= long.length) return false
  const rest = short.slice(1)
  const tail = long.slice(long.length - rest.length)
  if (rest.length > 0 && rest.map(key).join(' ') !== tail.map(key).join(' ')) return false
  const heads = long.slice(0, long.length - rest.length)
  return heads.length === first.length && heads.map((word) => word[0]).join('') === first
}

const otherNames: NameVerdict = { points: null, how: 'other names' }

function differing(one: Name, two: Name, people: boolean): NameVerdict {
  const [a, b, keysA, keysB] = [one.solid, two.solid, one.solidKeys, two.solidKeys]
  const onlyA = a.filter((_, at) => !keysB.includes(keysA[at] as string))
  const onlyB = b.filter((_, at) => !keysA.includes(keysB[at] as string))
  const shared = a.length - onlyA.length
  if (onlyA.length === 0 || onlyB.length === 0) {
    // An extra word may make it another work, or be the rest of a club's name.
    if (!people) return { points: 25, how: 'a word more' }
    const [short, long] = onlyA.length === 0 ? [keysA, keysB] : [keysB, keysA]
    const [surname = ''] = onlyA.length === 0 ? a : b
    if (long.length - short.length > 2) return otherNames
    // "Fridolin Ambongo" and "Fridolin Ambongo Besungu"; the first word must stay the first.
    if (shared >= 2 && short[0] === long[0]) return { points: 3, how: 'a name more' }
    if (shared >= 2 && short.at(-1) === long.at(-1)) return { points: 5, how: 'a name more' }
    if (shared === 1 && long.length <= 3 && short[0] === long.at(-1) && !isSharedSurname(surname))
      return { points: 6, how: 'the surname alone' }
    return otherNames
  }
  if (onlyA.length !== 1 || onlyB.length !== 1 || shared === 0 || a.length !== b.length) return otherNames
  const [x, y] = [onlyA[0] as string, onlyB[0] as string]
  if (a.indexOf(x) !== b.indexOf(y)) return otherNames
  if (a.indexOf(x) === 0 && sameGivenName(x, y)) return { points: 2, how: 'a short form' }
  // The other names agree: a short one may have an extra letter, too.
  return typoDistance(x, y, 4) ? { points: 3, how: 'a spelling' } : otherNames
}
