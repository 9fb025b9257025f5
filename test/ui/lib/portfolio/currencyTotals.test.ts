import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { AccountPortfolio, MarkedPosition } from '#portfolio/ports'
import { summaryOf } from '#portfolio/statements/totals'
import type { CurrencyTotals } from '#schemas/portfolio'
import { currencyTotals } from '../../../../ui/lib/portfolio/currencyTotals.ts'
import { portfolioOf, position } from '../../../src/portfolio/stream/support.ts'

const amount = fc.option(fc.integer({ min: -10_000, max: 10_000 }).map((cents) => String(cents / 100)))
const marked = fc.record({ mid: amount, bid: amount, last: amount })
const place = fc.record({
  venue: fc.constantFrom('kalshi', 'polymarket', 'limitless'),
  currency: fc.constantFrom('USD', 'USDC', null),
})

const positions: fc.Arbitrary<MarkedPosition> = fc
  .tuple(place, marked, marked, amount, amount, fc.constantFrom('0', '5'))
  .map(([where, value, unrealizedPnl, fees, realizedPnl, quantity]) =>
    position('A', quantity, {
      ...{ ...where, fees, realizedPnl, realizedPnlFifo: realizedPnl, unrealizedPnl },
      value: { ...value, settlement: null },
    }),
  )
const balances = fc
  .tuple(place, amount)
  .map(([where, cash]) => ({ ...where, cash, deposits: '1.5', fees: '0', realizedPnl: null, isPartial: false }))

const portfolios: fc.Arbitrary<AccountPortfolio> = fc
  .tuple(fc.array(positions), fc.uniqueArray(balances, { selector: ({ venue, currency }) => `${venue} ${currency}` }))
  .map(([held, cash]) => portfolioOf(held, { ledger: { positions: held, cash } }))

const sorted = (totals: readonly CurrencyTotals[]): CurrencyTotals[] =>
  totals
    .map((row) => ({ ...row, unknown: row.unknown.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)) }))
    .toSorted((a, b) => ((a.currency ?? '') < (b.currency ?? '') ? -1 : 1))
const nameOf = ({ field, reason }: CurrencyTotals['unknown'][number]): string => `${field} ${reason}`

it('adds up the venues of a currency to what the server has for it, unknown amounts included', () => {
  fc.assert(
    fc.property(portfolios, (portfolio) => {
      const { byVenue, byCurrency } = summaryOf(portfolio)
      const venuesOf = (currency: string | null): number => byVenue.filter((row) => row.currency === currency).length
      const shared = byCurrency.filter(({ currency }) => currency !== null && venuesOf(currency) > 1)
      expect(sorted(currencyTotals(byVenue))).toEqual(sorted(shared))
    }),
  )
})

it('leaves out a currency of one venue, and amounts without one', () => {
  const held = [
    position('A', '5', { venue: 'kalshi', currency: 'USD' }),
    position('B', '5', { venue: 'kalshi', currency: null }),
    position('C', '5', { venue: 'polymarket', currency: null }),
  ]
  expect(currencyTotals(summaryOf(portfolioOf(held)).byVenue)).toEqual([])
})
