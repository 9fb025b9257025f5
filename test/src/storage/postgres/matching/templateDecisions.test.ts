import { expect, test } from 'vitest'
import { templateKey } from '#matching/decide/templates/templatePair'
import {
  findActiveTemplateDecisions,
  findLastTemplateDecisions,
  findTemplateDecisions,
  hasNewOverride,
  insertTemplateDecisions,
  listTemplateDecisions,
  type NewTemplateDecision,
} from '#storage/postgres/matching/index'
import { writeOpenTemplates } from '#test/support/openTemplates'
import { withPostgres } from '#test/support/postgres'

const postgres = withPostgres()

const decision = (a: string, b: string, extra: Partial<NewTemplateDecision> = {}): NewTemplateDecision => ({
  ...{ key: templateKey({ a, b }), a, b, reasons: [], evidence: [], examples: [] },
  action: 'decide',
  verdict: 'same',
  relation: 'identity',
  decidedBy: 'ann',
  recordedBy: 'key 1',
  ...extra,
})
const withdrawal = { action: 'withdraw', verdict: null, relation: null } as const
const [first, second] = [
  ['Will {person} win?', '{person} wins?'],
  ['Will {person} lose?', '{person} loses?'],
] as const

test('the last decision of a template pair applies, and a withdrawal leaves none', async () => {
  const { pool } = postgres
  expect(await findActiveTemplateDecisions(pool)).toEqual({ decisions: [], lastId: '0' })
  const reasons = [{ field: 'act', reason: 'one act' }]
  const decidedAt = new Date('2026-11-01T12:00:00Z')
  const [one, two] = await insertTemplateDecisions(pool, [
    decision(...first, { reasons, evidence: ['a b'], examples: [{ a: 'kalshi:X', b: 'xo:1' }], decidedAt }),
    decision(...second),
  ])
  expect(BigInt(two!.id)).toBeGreaterThan(BigInt(one!.id))
  expect(one).toMatchObject({ decidedAt, examples: [{ a: 'kalshi:X', b: 'xo:1' }], last: true })
  await insertTemplateDecisions(pool, [
    decision(...second, { verdict: 'different', relation: 'disjoint', decidedBy: 'ben' }),
  ])
  const { decisions, lastId } = await findActiveTemplateDecisions(pool)
  expect(BigInt(lastId)).toBeGreaterThan(BigInt(two!.id))
  expect(decisions.toSorted((a, b) => (a.a > b.a ? -1 : 1))).toMatchObject([
    { a: first[0], b: first[1], verdict: 'same', reasons, evidence: ['a b'], decidedAt: decidedAt.toISOString() },
    { a: second[0], verdict: 'different', relation: 'disjoint', decidedBy: 'ben', source: 'operator' },
  ])
  const key = templateKey({ a: second[0], b: second[1] })
  await insertTemplateDecisions(pool, [decision(...second, withdrawal)])
  expect((await findActiveTemplateDecisions(pool)).decisions).toHaveLength(1)
  const history = await findTemplateDecisions(pool, key)
  expect(history.map(({ action, decidedBy, last }) => [action, decidedBy, last])).toEqual([
    ['withdraw', 'ann', true],
    ['decide', 'ben', false],
    ['decide', 'ann', false],
  ])
  expect((await findLastTemplateDecisions(pool, [key])).get(key)).toMatchObject({ action: 'withdraw' })
})

test('lists decisions that apply, newest first, page by page', async () => {
  const { pool } = postgres
  await insertTemplateDecisions(
    pool,
    Array.from({ length: 3 }, (_, i) => decision(`A ${i}`, `B ${i}`)),
  )
  const page = await listTemplateDecisions(pool, null, 2)
  expect(page.map(({ a }) => a)).toEqual(['A 2', 'A 1'])
  const next = await listTemplateDecisions(pool, page.at(-1)!.id, 10)
  expect(next.map(({ a }) => a)).toEqual(['A 0', first[0]])
})

test('a decision and a withdrawal make a run due, until one has read them', async () => {
  const { pool } = postgres
  const { lastId } = await findActiveTemplateDecisions(pool)
  await writeOpenTemplates(pool, [], { templateDecisionId: lastId })
  expect(await hasNewOverride(pool)).toBe(false)
  const [made] = await insertTemplateDecisions(pool, [decision(...first, withdrawal)])
  expect(await hasNewOverride(pool)).toBe(true)
  await writeOpenTemplates(pool, [], { templateDecisionId: made!.id })
  expect(await hasNewOverride(pool)).toBe(false)
})

test('the database rejects changes, deletions, and decisions that contradict themselves', async () => {
  const { pool } = postgres
  const before = await listTemplateDecisions(pool, null, 100)
  expect(before.length).toBeGreaterThan(0)
  for (const statement of [
    `UPDATE match_template_decisions SET relation = 'complement'`,
    'DELETE FROM match_template_decisions',
    'TRUNCATE match_template_decisions',
  ])
    await expect(pool.query(statement)).rejects.toThrow('append-only')
  for (const wrong of [
    { verdict: 'same', relation: 'overlap' },
    { verdict: 'different', relation: 'identity' },
    { verdict: null, relation: null },
    { action: 'withdraw', verdict: 'same', relation: 'identity' },
    { key: 'another' },
    { decidedBy: '' },
  ] as const)
    await expect(insertTemplateDecisions(pool, [decision(...first, wrong)])).rejects.toThrow('check')
  expect(await listTemplateDecisions(pool, null, 100)).toEqual(before)
})
