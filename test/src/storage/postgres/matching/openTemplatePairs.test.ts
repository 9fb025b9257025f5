import { beforeAll, expect, test } from 'vitest'
import {
  countOpenTemplatePairs,
  findOpenTemplatePair,
  insertTemplateDecisions,
  listOpenTemplatePairs,
  openTemplatePairsMax,
} from '#storage/postgres/matching/index'
import { listMarkets, prizes } from '#test/support/matchCatalog'
import { openTemplate, writeOpenTemplates } from '#test/support/openTemplates'
import { withPostgres } from '#test/support/postgres'

const postgres = withPostgres()
beforeAll(() =>
  listMarkets(
    postgres.pool,
    prizes.map((market) => (market.id === '101' ? { ...market, price: 0.5 } : market)),
  ),
)

const keller = openTemplate('Will {person} win?', '{person} wins?', { pairs: 3 })
const lind = openTemplate('Will {person} lose?', '{person} loses?', {
  examples: [{ a: 'kalshi:KXKROLL-27-JL', b: 'polymarket:102' }],
})
const unknown = openTemplate('Will it rain?', 'Will it snow?', { examples: [{ a: 'xo:1', b: 'rain:2' }] })

test('the list is ordered by open interest, number of pairs and difference of prices, and is replaced by each run', async () => {
  const { pool } = postgres
  await writeOpenTemplates(pool, [unknown, lind, keller])
  const listed = await listOpenTemplatePairs(pool, 10)
  // Both markets have a liquidity of 10 and no open interest: 10 contracts, and prices 0.1 and 0 apart.
  expect(listed).toEqual([
    { ...keller, openInterest: 30, edge: 0.1, value: 3 },
    { ...lind, openInterest: 10, edge: 0, value: 0.1 },
    { ...unknown, openInterest: null, edge: null, value: 0.01 },
  ])
  expect(await listOpenTemplatePairs(pool, 1)).toEqual([listed[0]])
  expect(await findOpenTemplatePair(pool, lind.key)).toEqual(listed[1])

  const stamps = async () =>
    (await pool.query('SELECT key, updated_at FROM match_open_template_pairs ORDER BY key')).rows
  const before = await stamps()
  await writeOpenTemplates(pool, [keller, { ...lind, pairs: 5 }])
  expect((await listOpenTemplatePairs(pool, 10)).map(({ key, pairs }) => [key, pairs])).toEqual([
    [keller.key, 3],
    [lind.key, 5],
  ])
  const unchanged = before.find(({ key }) => key === keller.key)
  expect(await stamps()).toContainEqual(unchanged)
  expect(await findOpenTemplatePair(pool, unknown.key)).toBeNull()
})

test('a decision removes its pair at once, and a withdrawal lists it again', async () => {
  const { pool } = postgres
  const { key, a, b, examples } = keller
  const common = { key, a, b, examples, reasons: [], evidence: [], decidedBy: 'ann', recordedBy: 'ann' }
  await insertTemplateDecisions(pool, [{ ...common, action: 'decide', verdict: 'same', relation: 'identity' }])
  expect((await listOpenTemplatePairs(pool, 10)).map((pair) => pair.key)).toEqual([lind.key])
  expect(await countOpenTemplatePairs(pool)).toBe(1)
  expect(await findOpenTemplatePair(pool, key)).toMatchObject({ key })
  await insertTemplateDecisions(pool, [{ ...common, action: 'withdraw', verdict: null, relation: null }])
  expect(await countOpenTemplatePairs(pool)).toBe(2)
})

test('only the most valuable pairs of a run are kept', async () => {
  const { pool } = postgres
  const many = Array.from({ length: openTemplatePairsMax + 20 }, (_, i) =>
    openTemplate(`A ${i}`, `B ${i}`, { pairs: i + 1, examples: [] }),
  )
  await writeOpenTemplates(pool, [...many, many[0]!])
  const listed = await listOpenTemplatePairs(pool, 1_000)
  expect(listed).toHaveLength(openTemplatePairsMax)
  expect(Math.min(...listed.map(({ pairs }) => pairs))).toBe(21)
  await writeOpenTemplates(pool, [])
  expect(await countOpenTemplatePairs(pool)).toBe(0)
})
