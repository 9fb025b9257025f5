// The slow reference surface: exact rationals over bigint, decimals parsed from text, one row at a time. Shares no code with the fast one.
import type { BookSource, ClusterInput, ClusterMember, PairFacts } from '#arbitrage/cluster'
import type { FeeModel } from '#arbitrage/fees'
import { bookKey, type Level, type SampleBook } from './worlds.ts'

class Fraction {
  readonly n: bigint
  readonly d: bigint

  constructor(n: bigint, d = 1n) {
    this.n = d < 0n ? -n : n
    this.d = d < 0n ? -d : d
  }

  /** Decimal text or a short number, exactly as printed. */
  static of(value: string | number): Fraction {
    const [whole = '', decimals = ''] = (typeof value === 'number' ? value.toFixed(12) : value).split('.')
    return new Fraction(BigInt(whole + decimals), 10n ** BigInt(decimals.length))
  }

  plus(o: Fraction): Fraction {
    return new Fraction(this.n * o.d + o.n * this.d, this.d * o.d)
  }

  minus(o: Fraction): Fraction {
    return this.plus(new Fraction(-o.n, o.d))
  }

  times(o: Fraction): Fraction {
    return new Fraction(this.n * o.n, this.d * o.d)
  }

  over(o: Fraction): Fraction {
    return new Fraction(this.n * o.d, this.d * o.n)
  }

  below(o: Fraction): boolean {
    return this.n * o.d < o.n * this.d
  }

  get zero(): boolean {
    return this.n === 0n
  }

  /** Rounds to a multiple of 1/steps; halves away from zero. */
  rounded(steps: bigint, how: 'up' | 'down' | 'nearest' | 'even'): Fraction {
    const top = this.n * steps
    const floor = top / this.d - (top % this.d < 0n ? 1n : 0n)
    if (how === 'down') return new Fraction(floor, steps)
    if (how === 'up') return new Fraction(floor * this.d === top ? floor : floor + 1n, steps)
    const isHalf = 2n * (top - floor * this.d) === this.d
    if (how === 'even' && isHalf) return new Fraction(floor % 2n === 0n ? floor : floor + 1n, steps)
    const size = top < 0n ? -top : top
    const half = (2n * size + this.d) / (2n * this.d)
    return new Fraction(top < 0n ? -half : half, steps)
  }

  toNumber(): number {
    const scaled = (this.n * 10n ** 12n) / this.d
    return Number(scaled) / 1e12
  }
}

const zero = new Fraction(0n)
const one = new Fraction(1n)

interface Leg {
  words: string[]
  cost: Fraction | null
  fee: Fraction | null
  filled: Fraction
  full: boolean
  vwap: Fraction | null
  asOf: number | null
}

/** Number of levels that workers receive. */
const kept = 32

export interface ReferenceRow {
  clusterId: string
  buyYes: ReferenceLeg
  buyNo: ReferenceLeg
  settlementFee: number | null
  totalCost: number | null
  netEdge: number | null
  roi: number | null
  executable: boolean
  reasons: string[]
  label: string
  asOf: string | null
}

export interface ReferenceLeg {
  venue: string
  side: string
  reasons: string[]
  vwap: number | null
  cost: number | null
  fee: number | null
  filled: number
  fullyFilled: boolean
}

const num = (f: Fraction | null): number | null => (f === null ? null : f.toNumber())

/** All rows of one cluster, in any order. */
export function referenceRows(
  cluster: ClusterInput,
  books: ReadonlyMap<string, SampleBook>,
  contracts: string,
): ReferenceRow[] {
  const want = Fraction.of(contracts)
  const rows: ReferenceRow[] = []
  for (const a of cluster.members)
    for (const b of cluster.members) {
      if (a.venue === b.venue) continue
      const pair = cluster.pairs.find(
        (p) => (p.a === a.venue && p.b === b.venue) || (p.a === b.venue && p.b === a.venue),
      )
      if (pair === undefined || pair.matchBand === 'hidden') continue
      rows.push(row(cluster, a, b, pair, books, want))
    }
  return rows
}

function row(
  cluster: ClusterInput,
  a: ClusterMember,
  b: ClusterMember,
  pair: PairFacts,
  books: ReadonlyMap<string, SampleBook>,
  want: Fraction,
): ReferenceRow {
  const yesSide = a.polarity === 'same' ? 'yes' : 'no'
  const noSide = b.polarity === 'same' ? 'no' : 'yes'
  const yes = leg(a, yesSide, books, want)
  const no = leg(b, noSide, books, want)
  const settleYes = settlement(a, yes, want)
  const settleNo = settlement(b, no, want)
  const settle = settleYes === null || settleNo === null ? null : settleYes.below(settleNo) ? settleNo : settleYes
  const priced = yes.full && no.full && yes.fee !== null && no.fee !== null && settle !== null
  const total = priced ? yes.cost!.plus(no.cost!).plus(yes.fee!).plus(no.fee!).plus(settle) : null
  const net = total === null ? null : want.minus(total)
  const reasons = [...yes.words.map((w) => `buyYes:${w}`), ...no.words.map((w) => `buyNo:${w}`)]
  const unknownSettlement = (m: ClusterMember, l: Leg): boolean => m.settlementFee.kind === 'unknown' && l !== null
  if (unknownSettlement(a, yes) || unknownSettlement(b, no)) reasons.push('settlement_fee_unknown')
  if (pair.resolutionEquivalence !== 'verified') reasons.push('resolution_not_verified')
  if (pair.matchDifferences.some(({ kind }) => kind === 'market_prices')) reasons.push('prices_differ')
  const executable = reasons.length === 0
  return {
    clusterId: `${cluster.clusterId}:${a.venue}:${b.venue}`,
    buyYes: shown(a, yesSide, yes),
    buyNo: shown(b, noSide, no),
    settlementFee: num(settle),
    totalCost: num(total),
    netEdge: num(net),
    roi: net === null || total === null || total.zero ? null : num(net.over(total).rounded(1_000_000n, 'nearest')),
    executable,
    reasons,
    label: executable && net !== null && zero.below(net) ? 'arbitrage' : 'indicative price discrepancy',
    asOf: yes.asOf === null || no.asOf === null ? null : new Date(Math.min(yes.asOf, no.asOf)).toISOString(),
  }
}

const shown = (member: ClusterMember, side: string, l: Leg): ReferenceLeg => ({
  venue: member.venue,
  side,
  reasons: l.words,
  vwap: num(l.vwap),
  cost: num(l.cost),
  fee: num(l.fee),
  filled: l.filled.toNumber(),
  fullyFilled: l.full,
})

function leg(member: ClusterMember, side: string, books: ReadonlyMap<string, SampleBook>, want: Fraction): Leg {
  const source: BookSource | null = side === 'yes' ? member.yesBook : member.noBook
  const book = source === null ? undefined : books.get(bookKey(member.venue, source.bookId))
  const fixed = [
    ...(source?.synthetic === true ? ['synthetic_book'] : []),
    ...(member.dark === true ? ['venue_dark'] : []),
  ]
  if (source === null || book === undefined || book.state === 'awaiting' || book.state === 'absent')
    return {
      words: ['book_unavailable', ...fixed],
      cost: null,
      fee: null,
      filled: zero,
      full: false,
      vwap: null,
      asOf: null,
    }
  const offers: Level[] = (source.complement ? book.bids : book.asks).slice(0, kept)
  let left = want
  let cost = zero
  const taken: { price: Fraction; amount: Fraction }[] = []
  for (const { micros, size } of offers) {
    if (left.zero) break
    const own = new Fraction(BigInt(micros), 1_000_000n)
    const price = source.complement ? one.minus(own) : own
    const offered = Fraction.of(size)
    const amount = left.below(offered) ? left : offered
    taken.push({ price, amount })
    cost = cost.plus(price.times(amount))
    left = left.minus(amount)
  }
  const filled = want.minus(left)
  const words: string[] = []
  if (book.state === 'stale') words.push('stale_book')
  words.push(...fixed)
  if (taken.length === 0) words.push('no_offers')
  else if (!left.zero) words.push('insufficient_depth', ...(offers.length === kept ? ['deeper_than_kept_levels'] : []))
  if (taken.length === 0)
    return {
      words: [...words, ...feeWord(member)],
      cost: null,
      fee: null,
      filled,
      full: false,
      vwap: null,
      asOf: book.asOf,
    }
  const paid = cost.rounded(1_000_000n, 'up')
  const fee = feeOf(member.fee, taken)
  return {
    words: [...words, ...feeWord(member)],
    cost: paid,
    fee,
    filled,
    full: left.zero,
    vwap: paid.over(filled).rounded(1_000_000n, 'nearest'),
    asOf: book.asOf,
  }
}

const feeWord = (member: ClusterMember): string[] => (member.fee.kind === 'unknown' ? ['fee_unknown'] : [])

function feeOf(model: FeeModel, taken: readonly { price: Fraction; amount: Fraction }[]): Fraction | null {
  if (model.kind === 'unknown') return null
  if (model.kind === 'none') return zero
  const base = taken.map(({ price, amount }) => amount.times(price).times(one.minus(price)))
  const sum = (parts: Fraction[]): Fraction => parts.reduce((a, b) => a.plus(b), zero)
  if (model.kind === 'polymarket_curve') return sum(base).times(Fraction.of(model.rate)).rounded(100_000n, 'down')
  if (model.kind === 'quadratic_half_even')
    return sum(base.map((part) => part.times(Fraction.of(model.rate)).rounded(100n, 'even')))
  const rate = Fraction.of(model.rate).times(Fraction.of(model.multiplier))
  if (model.rounding === 'cent') return sum(base).times(rate).rounded(100n, 'up')
  return sum(base.map((part) => part.times(rate).rounded(10_000n, 'up')))
}

function settlement(member: ClusterMember, bought: Leg, want: Fraction): Fraction | null {
  const fee = member.settlementFee
  if (fee.kind === 'none') return zero
  if (fee.kind === 'unknown') return null
  if (fee.kind === 'payout_rate') return want.times(Fraction.of(fee.rate)).rounded(1_000_000n, 'up')
  if (bought.cost === null) return null
  const profit = want.minus(bought.cost)
  return (profit.below(zero) ? zero : profit).times(Fraction.of(fee.rate)).rounded(1_000_000n, 'up')
}
