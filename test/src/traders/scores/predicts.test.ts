// The score means something: a small form of `npm run eval:traders`.
import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { evaluateSeeded, fullPopulation, recordedWallets, recordings, shortPopulation } from '#test/support/evalTraders'

const { all, smallSamples } = evaluateSeeded(
  { ...fullPopulation, seed: 'small form', wallets: 800, marketsAfter: 300 },
  40,
)

it('scores from before order wallets as their return after does, better than their profit before', () => {
  expect(all.score.correlation.value).toBeGreaterThanOrEqual(0.6)
  expect(all.score.withSkill.value).toBeGreaterThanOrEqual(0.6)
  expect(all.ahead.low).toBeGreaterThan(0)
  expect(all.score.topDecileLift.low).toBeGreaterThan(all.profit.topDecileLift.value)
  expect(Math.abs(all.chance.correlation.value)).toBeLessThan(0.1)
})

it('of wallets with few markets, too, further than chance goes in nine samples of ten', () => {
  expect(smallSamples.wallets).toBeGreaterThan(30)
  expect(smallSamples.ahead.value).toBeGreaterThan(0)
  const short = evaluateSeeded({ ...shortPopulation, seed: 'short form', wallets: 2_000, marketsAfter: 100 }, 20)
  expect(short.smallSamples.wallets).toBeGreaterThan(1_000)
  expect(short.smallSamples.ahead.low).toBeGreaterThan(0)
  expect(Math.abs(short.smallSamples.chance.correlation.value)).toBeLessThan(0.1)
})

it.skipIf(!existsSync(recordings))('says whether recorded wallets are enough to measure by (shared/fixtures)', () => {
  expect(recordedWallets()).toMatch(/^not enough: of 9586 recorded fills 31 are settled/)
})
