import { beforeAll, beforeEach, expect, test } from 'vitest'
import { createPostgresMatchReview } from '#matching/decide/review/index'
import { findActiveOverride, hasNewOverride, listOverrides } from '#storage/postgres/matching/index'
import { createWorld, keys, type World } from '#test/src/server/http/world'
import { listMarkets, prizes, writeDemoted } from '#test/support/matchCatalog'
import { withPostgres } from '#test/support/postgres'

const postgres = withPostgres()
const path = '/v1/matching/priceDifferences'
const start = Date.UTC(2026, 10, 30)
const keller = { kalshi: 'KXKROLL-27-MK', polymarket: '101' }
const lind = { kalshi: 'KXKROLL-27-JL', polymarket: '102' }
const mead = { kalshi: 'KXMEAD-27', polymarket: '103' }
let world: World

const bodyOf = ({ kalshi, polymarket }: typeof keller, more: object) => ({
  a: { venue: 'kalshi', marketId: kalshi },
  b: { venue: 'polymarket', marketId: polymarket },
  ...more,
})
const review = (pair: typeof keller, more: object, key = keys.builder) =>
  world.post(`${path}/review`, bodyOf(pair, more), { key })
const listed = async (query = '') =>
  (await world.get(`${path}${query}`)).json.data.map(({ a }: { a: { marketId: string } }) => a.marketId)

beforeAll(async () => {
  world = createWorld({ matchReview: createPostgresMatchReview(postgres.pool) })
  const quotes: Record<string, { bid: number; ask: number }> = {
    [keller.kalshi]: { bid: 0.4, ask: 0.42 },
    [keller.polymarket]: { bid: 0.6, ask: 0.62 },
  }
  await listMarkets(
    postgres.pool,
    prizes.map((row) => ({ ...row, ...(quotes[row.id] !== undefined && { quote: quotes[row.id]! }) })),
  )
})
beforeEach(() =>
  writeDemoted(postgres.pool, [
    { ...keller, at: start, excess: 0.15 },
    { ...lind, at: start + 60_000 },
    { ...mead, at: start + 60_000 },
  ]),
)

test('lists demoted pairs, the last one first, with both markets, their quotes and fields, and since when', async () => {
  const { json } = await world.get(path)
  expect(json.data.map(({ a }: { a: { marketId: string } }) => a.marketId)).toEqual([
    lind.kalshi,
    mead.kalshi,
    keller.kalshi,
  ])
  expect(json).not.toHaveProperty('nextCursor')
  const [first, , last] = json.data
  expect(last).toMatchObject({
    a: { venue: 'kalshi', marketId: keller.kalshi, title: 'Will Maria Keller win the 2027 Kroll Prize?' },
    b: { venue: 'polymarket', marketId: keller.polymarket, outcomes: [{ label: 'Yes', price: 0.4 }, {}] },
    ...{ band: 'minor', polarity: 'same', excess: 0.15 },
    quotes: { a: { bid: 0.4, ask: 0.42 }, b: { bid: 0.6, ask: 0.62 } },
    since: '2026-11-29T23:00:00.000Z',
    demotedAt: '2026-11-30T00:00:00.000Z',
    observedAt: '2026-11-30T00:00:00.000Z',
  })
  expect(last.differences).toEqual([expect.stringContaining('since 2026-11-29T23:00:00.000Z')])
  expect(last.fields.at(-1)).toMatchObject({ field: 'rules', equal: true })
  expect(first.quotes).toEqual({ a: { bid: null, ask: null }, b: { bid: null, ask: null } })
})

test('pages of any size have every pair once', async () => {
  const found: string[] = []
  for (let cursor = ''; ; ) {
    const { json } = await world.get(`${path}?limit=1${cursor}`)
    expect(json.data).toHaveLength(1)
    found.push(json.data[0].a.marketId)
    if (json.nextCursor === undefined) break
    cursor = `&cursor=${json.nextCursor}`
  }
  expect(found).toEqual([lind.kalshi, mead.kalshi, keller.kalshi])
  expect((await world.get(`${path}?cursor=x`)).json.error.code).toBe('VALIDATION_ERROR')
})

test('a pin and a forbid are overrides of the pair, with who decided; both can be withdrawn', async () => {
  const { pool } = postgres
  const pinned = await review(keller, { action: 'pin', reason: 'a thin book', by: 'ann' })
  expect(pinned.json.data).toMatchObject(bodyOf(keller, { action: 'pin', polarity: 'same', setBy: 'ann (key k2)' }))
  expect(await findActiveOverride(pool, bodyOf(keller, {}) as never)).toMatchObject({
    ...{ id: pinned.json.data.id, action: 'pin', polarity: 'same', reason: 'a thin book' },
  })
  expect(await hasNewOverride(pool)).toBe(true)
  expect(await listed()).toEqual([lind.kalshi, mead.kalshi])
  // Sent again, also with the markets in the other order, it changes nothing.
  const body = bodyOf(keller, { action: 'pin', by: 'ann' })
  const again = await world.post(`${path}/review`, { ...body, a: body.b, b: body.a }, { key: keys.builder })
  expect(again.json.data.id).toBe(pinned.json.data.id)

  const forbidden = await review(keller, { action: 'forbid' })
  expect(forbidden.json.data).toMatchObject({ action: 'forbid', polarity: null, setBy: 'key k2' })
  expect((await listOverrides(pool)).map(({ action }) => action)).toEqual(['pin', 'forbid'])

  expect((await review(keller, { action: 'withdraw' })).json.data).toMatchObject({ action: 'withdraw', polarity: null })
  expect(await listed()).toEqual([lind.kalshi, mead.kalshi, keller.kalshi])
  expect((await review(keller, { action: 'withdraw' })).json.error.code).toBe('NOT_FOUND')
})

test('a pair that was not demoted cannot be reviewed here, and no key without the scope reviews', async () => {
  const others = [
    { kalshi: keller.kalshi, polymarket: lind.polymarket },
    { kalshi: 'NONE', polymarket: 'NONE' },
  ]
  for (const pair of others) {
    const reply = await review(pair, { action: 'pin' })
    expect([reply.status, reply.json.error.code]).toEqual([404, 'NOT_FOUND'])
  }
  const same = bodyOf(keller, { action: 'pin' })
  expect((await world.post(`${path}/review`, { ...same, b: same.a }, { key: keys.builder })).status).toBe(404)
  expect((await review(keller, { action: 'keep' })).json.error.code).toBe('VALIDATION_ERROR')
  const nowhere = await world.post(
    `${path}/review`,
    { ...same, b: { venue: 'nowhere', marketId: '1' } },
    { key: keys.builder },
  )
  expect([nowhere.status, nowhere.json.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  expect(nowhere.json.error.message).toContain('b.venue: must be one of')
  const readOnly = await world.post(`${path}/review`, bodyOf(lind, { action: 'pin' }))
  expect([readOnly.status, readOnly.json.error.code]).toEqual([403, 'SCOPE_MISSING'])
})
