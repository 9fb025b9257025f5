// Which responses are a round with a price, and when a round has a current price.
import { expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import type { RoundData } from '#marketData/feeds/chainlink/calls'
import { sequencerOf, stalenessReason } from '#marketData/feeds/chainlink/freshness'
import { describes, roundOf } from '#marketData/feeds/chainlink/rounds'
import { OracleRound } from '#schemas/feeds'

const id = 92_233_720_368_547_771_158n
const at = 1_790_000_000n
const clock = new ManualClock(Number(at) * 1_000)
const answered: RoundData = [id, 9_612_345_678_901n, at - 3n, at, id]

it('is parsed exactly: id, answer, times, decimals', () => {
  const round = roundOf('BTC/USD', answered, 8)
  expect(round).toEqual({
    feed: 'BTC/USD',
    roundId: '92233720368547771158',
    answer: 96_123.456_789_01,
    startedAt: 1_789_999_997,
    updatedAt: 1_790_000_000,
    answeredInRound: '92233720368547771158',
    decimals: 8,
    asOf: '2026-09-21T14:13:20.000Z',
    provenance: { source: 'chainlink-onchain' },
  })
  expect(OracleRound.strict().parse(round)).toEqual(round)
  expect(roundOf('BTC/USD', answered, 0)?.answer).toBe(9_612_345_678_901)
  expect(roundOf('BTC/USD', [id, 10n ** 39n, at, at, id], 36)?.answer).toBe(1_000)
})

it.each<[string, RoundData, number]>([
  ['is unanswered', [id, 1n, 0n, 0n, id], 8],
  ['carries an earlier answer', [id, 1n, at, at, id - 1n], 8],
  ['has a zero answer', [id, 0n, at, at, id], 8],
  ['has a negative answer', [id, -1n, at, at, id], 8],
  ['has an answer that is too large', [id, 10n ** 40n, at, at, id], 8],
  ['has a date that is too large', [id, 1n, at, 1n << 200n, id], 8],
  ['has a start that is too large', [id, 1n, 1n << 200n, at, id], 8],
  ['has number zero in its phase', [7n << 64n, 1n, at, at, 7n << 64n], 8],
  ['has phase zero', [0n, 1n, at, at, 0n], 8],
  ['has invalid decimals', [id, 1n, at, at, id], 255],
])('is rejected if it %s', (_, data, decimals) => {
  expect(roundOf('BTC/USD', data, decimals)).toBeNull()
})

it('is rejected if another round was requested', () => {
  expect(roundOf('BTC/USD', answered, 8, id - 1n)).toBeNull()
  expect(roundOf('BTC/USD', answered, 8, id)).not.toBeNull()
})

it('a proxy is identified by its description', () => {
  expect(describes('BTC / USD', 'BTC/USD')).toBe(true)
  for (const other of ['ETH / USD', 'WBTC / USD', 'BTC / USD / SVR', ''])
    expect(describes(other, 'BTC/USD')).toBe(false)
})

it.each<[string, number, Parameters<typeof stalenessReason>[1]['sequencer'], string | null]>([
  ['fresh', 0, null, null],
  ['of the maximum age', 90_000, null, null],
  ['older', 90_001, null, 'stale'],
  ['ahead within the clock tolerance', -600, null, null],
  ['further ahead', -601, null, 'dated ahead'],
  ['fresh, the sequencer long up', 0, Number(at) - 3_600, null],
  ['fresh, the sequencer just back', 0, Number(at) - 3_599, 'sequencer just back'],
  ['fresh, the sequencer down', 0, 'down', 'sequencer down'],
])('%s', (_, ageSeconds, sequencer, why) => {
  const round = roundOf('BTC/USD', [id, 1n, at, at - BigInt(ageSeconds), id], 8)
  expect(stalenessReason(round, { clock, staleSeconds: 90_000, sequencer })).toBe(why)
  expect(stalenessReason(null, { clock, staleSeconds: 90_000, sequencer })).toBe('unanswered')
})

it('a sequencer is up if its feed has the answer 0 and a start time; otherwise it is down', () => {
  expect(sequencerOf([1n, 0n, at, at, 1n])).toBe(Number(at))
  for (const data of [[1n, 1n, at, at, 1n], [1n, 0n, 0n, 0n, 1n], null] as (RoundData | null)[])
    expect(sequencerOf(data)).toBe('down')
})

it('setting the clock makes no price older or newer', () => {
  const round = roundOf('BTC/USD', [id, 1n, at, at, id], 8)
  for (const byMs of [3_600_000, -3_600_000, 100 * 3_600_000]) {
    const stepped = new ManualClock(Number(at) * 1_000)
    stepped.step(byMs)
    const options = { clock: stepped, staleSeconds: 90_000, sequencer: Number(at) - 7_200 - 3_600 }
    expect(stalenessReason(round, options), String(byMs)).toBeNull()
  }
})
