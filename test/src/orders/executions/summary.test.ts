// The readable summary next to the artifact that is signed, and the checks that the two agree.
import { expect, it, vi } from 'vitest'
import { canonicalJson, sha256 } from '#core/canonicalJson'
import { memoized, summarize } from '#orders/executions/summary'
import type { JsonObject } from '#schemas/executions'
import { testLane } from '#test/support/execution/lane'
import { executionSuite, idOf, refused } from '#test/support/execution/suite'
import type { DescribedOrder, OrderTerms } from '#venues/lane'

const { pg, worldOf } = executionSuite()

const expectedSummary = {
  venue: 'novig',
  intent: 'order',
  side: 'buy',
  outcome: { instrument: 'the only market', side: null, marketId: null, outcomeId: null, market: null, label: null },
  price: null,
  size: '5',
  currency: 'USD',
  costMax: '5',
  bringsMin: null,
  fee: { agreed: null, estimate: null },
  timeInForce: 'good-til-cancel',
  expiresAt: null,
  orderId: null,
}

/** As someone with write access to the table would do it. */
const swap = (id: string, unsigned: JsonObject) =>
  pg.pool.query('UPDATE executions SET unsigned = $2, unsigned_sha256 = $3 WHERE id = $1', [
    id,
    canonicalJson(unsigned),
    sha256(canonicalJson(unsigned)),
  ])

it('is returned by the build, its preview, its replay and the read of the execution', async () => {
  const world = await worldOf()
  const built = await world.build('k')
  expect(built.json.data.summary).toEqual(expectedSummary)
  expect((await world.build('k')).json.data.summary).toEqual(expectedSummary)
  expect((await world.build('p', { size: 5, dryRun: true })).json.data.summary).toEqual(expectedSummary)
  expect((await world.get(`/v1/exec/executions/${idOf(built)}`)).json.data.summary).toEqual(expectedSummary)
})

it('names the target of a cancellation and a modification', async () => {
  const world = await worldOf()
  const built = await world.build('k')
  const order = built.json.data.unsigned.id
  await world.submit(idOf(built), 's')
  const cancel = (await world.cancel(idOf(built), 'c')).json.data
  expect(cancel.summary).toMatchObject({ intent: 'cancel', orderId: order, side: null, outcome: null, costMax: null })
  const change = (await world.modify(idOf(built), 'm')).json.data
  expect(change.summary).toMatchObject({ intent: 'modify', orderId: order, side: 'buy', size: '7', costMax: '7' })
  for (const { executionId, summary } of [cancel, change])
    expect((await world.get(`/v1/exec/executions/${executionId}`)).json.data.summary).toEqual(summary)
})

it('rejects an artifact that does not match its summary, whichever of the two was changed', async () => {
  const world = await worldOf()
  const build = async (key: string) => {
    const { executionId, unsigned } = (await world.build(key)).json.data
    return { id: executionId, unsigned }
  }
  const smaller = await build('a')
  await swap(smaller.id, { ...smaller.unsigned, size: 4 })
  expect((await world.get(`/v1/exec/executions/${smaller.id}`)).json.data.summary.size).toBe('4')
  const otherwise = await build('b')
  await swap(otherwise.id, { cancels: 'another' })
  expect((await world.get(`/v1/exec/executions/${otherwise.id}`)).json.data.summary).toBeNull()
  const retold = await build('c')
  await pg.pool.query(`UPDATE executions SET summary = jsonb_set(summary, '{costMax}', '"1"') WHERE id = $1`, [
    retold.id,
  ])
  const refusals = [
    [smaller, [409, 'ARTIFACT_INTEGRITY_MISMATCH']],
    [otherwise, [400, 'ARTIFACT_BOUNDS_VIOLATION']],
    [retold, [409, 'ARTIFACT_INTEGRITY_MISMATCH']],
  ] as const
  for (const [{ id }, refusal] of refusals) expect(refused(await world.submit(id, `s${id}`))).toEqual(refusal)
  expect(world.venue.placed).toEqual([])
})

it('accepts executions built before summaries were stored, and summaries with fewer fields', async () => {
  const world = await worldOf()
  for (const [key, change] of [
    ['before', 'summary = NULL'],
    ['later', `summary = summary - 'timeInForce' #- '{outcome,instrument}'`],
  ]) {
    const id = idOf(await world.build(key!))
    await pg.pool.query(`UPDATE executions SET ${change} WHERE id = $1`, [id])
    expect((await world.get(`/v1/exec/executions/${id}`)).json.data.summary).toEqual(expectedSummary)
    expect((await world.submit(id, `s-${key}`)).json.data.status).toBe('acked')
  }
})

const order: DescribedOrder = {
  intent: 'order',
  instrument: 'T',
  instrumentIs: 'marketId',
  outcomeSide: 'YES',
  isBuy: false,
  price: '0.6',
  size: '10',
  currency: 'USD',
  costMax: '4',
  bringsMin: '6',
  fee: null,
  timeInForce: 'good-til-cancel',
  expiresAt: 1_790_000_000_000,
}
const terms: OrderTerms = { marketId: 'T', outcomeId: 'T-NO', outcomeSide: 'NO', isBuy: true, price: '0.4', size: '10' }
const unknownMarket = { marketId: 'T', outcomeId: null, market: null, label: null, currency: null }
const summaryOf = (described: Partial<DescribedOrder>, termsChange: Partial<OrderTerms> = {}) =>
  summarize(
    testLane({ describe: () => ({ ...order, ...described }) }),
    { intent: 'order', unsigned: {}, terms: { ...terms, ...termsChange }, feeEstimate: null },
    unknownMarket,
  )

it('shows one book for both outcomes from the requested side', () => {
  const bought = { side: 'buy', price: '0.4', size: '10', costMax: '4', bringsMin: null, outcome: { side: 'NO' } }
  expect(summaryOf({ mirrored: true })).toMatchObject({ ...bought, expiresAt: '2026-09-21T14:13:20.000Z' })
  const sale = summaryOf({ mirrored: true, isBuy: true, costMax: '6', bringsMin: null }, { isBuy: false })
  expect(sale).toMatchObject({ side: 'sell', price: '0.4', costMax: '6', bringsMin: '4', outcome: { side: 'NO' } })
})

it.each<[string, Partial<DescribedOrder>, Partial<OrderTerms>]>([
  ['the other outcome, where there are two books', {}, { isBuy: false }],
  ['the other side', { outcomeSide: 'NO' }, {}],
  ['another market', { mirrored: true, instrument: 'U' }, {}],
  ['a worse price', { mirrored: true, price: '0.59' }, {}],
  ['a larger size', { mirrored: true, size: '11' }, {}],
])('rejects an artifact for %s', (_, described, termsChange) => {
  expect(() => summaryOf(described, termsChange)).toThrow(
    expect.objectContaining({ code: 'ARTIFACT_BOUNDS_VIOLATION' }),
  )
})

it('has null for what the adapter cannot derive, and takes only the side from the request', () => {
  const silent = {
    outcomeSide: null,
    isBuy: true,
    price: null,
    size: null,
    currency: null,
    costMax: null,
    bringsMin: null,
  }
  expect(summaryOf(silent)).toMatchObject({
    side: 'buy',
    outcome: { side: 'NO' },
    price: null,
    size: null,
    costMax: null,
  })
})

it('a build reads the current market from its venue, through the catalog that records what it resolved', async () => {
  const current = vi.fn(async () => null)
  const unused = async (): Promise<never> => {
    throw new Error('not read')
  }
  const { catalog } = memoized({ outcome: unused, side: unused, current })
  expect(await catalog.current!('m-1')).toBeNull()
  expect(current).toHaveBeenCalledWith('m-1')
  expect(memoized({ outcome: unused, side: unused }).catalog.current).toBeUndefined()
})
