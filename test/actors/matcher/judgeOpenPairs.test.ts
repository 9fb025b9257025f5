import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createJudgingRounds, judgeOpenPairs, type OpenPair } from '#actors/matcher/judgeOpenPairs'
import { spawnMatcher } from '#actors/matcher/matcherActor'
import { start, stop } from '#actors/system'
import { ManualClock, systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { inputOf, type Question, readQuestion } from '#matching/candidateIndex'
import type { Judge } from '#matching/decide/judge/index'
import { templatePairOf } from '#matching/decide/templates/templatePair'
import {
  findMatchWords,
  insertJudgementReview,
  listJudgements,
  listOpenTemplatePairs,
} from '#storage/postgres/matching/index'
import type { Pool } from '#storage/postgres/pool'
import {
  allSame,
  answers,
  type JudgeEndpoint,
  openTestJudge,
  sensible,
  startEndpoint,
  type TestJudgeOptions,
} from '#test/src/matching/decide/judge/endpoint'
import { listMarkets } from '#test/support/matchCatalog'
import { openTemplate, writeOpenTemplates } from '#test/support/openTemplates'
import { withPostgres } from '#test/support/postgres'
import { startMatchEngine } from '#workers/matchEngine'

const postgres = withPostgres()
let endpoint: JudgeEndpoint
const closes: (() => Promise<void> | void)[] = []
beforeAll(async () => {
  endpoint = await startEndpoint()
})
beforeEach(() => {
  endpoint.requests.length = 0
  endpoint.answer = answers(sensible)
})
afterEach(async () => {
  for (const close of closes.splice(0).reverse()) await close()
})
afterAll(() => endpoint.close())

function openJudge(options: TestJudgeOptions = {}): Judge {
  const { judge, close } = openTestJudge(postgres.pool, endpoint.url, options)
  closes.push(close)
  return judge
}

const office = (name: string) => `head curator of the ${name} Museum`
const titlesOf = (name: string): [string, string] => [
  `Will Maria Keller be named ${office(name)} in 2027?`,
  `Maria Keller to become ${office(name).replace('head curator', 'chief curator')} in 2027?`,
]

const readMarket = async (pool: Pool, venue: string, id: string): Promise<Question> => {
  const [found] = await findMatchWords(pool, venue, [id])
  return readQuestion(inputOf(venue, id, found!.words)!, { asOf: systemClock.now() })
}

/** Lists one market on each venue, and returns their template pair. */
async function listPair(id: string, [one, other]: [string, string]): Promise<OpenPair> {
  const { pool } = postgres
  await listMarkets(pool, [
    { venue: 'kalshi', id, title: one },
    { venue: 'polymarket', id, title: other },
  ])
  const pair = templatePairOf(await readMarket(pool, 'kalshi', id), await readMarket(pool, 'polymarket', id))
  const keys = [`kalshi:${id}`, `polymarket:${id}`] as const
  const [a, b] = pair!.turned ? [keys[1], keys[0]] : keys
  return { key: pair!.key, examples: [{ a, b }] }
}

/** Five template pairs. */
async function listPairs(): Promise<OpenPair[]> {
  const wordings: [string, string][] = [
    ['Will Maria Keller win the vote in 2027?', 'Maria Keller victorious in the vote of 2027?'],
    ['Will Maria Keller be named rector in 2027?', 'Maria Keller to become the rector in 2027?'],
    ['Will Maria Keller leave office in 2027?', 'Maria Keller out of office in 2027?'],
    ['Will Maria Keller publish memoirs in 2027?', 'Memoirs of Maria Keller published in 2027?'],
    ['Will Maria Keller visit the pole in 2027?', 'Maria Keller at the pole in 2027?'],
  ]
  const pairs: OpenPair[] = []
  for (const [i, wording] of wordings.entries()) pairs.push(await listPair(`${500 + i}`, wording))
  return pairs
}

const requested = () => [...new Set(endpoint.requests.map(({ pair }) => pair.first.title))]

describe('open template pairs', () => {
  const begin = (open: readonly OpenPair[], judge: Judge, signal = new AbortController().signal) =>
    judgeOpenPairs(open, { pool: postgres.pool, judge, clock: systemClock, signal })

  test('are decided in the given order until the budget is used up, and not a second time', async () => {
    const open = await listPairs()
    await postgres.pool.query('TRUNCATE match_judge_requests')
    const judge = openJudge({ dailyBudget: 6 })
    expect(await begin(open, judge)).toMatchObject({ same: 2, undecided: 0, failed: [], overBudget: true })
    const stored = await listJudgements(postgres.pool, { limit: 9 })
    expect(stored.map(({ key }) => key)).toEqual([open[1]!.key, open[0]!.key])
    expect(endpoint.requests).toHaveLength(6)
    endpoint.requests.length = 0
    expect(await begin(open.slice(0, 2), openJudge())).toMatchObject({ same: 0, overBudget: false })
    expect(endpoint.requests).toEqual([])
    endpoint.answer = answers(allSame)
    expect(await begin(open, openJudge())).toMatchObject({ same: 0, undecided: 3 })
  })

  test('end after two failures in a row', async () => {
    const open = await listPairs()
    endpoint.answer = (_, response) => void response.writeHead(400).end()
    const counts = await begin(open, openJudge({ model: 'away' }))
    expect(counts).toMatchObject({ same: 0, undecided: 0, failed: [open[0]!.key, open[1]!.key] })
    expect(endpoint.requests).toHaveLength(2)
  })

  test('end when they are stopped', async () => {
    const open = await listPairs()
    const abort = new AbortController()
    endpoint.answer = () => abort.abort()
    await begin(open, openJudge({ model: 'stopped' }), abort.signal)
    expect(endpoint.requests).toHaveLength(1)
  })

  test('are shown with the texts of markets that still reduce to them', async () => {
    const [open] = await listPairs()
    const another = { a: 'kalshi:501', b: 'polymarket:501' }
    const gone = { a: 'kalshi:none', b: 'polymarket:none' }
    const shown = { key: open!.key, examples: [gone, another, ...open!.examples] }
    expect(await begin([shown], openJudge({ model: 'texts' }))).toMatchObject({ same: 1, unsuitable: 0 })
    expect(requested()).not.toContain('Will Maria Keller be named rector in 2027?')
    const stale = { key: open!.key, examples: [gone, another] }
    expect(await begin([stale], openJudge({ model: 'other texts' }))).toMatchObject({ same: 0, unsuitable: 1 })
  })
})

describe('rounds', () => {
  async function openRounds(model: string) {
    const { pool } = postgres
    const clock = new ManualClock(systemClock.now())
    const finished: string[] = []
    const rounds = createJudgingRounds({
      pool,
      judge: openJudge({ model }),
      clock,
      log: silentLog,
      decided: () => void finished.push(model),
    })
    closes.push(() => rounds.stop())
    const open = await listPairs()
    await writeOpenTemplates(
      pool,
      open.slice(0, 1).map(({ key, examples }) => openTemplate('a', 'b', { key, examples: [...examples] })),
    )
    return { rounds, clock, finished }
  }

  test('decide on the stored list once, however often they are started', async () => {
    const { rounds, finished } = await openRounds('rounds')
    rounds.start()
    rounds.start()
    await vi.waitFor(() => expect(finished).toEqual(['rounds']))
    expect(endpoint.requests).toHaveLength(3)
  })

  test('wait after a failure, so that an endpoint that is away does not use up the budget', async () => {
    const { rounds, clock, finished } = await openRounds('resting')
    endpoint.answer = (_, response) => void response.writeHead(400).end()
    rounds.start()
    await vi.waitFor(() => expect(endpoint.requests).toHaveLength(1))
    endpoint.answer = answers(sensible)
    // Until the failed round has ended, another start has no effect either.
    clock.advance(9 * 60_000)
    rounds.start()
    expect(endpoint.requests).toHaveLength(1)
    await vi.waitFor(() => {
      clock.advance(10 * 60_000)
      rounds.start()
      expect(finished).toEqual(['resting'])
    })
    expect(endpoint.requests).toHaveLength(4)
  })

  test('end at once when they are stopped while the endpoint is silent', async () => {
    const { rounds, finished } = await openRounds('silent')
    endpoint.answer = () => undefined
    rounds.start()
    await vi.waitFor(() => expect(endpoint.requests).toHaveLength(1))
    await rounds.stop()
    rounds.start()
    expect(endpoint.requests).toHaveLength(1)
    expect(finished).toEqual([])
  })
})

describe('a matcher with a judge', () => {
  const own = withPostgres()

  test('makes a pair verified by its decision, and not any more once that is revoked', async () => {
    const { pool } = own
    const [one, other] = titlesOf('Kroll')
    await listMarkets(pool, [
      { venue: 'kalshi', id: 'KXCUR-27', title: one },
      { venue: 'polymarket', id: '901', title: other },
    ])
    const { judge, close } = openTestJudge(pool, endpoint.url)
    const system = start()
    const clock = new ManualClock(systemClock.now())
    const matcher = spawnMatcher(system, {
      pool,
      engine: startMatchEngine(),
      venues: ['polymarket', 'kalshi'],
      marketsMax: 1_000,
      pace: { intervalMs: 3_600_000 },
      feeOf: () => ({ kind: 'none' }),
      clock,
      log: silentLog,
      judge,
    })
    closes.push(
      close,
      () => stop(system),
      () => matcher.stop(),
    )
    const verified = async () => {
      const { rows } = await pool.query<{ differences: { detail: string }[] }>(
        `SELECT differences FROM match_pairs WHERE band = 'verified'`,
      )
      return rows.map(({ differences }) => differences[0]?.detail)
    }
    await vi.waitFor(
      async () => {
        clock.advance(1_000)
        expect(await verified()).toEqual([expect.stringContaining('LLM judge m-1')])
      },
      { timeout: 20_000 },
    )
    expect(await listOpenTemplatePairs(pool, 9)).toEqual([])
    const [judgement] = await listJudgements(pool, { limit: 1 })
    const review = { action: 'revoke', reason: 'two offices', reviewedBy: 'ann' } as const
    await insertJudgementReview(pool, judgement!.id, review)
    await vi.waitFor(
      async () => {
        clock.advance(2_000)
        expect(await verified()).toEqual([])
      },
      { timeout: 20_000 },
    )
    // A person has decided on it: the judge is not used again.
    expect(endpoint.requests).toHaveLength(3)
  })
})
