// The score predicts results: a small version of `npm run eval:traders`.
import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { evaluateSeeded, fullPopulation, recordedWallets, recordings, shortPopulation } from '#test/support/evalTraders'

const { all, smallSamples } = evaluateSeeded(
  { ...fullPopulation, seed: 'small form', wallets: 800, marketsAfter: 300 },
  40,
)

it('earlier scores rank wallets like their later return, better than earlier profit does', () => {
  expect(all.score.correlation.value).toBeGreaterThanOrEqual(0.6)
  expect(all.score.withSkill.value).toBeGreaterThanOrEqual(0.6)
  expect(all.ahead.low).toBeGreaterThan(0)
  expect(all.score.topDecileLift.low).toBeGreaterThan(all.profit.topDecileLift.value)
  expect(Math.abs(all.chance.correlation.value)).toBeLessThan(0.1)
})

it('also holds for wallets with few markets, beyond chance in nine of ten samples', () => {
  expect(smallSamples.wallets).toBeGreaterThan(30)
  expect(smallSamples.ahead.value).toBeGreaterThan(0)
  const short = evaluateSeeded({ ...shortPopulation, seed: 'short form', wallets: 2_000, marketsAfter: 100 }, 20)
  expect(short.smallSamples.wallets).toBeGreaterThan(1_000)
  expect(short.smallSamples.ahead.low).toBeGreaterThan(0)
  expect(Math.abs(short.smallSamples.chance.correlation.value)).toBeLessThan(0.1)
})

it.skipIf(!existsSync(recordings))(
  'says whether there are enough recorded wallets to measure by (shared/fixtures)',
  () => {
    expect(recordedWallets()).toMatch(/^not enough: of 9586 recorded fills 31 are settled/)
  },
)
