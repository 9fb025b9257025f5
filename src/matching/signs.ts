// A few numbers of every question in arrays, so that pairs which cannot be one are passed over without touching either question. Each rule
// is one of `hopeless`, said of hashes: two that differ are apart, two that agree may still be.
import type { Mark } from './facets.ts'
import { nameSign } from './frames/names.ts'
import type { Question } from './question.ts'
import { copied } from './room.ts'
import type { SaidDate } from './years.ts'

/** Read by no entry; a game; from here on the entries in the order in which they were met. */
const fields = 0
const game = 1
const firstFrame = 2

export class Signs {
  private readonly frames = new Map<object, number>()
  private kinds = new Uint16Array(1_024)
  private stiff = new Int32Array(1_024)
  private days = new Float64Array(1_024)
  private names = new Int32Array(1_024)
  private letters = new Int32Array(1_024)
  private sayable = new Uint8Array(1_024)
  private said = new Int32Array(1_024)
  private counted = new Int32Array(1_024)
  private long = new Int32Array(1_024)
  private sums = new Int32Array(1_024)

  set(slot: number, question: Question): void {
    if (slot >= this.kinds.length) this.grow(Math.max(slot + 1, Math.ceil(this.kinds.length * 1.5)))
    const { matchup, facets, proposition } = question
    const kind = matchup !== null ? game : proposition === null ? fields : this.frameOf(proposition.frame)
    this.kinds[slot] = kind
    this.stiff[slot] = kind === game ? facets.stiffGame : facets.stiff
    this.days[slot] = dayOf(facets.date)
    const who = proposition?.args.who
    const sign =
      who === undefined || proposition?.denied === true
        ? null
        : nameSign(who, proposition!.frame.people?.includes('who') === true)
    this.names[slot] = sign?.words ?? 0
    this.letters[slot] = sign?.letters ?? 0
    const words = facets.placed ? null : wordSign(facets.words)
    this.sayable[slot] = facets.sayable ? 1 : 0
    this.said[slot] = words?.said ?? 0
    this.counted[slot] = words?.counted ?? 0
    this.long[slot] = words?.long ?? 0
    this.sums[slot] = words?.sum ?? 0
  }

  /** True only where `hopeless` is. */
  apart(a: number, b: number): boolean {
    const [kind, other] = [this.kinds[a]!, this.kinds[b]!]
    if (kind === other && kind >= firstFrame) return this.namesApart(a, b)
    if ((kind === game) !== (other === game) || this.stiff[a] !== this.stiff[b]) return true
    const [x, y] = [this.days[a]!, this.days[b]!]
    if (x !== y && x !== 0 && y !== 0 && x % 4 === y % 4) return true
    return kind !== game && this.wordsApart(a, b)
  }

  /** Each says a word that the other does not, and nothing reconciles them. */
  private wordsApart(a: number, b: number): boolean {
    if (this.sayable[a] === 1 && this.sayable[b] === 1 && (this.said[a]! & this.said[b]!) !== 0) return false
    if ((this.counted[a]! & ~this.said[b]!) === 0 || (this.counted[b]! & ~this.said[a]!) === 0) return false
    return this.sums[a] !== this.sums[b] && (this.long[a]! & this.long[b]!) === 0
  }

  /** No word in common, as many words, not the same letters. */
  private namesApart(a: number, b: number): boolean {
    const [x, y] = [this.names[a]!, this.names[b]!]
    if (x === 0 || y === 0 || (x & y) !== 0) return false
    return this.letters[a] !== this.letters[b] && (this.letters[a]! & 7) === (this.letters[b]! & 7)
  }

  private frameOf(frame: object): number {
    const known = this.frames.get(frame)
    if (known !== undefined) return known
    this.frames.set(frame, this.frames.size + firstFrame)
    return this.frames.size + firstFrame - 1
  }

  private grow(room: number): void {
    this.kinds = copied(new Uint16Array(room), this.kinds)
    this.stiff = copied(new Int32Array(room), this.stiff)
    this.days = copied(new Float64Array(room), this.days)
    this.names = copied(new Int32Array(room), this.names)
    this.letters = copied(new Int32Array(room), this.letters)
    this.sayable = copied(new Uint8Array(room), this.sayable)
    this.said = copied(new Int32Array(room), this.said)
    this.counted = copied(new Int32Array(room), this.counted)
    this.long = copied(new Int32Array(room), this.long)
    this.sums = copied(new Int32Array(room), this.sums)
  }
}

interface WordSign {
  /** Bits of all words, of those that count, and of the letters of long ones. */
  said: number
  counted: number
  long: number
  /** Letters of those that count. */
  sum: number
}

/** Null where a word may be taken for another: one with an opposite, one that counts in one form only. */
function wordSign(words: readonly Mark[]): WordSign | null {
  const sign: WordSign = { said: 0, counted: 0, long: 0, sum: 0 }
  for (const word of words) {
    if (word.directed || word.mixed) return null
    const bit = 1 << (word.key & 31)
    sign.said |= bit
    if (word.soft) continue
    sign.counted |= bit
    sign.sum = (sign.sum + word.spelled) | 0
    if (word.long) sign.long |= 1 << (word.letters & 31)
  }
  return sign
}

const grains = { day: 1, month: 2, year: 3 } as const

/** Which days a question is about, with their grain below; 0 where a deadline or nothing tells. */
function dayOf(date: SaidDate | null): number {
  if (date === null || date.span === null || date.role === 'deadline' || date.role === 'after') return 0
  // Days since 1970 take less than 20 bits until the year 4000.
  return ((date.span.from + 400_000) * 2 ** 20 + date.span.to + 400_000) * 4 + grains[date.grain]
}
