import { beforeAll, expect, test } from 'vitest'
import { matchesJudgements } from '#cli/matchesJudgements'
import { findJudgeDecisions, insertJudgement, type NewJudgement } from '#storage/postgres/matching/index'
import { withPostgres } from '#test/support/postgres'

const postgres = withPostgres()
const ids: string[] = []

const judgement = (n: number, verdict: NewJudgement['verdict']): NewJudgement => ({
  key: n.toString(16).padStart(32, '0'),
  a: `Will {person} win ${n}?`,
  b: `{person} wins ${n}?`,
  promptVersion: '1-abc',
  model: 'model-1',
  verdict,
  reason: `because of ${n}`,
  reasons: [],
  evidence: [],
  answers: ['{"who": "same"}'],
  markets: { 'kalshi:A': { title: 'Will Maria Keller win?' } },
})

beforeAll(async () => {
  for (const [n, verdict] of (['same', 'different', 'undecided'] as const).entries())
    ids.push((await insertJudgement(postgres.pool, judgement(n, verdict))).id)
})

test('lists judgements, newest first, and those of one verdict', async () => {
  const lines = await matchesJudgements(postgres.pool, undefined, {})
  expect(lines).toHaveLength(4)
  expect(lines[0]).toMatch(/^ID +VERDICT +REVIEW +MODEL/)
  expect(lines[1]).toMatch(/undecided +- +model-1 .*Will \{person\} win 2\? +\{person\} wins 2\? +because of 2$/)
  const same = await matchesJudgements(postgres.pool, undefined, { verdict: 'same' })
  expect(same).toHaveLength(2)
  expect(same[1]).toContain('because of 0')
})

test('samples decided judgements that were not reviewed, with every answer', async () => {
  const lines = await matchesJudgements(postgres.pool, undefined, { sample: '5', seed: 'monday', json: true })
  expect(lines.map((line) => JSON.parse(line).verdict).sort()).toEqual(['different', 'same'])
  expect(JSON.parse(lines[0]!).answers).toEqual(['{"who": "same"}'])
})

test('revokes a judgement, and takes the revocation back', async () => {
  const { pool } = postgres
  const decided = async () => (await findJudgeDecisions(pool)).map(({ a }) => a)
  expect(await decided()).toContain('Will {person} win 0?')
  expect(await matchesJudgements(pool, ids[0], { revoke: true, reason: 'another source', by: 'ann' })).toEqual([
    `revoked  ${ids[0]}`,
    'by  ann',
    'The matcher applies it from its next run.',
  ])
  expect(await decided()).not.toContain('Will {person} win 0?')
  expect((await matchesJudgements(pool, undefined, { verdict: 'same' }))[1]).toContain('revoke by ann')
  await matchesJudgements(pool, ids[0], { confirm: true, reason: 'read both again', by: 'ann' })
  expect(await decided()).toContain('Will {person} win 0?')
})

test.each([
  ['an unknown judgement', '999999', { revoke: true, reason: 'x' }, 'NOT_FOUND'],
  ['an id that is no number', 'one', { revoke: true, reason: 'x' }, 'VALIDATION_ERROR'],
  ['no action', '1', { reason: 'x' }, 'VALIDATION_ERROR'],
  ['both actions', '1', { revoke: true, confirm: true, reason: 'x' }, 'VALIDATION_ERROR'],
  ['no reason', '1', { revoke: true }, 'VALIDATION_ERROR'],
  ['an action without a judgement', undefined, { revoke: true }, 'VALIDATION_ERROR'],
  ['an unknown verdict', undefined, { verdict: 'maybe' }, 'VALIDATION_ERROR'],
  ['too many', undefined, { limit: '501' }, 'VALIDATION_ERROR'],
] as const)('refuses %s', async (_, id, options, code) => {
  await expect(matchesJudgements(postgres.pool, id, options)).rejects.toMatchObject({ code })
})
