import { beforeEach, expect, test } from 'vitest'
import { PriceReview } from '#actors/matcher/priceReview'
import { ManualClock, systemClock } from '#core/clock'
import { createPostgresCatalog } from '#marketData/catalog/postgresCatalog'
import type { FeeModel } from '#schemas/fees'
import { latestRunId, listPriceGaps, writeRun } from '#storage/postgres/matching/index'
import { insertRun } from '#storage/postgres/runLog'
import { eventOf, marketOf } from '#test/src/server/http/rows'
import { verifiedPrizes } from '#test/support/matchCatalog'
import { withPostgres } from '#test/support/postgres'

const postgres = withPostgres()
const minute = 60_000
const start = Date.UTC(2026, 10, 30)
let clock: ManualClock
let review: PriceReview
let fees: Record<string, FeeModel>

const feeOf = (venue: string): FeeModel => fees[venue]!

/** Lists the two markets of a pair with these bids of Yes; asks are two cents above. */
async function quote(bids: { kalshi: number; polymarket: number }): Promise<void> {
  const catalog = createPostgresCatalog(postgres.pool, { clock: systemClock })
  const ids = { kalshi: 'KXKROLL-27-MK', polymarket: '101' }
  for (const venue of ['kalshi', 'polymarket'] as const) {
    const market = marketOf(venue, ids[venue], [`${venue}-yes`, `${venue}-no`])
    Object.assign(market.outcomes[0]!, { bestBid: bids[venue], bestAsk: bids[venue] + 0.02 })
    await catalog.upsertEvents(venue, [eventOf(venue, [market])], [], systemClock.now())
  }
}

async function walk(...venues: string[]): Promise<void> {
  await postgres.pool.query(
    `INSERT INTO run_log (job, started_at, finished_at, ok, counts)
     SELECT 'ingest', $1, $1, true, jsonb_build_object('venue', venue) FROM unnest($2::text[]) AS venue`,
    [new Date(clock.now()), venues],
  )
}

/** Observations every five minutes, each after a walk of both venues. */
async function observe(minutes: number, venues = ['kalshi', 'polymarket']): Promise<string[]> {
  let demotions = await review.demotions()
  for (let at = 0; at < minutes; at += 5) {
    clock.advance(5 * minute)
    await walk(...venues)
    demotions = await review.demotions()
  }
  return [...demotions.keys()]
}

async function match(): Promise<void> {
  const { pool } = postgres
  const run = await insertRun(pool, 'matcher.run', start)
  const written = { run, basedOn: await latestRunId(pool), overrideId: '0' }
  await writeRun(pool, written, verifiedPrizes(), () => ({ finishedAt: start, counts: {} }))
}

beforeEach(async () => {
  const { pool } = postgres
  await pool.query('TRUNCATE match_price_gaps')
  await pool.query(`DELETE FROM run_log WHERE job = 'ingest'`)
  clock = new ManualClock(start)
  review = new PriceReview(pool, clock, feeOf)
  fees = {
    kalshi: { kind: 'kalshi_quadratic', rate: 0.07, multiplier: 1, rounding: 'centicent' },
    polymarket: { kind: 'polymarket_curve', rate: 0.04, exponent: 1 },
  }
  await match()
})

const keller = 'kalshi:KXKROLL-27-MK polymarket:101'

test('a pair is lowered once its prices have differed for an hour, and stays so when they agree again', async () => {
  await quote({ kalshi: 0.4, polymarket: 0.6 })
  await walk('kalshi', 'polymarket')
  expect(await observe(55)).toEqual([])
  expect(await observe(5)).toEqual([keller])
  await quote({ kalshi: 0.4, polymarket: 0.4 })
  expect(await observe(10)).toEqual([keller])
  // Another process, or the same one after a restart.
  expect([...(await new PriceReview(postgres.pool, clock, feeOf).demotions()).keys()]).toEqual([keller])
})

test('a difference that ends in between, or is within the spreads and fees, lowers nothing', async () => {
  await walk('kalshi', 'polymarket')
  await quote({ kalshi: 0.4, polymarket: 0.44 })
  expect(await observe(70)).toEqual([])
  expect(await listPriceGaps(postgres.pool)).toEqual([])
  await quote({ kalshi: 0.4, polymarket: 0.6 })
  await observe(40)
  await quote({ kalshi: 0.4, polymarket: 0.4 })
  await observe(5)
  await quote({ kalshi: 0.4, polymarket: 0.6 })
  expect(await observe(40)).toEqual([])
})

const free: FeeModel = { kind: 'none' }
const rate = (of: number): FeeModel => ({ kind: 'polymarket_curve', rate: of, exponent: 1 })
const unknown: FeeModel = { kind: 'unknown', reason: 'not published' }

// Yes on Kalshi at 0.42 and No on Polymarket at 0.54: 0.04 less than they pay together.
test.each([
  ['no fees', free, free, 0.04],
  ['a fee of one market', free, rate(0.1), 0.04 - 0.1 * 0.54 * 0.46],
  ['the fees of both, at the price of each', rate(0.05), rate(0.08), 0.04 - 0.05 * 0.42 * 0.58 - 0.08 * 0.54 * 0.46],
  ['fees of as much as the difference', rate(0.08), rate(0.1), null],
  [
    'the highest that the venue publishes, where the fee is unknown',
    free,
    { ...unknown, atMost: { kind: 'notional', rate: 0.05 } },
    0.04 - 0.05 * 0.54,
  ],
  [
    'a published maximum of as much as the difference',
    free,
    { ...unknown, atMost: { kind: 'notional', rate: 0.08 } },
    null,
  ],
  ['7 % of the cheaper side, where nothing is published', free, unknown, 0.04 - 0.07 * 0.46],
  ['7 % of the cheaper side of both', unknown, unknown, null],
] as const)('the excess of a difference counts %s', async (_, kalshi, polymarket, excess) => {
  fees = { kalshi, polymarket }
  await quote({ kalshi: 0.4, polymarket: 0.46 })
  await walk('kalshi', 'polymarket')
  expect(await observe(60)).toEqual(excess === null ? [] : [keller])
  const [gap] = await listPriceGaps(postgres.pool)
  if (excess === null) expect(gap).toBeUndefined()
  else expect(gap?.excess).toBeCloseTo(excess, 5)
})

test('quotes of a venue whose list is not read any more are not compared', async () => {
  await quote({ kalshi: 0.4, polymarket: 0.6 })
  await walk('kalshi', 'polymarket')
  await observe(5)
  expect(await observe(120, ['kalshi'])).toEqual([])
})

test('differences of pairs that the matcher no longer stores are deleted', async () => {
  await quote({ kalshi: 0.4, polymarket: 0.6 })
  await walk('kalshi', 'polymarket')
  expect(await observe(60)).toEqual([keller])
  const { pool } = postgres
  await pool.query(`DELETE FROM match_pairs WHERE a_market_id = 'KXKROLL-27-MK'`)
  expect(await observe(5)).toEqual([])
})
