// A venue whose feed carries books but no trades: they are read over REST for the tape, and coverage says so.
import { expect, it } from 'vitest'
import type { CoverageEvent, TapeTradeRow } from '#schemas/topics'
import { recordsTrades } from '#schemas/topics'
import { streamedVenue } from './streamedVenue.ts'

it('tapes trades read over REST in addition to a streamed book', async () => {
  const venue = await streamedVenue({
    trades: () => [{ id: 't1', timestamp: 5, price: 0.4, amount: 3, side: 'buy', outcomeId: 'a' }],
  })
  const taped: TapeTradeRow[] = []
  const coverage: CoverageEvent[] = []
  await venue.bus.consume('tape', 'test', async ({ values }) => {
    for (const batch of values) taped.push(...batch.trades)
  })
  await venue.bus.consume('coverage', 'test', async ({ values }) => void coverage.push(...values))
  venue.ingest.actor.send({ kind: 'pin', bookIds: ['a'] })
  await venue.eventually(() => expect(venue.open()).toHaveLength(1))
  await venue.eventually(() => expect(venue.open()[0]!.sent).toContain('subscribe a'))
  venue.open()[0]!.deliver({ kind: 'book', bookId: 'a', bidSize: 1, ts: null })
  await venue.eventually(() => expect(venue.newest('a')).toBe('live'))
  for (let n = 0; n < 3; n++) {
    venue.clock.advance(10_000)
    venue.open()[0]?.deliver({ kind: 'book', bookId: 'a', bidSize: 2 + n, ts: null })
  }
  await venue.eventually(() => expect(taped.map(({ tradeId }) => tradeId)).toEqual(['t1']))
  await venue.eventually(() => expect(coverage.some(({ reason }) => reason === recordsTrades)).toBe(true))
  expect(new Set(coverage.filter(({ outcomeId }) => outcomeId === 'a').map(({ mechanism }) => mechanism))).toEqual(
    new Set(['ws-lossless']),
  )
  await venue.stop()
})
