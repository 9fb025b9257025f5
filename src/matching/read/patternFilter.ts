// Regular expressions that are tried only where they can match: each lists letters it requires, and the letters of a text are collected
// once. Of about a hundred patterns some twenty are then tried.
import { anyDigit, requiredTokensOf } from './requiredTokens.ts'

/** Groups of up to three letters, each as a place in a table of bits; several share one. */
const places = 2_048
const placeOf = (group: number): number => Math.imul(group, 0x9e3779b1) >>> 21
const digit = placeOf(1 << 24)

/** In eight bits. */
const codeAt = (text: string, at: number): number => Math.min(text.charCodeAt(at), 0xff)

/** A space, and the placeholder for a part that was taken out. */
const isGap = (code: number): boolean => code === 32 || code === 0xa6

const none: readonly number[] = Array.from({ length: places / 32 }, () => 0)

/** Which groups of letters a text has. */
export class Letters {
  /** A bit for each place. */
  readonly found = none.slice()

  constructor(text: string) {
    let [last, pair] = [0, 0]
    for (let at = 0; at < text.length; at++) {
      const code = codeAt(text, at)
      if (isGap(code)) {
        last = 0
        pair = 0
        continue
      }
      this.add(placeOf(code))
      if (last !== 0) this.add(placeOf((last << 8) | code))
      if (pair !== 0) this.add(placeOf((pair << 8) | code))
      if (code >= 48 && code <= 57) this.add(digit)
      pair = last === 0 ? 0 : (last << 8) | code
      last = code
    }
  }

  private add(place: number): void {
    this.found[place >> 5]! |= 1 << (place & 31)
  }
}

export class Pattern {
  readonly regex: RegExp
  /** One after another what it needs in each way it can match: the number of places, and the places. Null if unknown. */
  private readonly needs: readonly number[] | null

  constructor(regex: RegExp) {
    this.regex = regex
    this.needs = listOf(requiredTokensOf(regex))
  }

  /** `letters`: of the text, or of one that it was blanked from. */
  isIn(text: string, letters: Letters): boolean {
    if (!this.mayMatch(letters)) return false
    this.regex.lastIndex = 0
    return this.regex.test(text)
  }

  /** False only if it matches nowhere in the text of these letters, nor when parts of it are blanked. */
  mayMatch({ found }: Letters): boolean {
    const { needs } = this
    if (needs === null) return true
    for (let at = 0; at < needs.length; ) {
      const end = at + 1 + needs[at]!
      at++
      while (at < end && (found[needs[at]! >> 5]! & (1 << (needs[at]! & 31))) !== 0) at++
      if (at === end) return true
      at = end
    }
    return false
  }
}

export const pattern = (regex: RegExp): Pattern => new Pattern(regex)

/** "Winner" needs nothing that "win" does not. */
function listOf(needed: string[][] | null): number[] | null {
  if (needed === null) return null
  const kept: number[][] = []
  const all = needed.map((words) => [...new Set(words.sort((a, b) => b.length - a.length).flatMap(placesOf))])
  for (const own of all.sort((a, b) => a.length - b.length))
    if (!kept.some((fewer) => fewer.every((place) => own.includes(place)))) kept.push(own)
  return kept.flatMap((own) => [own.length, ...own])
}

/** Of groups of three only, if the word is that long. */
function placesOf(word: string): number[] {
  if (word === anyDigit) return [digit]
  const size = Math.min(3, word.length)
  return Array.from({ length: word.length - size + 1 }, (_, at) => {
    let group = 0
    for (let letter = at; letter < at + size; letter++) group = (group << 8) | codeAt(word, letter)
    return placeOf(group)
  })
}

export interface Named {
  readonly name: string
  readonly wording: Pattern
}

/** A named thing, and its pattern. */
export const named = (rows: readonly (readonly [string, RegExp])[]): readonly Named[] =>
  rows.map(([name, regex]) => ({ name, wording: pattern(regex) }))

export interface Rewrite {
  readonly wording: Pattern
  readonly form: string
}

/** A pattern for several wordings, and their single form. */
export const rewrites = (rows: readonly (readonly [RegExp, string])[]): readonly Rewrite[] =>
  rows.map(([regex, form]) => ({ wording: pattern(regex), form }))

/** In this order, each on what the ones before it have left. */
export function rewritten(text: string, list: readonly Rewrite[]): string {
  let left = text
  let letters = new Letters(text)
  for (const { wording, form } of list) {
    if (!wording.mayMatch(letters)) continue
    const next = left.replace(wording.regex, form)
    if (next === left) continue
    left = next
    letters = new Letters(left)
  }
  return left
}
