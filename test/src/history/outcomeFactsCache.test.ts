// Limits concurrent queries to a slow tape. Further requests are not answered with "unknown"; they are combined into the next query.
import { expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { cacheOutcomeFacts, factsGatheredMax, statsConcurrencyMax } from '#history/outcomeFactsCache'
import type { OutcomeFacts } from '#history/outcomeStats'
import type { Coverage } from '#schemas/market'

const coverage: Coverage = {
  mechanism: 'rest-adaptive',
  tapeSince: null,
  tradesSince: null,
  tradesUntil: null,
  effectiveIntervalMs: null,
  gaps24h: 0,
  lastGapAt: null,
}

function slowTape() {
  const queries: { outcomeIds: string[]; answer(): void; fail(): void }[] = []
  const facts: OutcomeFacts = {
    findPriceChanges: async () => new Map(),
    findDepthSince: async () => new Map(),
    findCoverage: (_venue, outcomes) =>
      new Promise((resolve, reject) =>
        queries.push({
          outcomeIds: outcomes.map(({ outcomeId }) => outcomeId),
          answer: () => resolve(new Map(outcomes.map(({ outcomeId }) => [outcomeId, coverage]))),
          fail: () => reject(new Error('down')),
        }),
      ),
  }
  const cached = cacheOutcomeFacts(facts, new ManualClock())
  const read = (venue: string, ...ids: string[]) =>
    cached
      .findCoverage(
        venue,
        ids.map((outcomeId) => ({ outcomeId })),
        1,
      )
      .then((found) => [...found.keys()])
  return { queries, read }
}
const settled = () => new Promise(setImmediate)

test('combines requests by venue while the tape is busy, queries each id once, and answers all waiting callers', async () => {
  const { queries, read } = slowTape()
  const first = Array.from({ length: statsConcurrencyMax }, (_, n) => read('kalshi', `k${n}`))
  const waiting = [read('kalshi', 'a', 'b'), read('kalshi', 'b', 'c'), read('gemini', 'a'), read('kalshi', 'k0', 'a')]
  await settled()
  expect(queries.map(({ outcomeIds }) => outcomeIds)).toEqual([['k0'], ['k1'], ['k2'], ['k3']])
  queries[0]!.answer()
  await settled()
  expect(queries[4]!.outcomeIds).toEqual(['a', 'b', 'c'])
  queries[1]!.answer()
  await settled()
  expect(queries[5]!.outcomeIds).toEqual(['a'])
  for (const { answer } of queries) answer()
  expect(await Promise.all(first)).toEqual([['k0'], ['k1'], ['k2'], ['k3']])
  expect((await Promise.all(waiting)).map((ids) => ids.toSorted())).toEqual([
    ['a', 'b'],
    ['b', 'c'],
    ['a'],
    ['a', 'k0'],
  ])
  expect(queries).toHaveLength(6)
})

test('fails only the callers of a failed query, and still sends the next one', async () => {
  const { queries, read } = slowTape()
  for (let n = 0; n < statsConcurrencyMax; n++) read('kalshi', `k${n}`).catch(() => undefined)
  const [lost, other] = [read('kalshi', 'a'), read('gemini', 'a')]
  const failure = expect(lost).rejects.toThrow('down')
  queries[0]!.fail()
  await settled()
  queries[4]!.fail()
  await failure
  await settled()
  queries[5]!.answer()
  expect(await other).toEqual(['a'])
})

test('bounds the waiting requests; outcomes beyond the limit are unknown at once', async () => {
  const { queries, read } = slowTape()
  for (let n = 0; n < statsConcurrencyMax; n++) void read('kalshi', `k${n}`)
  const many = Array.from({ length: factsGatheredMax }, (_, n) => `m${n}`)
  const waiting = read('kalshi', ...many)
  expect(await read('kalshi', 'one more')).toEqual([])
  queries[0]!.answer()
  await settled()
  queries[4]!.answer()
  expect(await waiting).toHaveLength(factsGatheredMax)
})
