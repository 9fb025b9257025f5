// Hashes that make up a question's sign (`fingerprints.ts`). Each is a set of bits: if two sets differ, so do their questions. With two sets of
// the same words, two questions that share no bit in either of them share no word.
import { hash, lettersOf } from '../compare/attributes.ts'
import type { Mark } from '../compare/facets.ts'
import { keysOf } from '../compare/fields/games.ts'
import type { Term } from '../compare/frames/arguments.ts'
import { type FeatureKind, plainKinds } from '../read/features.ts'

/** Values of the plain kinds, sixteen bits for each and two kinds per number. */
export function kindBits(features: Partial<Record<FeatureKind, string[]>>): number[] {
  const found = plainKinds.map(() => 0).slice(plainKinds.length / 2)
  for (const [place, kind] of plainKinds.entries()) {
    for (const value of features[kind] ?? []) found[place >> 1]! |= 1 << ((place & 1) * 16 + (hash(value, 7) >>> 28))
  }
  return found
}

/** In one of the halves both have bits and share none. */
export function isDisjointInEitherHalf(a: number, b: number): boolean {
  if (a === 0 || b === 0) return false
  const shared = a & b
  return (
    ((shared & 0xffff) === 0 && (a & 0xffff) !== 0 && (b & 0xffff) !== 0) ||
    (shared >>> 16 === 0 && a >>> 16 !== 0 && b >>> 16 !== 0)
  )
}

export interface WordSign {
  /** Bits of all words, twice, and of significant ones. */
  all: number
  allToo: number
  counted: number
  /** Bits of names, twice. */
  named: number
  namedToo: number
  /** Of the letters of long ones, twice. */
  long: number
  longToo: number
  /** Letters of significant ones. */
  sum: number
}

/** Null if a word may be mistaken for another: one with an opposite, one that is significant in one form only. */
export function tokenFingerprint(words: readonly Mark[], games: boolean): WordSign | null {
  const sign: WordSign = { all: 0, allToo: 0, counted: 0, named: 0, namedToo: 0, long: 0, longToo: 0, sum: 0 }
  for (const word of words) {
    if (word.directed || word.mixed || (games && word.gameSoft && !word.soft)) return null
    const bit = 1 << (word.key & 31)
    sign.all |= bit
    sign.allToo |= rehashBit(word.key)
    if (word.fullName) {
      sign.named |= bit
      sign.namedToo |= rehashBit(word.key)
    }
    if (word.soft) continue
    sign.counted |= bit
    sign.sum = (sign.sum + word.spelled) | 0
    if (!word.long) continue
    sign.long |= 1 << (word.letters & 31)
    sign.longToo |= rehashBit(word.letters)
  }
  return sign
}

/** Shorter words may be initials or short forms of anything. */
const shortest = 5

/** Bits of a person's names, twice; none if one of them is short. */
export function peopleFingerprint(terms: readonly Term[]): [number, number] {
  const bits: [number, number] = [0, 0]
  for (const { key, text } of terms) {
    if (text.length < shortest) return [0, 0]
    const code = hash(key, 7)
    bits[0] |= 1 << (code & 31)
    bits[1] |= rehashBit(code)
  }
  return bits
}

export interface SideSign {
  /** Bits of its words, and of all its letters, which may be split differently; twice. */
  words: number
  wordsToo: number
  /** Its first and last letters, if it may be a team code or have one. */
  code: number
}

export function sideFingerprint(side: readonly string[]): SideSign {
  const keys = keysOf(side)
  const sign: SideSign = { words: 0, wordsToo: 0, code: 0 }
  for (const key of [...keys, keys.join('')]) {
    const letters = lettersOf(key)
    sign.words |= 1 << (Math.imul(letters, 0x9e3779b1) >>> 27)
    sign.wordsToo |= 1 << (Math.imul(letters, 0x85ebca6b) >>> 27)
  }
  const [word = ''] = side
  if (keys.length === 1 && word.length >= 2 && word.length <= 6)
    sign.code = (1 << (hash(word.slice(0, 2), 7) >>> 28)) | (1 << (16 + (hash(word.slice(-2), 7) >>> 28)))
  return sign
}

/** A bit of a hash of which the lowest five are another. */
export const rehashBit = (code: number): number => 1 << (Math.imul(code, 0x9e3779b1) >>> 27)
