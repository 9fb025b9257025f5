// One request that builds the cancel of every order in flight.
import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { type ConditionalWorld, openConditionalWorld } from '#test/support/conditional/world'
import { cancelEverything, idsOf, resultsOf, stopsAtInsert, submitAll } from '#test/support/execution/batch'
import { testLane } from '#test/support/execution/lane'
import { executionSuite, idOf, refused } from '#test/support/execution/suite'
import type { ExecutionWorld } from '#test/support/execution/world'

const { pg, worldOf, count, setStatus } = executionSuite()
const patiently = { timeout: 15_000 }

async function placed(world: ExecutionWorld, venue: 'novig' | 'limitless' = 'novig'): Promise<string> {
  const keyed = () => ({ headers: { 'idempotency-key': randomUUID() } })
  const id = idOf(await world.world.post(`/v1/exec/${venue}/orders/build`, { size: 5 }, keyed()))
  const sent = await world.world.post(`/v1/exec/${venue}/orders/${id}/submit`, { apiSecret: 's' }, keyed())
  expect(sent.json.data.status).toBe('acked')
  return id
}
const setMarket = (id: string, marketId: string) =>
  pg.pool.query('UPDATE executions SET terms = $2 WHERE id = $1', [
    id,
    { marketId, outcomeId: 'o', outcomeSide: 'YES', isBuy: true, price: '0.5', size: '5' },
  ])
const targetsOf = (reply: Awaited<ReturnType<typeof cancelEverything>>): string[] =>
  reply.json.data.orders.map(({ executionId }: { executionId: string }) => executionId)

describe('a request that cancels everything', () => {
  it('builds the cancel of every order in flight, newest first, to be submitted together', async () => {
    const world = await worldOf({ lanes: [testLane(), testLane({}, 'limitless')] })
    const first = await placed(world)
    const second = await placed(world, 'limitless')
    const third = await placed(world)
    await world.build('only built')
    await setStatus(await placed(world), 'filled')
    const reply = await cancelEverything(world, 'k')
    expect(reply.status).toBe(200)
    expect(targetsOf(reply)).toEqual([third, second, first])
    expect(resultsOf(reply)).toEqual(['ok', 'ok', 'ok'])
    expect(reply.json.data).toMatchObject({ conditionals: [], remaining: 0, conditionalsRemaining: null })
    expect(reply.json.data.orders[1]).toMatchObject({
      venue: 'limitless',
      marketId: null,
      data: { intent: 'cancel', status: 'built', targetExecutionId: second },
    })
    expect(world.venue.canceled).toEqual([])
    const credentials = { novig: { apiSecret: 's' }, limitless: { apiSecret: 's' } }
    expect(resultsOf(await submitAll(world, 's', idsOf(reply) as string[], credentials))).toEqual(['ok', 'ok', 'ok'])
    expect(world.venue.canceled).toHaveLength(3)
  })

  it('is limited to one venue, one market, or both', async () => {
    const world = await worldOf({ lanes: [testLane(), testLane({}, 'limitless')] })
    const [a, b, c] = [await placed(world), await placed(world, 'limitless'), await placed(world)]
    await setMarket(a, 'm1')
    await setMarket(b, 'm1')
    expect(targetsOf(await cancelEverything(world, 'venue', { venue: 'novig' }))).toEqual([c, a])
    const ofMarket = await cancelEverything(world, 'market', { marketId: 'm1' })
    expect(targetsOf(ofMarket)).toEqual([b, a])
    expect(ofMarket.json.data.orders[0].marketId).toBe('m1')
    expect(targetsOf(await cancelEverything(world, 'both', { venue: 'limitless', marketId: 'm1' }))).toEqual([b])
    expect(targetsOf(await cancelEverything(world, 'none', { venue: 'kalshi' }))).toEqual([])
  })

  it.each([
    ['without a venue, a market or a confirmation', {}],
    ['with a confirmation that is false', { confirm: false }],
    ['with an unknown venue', { venue: 'nowhere' }],
    ['with conditional orders on a deployment without them', { confirm: true, conditionals: true }],
  ])('is refused %s', async (_what, body) => {
    const world = await worldOf()
    const id = await placed(world)
    expect(refused(await cancelEverything(world, 'k', body))).toEqual([400, 'VALIDATION_ERROR'])
    expect(await count('executions WHERE target_id = $1', [id])).toBe(0)
  })

  it('says why an order has no cancel', async () => {
    const { cancel: _, ...withoutCancel } = testLane({}, 'limitless')
    const world = await worldOf({ lanes: [testLane(), withoutCancel] })
    await placed(world, 'limitless')
    await placed(world)
    world.venue.mode = 'forget'
    await world.submit(idOf(await world.build('lost')), 's')
    const reply = await cancelEverything(world, 'k')
    expect(resultsOf(reply)).toEqual(['VALIDATION_ERROR', 'ok', 'NOT_IMPLEMENTED'])
    expect(reply.json.data.orders[0].error.message).toContain('no venue order id yet')
  })

  it('passes on the fields of a venue’s cancel body', async () => {
    const world = await worldOf()
    await placed(world)
    const refusedFields = await cancelEverything(world, 'a', { venue: 'novig', fields: { novig: { signer: 's' } } })
    expect(resultsOf(refusedFields)).toEqual(['VALIDATION_ERROR'])
    const others = await cancelEverything(world, 'b', { venue: 'novig', fields: { pascal: { signer: 's' } } })
    expect(resultsOf(others)).toEqual(['ok'])
  })

  it('builds one cancel for an order and its modifications', async () => {
    const world = await worldOf()
    const order = await placed(world)
    const change = idOf(await world.modify(order, 'm'))
    await world.submit(change, 'sm')
    const replaced = await cancelEverything(world, 'a')
    expect(targetsOf(replaced)).toEqual([order])
    // Once the venue shows that the order was replaced, its replacement is what is in flight.
    await setStatus(order, 'canceled')
    const reply = await cancelEverything(world, 'b')
    expect([targetsOf(reply), resultsOf(reply)]).toEqual([[change], ['ok']])
  })

  it('repeated returns the same cancels, although other orders are in flight by then', async () => {
    const world = await worldOf()
    const [a, b] = [await placed(world), await placed(world)]
    const first = await cancelEverything(world, 'k')
    await placed(world)
    await setStatus(a, 'canceled')
    const second = await cancelEverything(world, 'k')
    expect(second.headers['idempotency-replay']).toBe('true')
    expect(targetsOf(second)).toEqual([b, a])
    expect(idsOf(second)).toEqual(idsOf(first))
    expect(second.json.data.remaining).toBe(1)
    expect(await count(`executions WHERE account_id = $1 AND intent = 'cancel'`, [world.accountId])).toBe(2)
    expect(refused(await cancelEverything(world, 'k', { venue: 'novig' }))).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
  })

  it('makes each cancel once when the same request arrives many times at once', async () => {
    const world = await worldOf()
    for (let i = 0; i < 3; i++) await placed(world)
    const replies = await Promise.all(Array.from({ length: 5 }, () => cancelEverything(world, 'k')))
    expect(new Set(replies.map((reply) => idsOf(reply).join())).size).toBe(1)
    expect(await count(`executions WHERE account_id = $1 AND intent = 'cancel'`, [world.accountId])).toBe(3)
  })

  it('is complete after a repetition, if its process died between two cancels', async () => {
    const dead = await worldOf({ wrap: stopsAtInsert(5) })
    for (let i = 0; i < 4; i++) await placed(dead)
    void cancelEverything(dead, 'k')
    const made = () => count(`executions WHERE account_id = $1 AND intent = 'cancel'`, [dead.accountId])
    await expect.poll(made, patiently).toBe(1)
    const alive = await worldOf()
    alive.actAs(dead.accountId)
    expect(resultsOf(await cancelEverything(alive, 'k'))).toEqual(Array(4).fill('ok'))
    expect(await made()).toBe(4)
  })

  it('selects the newest 200 orders, says how many are left, and selects those next', async () => {
    const world = await worldOf()
    const id = await placed(world)
    await pg.pool.query(
      `INSERT INTO executions (id, account_id, key_id, venue, intent, status, build_version, unsigned, unsigned_sha256, bounds, venue_ref,
         notional_usd, summary, created_at, updated_at)
       SELECT gen_random_uuid(), account_id, key_id, venue, intent, status, build_version, unsigned, unsigned_sha256, bounds,
         venue_ref || n, notional_usd, summary, created_at, updated_at
       FROM executions, generate_series(1, 204) n WHERE id = $1`,
      [id],
    )
    const reply = await cancelEverything(world, 'k')
    expect(resultsOf(reply)).toEqual(Array(200).fill('ok'))
    expect(reply.json.data.remaining).toBe(5)
    expect(targetsOf(reply)).not.toContain(id)
    await pg.pool.query(`UPDATE executions SET status = 'acked' WHERE account_id = $1 AND intent = 'cancel'`, [
      world.accountId,
    ])
    // An acknowledged cancel is repeated only after the others.
    const next = await cancelEverything(world, 'k2')
    expect(next.json.data.remaining).toBe(0)
    const first = targetsOf(next).slice(0, 5)
    expect([first.includes(id), first.some((target) => targetsOf(reply).includes(target))]).toEqual([true, false])
  }, 60_000)

  it('concerns the orders of its account only', async () => {
    const world = await worldOf()
    const foreign = await placed(world)
    world.actAs(await world.newAccount())
    const own = await placed(world)
    expect(targetsOf(await cancelEverything(world, 'k'))).toEqual([own])
    expect(await count('executions WHERE target_id = $1', [foreign])).toBe(0)
  })

  it('passes a halt of trading', async () => {
    const world = await worldOf()
    await placed(world)
    await world.world.post('/v1/exec/halt', { scope: 'account', reason: 'testing' })
    expect(resultsOf(await cancelEverything(world, 'k'))).toEqual(['ok'])
  })
})

describe('armed conditional orders', () => {
  let world: ConditionalWorld | undefined
  afterEach(() => world?.close())

  it('are cancelled where the request includes them, once', async () => {
    const here = await openConditionalWorld(pg.pool)
    world = here
    const armed = async (): Promise<string> => (await here.arm({ executionId: await here.built() })).json.data.id
    const [a, b, triggered] = [await armed(), await armed(), await armed()]
    await here.triggered(triggered)
    const without = await cancelEverything(here, 'without')
    expect(without.json.data).toMatchObject({ conditionals: [], conditionalsRemaining: null })
    const body = { venue: 'limitless', conditionals: true }
    const reply = await cancelEverything(here, 'with', body)
    const { conditionals, conditionalsRemaining } = reply.json.data
    expect(conditionals).toMatchObject([
      { conditionalId: b, ok: true, data: { status: 'canceled' } },
      { conditionalId: a, ok: true, data: { status: 'canceled' } },
    ])
    expect(conditionalsRemaining).toBe(0)
    const repeated = await cancelEverything(here, 'with', body)
    expect(repeated.headers['idempotency-replay']).toBe('true')
    expect((await here.one(triggered)).json.data.status).toBe('triggered')
  })

  it('of another venue or market stay armed', async () => {
    const here = await openConditionalWorld(pg.pool)
    world = here
    const { id } = (await here.arm({ executionId: await here.built() })).json.data
    for (const scope of [{ venue: 'novig' }, { marketId: 'another' }]) {
      const reply = await cancelEverything(here, randomUUID(), { ...scope, conditionals: true })
      expect(reply.json.data).toMatchObject({ conditionals: [], conditionalsRemaining: 0 })
    }
    expect((await here.one(id)).json.data.status).toBe('armed')
    const ofMarket = await cancelEverything(here, 'k', { marketId: 'm1', conditionals: true })
    expect(ofMarket.json.data.conditionals).toMatchObject([{ conditionalId: id, ok: true }])
  })

  it('need a plan that has them', async () => {
    const here = await openConditionalWorld(pg.pool)
    world = here
    here.world.verifications.next = {
      kind: 'valid',
      principal: { accountId: here.accountId, keyId: here.accountId, plan: 'free', scopes: ['trade'] },
    }
    expect(refused(await cancelEverything(here, 'k', { confirm: true, conditionals: true }))).toEqual([
      403,
      'PLAN_REQUIRED',
    ])
    expect(resultsOf(await cancelEverything(here, 'k'))).toEqual([])
  })
})
