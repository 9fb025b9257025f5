import { beforeAll, expect, test } from 'vitest'
import { pricesPrompt } from '#cli/matchesPrices'
import { matchesReview } from '#cli/matchesReview'
import { jsonOf } from '#core/commandOutput'
import { createPostgresMatchReview } from '#matching/decide/review/index'
import { findActiveOverrides } from '#storage/postgres/matching/index'
import { listMarkets, prizes, writeDemoted } from '#test/support/matchCatalog'
import { withPostgres } from '#test/support/postgres'

const postgres = withPostgres()
const start = Date.UTC(2026, 10, 30)
const prices = (options: object = {}) =>
  matchesReview(postgres.pool, undefined, { prices: true, json: true, by: 'ann', ...options })

beforeAll(async () => {
  await listMarkets(
    postgres.pool,
    prizes.map((row) => ({
      ...row,
      quote: row.venue === 'kalshi' ? { bid: 0.4, ask: 0.42 } : { bid: 0.6, ask: 0.62 },
    })),
  )
})

test('lists demoted pairs, asks about one after the other, and pins or forbids them', async () => {
  const { pool } = postgres
  expect(await prices()).toEqual(['no pair waits for a review of its prices'])
  await writeDemoted(pool, [
    { kalshi: 'KXKROLL-27-MK', polymarket: '101', at: start + 2, excess: 0.15 },
    { kalshi: 'KXKROLL-27-JL', polymarket: '102', at: start + 1 },
    { kalshi: 'KXMEAD-27', polymarket: '103', at: start },
  ])
  const listed = await prices()
  expect(listed).toHaveLength(4)
  expect(listed[1]).toMatch(
    /^kalshi:KXKROLL-27-MK +polymarket:101 +0.4 \/ 0.42 +0.6 \/ 0.62 +0.150 +2026-11-29T23:00:00.002Z +Will Maria Keller/,
  )
  expect(jsonOf(listed).map((line) => JSON.parse(line).a.marketId)).toEqual([
    ...['KXKROLL-27-MK', 'KXKROLL-27-JL', 'KXMEAD-27'],
  ])
  expect((await prices({ limit: '1' })).slice(2)).toEqual(['more: give a higher --limit'])

  const prompts: string[] = []
  const answers = ['c', 's', 'cancel', 'f']
  const output = await pricesPrompt(
    createPostgresMatchReview(pool),
    { by: 'ann', reason: 'read both' },
    async (text) => {
      prompts.push(text)
      return answers.shift() ?? null
    },
  )
  expect(prompts[0]).toContain('1 of 3, prices have differed since 2026-11-29T23:00:00.002Z, last by 0.150 more')
  expect(prompts[0]).toContain('polymarket:101  Yes 0.6 / 0.62  Will Maria Keller win the 2027 Kroll Prize?')
  expect(prompts[0]).toMatch(/rules +=? ?It resolves by the list of the prize\./)
  expect(prompts[2]).toMatch(/^3 of 3/)
  expect(prompts[3]).toBe('answer c, f, s or q: ')
  expect(output).toEqual(['1 confirmed, 1 forbidden, 1 skipped', 'The matcher applies it from its next run.'])
  const { words } = await findActiveOverrides(pool)
  expect(words.map(({ a, action, reason, setBy }) => [a.marketId, action, reason, setBy])).toEqual([
    ['KXKROLL-27-MK', 'pin', 'read both', 'ann'],
    ['KXMEAD-27', 'forbid', 'read both', 'ann'],
  ])
  expect(await prices()).toHaveLength(2)
})

test('a pair that the matcher dropped while it was shown is not counted', async () => {
  const { pool } = postgres
  const output = await pricesPrompt(createPostgresMatchReview(pool), { by: 'ann' }, async () => {
    await pool.query('DELETE FROM match_price_gaps')
    return 'c'
  })
  expect(output).toEqual(['0 confirmed, 0 forbidden, 0 skipped', '1 no longer waited for a review'])
})

test('rejects options that are about template pairs', async () => {
  await expect(matchesReview(postgres.pool, 'x', { prices: true })).rejects.toThrow('matches pin and forbid')
  await expect(prices({ undo: true })).rejects.toThrow('matches pin and forbid')
  await expect(prices({ limit: '501' })).rejects.toThrow('1 to 500')
})
