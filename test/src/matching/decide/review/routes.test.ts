import { beforeAll, beforeEach, expect, test } from 'vitest'
import { createPostgresMatchReview } from '#matching/decide/review/index'
import type { TemplateDecision } from '#schemas/matchDecisions'
import { createWorld, keys, type World } from '#test/src/server/http/world'
import { listMarkets, prizes, verifiedPrizes } from '#test/support/matchCatalog'
import { openTemplate, writeOpenTemplates } from '#test/support/openTemplates'
import { withPostgres } from '#test/support/postgres'

const postgres = withPostgres()
const keller = openTemplate('Will {person} win?', '{person} wins?', { pairs: 3 })
const lind = openTemplate('Will {person} lose?', '{person} loses?', {
  examples: [
    { a: 'kalshi:KXKROLL-27-JL', b: 'polymarket:102' },
    { a: 'kalshi:GONE', b: 'polymarket:102' },
  ],
})
const reviewer = { key: keys.builder }
let world: World

beforeAll(() => listMarkets(postgres.pool, prizes))
beforeEach(async () => {
  world = createWorld({ matchReview: createPostgresMatchReview(postgres.pool) })
  await writeOpenTemplates(postgres.pool, [lind, keller], { others: verifiedPrizes() })
})

const pathOf = (key: string, verb = '') => `/v1/matching/templates/${key}${verb}`
const decide = (key: string, body: object) => world.post(pathOf(key, '/decide'), body, reviewer)
const withdraw = (key: string, body: object = {}) => world.post(pathOf(key, '/withdraw'), body, reviewer)
const openKeys = async (query = '') =>
  (await world.get(`/v1/matching/templates${query}`)).json.data.map(({ key }: { key: string }) => key)

test('lists open template pairs, the most valuable first', async () => {
  const { json } = await world.get('/v1/matching/templates')
  expect(json.data).toMatchObject([
    { key: keller.key, a: keller.a, b: keller.b, slots: keller.slots, pairs: 3, edge: 0 },
    { key: lind.key, pairs: 1 },
  ])
  expect(json.meta).toEqual({ open: 2 })
  expect(await openKeys('?limit=1')).toEqual([keller.key])
})

test('shows a template pair with both markets of each example, their fields aligned, and the matcher’s result', async () => {
  const { json } = await world.get(pathOf(keller.key))
  expect(json.data).toMatchObject({ key: keller.key, pairs: 3, decisions: [] })
  const [example] = json.data.examples
  expect(example).toMatchObject({
    a: { venue: 'polymarket', marketId: '101', outcomes: [{ outcomeId: '1101', label: 'Yes', price: 0.4 }, {}] },
    b: { venue: 'kalshi', marketId: 'KXKROLL-27-MK' },
    band: 'verified',
    differences: [],
  })
  expect(example.fields).toContainEqual({
    field: 'title',
    a: 'Will Maria Keller win the 2027 Kroll Prize?',
    b: 'Will Maria Keller win the 2027 Kroll Prize?',
    equal: true,
  })
  expect(example.fields.at(-1)).toMatchObject({ field: 'rules', equal: true })
  // Markets that left the catalog are left out.
  expect((await world.get(pathOf(lind.key))).json.data.examples).toHaveLength(1)
})

test('records a decision with its name, applies it at once, and lists the pair again when it is withdrawn', async () => {
  const decided = await decide(keller.key, { relation: 'identity', reason: 'one prize', by: 'ann' })
  expect(decided.json.data).toMatchObject({
    ...{ action: 'decide', verdict: 'same', relation: 'identity', decidedBy: 'ann', applies: true },
    reasons: [{ field: 'review', reason: 'one prize' }],
  })
  expect(await openKeys()).toEqual([lind.key])
  // Sent again, also several times at once, it changes nothing; that somebody else agrees is recorded.
  const again = await Promise.all(
    Array.from({ length: 4 }, () => decide(keller.key, { relation: 'identity', by: 'ann' })),
  )
  expect(new Set(again.map(({ json }) => json.data.id))).toEqual(new Set([decided.json.data.id]))
  const agreed = await decide(keller.key, { relation: 'identity', by: 'cleo' })
  expect(agreed.json.data).toMatchObject({ relation: 'identity', decidedBy: 'cleo', applies: true })
  const changed = await decide(keller.key, { relation: 'subset' })
  expect(changed.json.data).toMatchObject({ verdict: 'different', relation: 'subset', decidedBy: 'key k2' })
  expect((await withdraw(keller.key, { by: 'ben' })).json.data).toMatchObject({
    ...{ action: 'withdraw', verdict: null, relation: null, decidedBy: 'ben', applies: false },
  })
  expect(await openKeys()).toEqual([keller.key, lind.key])
  const { data } = (await world.get(pathOf(keller.key))).json
  expect(data.decisions.map((each: { action: string; applies: boolean }) => [each.action, each.applies])).toEqual([
    ['withdraw', false],
    ['decide', false],
    ['decide', false],
    ['decide', false],
  ])
  await decide(keller.key, { relation: 'identity' })
  const withdrawn = await Promise.all(Array.from({ length: 4 }, () => withdraw(keller.key, {})))
  expect(withdrawn.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404])
})

test('a decided pair keeps its examples after a run no longer lists it', async () => {
  await decide(keller.key, { relation: 'complement' })
  await writeOpenTemplates(postgres.pool, [])
  const { data } = (await world.get(pathOf(keller.key))).json
  expect(data).toMatchObject({ pairs: null, edge: null, examples: [{ a: { marketId: '101' } }] })
  expect((await withdraw(keller.key)).status).toBe(200)
})

test('refuses unknown pairs, withdrawals of nothing, and keys without the scope', async () => {
  for (const key of ['x', '0'.repeat(32), `${keller.key}0`]) {
    for (const reply of [await world.get(pathOf(key)), await decide(key, { relation: 'overlap' }), await withdraw(key)])
      expect([reply.status, reply.json.error.code], key).toEqual([404, 'NOT_FOUND'])
  }
  expect((await withdraw(lind.key)).json.error.code).toBe('NOT_FOUND')
  expect((await decide(lind.key, { relation: 'equal' })).json.error.code).toBe('VALIDATION_ERROR')
  const readOnly = await world.post(pathOf(lind.key, '/decide'), { relation: 'identity' })
  expect([readOnly.status, readOnly.json.error.code]).toEqual([403, 'SCOPE_MISSING'])
})

test('exports decisions that apply page by page, and imports them: what applies here stays unless it is replaced', async () => {
  await decide(lind.key, { relation: 'disjoint', by: 'ann' })
  await decide(keller.key, { relation: 'identity', by: 'ann' })
  const list = '/v1/matching/decisions'
  const first = (await world.get(`${list}?limit=1`)).json
  const second = (await world.get(`${list}?limit=1&before=${first.meta.nextBefore}`)).json
  const exported: TemplateDecision[] = [...first.data, ...second.data]
  expect(exported).toMatchObject([
    { a: keller.a, b: keller.b, relation: 'identity', decidedBy: 'ann', source: 'operator' },
    {
      a: lind.a,
      relation: 'disjoint',
      evidence: ['kalshi:KXKROLL-27-JL polymarket:102', 'kalshi:GONE polymarket:102'],
    },
  ])
  expect(second.meta).toEqual({ nextBefore: null })

  const send = (body: object) => world.post(list, body, reviewer)
  const other: TemplateDecision = {
    ...exported[0]!,
    ...{
      a: 'A {person}',
      b: 'B {person}',
      decidedAt: '2026-01-02T03:04:05.000Z',
      decidedBy: 'cem',
      source: 'shipped' as const,
    },
  }
  const contrary: TemplateDecision = { ...exported[1]!, relation: 'overlap', decidedBy: 'cem' }
  const decisions = [exported[0], contrary, other]
  expect((await send({ decisions })).json.data).toEqual({ imported: 1, unchanged: 1, skipped: 1 })
  expect((await send({ decisions })).json.data).toEqual({ imported: 0, unchanged: 2, skipped: 1 })
  expect((await send({ decisions, replace: true })).json.data).toEqual({ imported: 1, unchanged: 2, skipped: 0 })
  const after: TemplateDecision[] = (await world.get(list)).json.data
  expect(after.map(({ relation, decidedBy }) => `${relation} ${decidedBy}`)).toEqual([
    'overlap cem',
    'identity cem',
    'identity ann',
  ])
  expect(after[1]).toMatchObject({ decidedAt: other.decidedAt, source: 'operator' })
  const unsorted = { ...other, a: other.b, b: other.a }
  expect((await send({ decisions: [unsorted] })).json.error.code).toBe('VALIDATION_ERROR')
})
