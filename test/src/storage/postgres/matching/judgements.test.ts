import { describe, expect, it } from 'vitest'
import { TemplateDecisionSchema } from '#schemas/matchDecisions'
import {
  countJudgeRequest,
  findJudgeDecisions,
  findJudgement,
  findJudgementKeys,
  findLastReviewId,
  insertJudgement,
  insertJudgementReview,
  listJudgements,
  type NewJudgement,
  sampleJudgements,
} from '#storage/postgres/matching/index'
import { withPostgres } from '#test/support/postgres'

const version = { promptVersion: '1-abc', model: 'm' }
const keyOf = (n: number): string => n.toString(16).padStart(32, '0')

const judgement = (n: number, change: Partial<NewJudgement> = {}): NewJudgement => ({
  key: keyOf(n),
  a: `text ${n}`,
  b: `text ${n} b`,
  ...version,
  verdict: 'same',
  reason: 'every item is the same',
  reasons: [{ field: 'who', reason: 'same: both name it' }],
  evidence: ['who: “x” / “x”'],
  answers: ['{}'],
  markets: { 'kalshi:A': { title: 'x' } },
  ...change,
})

describe('judgements', () => {
  const postgres = withPostgres()

  it('are stored once for each template pair, prompt and model: the first one stays', async () => {
    const { pool } = postgres
    const first = await insertJudgement(pool, judgement(1))
    expect(first).toMatchObject({ ...judgement(1), review: null })
    expect(await insertJudgement(pool, judgement(1, { verdict: 'different' }))).toEqual(first)
    expect(await findJudgement(pool, judgement(1))).toEqual(first)
    expect(await findJudgement(pool, judgement(1, { model: 'other' }))).toBeNull()
    expect(await findJudgement(pool, judgement(1, { a: 'another text' }))).toBeNull()
    await expect(insertJudgement(pool, judgement(1, { a: 'another text' }))).rejects.toThrow('another template pair')
    expect(await findJudgementKeys(pool, [keyOf(1), keyOf(2)], version)).toEqual(new Set([keyOf(1)]))
    expect(await findJudgementKeys(pool, [keyOf(1)], { ...version, promptVersion: '2-abc' })).toEqual(new Set())
  })

  it('become decisions: the newest of each template pair, unless it is undecided', async () => {
    const { pool } = postgres
    await insertJudgement(pool, judgement(2, { verdict: 'different' }))
    await insertJudgement(pool, judgement(3))
    await insertJudgement(pool, judgement(3, { model: 'newer', verdict: 'undecided', reasons: [], evidence: [] }))
    await insertJudgement(pool, judgement(4, { verdict: 'different' }))
    await insertJudgement(pool, judgement(4, { model: 'newer' }))
    const decisions = await findJudgeDecisions(pool)
    expect(decisions.map(({ a, verdict, relation, decidedBy }) => [a, verdict, relation, decidedBy])).toEqual([
      ['text 1', 'same', 'identity', 'LLM judge m, prompt 1-abc'],
      ['text 2', 'different', 'overlap', 'LLM judge m, prompt 1-abc'],
      ['text 4', 'same', 'identity', 'LLM judge newer, prompt 1-abc'],
    ])
    for (const decision of decisions) TemplateDecisionSchema.parse(decision)
  })

  it('have no effect while their last review revokes them', async () => {
    const { pool } = postgres
    const before = await findLastReviewId(pool)
    const stored = (await findJudgement(pool, judgement(1)))!
    const revoke = { action: 'revoke', reason: 'two offices', reviewedBy: 'ann' } as const
    expect(await insertJudgementReview(pool, stored.id, revoke)).toMatchObject({ id: stored.id, review: revoke })
    expect(await findLastReviewId(pool)).not.toBe(before)
    expect((await findJudgeDecisions(pool)).map(({ a }) => a)).not.toContain('text 1')
    // Also for another model.
    const other = judgement(1, { model: 'other' })
    expect(await findJudgement(pool, other)).toMatchObject({ id: stored.id, review: revoke })
    expect(await findJudgementKeys(pool, [keyOf(1)], { ...version, model: 'other' })).toEqual(new Set([keyOf(1)]))

    await insertJudgementReview(pool, stored.id, { action: 'confirm', reason: 'one office', reviewedBy: 'ben' })
    expect((await findJudgeDecisions(pool)).map(({ a }) => a)).toContain('text 1')
    expect(await findJudgement(pool, other)).toBeNull()
    expect(await insertJudgementReview(pool, '999999', revoke)).toBeNull()
  })

  it('are listed newest first, and sampled for an audit until they are reviewed', async () => {
    const { pool } = postgres
    const all = await listJudgements(pool, { limit: 100 })
    expect(all.map(({ key, model }) => [key, model])).toEqual([
      [keyOf(4), 'newer'],
      [keyOf(4), 'm'],
      [keyOf(3), 'newer'],
      [keyOf(3), 'm'],
      [keyOf(2), 'm'],
      [keyOf(1), 'm'],
    ])
    expect(await listJudgements(pool, { before: all[1]!.id, limit: 2 })).toEqual(all.slice(2, 4))
    expect((await listJudgements(pool, { limit: 9, verdict: 'undecided' })).map(({ key }) => key)).toEqual([keyOf(3)])

    const sample = await sampleJudgements(pool, 'seed', 1)
    expect(sample.map(({ verdict }) => verdict)).toEqual(['same', 'different'])
    expect(await sampleJudgements(pool, 'seed', 1)).toEqual(sample)
    for (const { id } of sample)
      await insertJudgementReview(pool, id, { action: 'confirm', reason: 'checked', reviewedBy: 'ann' })
    const rest = await sampleJudgements(pool, 'seed', 10)
    expect(rest).toHaveLength(2)
    expect(rest.map(({ id }) => id)).not.toContain(sample[0]!.id)
  })

  it('cannot be changed or deleted', async () => {
    const { pool } = postgres
    for (const table of ['match_judgements', 'match_judgement_reviews']) {
      await expect(pool.query(`DELETE FROM ${table}`)).rejects.toThrow('append-only')
      await expect(pool.query(`UPDATE ${table} SET reason = 'x'`)).rejects.toThrow('append-only')
    }
  })
})

describe('requests', () => {
  const postgres = withPostgres()

  it('are counted up to the maximum of a day, also when many are sent at once', async () => {
    const { pool } = postgres
    expect(await countJudgeRequest(pool, 0)).toBe(false)
    const counted = await Promise.all(Array.from({ length: 20 }, () => countJudgeRequest(pool, 5)))
    expect(counted.filter(Boolean)).toHaveLength(5)
    expect(await countJudgeRequest(pool, 6)).toBe(true)
    await pool.query('UPDATE match_judge_requests SET day = day - 1')
    expect(await countJudgeRequest(pool, 1)).toBe(true)
    expect(await countJudgeRequest(pool, 1)).toBe(false)
  })
})
