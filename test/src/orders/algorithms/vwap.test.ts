import { expect, it } from 'vitest'
import { createVwapReader } from '#orders/algorithms/index'
import type { Trade } from '#schemas/marketData'

const instrument = { venue: 'kalshi', marketId: 'm1', outcomeId: 'o1' }
const range = { startMs: 1_000, endMs: 2_000 }
const trade = (price: number | null, amount: number): Trade => ({
  id: 't',
  timestamp: 1_500,
  side: 'buy',
  outcomeId: 'o1',
  price,
  amount,
})
const readerOf = (trades: readonly Trade[]) =>
  createVwapReader({ findTrades: async () => [...trades] })(instrument, range)

it('weighs prices by size', async () => {
  expect(await readerOf([trade(0.4, 1), trade(0.5, 3)])).toBe('0.475')
  expect(await readerOf([trade(0.4, 2)])).toBe('0.4')
})

it('is unknown without a tape, without trades, and where a price is missing', async () => {
  expect(await createVwapReader(null)(instrument, range)).toBeNull()
  expect(await readerOf([])).toBeNull()
  expect(await readerOf([trade(0.4, 1), trade(null, 1)])).toBeNull()
})

it('is not computed from more trades than it reads', async () => {
  expect(await readerOf(Array.from({ length: 20_001 }, () => trade(0.4, 1)))).toBeNull()
})
