// Hashes that a question's sign is made of (`signs.ts`). Each is a set of bits: what two sets do not share, their questions do not either.
// Where there are two sets of the same words, two questions that share no bit in either of them share no word.
import { hash, lettersOf, type Mark } from './facets.ts'
import type { FeatureKind } from './features.ts'
import { keysOf } from './fields/games.ts'
import type { Term } from './frames/terms.ts'

/** Kinds that no wording reconciles; each has eight bits. */
export const plainKinds = ['team', 'district', 'party', 'asset', 'metric', 'period', 'group', 'division'] as const

/** Values of the plain kinds, four kinds a number. */
export function octets(features: Partial<Record<FeatureKind, string[]>>): [number, number] {
  const found: [number, number] = [0, 0]
  for (const [place, kind] of plainKinds.entries()) {
    for (const value of features[kind] ?? []) found[place >> 2]! |= 1 << ((place & 3) * 8 + (hash(value, 7) >>> 29))
  }
  return found
}

/** In some octet both have bits and share none. */
export function apartInAnyOctet(a: number, b: number): boolean {
  return (filled(a) & filled(b) & ~filled(a & b)) !== 0
}

/** The highest bit of every octet that is not empty. */
const filled = (bits: number): number => (((bits & 0x7f7f7f7f) + 0x7f7f7f7f) | bits) & 0x80808080

export interface WordSign {
  /** Bits of all words, twice, of those that count, and of the letters of long ones. */
  said: number
  saidToo: number
  counted: number
  long: number
  /** Letters of those that count. */
  sum: number
}

/** Null where a word may be taken for another: one with an opposite, one that counts in one form only. */
export function wordSign(words: readonly Mark[], games: boolean): WordSign | null {
  const sign: WordSign = { said: 0, saidToo: 0, counted: 0, long: 0, sum: 0 }
  for (const word of words) {
    if (word.directed || word.mixed || (games && word.gameSoft && !word.soft)) return null
    const bit = 1 << (word.key & 31)
    sign.said |= bit
    sign.saidToo |= otherBit(word.key)
    if (word.soft) continue
    sign.counted |= bit
    sign.sum = (sign.sum + word.spelled) | 0
    if (word.long) sign.long |= 1 << (word.letters & 31)
  }
  return sign
}

/** Shorter words may be initials or short forms of anything. */
const shortest = 5

/** Bits of a person's names, twice; none where one of them is short. */
export function peopleSign(terms: readonly Term[]): [number, number] {
  const bits: [number, number] = [0, 0]
  for (const { key, text } of terms) {
    if (text.length < shortest) return [0, 0]
    const code = hash(key, 7)
    bits[0] |= 1 << (code & 31)
    bits[1] |= otherBit(code)
  }
  return bits
}

/** Bits of a side's words and of all its letters, which may be cut differently; all bits where it may be the code of another. */
export function sideSign(side: readonly string[]): number {
  const keys = keysOf(side)
  if (keys.length === 1 && side[0]!.length >= 2 && side[0]!.length <= 6) return -1
  return keys.reduce((bits, key) => bits | bitOf(key), bitOf(keys.join('')))
}

/** A bit of a hash of which the lowest five are another. */
export const otherBit = (code: number): number => 1 << (Math.imul(code, 0x9e3779b1) >>> 27)

const bitOf = (text: string): number => 1 << (lettersOf(text) >>> 3)
