import { beforeAll, expect, test } from 'vitest'
import { auditPrompt, auditSample, auditVerdict, matchesAudit, matchesLabels } from '#cli/matchesAudit'
import { findActiveOverride } from '#storage/postgres/matching/index'
import { listLabels } from '#storage/postgres/matching/labels'
import { parsePairs } from '#test/support/labelledPairs'
import { listVerifiedPrizes, prizes } from '#test/support/matchCatalog'
import { withPostgres } from '#test/support/postgres'
import { atTerminal, hasTerminal } from '#test/support/terminal'

const postgres = withPostgres()
beforeAll(() => listVerifiedPrizes(postgres.pool))

test('draws the same sample for a seed; verdicts become labels, a forbidden pair is split, and neither is offered again', async () => {
  const { pool } = postgres
  const first = await auditSample(pool, 20, 'a')
  expect(await auditSample(pool, 20, 'a')).toEqual(first)
  expect(first).toHaveLength(3)
  // One of each template before a second of any.
  expect(new Set((await auditSample(pool, 2, 'a')).map(({ frame }) => frame)).size).toBe(2)
  const prompts: string[] = []
  const answers = ['s', 'quit']
  expect(
    await auditPrompt(pool, { by: 'ann' }, async (text) => {
      prompts.push(text)
      return answers.shift() ?? null
    }),
  ).toEqual(['0 confirmed, 0 forbidden, 1 skipped'])
  expect(prompts[0]).toContain('kalshi:')
  expect(await matchesLabels(pool, {})).toEqual(['no labels'])

  const note = { reason: 'read both', by: 'ann' }
  await auditVerdict(pool, 'polymarket:101', 'kalshi:KXKROLL-27-MK', { ...note, verdict: 'confirm' })
  expect(await matchesAudit(pool, 'kalshi:KXMEAD-27', 'polymarket:103', { ...note, verdict: 'forbid' })).toEqual([
    'forbidden  kalshi:KXMEAD-27  polymarket:103',
  ])
  const pair = { a: { venue: 'kalshi', marketId: 'KXMEAD-27' }, b: { venue: 'polymarket', marketId: '103' } }
  expect(await findActiveOverride(pool, pair)).toMatchObject({ action: 'forbid', reason: 'read both', setBy: 'ann' })
  const left = await matchesAudit(pool, undefined, undefined, { json: true })
  expect(left.map((line) => JSON.parse(line).a.marketId)).toEqual(['KXKROLL-27-JL'])

  const exported = parsePairs((await matchesLabels(pool, { export: true })).join('\n'), 'labels.jsonl')
  expect(exported).toMatchObject([
    { match: true, polarity: 'same', a: { venue: 'kalshi', title: prizes[0]!.title }, b: { marketId: '101' } },
    { match: false, polarity: null, a: { marketId: 'KXMEAD-27' } },
  ])
})

test('rejects invalid arguments', async () => {
  const { pool } = postgres
  const verdict = (options: object) => auditVerdict(pool, 'kalshi:KXKROLL-27-JL', 'polymarket:102', options)
  await expect(verdict({ verdict: 'maybe', reason: 'x' })).rejects.toThrow('confirm or forbid')
  await expect(verdict({ verdict: 'confirm' })).rejects.toThrow('a reason')
  await expect(
    auditVerdict(pool, 'kalshi:KXKROLL-27-JL', 'polymarket:103', { verdict: 'confirm', reason: 'x' }),
  ).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(matchesAudit(pool, undefined, undefined, { json: true, sample: '0' })).rejects.toThrow('1 to 500')
})

test('the database rejects changes and deletions of labels', async () => {
  const { pool } = postgres
  const before = await listLabels(pool)
  expect(before.length).toBeGreaterThan(0)
  for (const statement of [
    `UPDATE match_labels SET verdict = 'confirm'`,
    'DELETE FROM match_labels',
    'TRUNCATE match_labels',
  ])
    await expect(pool.query(statement)).rejects.toThrow('append-only')
  expect(await listLabels(pool)).toEqual(before)
})

test.skipIf(!hasTerminal)(
  'at a terminal handles the end of input, repeats the prompt after an invalid answer, and says when there is nothing to audit',
  async () => {
    const command = [process.execPath, 'src/cli.ts', 'matches', 'audit', '--by', 'ann', '--seed', 'a']
    const env = { DATABASE_URL: postgres.url, LOG_LEVEL: 'warn' }
    const prompt = '[q]uit: '
    const ended = await atTerminal(command, [[prompt, '\x04']], env)
    expect(ended).toMatchObject({ code: 0, left: 0 })
    expect(ended.seen).toContain('1 of 1')
    expect(ended.seen).toMatch(/\[q\]uit: \r\n0 confirmed, 0 forbidden, 0 skipped\r\n$/)

    const session = await atTerminal(
      command,
      [
        [prompt, 'cancel that\r'],
        ['answer c, f, s or q: ', 'C\r'],
      ],
      env,
    )
    expect(session).toMatchObject({ code: 0, left: 0 })
    expect(session.seen).toMatch(/\r\n1 confirmed, 0 forbidden, 0 skipped\r\n$/)
    expect((await listLabels(postgres.pool)).map(({ a, verdict }) => `${a.marketId} ${verdict}`)).toContain(
      'KXKROLL-27-JL confirm',
    )

    const nothing = await atTerminal(command, [], env)
    expect(nothing.seen).toBe('no verified pair waits for a verdict\r\n')
  },
  300_000,
)
