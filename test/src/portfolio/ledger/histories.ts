// Random histories of an account: every kind of entry, at few different times, so that many are at the same time.
// Amounts have at most six places; what a ledger makes of them is not rounded unless it divides.
import fc from 'fast-check'
import { fromUnits } from '#core/decimal'
import type { CorrectionEntry, LedgerEntry } from '#portfolio/ledger/entry'

interface Market {
  venue: string
  currency: string | null
  marketId: string
  outcomeIds: readonly string[]
}

const markets: readonly Market[] = [
  { venue: 'alpha', currency: 'USDC', marketId: 'm1', outcomeIds: ['no', 'yes'] },
  { venue: 'alpha', currency: 'USDC', marketId: 'm2', outcomeIds: ['a', 'b', 'c'] },
  { venue: 'alpha', currency: 'WETH', marketId: 'm3', outcomeIds: ['no', 'yes'] },
  { venue: 'beta', currency: null, marketId: 'm1', outcomeIds: ['no', 'yes'] },
]

export const timesMax = 30
const at = fc.nat(timesMax)
const micros = (min: number, max: number) => fc.integer({ min, max }).map((count) => fromUnits(BigInt(count), 6))
const size = fc.oneof(fc.constantFrom('1', '2', '3', '5'), micros(1, 20_000_000))
const cash = fc.oneof(fc.constantFrom('0', '1', '2.5'), micros(0, 12_000_000))
const fee = fc.oneof(fc.constantFrom('0', '0.01'), micros(-100_000, 500_000))
const value = fc.oneof(fc.constantFrom('0', '1', '0.5', '0.333333'), micros(0, 1_000_000))

const market = fc.constantFrom(...markets)
const provenance = fc.constantFrom('journal' as const, 'venue_api' as const, 'chain' as const)
const marketFields = market.map(({ venue, currency, marketId }) => ({ venue, currency, marketId }))
const outcomeFields = fc.constantFrom(
  ...markets.flatMap(({ outcomeIds, ...fields }) => outcomeIds.map((outcomeId) => ({ ...fields, outcomeId }))),
)

type WithoutId<E> = E extends LedgerEntry ? Omit<E, 'id'> : never
type Draft = WithoutId<LedgerEntry>

const fill: fc.Arbitrary<Draft> = fc
  .record({
    outcomeFields,
    provenance,
    at,
    size,
    cash,
    fee,
    side: fc.constantFrom('buy' as const, 'buy' as const, 'sell' as const),
    feeIn: fc.constantFrom('cash' as const, 'cash' as const, 'outcome' as const),
  })
  .map(({ outcomeFields: fields, ...rest }) => ({ kind: 'fill', executionId: null, ...fields, ...rest }))

const imported: fc.Arbitrary<Draft> = fc
  .record({ outcomeFields, at, size, cost: cash, isShort: fc.boolean() })
  .map(({ outcomeFields: fields, isShort, ...rest }) => ({
    kind: 'import',
    provenance: 'import',
    ...fields,
    at: rest.at,
    size: isShort ? `-${rest.size}` : rest.size,
    cost: isShort ? `-${rest.cost}` : rest.cost,
  }))

const transfer: fc.Arbitrary<Draft> = fc
  .record({ market, provenance, at, cash, isOut: fc.boolean() })
  .map(({ market: { venue, currency }, isOut, ...rest }) => ({
    kind: 'transfer',
    venue,
    currency,
    provenance: rest.provenance,
    at: rest.at,
    cash: isOut ? `-${rest.cash}` : rest.cash,
  }))

const set: fc.Arbitrary<Draft> = fc
  .record({ market, provenance, at, size, kind: fc.constantFrom('split' as const, 'merge' as const) })
  .map(({ market: { venue, currency, marketId, outcomeIds }, ...rest }) => ({
    ...rest,
    venue,
    currency,
    marketId,
    outcomeIds,
  }))

/** Shares of both USDC markets, in either direction: a contract's fee makes what is received less than what is given. */
const conversion: fc.Arbitrary<Draft> = fc
  .record({
    provenance,
    at,
    size,
    out: size,
    cash,
    given: fc.subarray(['m1', 'm2'], { minLength: 1 }),
  })
  .map(({ size: givenSize, out, given, ...rest }) => ({
    ...rest,
    kind: 'conversion',
    venue: 'alpha',
    currency: 'USDC',
    gives: given.map((marketId) => ({ marketId, outcomeId: marketId === 'm1' ? 'no' : 'a', size: givenSize })),
    receives: ['m1', 'm2']
      .filter((marketId) => !given.includes(marketId))
      .map((marketId) => ({ marketId, outcomeId: marketId === 'm1' ? 'yes' : 'b', size: out })),
  }))

const settlement: fc.Arbitrary<Draft> = fc
  .record({ outcomeFields, provenance, at, value, paysItself: fc.boolean() })
  .map(({ outcomeFields: fields, ...rest }) => ({ kind: 'settlement', ...fields, ...rest }))

const redemptionFields = {
  provenance,
  at,
  size: fc.option(size),
  cash: fc.option(cash, { freq: 2 }),
  fee,
}

const redemption: fc.Arbitrary<Draft> = fc.oneof(
  fc
    .record({ outcomeFields, ...redemptionFields })
    .map(({ outcomeFields: fields, ...rest }) => ({ kind: 'redemption' as const, ...fields, ...rest })),
  fc
    .record({ marketFields, ...redemptionFields })
    .map(({ marketFields: fields, ...rest }) => ({ kind: 'redemption' as const, outcomeId: null, ...fields, ...rest })),
)

const draft = fc.oneof(
  { weight: 10, arbitrary: fill },
  { weight: 2, arbitrary: imported },
  { weight: 2, arbitrary: transfer },
  { weight: 3, arbitrary: set },
  { weight: 2, arbitrary: conversion },
  { weight: 2, arbitrary: settlement },
  { weight: 3, arbitrary: redemption },
)

/** Null: the market of that index is not resolved. */
const resolutions = fc.tuple(
  ...markets.map(({ outcomeIds }) =>
    fc.option(
      fc.record({
        at,
        paysItself: fc.boolean(),
        values: fc.array(value, { minLength: outcomeIds.length, maxLength: outcomeIds.length }),
      }),
      { freq: 3 },
    ),
  ),
)

type Resolutions = typeof resolutions extends fc.Arbitrary<infer R> ? R : never

const settlementsOf = (resolved: Resolutions): Draft[] =>
  resolved.flatMap((resolution, i) => {
    const { outcomeIds, ...fields } = markets[i]!
    if (resolution === null) return []
    return outcomeIds.map((outcomeId, k) => ({
      kind: 'settlement' as const,
      ...fields,
      outcomeId,
      provenance: 'venue_api' as const,
      at: resolution.at,
      value: resolution.values[k]!,
      paysItself: resolution.paysItself,
    }))
  })

export interface History {
  /** Some of them withdrawn by corrections. */
  entries: readonly LedgerEntry[]
  /** The same entries as they arrived: in any order, some of them twice. */
  arrived: readonly LedgerEntry[]
}

export const history: fc.Arbitrary<History> = fc
  .record({
    drafts: fc.array(draft, { minLength: 1, maxLength: 25 }),
    resolutions,
    withdrawn: fc.array(fc.record({ target: fc.nat(60), at }), { maxLength: 3 }),
    places: fc.array(fc.nat(1_000), { minLength: 5, maxLength: 40 }),
    repeated: fc.array(fc.nat(60), { maxLength: 4 }),
  })
  .map(({ drafts, resolutions: resolved, withdrawn, places, repeated }) => {
    const plain = [...drafts, ...settlementsOf(resolved)].map((each, i): LedgerEntry => ({ ...each, id: `e${i}` }))
    const corrections = withdrawn.map(
      (each, i): CorrectionEntry => ({
        kind: 'correction',
        id: `c${i}`,
        at: each.at,
        venue: 'alpha',
        currency: null,
        provenance: 'journal',
        withdraws: `e${each.target}`,
      }),
    )
    const entries = [...plain, ...corrections]
    const twice = [...entries, ...repeated.map((i) => entries[i % entries.length]!)]
    return { entries, arrived: shuffled(twice, places) }
  })

/** Every market is resolved at last, and its venue pays. */
export const closing = (entries: readonly LedgerEntry[]): LedgerEntry[] => [
  ...entries,
  ...markets.flatMap(({ outcomeIds, ...fields }) =>
    outcomeIds.map(
      (outcomeId, i): LedgerEntry => ({
        kind: 'settlement',
        ...fields,
        outcomeId,
        id: `closing ${fields.venue} ${fields.marketId} ${outcomeId}`,
        provenance: 'venue_api',
        at: timesMax + 1,
        value: i === 0 ? '0.75' : '0.125',
        paysItself: true,
      }),
    ),
  ),
]

function shuffled<T>(items: readonly T[], places: readonly number[]): T[] {
  return items
    .map((item, i) => ({ item, place: (places[i % places.length]! * (i + 1)) % 1_009 }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item)
}
