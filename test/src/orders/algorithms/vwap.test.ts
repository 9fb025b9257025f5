import { expect, it } from 'vitest'
import type { TradeSums } from '#history/tape'
import { createVwapReader } from '#orders/algorithms/index'

const instrument = { venue: 'kalshi', marketId: 'm1', outcomeId: 'o1' }
const range = { startMs: 1_000, endMs: 2_000 }
const read = (sums: TradeSums) => createVwapReader({ sumTrades: async () => sums })(instrument, range)

it('divides what was paid by the volume, in decimals', async () => {
  expect(await read({ trades: 2, volume: '4', cash: '1.9' })).toBe('0.475')
  expect(await read({ trades: 1, volume: '2', cash: '0.8' })).toBe('0.4')
  expect(await read({ trades: 3, volume: '3', cash: '1' })).toBe('0.333333333')
})

it('is unknown without a tape, without trades, and where a price is missing', async () => {
  expect(await createVwapReader(null)(instrument, range)).toBeNull()
  expect(await read({ trades: 0, volume: '0', cash: '0' })).toBeNull()
  expect(await read({ trades: 2, volume: '2', cash: null })).toBeNull()
})

it('is not computed from more trades than it reads', async () => {
  expect(await read({ trades: 1_000_001, volume: '2', cash: '1' })).toBeNull()
})
