// Random histories. CROSSBOOK_TEST_LONG=1 runs 100,000 of them.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addDecimals, multiplyDecimals, subtractDecimals } from '#core/decimal'
import type { LedgerEntry } from '#portfolio/ledger/entry'
import { type CashBalance, foldLedger, type Ledger, type LedgerPosition } from '#portfolio/ledger/fold'
import { casesOf } from '#test/support/shortRuns'
import { closing, history, timesMax } from './histories.ts'
import { cashKey, shareKey, totalsOf } from './oracle.ts'

const numRuns = casesOf(100_000, 200)

const marks: Readonly<Record<string, string>> = { yes: '0.62', no: '0.41', a: '0.1', b: '0.255', c: '0.7' }

const sum = (amounts: readonly string[]): string => amounts.reduce(addDecimals, '0')

const worthOf = ({ outcomeId, quantity, settlement }: LedgerPosition): string =>
  multiplyDecimals(quantity, settlement?.value ?? marks[outcomeId]!)

const positionsOf = ({ positions }: Ledger, balance: CashBalance): LedgerPosition[] =>
  positions.filter((position) => cashKey(position) === cashKey(balance))

/** Realised and unrealised PnL together; null: unknown. */
function gainOf(balance: CashBalance, positions: readonly LedgerPosition[]): string | null {
  if (balance.realizedPnl === null || balance.isPartial) return null
  const unrealized = positions.map((position) => subtractDecimals(worthOf(position), position.costBasis!))
  return sum([balance.realizedPnl, ...unrealized])
}

it('adds up exactly to the shares, the cash and the gain of an independent count', () => {
  let known = 0
  fc.assert(
    fc.property(history, ({ entries }) => {
      const ledger = foldLedger(entries)
      const { shares, cash, deposits } = totalsOf(entries)
      expect(new Map(ledger.positions.map((each) => [shareKey(each), each.quantity]))).toEqual(shares)
      expect(new Map(ledger.cash.map((each) => [cashKey(each), each.cash]))).toEqual(cash)
      for (const balance of ledger.cash) {
        const key = cashKey(balance)
        const deposited = deposits.get(key) ?? '0'
        expect(balance.deposits, key).toBe(deposited)
        const positions = positionsOf(ledger, balance)
        const gain = gainOf(balance, positions)
        if (gain === null) continue
        known++
        expect(gain, key).toBe(subtractDecimals(sum([cash.get(key)!, ...positions.map(worthOf)]), deposited))
      }
    }),
    { numRuns },
  )
  expect(known).toBeGreaterThan(numRuns)
})

it('does not depend on the order of arrival, nor on entries that arrive twice', () => {
  fc.assert(
    fc.property(history, ({ entries, arrived }) => {
      expect(foldLedger(arrived)).toEqual(foldLedger(entries))
    }),
    { numRuns },
  )
})

it('is that of the entries that are not withdrawn and not later than the given time', () => {
  fc.assert(
    fc.property(history, fc.nat(timesMax), ({ entries }, until) => {
      const withdrawn = entries.flatMap((entry) => (entry.kind === 'correction' ? entry.withdraws : []))
      const left = entries.filter((entry) => entry.at <= until && !withdrawn.includes(entry.id))
      expect(foldLedger(entries, until)).toEqual(foldLedger(left))
    }),
    { numRuns },
  )
})

it('realises the same at average cost and first in, first out for what is flat or settled', () => {
  let compared = 0
  fc.assert(
    fc.property(history, ({ entries }) => {
      for (const position of foldLedger(entries).positions) {
        if (position.quantity !== '0' && position.settlement === null) continue
        compared++
        expect(position.realizedPnlFifo).toBe(position.realizedPnl)
        expect(position.costBasisFifo).toBe(position.costBasis)
      }
    }),
    { numRuns },
  )
  expect(compared).toBeGreaterThan(numRuns)
})

it('realises what cash came back beyond the deposits once everything is closed', () => {
  let known = 0
  fc.assert(
    fc.property(history, ({ entries }) => {
      const ledger = foldLedger(closing(entries))
      for (const position of ledger.positions)
        expect(position).toMatchObject({ quantity: '0', costBasis: '0', costBasisFifo: '0', openedAt: null })
      for (const balance of ledger.cash) {
        if (balance.realizedPnl === null || balance.isPartial) continue
        known++
        expect(balance.realizedPnl).toBe(subtractDecimals(balance.cash!, balance.deposits))
      }
    }),
    { numRuns },
  )
  expect(known).toBeGreaterThan(numRuns)
})

const costFields = ['costBasis', 'averageCost', 'costBasisFifo', 'realizedPnl', 'realizedPnlFifo'] as const
const noCosts = Object.fromEntries(costFields.map((field) => [field, null]))

it('returns the same amount or null when prices are missing, and the same amount where none is', () => {
  let unknown = 0
  fc.assert(
    fc.property(history, fc.array(fc.nat(40), { minLength: 1, maxLength: 3 }), ({ entries }, missing) => {
      const masked = entries.map((entry, i) => (missing.includes(i) ? withoutPrice(entry) : entry))
      const priced = masked.flatMap((entry, i) => (entry === entries[i] ? [] : outcomesOf(entry)))
      // What a conversion receives costs what is given for it, all together.
      const affected = new Set([...priced, ...(priced.length === 0 ? [] : masked.flatMap(convertedOf))])
      const full = foldLedger(entries)
      const partial = foldLedger(masked)
      expect(partial.positions.length).toBe(full.positions.length)
      partial.positions.forEach((position, i) => {
        const expected = full.positions[i]!
        if (!affected.has(shareKey(position))) expect(position).toEqual(expected)
        expect({ ...position, ...noCosts }).toEqual({ ...expected, ...noCosts })
        for (const field of costFields)
          if (position[field] !== null) expect(position[field], field).toBe(expected[field])
        if (position.realizedPnl === null && expected.realizedPnl !== null) unknown++
      })
    }),
    { numRuns },
  )
  expect(unknown).toBeGreaterThan(numRuns / 20)
})

function withoutPrice(entry: LedgerEntry): LedgerEntry {
  if (entry.kind === 'fill') return { ...entry, cash: null }
  return entry.kind === 'import' ? { ...entry, cost: null } : entry
}

const convertedOf = (entry: LedgerEntry): string[] =>
  entry.kind === 'conversion'
    ? [...entry.gives, ...entry.receives].map((outcome) => shareKey({ ...entry, ...outcome }))
    : []

const outcomesOf = (entry: LedgerEntry): string[] =>
  entry.kind === 'fill' || entry.kind === 'import' ? [shareKey(entry)] : []
