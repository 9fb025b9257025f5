import { beforeAll, expect, test } from 'vitest'
import { matchesForbid, matchesList, matchesPin, matchesWithdraw } from '#cli/matches'
import { hasNewOverride, listOverrides } from '#storage/postgres/matching/index'
import { listMarkets, prizes } from '#test/support/matchCatalog'
import { withPostgres } from '#test/support/postgres'

const postgres = withPostgres()
const [one, other] = ['kalshi:KXKROLL-27-MK', 'polymarket:101']
beforeAll(() => listMarkets(postgres.pool, prizes))

test('keeps every override with author, time and reason, and lists which of them apply', async () => {
  const { pool } = postgres
  expect(await matchesList(pool)).toEqual(['no overrides'])
  expect(await hasNewOverride(pool)).toBe(false)
  expect(await matchesPin(pool, one, other, { reason: 'read both rules', by: 'ann' })).toEqual([
    `pinned  ${one}  ${other}`,
    'reason  read both rules',
    'by      ann',
    'The matcher applies it from its next run.',
  ])
  expect(await hasNewOverride(pool)).toBe(true)
  // The order of the two markets does not matter.
  await matchesForbid(pool, other, one, { reason: 'another cutoff', by: 'ben' })
  await matchesPin(pool, 'polymarket:103', 'kalshi:KXMEAD-27', { reason: 'opposite', by: 'ann', polarity: 'inverse' })
  const table = await matchesList(pool)
  expect(table).toHaveLength(4)
  expect(table[0]).toMatch(/^MARKET +MARKET +VERDICT +NOW +GIVEN AT +BY +REASON$/)
  expect(table[1]).toMatch(/^kalshi:KXKROLL-27-MK +polymarket:101 +pin +over +20\S+Z +ann +read both rules$/)
  expect(table[2]).toMatch(/ forbid +holds +20\S+Z +ben +another cutoff$/)
  expect(table[3]).toMatch(/^kalshi:KXMEAD-27 +polymarket:103 +pin inverse +holds /)

  await matchesWithdraw(pool, one, other, { reason: 'let it decide' })
  expect(
    (await matchesList(pool)).filter((line) => line.includes('KROLL')).map((line) => line.split(/ {2,}/)[3]),
  ).toEqual(['over', 'over', '-'])
  await expect(matchesWithdraw(pool, one, other, { reason: 'again' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('the database rejects changes and deletions of overrides', async () => {
  const { pool } = postgres
  const before = await listOverrides(pool)
  expect(before.length).toBeGreaterThan(0)
  for (const statement of [
    `UPDATE match_overrides SET reason = 'nothing'`,
    'DELETE FROM match_overrides',
    'TRUNCATE match_overrides',
  ])
    await expect(pool.query(statement)).rejects.toThrow('append-only')
  expect(await listOverrides(pool)).toEqual(before)
})

test('rejects invalid arguments without storing anything', async () => {
  const { pool } = postgres
  const before = await listOverrides(pool)
  const pin = (a: string, b: string, word: Parameters<typeof matchesPin>[3]) => matchesPin(pool, a, b, word)
  const reason = 'because'
  await expect(pin(one, 'polymarket', { reason })).rejects.toThrow('<venue>:<marketId>')
  await expect(pin(one, ':101', { reason })).rejects.toThrow('<venue>:<marketId>')
  await expect(pin(one, 'smarkets:1', { reason })).rejects.toThrow('no venue "smarkets"')
  await expect(pin(one, 'kalshi:KXKROLL-27-JL', { reason })).rejects.toThrow('two venues')
  await expect(pin(one, 'polymarket:999', { reason })).rejects.toMatchObject({ code: 'MARKET_NOT_FOUND' })
  await expect(pin(one, other, {})).rejects.toThrow('reason')
  await expect(pin(one, other, { reason: '  ' })).rejects.toThrow('reason')
  await expect(pin(one, other, { reason: 'x'.repeat(1_001) })).rejects.toThrow('1000')
  await expect(pin(one, other, { reason, polarity: 'odd' })).rejects.toThrow('same or inverse')
  await expect(matchesWithdraw(pool, one, 'polymarket:103', { reason })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await listOverrides(pool)).toEqual(before)
})
