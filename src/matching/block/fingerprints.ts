// A few numbers per question, side by side, so that pairs which cannot be one are skipped without touching either question. Each rule is
// one of `hopeless`, applied to hashes: two that differ are apart, two that agree may still be.

import { disjointPairs, nameFingerprint } from '../read/frames/names.ts'
import type { Proposition } from '../read/frames/read.ts'
import type { Question } from '../read/question.ts'
import type { StatedDate } from '../read/yearInference.ts'
import type { Disjoint } from './disjointByBits.ts'
import {
  isDisjointInEitherHalf,
  kindBits,
  peopleFingerprint,
  sideFingerprint,
  tokenFingerprint,
} from './fingerprintBits.ts'
import { copied } from './growableArrays.ts'
import { buildSketch, type FingerprintField, type Sketched, sketchSize } from './minHash.ts'

/** Read by no entry; a game; from here on the entries in order of appearance. */
const fields = 0
const game = 1
const firstFrame = 2

/** Numbers per question: two cache lines, of which most pairs need the first. */
const width = 32
const at = {
  /** Kind in the high bits, flags below. */
  kind: 0,
  stiff: 1,
  /** Its days, with their grain in the low bits; 0 if a deadline or undetermined. */
  days: 2,
  /** Its days if it says "on", with month and day in the low bits; otherwise 0. */
  on: 3,
  /** Four of them. */
  features: 4,
  /** For a sentence read by an entry: the name in `who`, and its possible variants. */
  names: 8,
  namesToo: 9,
  letters: 10,
  people: 11,
  peopleToo: 12,
  pair: 13,
  first: 14,
  last: 15,
  /** For a game: the kind of bet, and its sides. */
  bet: 8,
  side: 9,
  sideToo: 10,
  code: 11,
  other: 12,
  otherToo: 13,
  otherCode: 14,
  all: 16,
  allToo: 17,
  counted: 18,
  named: 19,
  namedToo: 20,
  long: 21,
  longToo: 22,
  sum: 23,
} as const
/** Bits of a month and a day. */
const dayBits = 9

const kindShift = 4
/** May be compared word by word. */
const sayable = 1
/** Its words have a sign. */
const worded = 2
/** A side of the game has a team code. */
const coded = 4
/** The question about the game has an amount. */
const counts = 8

export class Fingerprints implements Disjoint {
  private readonly frames = new Map<object, number>()
  private readonly spans = new Map<number, number>()
  private table = new Int32Array(1_024 * width)
  /** One slot of each kind. */
  private readonly kindSlots: number[] = []
  private readonly kindIds = new Map<string, number>()

  set(slot: number, question: Question): FingerprintField {
    if ((slot + 1) * width > this.table.length)
      this.table = copied(
        new Int32Array(Math.max(slot + 1, Math.ceil((this.table.length / width) * 1.5)) * width),
        this.table,
      )
    const { matchup, facets, proposition } = question
    const row = this.table.subarray(slot * width, (slot + 1) * width).fill(0)
    const words = facets.placed ? null : tokenFingerprint(facets.words, matchup !== null)
    const kind = matchup !== null ? game : proposition === null ? fields : this.frameOf(proposition.frame)
    row[at.kind] =
      (kind << kindShift) |
      (facets.sayable ? sayable : 0) |
      (words === null ? 0 : worded) |
      (facets.coded ? coded : 0) |
      (question.intervals.length > 0 ? counts : 0)
    row[at.stiff] = kind === game ? facets.stiffBet : facets.stiff
    row[at.days] = this.daysOf(facets.date)
    row[at.on] = this.onOf(facets.date)
    row.set(kindBits(question.features), at.features)
    if (matchup !== null) {
      const [one, two] = [sideFingerprint(matchup.sides[0]), sideFingerprint(matchup.sides[1])]
      const sides = [one.words, one.wordsToo, one.code, two.words, two.wordsToo, two.code]
      row.set([facets.stiffGame, ...sides], at.bet)
    } else if (kind >= firstFrame) row.set(namesOf(proposition!), at.names)
    if (words !== null) {
      const { all, allToo, counted, named, namedToo, long, longToo, sum } = words
      row.set([all, allToo, counted, named, namedToo, long, longToo, sum], at.all)
    }
    const signs = [kind, row[at.stiff]!, ...row.subarray(at.features, at.features + 4)]
    return { kind: this.kindOf(slot, signs), sketch: sketchOf(kind, row) }
  }

  /** Those of one kind are read by the same entry or none, and have the same values of irreconcilable fields. */
  private kindOf(slot: number, signs: readonly number[]): number {
    const name = signs.join(' ')
    const known = this.kindIds.get(name)
    if (known !== undefined) return known
    this.kindIds.set(name, this.kindSlots.length)
    return this.kindSlots.push(slot) - 1
  }

  kinds(kind: number, other: number): boolean {
    const { table } = this
    const [x, y] = [this.kindSlots[kind]! * width, this.kindSlots[other]! * width]
    const [one, two] = [table[x]! >> kindShift, table[y]! >> kindShift]
    if ((one === game) !== (two === game)) return true
    if (one !== game && this.featuresApart(x, y)) return true
    return (one !== two || one < firstFrame) && table[x + at.stiff] !== table[y + at.stiff]
  }

  sketched(kind: number, other: number): Sketched {
    const one = this.table[this.kindSlots[kind]! * width]! >> kindShift
    if (one !== this.table[this.kindSlots[other]! * width]! >> kindShift) return buildSketch.nothing
    return one === game ? buildSketch.games : one >= firstFrame ? buildSketch.names : buildSketch.nothing
  }

  /** True only if `hopeless` is. */
  slots(a: number, b: number): boolean {
    const { table } = this
    const x = a * width
    const y = b * width
    const kind = table[x]! >> kindShift
    const other = table[y]! >> kindShift
    if ((kind === game) !== (other === game)) return true
    if (kind === game) return this.gamesApart(x, y)
    if (otherDays(table[x + at.on]!, table[y + at.on]!) || this.featuresApart(x, y)) return true
    if (kind === other && kind >= firstFrame) return this.namesApart(x, y)
    return table[x + at.stiff] !== table[y + at.stiff] || this.daysApart(x, y) || this.wordsApart(x, y)
  }

  private featuresApart(x: number, y: number): boolean {
    for (let each = at.features; each < at.features + 4; each++)
      if (isDisjointInEitherHalf(this.table[x + each]!, this.table[y + each]!)) return true
    return false
  }

  private gamesApart(x: number, y: number): boolean {
    const { table } = this
    const differ = table[x]! ^ table[y]!
    if (table[x + at.stiff] !== table[y + at.stiff] || this.daysApart(x, y)) return true
    // A city may be a team if the other question names the league.
    if ((differ & coded) === 0 && this.sidesApart(x, y)) return true
    // A spread may imply the winner.
    if (table[x + at.bet] !== table[y + at.bet]) return false
    if ((differ & counts) !== 0) return true
    return (table[x]! & table[y]! & worded) !== 0 && (this.gameWordsApart(x, y) || this.gameWordsApart(y, x))
  }

  /** However they are paired, two sides share nothing. */
  private sidesApart(x: number, y: number): boolean {
    const straight = this.oneSide(x + at.side, y + at.side) && this.oneSide(x + at.other, y + at.other)
    return !straight && !(this.oneSide(x + at.side, y + at.other) && this.oneSide(x + at.other, y + at.side))
  }

  /** They share a word, or one may be the code of the other. */
  private oneSide(a: number, b: number): boolean {
    const { table } = this
    if ((table[a]! & table[b]!) !== 0 && (table[a + 1]! & table[b + 1]!) !== 0) return true
    return (table[a + 2]! & table[b + 2]!) !== 0
  }

  /** The first has a word without a counterpart. */
  private gameWordsApart(x: number, y: number): boolean {
    const { table } = this
    return (table[x + at.counted]! & ~table[y + at.all]!) !== 0 && !this.lettersAgree(x, y)
  }

  /** Each has a word that the other does not, and nothing reconciles them. */
  private wordsApart(x: number, y: number): boolean {
    const { table } = this
    const [own, other] = [table[x + at.all]!, table[y + at.all]!]
    const shared = (own & other) !== 0 && (table[x + at.allToo]! & table[y + at.allToo]!) !== 0
    if (shared && (table[x]! & table[y]! & sayable) !== 0 && !(this.namesAlone(x, y) && this.namesAlone(y, x)))
      return false
    if ((table[x + at.counted]! & ~other) === 0 || (table[y + at.counted]! & ~own) === 0) return false
    return !this.lettersAgree(x, y)
  }

  /** The first names a person that the other does not. */
  private namesAlone(x: number, y: number): boolean {
    const { table } = this
    return (
      (table[x + at.named]! & ~table[y + at.all]!) !== 0 || (table[x + at.namedToo]! & ~table[y + at.allToo]!) !== 0
    )
  }

  private lettersAgree(x: number, y: number): boolean {
    const { table } = this
    if (table[x + at.sum] === table[y + at.sum]) return true
    return (table[x + at.long]! & table[y + at.long]!) !== 0 && (table[x + at.longToo]! & table[y + at.longToo]!) !== 0
  }

  private daysApart(x: number, y: number): boolean {
    const [one, two] = [this.table[x + at.days]!, this.table[y + at.days]!]
    return bothAndOther(one, two) && (one & 3) === (two & 3)
  }

  /**
   * The same number of words, different letters, and no word in common or none that allows the others to differ; or neither can be mistaken for the
   * other.
   */
  private namesApart(x: number, y: number): boolean {
    const { table } = this
    const [person, another] = [table[x + at.people]!, table[y + at.people]!]
    if (person !== 0 && another !== 0) {
      if ((person & another) === 0 || (table[x + at.peopleToo]! & table[y + at.peopleToo]!) === 0) return true
    }
    const [one, two] = [table[x + at.names]!, table[y + at.names]!]
    if (one === 0 || two === 0) return false
    const [letters, other] = [table[x + at.letters]!, table[y + at.letters]!]
    if (letters === other || (letters & 7) !== (other & 7)) return false
    if ((one & two) === 0 || (table[x + at.namesToo]! & table[y + at.namesToo]!) === 0) return true
    const [pair, otherPair] = [table[x + at.pair]!, table[y + at.pair]!]
    if (pair === 0 || otherPair === 0) return false
    const [first, last] = [table[x + at.first]!, table[x + at.last]!]
    return disjointPairs(pair, first, last, otherPair, table[y + at.first]!, table[y + at.last]!)
  }

  private frameOf(frame: object): number {
    const known = this.frames.get(frame)
    if (known !== undefined) return known
    this.frames.set(frame, this.frames.size + firstFrame)
    return this.frames.size + firstFrame - 1
  }

  private daysOf(date: StatedDate | null): number {
    if (date === null || date.role === 'deadline' || date.role === 'after') return 0
    const span = this.spanOf(date)
    return span === 0 ? 0 : span * 4 + grains[date.grain]
  }

  private onOf(date: StatedDate | null): number {
    if (date?.role !== 'on') return 0
    const day = date.month === null || date.day === null ? 0 : date.month * 32 + date.day
    return (this.spanOf(date) << dayBits) | day
  }

  /** A number for each span of days, from 1; 0 if unknown. */
  private spanOf({ span }: StatedDate): number {
    if (span === null) return 0
    // Days since 1970 fit in 20 bits until the year 4000.
    const days = (span.from + 400_000) * 2 ** 20 + span.to + 400_000
    const known = this.spans.get(days)
    if (known !== undefined) return known
    this.spans.set(days, this.spans.size + 1)
    return this.spans.size
  }
}

const grains = { day: 1, month: 2, year: 3 } as const

/** Different days, or different months and days of whatever years. */
const otherDays = (a: number, b: number): boolean =>
  bothAndOther(a >>> dayBits, b >>> dayBits) || bothAndOther(a & (2 ** dayBits - 1), b & (2 ** dayBits - 1))

const bothAndOther = (a: number, b: number): boolean => a !== b && a !== 0 && b !== 0

/** As `disjointSketches` reads it: for a name the numbers that distinguish most names, for a game its days and the names of both sides. */
function sketchOf(kind: number, row: Int32Array): ArrayLike<number> {
  if (kind >= firstFrame) return [row[at.letters]!, row[at.pair]!, row[at.first]!, row[at.last]!]
  if (kind !== game) return new Int32Array(sketchSize)
  // A city may be a team if the other question names the league.
  if ((row[at.kind]! & coded) !== 0) return [row[at.days]!, -1, -1, -1]
  const [words, wordsToo] = [row[at.side]! | row[at.other]!, row[at.sideToo]! | row[at.otherToo]!]
  return [row[at.days]!, words, wordsToo, row[at.code]! | row[at.otherCode]!]
}

/** In the order of `names`, `namesToo`, `letters`, `people`, `peopleToo`, `pair`, `first` and `last`. */
function namesOf({ frame, args, denied }: Proposition): number[] {
  const people = frame.people?.includes('who') === true
  // If both deny, different names may still imply.
  const sign = args.who === undefined || denied ? null : nameFingerprint(args.who, people)
  const peopleBits = people ? peopleFingerprint(args.who?.terms ?? []) : [0, 0]
  if (sign === null) return [0, 0, 0, ...peopleBits, 0, 0, 0]
  return [sign.words, sign.wordsToo, sign.letters, ...peopleBits, sign.pair, sign.first, sign.last]
}
