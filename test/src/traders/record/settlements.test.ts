import { expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { sampleMarket, sampleOutcome } from '#test/src/marketData/catalog/samples'
import { cacheMarkets, walletName } from '#traders/record/index'
import { payoutsOf } from '#traders/record/settlements'

const market = (status: 'active' | 'resolved', prices: readonly (number | null)[]) =>
  sampleMarket('m', {
    status,
    outcomes: prices.map((price, n) => sampleOutcome('m', `${n}`, { outcomeId: `o${n}`, price })),
  })
const paid = (...payouts: number[]) =>
  payouts.map((payoutMicros, n) => ({ venue: 'v', marketId: 'm', outcomeId: `o${n}`, payoutMicros }))

it('a resolved market has paid one outcome, or all of them the same', () => {
  expect(payoutsOf('v', market('resolved', [0, 1]))).toEqual(paid(0, 1_000_000))
  expect(payoutsOf('v', market('resolved', [1, 0, 0]))).toEqual(paid(1_000_000, 0, 0))
  expect(payoutsOf('v', market('resolved', [0.5, 0.5]))).toEqual(paid(500_000, 500_000))
  expect(payoutsOf('v', market('resolved', [0.333, 0.333, 0.333]))).toEqual(paid(333_333, 333_333, 333_333))
})

it.each([
  ['still trades', market('active', [0, 1])],
  ['shows last prices', market('resolved', [0.97, 0.03])],
  ['gives no price for an outcome', market('resolved', [1, null])],
  ['paid no outcome', market('resolved', [0, 0])],
  ['paid twice', market('resolved', [1, 1])],
  ['has no outcomes', market('resolved', [])],
])('returns no payouts for a market that %s', (_what, row) => {
  expect(payoutsOf('v', row)).toBeNull()
})

it('looks up the market of a trade once, and again when the cached value expires', async () => {
  const clock = new ManualClock()
  let lookups = 0
  const find = cacheMarkets(async (_venue, outcomeId) => {
    lookups++
    return outcomeId === 'unknown' ? null : { marketId: 'm', outcomeId, closesAt: null }
  }, clock)
  for (let n = 0; n < 3; n++) {
    expect(await find('v', 'o')).toMatchObject({ marketId: 'm' })
    expect(await find('v', 'unknown')).toBeNull()
  }
  expect(lookups).toBe(2)
  clock.advance(15_000)
  await find('v', 'o')
  await find('v', 'unknown')
  expect(lookups).toBe(3)
  clock.advance(600_000)
  await find('v', 'o')
  expect(lookups).toBe(4)
})

it('lower-cases addresses and keeps other names', () => {
  expect(walletName('0xAbCdefAbCdefAbCdefAbCdefAbCdefAbCdefAbCd')).toBe('0xabcdefabcdefabcdefabcdefabcdefabcdefabcd')
  expect(walletName('7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU')).toBe(
    '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU',
  )
})
