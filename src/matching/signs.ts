// A few numbers of every question, all of one beside each other, so that pairs which cannot be one are passed over without touching either
// question. Each rule is one of `hopeless`, said of hashes: two that differ are apart, two that agree may still be.
import { nameSign } from './frames/names.ts'
import type { Question } from './question.ts'
import { copied } from './room.ts'
import { apartInAnyOctet, octets, peopleSign, sideSign, type WordSign, wordSign } from './signParts.ts'
import type { SaidDate } from './years.ts'

/** Read by no entry; a game; from here on the entries in the order in which they were met. */
const fields = 0
const game = 1
const firstFrame = 2

/** Numbers of one question: a cache line. */
const width = 16
const at = {
  /** Kind above, marks below. */
  kind: 0,
  stiff: 1,
  /** Which days it is about, with their grain below; 0 where a deadline or nothing tells. */
  days: 2,
  /** Which days it is about where it says "on", with their month and day below; else 0. */
  on: 3,
  said: 4,
  counted: 5,
  long: 6,
  sum: 7,
  features: 8,
  otherFeatures: 9,
  /** Of a sentence that an entry reads: the name in `who`, and whom it may be taken for. Of a game: the kind of bet, and its sides. */
  names: 10,
  letters: 11,
  people: 12,
  peopleToo: 13,
  namesToo: 14,
  saidToo: 15,
} as const
/** Bits of a month and a day. */
const dayBits = 9

const kindShift = 4
/** May be held word against word. */
const sayable = 1
/** Its words have a sign. */
const worded = 2
/** A side of the game has the code of a team. */
const coded = 4
/** The game is asked about with an amount. */
const counts = 8

export class Signs {
  private readonly frames = new Map<object, number>()
  private readonly spans = new Map<number, number>()
  private table = new Int32Array(1_024 * width)

  set(slot: number, question: Question): void {
    if ((slot + 1) * width > this.table.length)
      this.table = copied(
        new Int32Array(Math.max(slot + 1, Math.ceil((this.table.length / width) * 1.5)) * width),
        this.table,
      )
    const { matchup, facets, proposition } = question
    const row = this.table.subarray(slot * width, (slot + 1) * width).fill(0)
    const words = facets.placed ? null : wordSign(facets.words, matchup !== null)
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
    if (words !== null) this.setWords(row, words)
    const features = octets(question.features)
    row[at.features] = features[0]
    row[at.otherFeatures] = features[1]
    if (kind >= firstFrame) this.setNames(row, question)
    if (matchup !== null) {
      row[at.names] = facets.stiffGame
      row[at.people] = sideSign(matchup.sides[0])
      row[at.peopleToo] = sideSign(matchup.sides[1])
    }
  }

  /** True only where `hopeless` is. */
  apart(a: number, b: number): boolean {
    const { table } = this
    const x = a * width
    const y = b * width
    const kind = table[x]! >> kindShift
    const other = table[y]! >> kindShift
    if ((kind === game) !== (other === game)) return true
    if (kind === game) return this.gamesApart(x, y)
    if (
      apartInAnyOctet(table[x + at.features]!, table[y + at.features]!) ||
      apartInAnyOctet(table[x + at.otherFeatures]!, table[y + at.otherFeatures]!) ||
      otherDays(table[x + at.on]!, table[y + at.on]!)
    )
      return true
    if (kind === other && kind >= firstFrame) return this.namesApart(x, y)
    return table[x + at.stiff] !== table[y + at.stiff] || this.daysApart(x, y) || this.wordsApart(x, y)
  }

  private gamesApart(x: number, y: number): boolean {
    const { table } = this
    const differ = table[x]! ^ table[y]!
    if (table[x + at.stiff] !== table[y + at.stiff] || this.daysApart(x, y)) return true
    // A city may be a team where the other question names the league.
    if ((differ & coded) === 0 && this.sidesApart(x, y)) return true
    // A spread may imply the winner.
    if (table[x + at.names] !== table[y + at.names]) return false
    if ((differ & counts) !== 0) return true
    return (table[x]! & table[y]! & worded) !== 0 && (this.gameWordsApart(x, y) || this.gameWordsApart(y, x))
  }

  /** However they are paired, two sides share nothing. */
  private sidesApart(x: number, y: number): boolean {
    const { table } = this
    const [a, b] = [table[x + at.people]!, table[x + at.peopleToo]!]
    const [c, d] = [table[y + at.people]!, table[y + at.peopleToo]!]
    return ((a & c) === 0 || (b & d) === 0) && ((a & d) === 0 || (b & c) === 0)
  }

  /** The first says a word of its own that nothing reconciles. */
  private gameWordsApart(x: number, y: number): boolean {
    const { table } = this
    return (table[x + at.counted]! & ~table[y + at.said]!) !== 0 && !this.lettersAgree(x, y)
  }

  /** Each says a word that the other does not, and nothing reconciles them. */
  private wordsApart(x: number, y: number): boolean {
    const { table } = this
    const [said, other] = [table[x + at.said]!, table[y + at.said]!]
    const shared = (said & other) !== 0 && (table[x + at.saidToo]! & table[y + at.saidToo]!) !== 0
    if (shared && (table[x]! & table[y]! & sayable) !== 0) return false
    if ((table[x + at.counted]! & ~other) === 0 || (table[y + at.counted]! & ~said) === 0) return false
    return !this.lettersAgree(x, y)
  }

  private lettersAgree(x: number, y: number): boolean {
    const { table } = this
    return table[x + at.sum] === table[y + at.sum] || (table[x + at.long]! & table[y + at.long]!) !== 0
  }

  private daysApart(x: number, y: number): boolean {
    const [one, two] = [this.table[x + at.days]!, this.table[y + at.days]!]
    return bothAndOther(one, two) && (one & 3) === (two & 3)
  }

  /** No word in common, as many words, not the same letters; or of persons none that could be taken for the other. */
  private namesApart(x: number, y: number): boolean {
    const { table } = this
    const [person, another] = [table[x + at.people]!, table[y + at.people]!]
    if (person !== 0 && another !== 0) {
      if ((person & another) === 0 || (table[x + at.peopleToo]! & table[y + at.peopleToo]!) === 0) return true
    }
    const [one, two] = [table[x + at.names]!, table[y + at.names]!]
    if (one === 0 || two === 0) return false
    if ((one & two) !== 0 && (table[x + at.namesToo]! & table[y + at.namesToo]!) !== 0) return false
    const [letters, other] = [table[x + at.letters]!, table[y + at.letters]!]
    return letters !== other && (letters & 7) === (other & 7)
  }

  private setWords(row: Int32Array, { said, saidToo, counted, long, sum }: WordSign): void {
    row[at.said] = said
    row[at.saidToo] = saidToo
    row[at.counted] = counted
    row[at.long] = long
    row[at.sum] = sum
  }

  private setNames(row: Int32Array, { proposition }: Question): void {
    const { frame, args, denied } = proposition!
    const people = frame.people?.includes('who') === true
    // Of two that deny, other names may still imply.
    const sign = args.who === undefined || denied ? null : nameSign(args.who, people)
    row[at.names] = sign?.words ?? 0
    row[at.namesToo] = sign?.wordsToo ?? 0
    row[at.letters] = sign?.letters ?? 0
    if (people) [row[at.people], row[at.peopleToo]] = peopleSign(args.who?.terms ?? [])
  }

  private frameOf(frame: object): number {
    const known = this.frames.get(frame)
    if (known !== undefined) return known
    this.frames.set(frame, this.frames.size + firstFrame)
    return this.frames.size + firstFrame - 1
  }

  private daysOf(date: SaidDate | null): number {
    if (date === null || date.role === 'deadline' || date.role === 'after') return 0
    const span = this.spanOf(date)
    return span === 0 ? 0 : span * 4 + grains[date.grain]
  }

  private onOf(date: SaidDate | null): number {
    if (date?.role !== 'on') return 0
    const day = date.month === null || date.day === null ? 0 : date.month * 32 + date.day
    return (this.spanOf(date) << dayBits) | day
  }

  /** A number for each span of days, from 1 on; 0 where none is known. */
  private spanOf({ span }: SaidDate): number {
    if (span === null) return 0
    // Days since 1970 take less than 20 bits until the year 4000.
    const days = (span.from + 400_000) * 2 ** 20 + span.to + 400_000
    const known = this.spans.get(days)
    if (known !== undefined) return known
    this.spans.set(days, this.spans.size + 1)
    return this.spans.size
  }
}

const grains = { day: 1, month: 2, year: 3 } as const

/** Other days, or other months and days of whatever years. */
const otherDays = (a: number, b: number): boolean =>
  bothAndOther(a >>> dayBits, b >>> dayBits) || bothAndOther(a & (2 ** dayBits - 1), b & (2 ** dayBits - 1))

const bothAndOther = (a: number, b: number): boolean => a !== b && a !== 0 && b !== 0
