// Random clusters over random books in shared memory, from one seed, as input for the surface tests.

import type { BookSource, ClusterInput, ClusterMember, MatchBand, PairFacts } from '#arbitrage/cluster'
import type { FeeModel, SettlementFee } from '#arbitrage/fees'
import { LiveBook } from '#core/books/liveBook'
import { createArena, SharedBooksWriter, type SlotHandle } from '#core/books/shared/index'
import { priceDifferenceKind } from '#schemas/matches'

export const venues = [
  'polymarket',
  'kalshi',
  'limitless',
  'opinion',
  'myriad',
  'sxbet',
  'smarkets',
  'gemini',
  'novig',
  'xo',
]

export class Random {
  private state: number

  constructor(seed: number) {
    this.state = (seed ^ 0x9e3779b9) >>> 0
    for (let i = 0; i < 4; i++) this.next()
  }

  /** [0,1) */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let t = this.state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }

  int(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1))
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(values: readonly T[]): T {
    return values[this.int(0, values.length - 1)]!
  }
}

/** One level for the reference: the venue's own decimals. */
export interface Level {
  micros: number
  /** Decimal text, at most six places. */
  size: string
}

export interface SampleBook {
  key: string
  bids: Level[]
  asks: Level[]
  state: 'live' | 'stale' | 'awaiting' | 'absent'
  asOf: number
}

export const bookKey = (venue: string, bookId: string): string => `${venue} ${bookId}`

const steps = [10_000, 10_000, 10_000, 1_000, 1_000, 100, 1]

/** Separate levels, best first, never crossing `mid`. */
function levels(random: Random, count: number, from: number, direction: 1 | -1, step: number): Level[] {
  const made: Level[] = []
  let micros = from
  for (let i = 0; i < count; i++) {
    if (micros < 0 || micros > 1_000_000) break
    made.push({ micros, size: size(random) })
    micros += direction * step * random.int(1, 3)
  }
  return made
}

function size(random: Random): string {
  const kind = random.next()
  if (kind < 0.5) return String(random.int(1, 400))
  if (kind < 0.8) return (random.int(1, 30_000) / 100).toFixed(2)
  return (random.int(1, 300_000_000) / 1e6).toFixed(6)
}

export function sampleBook(random: Random, key: string, now: number): SampleBook {
  const step = random.pick(steps)
  const mid = step * random.int(1, Math.floor(1_000_000 / step) - 1)
  const depth = random.chance(0.1) ? 40 : random.int(0, 8)
  const kind = random.next()
  return {
    key,
    bids: levels(random, random.chance(0.1) ? 0 : depth, mid - step, -1, step),
    asks: levels(random, random.chance(0.1) ? 0 : depth, mid, 1, step),
    state: kind < 0.82 ? 'live' : kind < 0.9 ? 'stale' : kind < 0.95 ? 'awaiting' : 'absent',
    asOf: now - random.int(0, 100_000),
  }
}

export class SampleBooks {
  readonly arena: SharedArrayBuffer
  readonly books = new Map<string, SampleBook>()
  readonly writer: SharedBooksWriter
  private readonly live = new Map<string, LiveBook>()

  constructor(slots: number) {
    this.arena = createArena(slots)
    this.writer = new SharedBooksWriter(this.arena)
  }

  readonly slotOf = (venue: string, bookId: string): SlotHandle | null => {
    const book = this.books.get(bookKey(venue, bookId))
    return book === undefined || book.state === 'absent' ? null : this.writer.allocate(book.key)
  }

  /** Returns the slot written, or −1 for an absent book. */
  set(sample: SampleBook): number {
    this.books.set(sample.key, sample)
    if (sample.state === 'absent') return -1
    const slot = this.writer.allocate(sample.key)!.slot
    if (sample.state === 'awaiting') return slot
    let book = this.live.get(sample.key)
    if (book === undefined) {
      book = new LiveBook({ venue: 'any', marketId: sample.key, tickMicros: null, onDirty: () => undefined })
      this.live.set(sample.key, book)
    }
    book.beginSnapshot()
    for (const { micros, size } of sample.bids) book.set(0, micros, Number(size))
    for (const { micros, size } of sample.asks) book.set(1, micros, Number(size))
    book.commit(sample.asOf, sample.asOf + 5)
    this.writer.write(slot, book)
    if (sample.state === 'stale') {
      book.markStale('gap')
      this.writer.write(slot, book)
    }
    return slot
  }
}

export function sampleFee(random: Random): FeeModel {
  const kind = random.next()
  if (kind < 0.3)
    return {
      kind: 'kalshi_quadratic',
      rate: random.pick([0.07, 0.07, 0.0175]),
      multiplier: random.pick([1, 1, 0.5, 0]),
      rounding: random.chance(0.7) ? 'cent' : 'centicent',
    }
  if (kind < 0.45) return { kind: 'quadratic_half_even', rate: random.pick([0.0695, 0.06, 0.05, 0.04]) }
  if (kind < 0.6) return { kind: 'polymarket_curve', rate: random.pick([0.07, 0.05, 0.04, 0, 0.0325]), exponent: 1 }
  if (kind < 0.95) return { kind: 'none' }
  return { kind: 'unknown', reason: 'flat “fees” have no published meaning' }
}

function sampleSettlement(random: Random): SettlementFee {
  const kind = random.next()
  if (kind < 0.8) return { kind: 'none' }
  if (kind < 0.87) return { kind: 'payout_rate', rate: random.pick([0.02, 0.0125, 0]) }
  if (kind < 0.96) return { kind: 'profit_rate', rate: random.pick([0.1, 0.05]) }
  return { kind: 'unknown', reason: 'not published' }
}

const texts = [
  'Will it rain?',
  'Wird es „regnen“ — morgen?',
  '雨は降りますか？',
  'Pluie à Orléans 🌧️ "oui" \\ non',
  'a\nb\tc\u2028d\ud800e',
]

export function sampleCluster(
  random: Random,
  id: string,
  books: SampleBooks,
  now: number,
  size = random.int(2, 5),
): ClusterInput {
  const from = random.int(0, venues.length - 1)
  const members = Array.from({ length: size }, (_, i): ClusterMember => {
    const venue = venues[(from + i) % venues.length]!
    const marketId = `${id}-${i}`
    const source = (side: string, complement: boolean): BookSource => ({
      bookId: complement ? marketId : `${marketId}${side}`,
      complement,
      ...(random.chance(0.05) ? { synthetic: true } : {}),
    })
    const shared = random.chance(0.6)
    const yesBook = random.chance(0.03) ? null : source(shared ? '' : '/yes', false)
    const noBook = random.chance(0.03) ? null : source(shared ? '' : '/no', shared)
    for (const book of [yesBook, noBook]) {
      if (book === null) continue
      const key = bookKey(venue, book.bookId)
      if (!books.books.has(key)) books.set(sampleBook(random, key, now))
    }
    return {
      venue,
      canonicalMarketId: random.chance(0.1) ? null : `cm_${marketId}`,
      marketId,
      yesBook,
      noBook,
      polarity: random.chance(0.25) ? 'inverse' : 'same',
      fee: sampleFee(random),
      settlementFee: sampleSettlement(random),
      similarity: random.chance(0.1) ? null : random.int(0, 1000) / 1000,
      ...(random.chance(0.04) ? { dark: true } : {}),
    }
  })
  const pairs: PairFacts[] = []
  for (let i = 0; i < size; i++)
    for (let j = i + 1; j < size; j++) {
      if (random.chance(0.05)) continue
      const [a, b] = random.chance(0.5) ? [i, j] : [j, i]
      pairs.push(samplePair(random, members[a]!.venue, members[b]!.venue))
    }
  return { clusterId: id, question: `${random.pick(texts)} ${id}`, members, pairs }
}

export function samplePair(random: Random, a: string, b: string): PairFacts {
  const matchBand = random.pick<MatchBand>([
    'verified',
    'verified',
    'verified',
    'minor',
    'material',
    'unscored',
    'hidden',
  ])
  const matchScore = matchBand === 'unscored' ? null : random.int(0, 100)
  const lost = matchScore === null ? 0 : 100 - matchScore
  const first = random.int(0, lost)
  // Such a pair is never verified.
  const pricesDiffer = lost > 0 && lost % 6 === 0
  return {
    a,
    b,
    ...(random.chance(0.3) ? { similarity: random.chance(0.2) ? null : random.next() } : {}),
    matchScore,
    matchBand,
    matchDifferences:
      lost === 0
        ? []
        : [
            { kind: 'cutoff', detail: random.pick(texts), points: first },
            { kind: pricesDiffer ? priceDifferenceKind : 'source', detail: random.pick(texts), points: lost - first },
          ],
    resolution: {
      compatible: random.pick([true, true, false, null]),
      reason: random.pick([null, 'same source', random.pick(texts)]),
      auditReasons: random.chance(0.5) ? [] : [random.pick(texts), 'checked'],
    },
    resolutionEquivalence: random.pick(
      pricesDiffer ? ['unverified'] : ['verified', 'verified', 'unverified', 'different'],
    ),
  }
}
