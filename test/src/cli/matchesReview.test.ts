import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { matchesReview, reviewPrompt } from '#cli/matchesReview'
import { createPostgresMatchReview } from '#matching/decide/review/index'
import { findActiveTemplateDecisions } from '#storage/postgres/matching/index'
import { listMarkets, prizes } from '#test/support/matchCatalog'
import { openTemplate, writeOpenTemplates } from '#test/support/openTemplates'
import { withPostgres } from '#test/support/postgres'

const postgres = withPostgres()
const keller = openTemplate('Will {person} win?', '{person} wins?', { pairs: 3 })
const lind = openTemplate('Will {person} lose?', '{person} loses?')
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crossbook-review-'))
  await listMarkets(postgres.pool, prizes)
})
afterAll(() => rm(folder, { recursive: true, force: true }))
beforeEach(() => writeOpenTemplates(postgres.pool, [lind, keller]))

const relations = async () =>
  (await findActiveTemplateDecisions(postgres.pool)).decisions
    .map(({ a, relation, decidedBy }) => `${a} ${relation} ${decidedBy}`)
    .sort()

test('asks about one pair after the other, and undoes the last decision', async () => {
  const prompts: string[] = []
  const answers = ['maybe', 'Y', 'u', 'r', 'sideways', 'r', 'subset', 'n', null]
  const output = await reviewPrompt(createPostgresMatchReview(postgres.pool), { by: 'ann' }, async (text) => {
    prompts.push(text)
    return answers.shift() ?? null
  })
  expect(prompts[0]).toContain(`1 of 2, ${keller.key}, 3 pairs`)
  expect(prompts[0]).toContain('polymarket:101  kalshi:KXKROLL-27-MK')
  expect(prompts[0]).toMatch(/title +=? ?Will Maria Keller win the 2027 Kroll Prize\?/)
  expect(prompts[1]).toBe('answer y, n, r, s, u or q: ')
  expect(prompts[2]).toContain('2 of 2')
  expect(prompts[3]).toContain('1 of 2')
  expect(prompts[4]).toContain('identity, complement')
  expect(output).toEqual(['2 decided, 0 skipped', 'The matcher applies it from its next run.'])
  expect(await relations()).toEqual([`${lind.a} overlap ann`, `${keller.a} subset ann`])
  expect(await matchesReview(postgres.pool, undefined, { json: true })).toEqual([
    'no template pair waits for a decision',
  ])
})

test('shows, decides and withdraws one pair by its key', async () => {
  const { pool } = postgres
  const shown = await matchesReview(pool, keller.key, {})
  expect(shown[0]).toContain(keller.key)
  expect(shown.join('\n')).toContain('decided: subset by ann')
  expect(await matchesReview(pool, keller.key, { relation: 'identity', by: 'ben', reason: 'read both' })).toEqual([
    `decided  ${keller.key}  identity`,
    'by       ben',
    'The matcher applies it from its next run.',
  ])
  expect(await relations()).toContain(`${keller.a} identity ben`)
  expect((await matchesReview(pool, keller.key, { undo: true, by: 'ben' }))[0]).toBe(`withdrawn  ${keller.key}`)
  expect(await matchesReview(pool, undefined, { json: true })).toHaveLength(2)
  await expect(matchesReview(pool, keller.key, { undo: true })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('exports decisions as JSON lines, and imports such a file', async () => {
  const { pool } = postgres
  const lines = await matchesReview(pool, undefined, { export: true })
  expect(lines).toHaveLength(1)
  const decision = JSON.parse(lines[0]!) as object
  expect(decision).toMatchObject({ a: lind.a, relation: 'overlap', source: 'operator' })
  const file = join(folder, 'decisions.jsonl')
  const other = { ...decision, a: 'A {person}', b: 'B {person}', decidedBy: 'cem' }
  await writeFile(file, `${[decision, other].map((each) => JSON.stringify(each)).join('\n')}\n`)
  expect(await matchesReview(pool, undefined, { import: file, by: 'ann' })).toEqual([
    '1 imported, 1 unchanged, 0 skipped because another decision applies here',
  ])
  expect(await relations()).toContain('A {person} overlap cem')
  await writeFile(file, '{"a":1}\n')
  await expect(matchesReview(pool, undefined, { import: file })).rejects.toThrow(`${file}:1 is no decision`)
})

test('rejects invalid arguments', async () => {
  const { pool } = postgres
  await expect(matchesReview(pool, 'x', {})).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(matchesReview(pool, lind.key, { relation: 'equal' })).rejects.toThrow('identity, complement')
  await expect(matchesReview(pool, undefined, { relation: 'identity' })).rejects.toThrow('name the template pair')
  await expect(matchesReview(pool, undefined, { json: true, limit: '0' })).rejects.toThrow('1 to 500')
})
