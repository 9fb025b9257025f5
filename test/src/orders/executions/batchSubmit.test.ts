// Many submits in one request: each is one relay attempt, whatever becomes of the others, of the request or of its process.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createLog } from '#core/log'
import { sharedFields } from '#orders/executions/bulk/sharedFields'
import { createGeofence } from '#platform/geofence/geofence'
import { idsOf, resultsOf, stopsAtClaim, submitAll } from '#test/support/execution/batch'
import { testLane } from '#test/support/execution/lane'
import { executionSuite, idOf, refused } from '#test/support/execution/suite'
import type { ExecutionWorld } from '#test/support/execution/world'

const { pg, worldOf, count } = executionSuite()
const patiently = { timeout: 15_000 }

const built = async (world: ExecutionWorld, many: number): Promise<{ ids: string[]; orders: string[] }> => {
  const replies = []
  for (let i = 0; i < many; i++) replies.push(await world.build(randomUUID(), { size: i + 1 }))
  return { ids: replies.map(idOf), orders: replies.map(({ json }) => json.data.unsigned.id) }
}
const statusesOf = (reply: Awaited<ReturnType<typeof submitAll>>): string[] =>
  reply.json.data.map(({ data }: { data?: { status: string } }) => data?.status)

describe('a batch of submits', () => {
  it('sends each execution once, and a repetition only returns the results', async () => {
    const world = await worldOf()
    const { ids, orders } = await built(world, 6)
    const first = await submitAll(world, 'k', ids)
    expect(statusesOf(first)).toEqual(Array(6).fill('acked'))
    expect(idsOf(first)).toEqual(ids)
    const second = await submitAll(world, 'k', ids)
    expect(second.headers['idempotency-replay']).toBe('true')
    expect(idsOf(second)).toEqual(ids)
    expect(world.venue.placed.toSorted()).toEqual(orders.toSorted())
  })

  it('answers for each item what its own submit would, and a refused item changes no other', async () => {
    const world = await worldOf()
    const { ids, orders } = await built(world, 4)
    const [accepted, rejected, lost, discarded] = ids as [string, string, string, string]
    world.venue.orderModes.set(orders[1]!, 'reject').set(orders[2]!, 'forget')
    await world.world.call('DELETE', `/v1/exec/novig/orders/${discarded}`)
    const owner = world.accountId
    world.actAs(await world.newAccount())
    const foreign = idOf(await world.build('b'))
    world.actAs(owner)
    const reply = await submitAll(world, 'k', [accepted, rejected, randomUUID(), lost, foreign, discarded])
    expect(reply.status).toBe(200)
    expect(resultsOf(reply)).toEqual([
      'ok',
      'ok',
      'EXECUTION_NOT_FOUND',
      'ok',
      'EXECUTION_NOT_FOUND',
      'EXECUTION_TERMINAL',
    ])
    expect(statusesOf(reply)).toEqual(['acked', 'failed', undefined, 'submitted', undefined, undefined])
    expect(world.venue.placed).toEqual([orders[0]])
  })

  it('sends each execution once when the same request arrives many times at once', async () => {
    const world = await worldOf()
    const { ids, orders } = await built(world, 5)
    const replies = await Promise.all(Array.from({ length: 5 }, () => submitAll(world, 'k', ids)))
    expect(replies.map(resultsOf)).toEqual(Array(5).fill(Array(5).fill('ok')))
    expect(world.venue.placed.toSorted()).toEqual(orders.toSorted())
  })

  it('sends an execution once when two requests contain it', async () => {
    const world = await worldOf()
    const { ids } = await built(world, 3)
    const [first, second] = await Promise.all([submitAll(world, 'a', ids), submitAll(world, 'b', ids.toReversed())])
    const results = [...resultsOf(first), ...resultsOf(second)]
    expect(results.toSorted()).toEqual([...Array(3).fill('IDEMPOTENCY_CONFLICT'), ...Array(3).fill('ok')])
    expect(world.venue.placed).toHaveLength(3)
  })

  it('with other executions under its key is refused, and nothing is sent', async () => {
    const world = await worldOf()
    const { ids } = await built(world, 3)
    await submitAll(world, 'k', ids.slice(0, 2))
    expect(refused(await submitAll(world, 'k', ids))).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
    expect(refused(await submitAll(world, 'k', ids.slice(1)))).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
    expect(world.venue.placed).toHaveLength(2)
  })

  it('sends the rest after its process died between two items, and nothing twice', async () => {
    const dead = await worldOf({ wrap: stopsAtClaim(2) })
    const { ids, orders } = await built(dead, 6)
    void submitAll(dead, 'k', ids)
    const inStatus = (status: string) =>
      count('executions WHERE account_id = $1 AND status = $2', [dead.accountId, status])
    await expect.poll(() => inStatus('acked'), patiently).toBe(2)
    await expect.poll(() => inStatus('submitted'), patiently).toBe(1)

    const alive = await worldOf()
    alive.actAs(dead.accountId)
    const reply = await submitAll(alive, 'k', ids)
    expect(resultsOf(reply)).toEqual(Array(6).fill('ok'))
    // The claim that was not followed by a request: its outcome is unknown, so it is not sent again.
    expect(statusesOf(reply).toSorted()).toEqual([...Array(5).fill('acked'), 'submitted'])
    const sent = [...dead.venue.placed, ...alive.venue.placed]
    expect([sent.length, new Set(sent).size, sent.every((order) => orders.includes(order))]).toEqual([5, 5, true])
  })

  it('uses credentials given once for a venue, unless an item has its own', async () => {
    const seen: string[] = []
    const lane = testLane()
    const { relay } = lane.submit!
    const watched: typeof relay = (context, execution, prepared, send) => {
      seen.push((send as { apiSecret: { reveal(): string } }).apiSecret.reveal())
      return relay(context, execution, prepared, send)
    }
    const world = await worldOf({ lanes: [{ ...lane, submit: { ...lane.submit!, relay: watched } }] })
    const { ids } = await built(world, 3)
    const reply = await world.world.post(
      '/v1/exec/batch/submit',
      {
        submits: [{ executionId: ids[0] }, { executionId: ids[1], apiSecret: 'own' }, { executionId: ids[2] }],
        credentials: { novig: { apiSecret: 'shared' } },
      },
      { headers: { 'idempotency-key': 'k' } },
    )
    expect(resultsOf(reply)).toEqual(['ok', 'ok', 'ok'])
    expect(seen.toSorted()).toEqual(['own', 'shared', 'shared'])
  })

  it('keeps no credential: not in an answer, a log line or a row', async () => {
    const logged: string[] = []
    const log = createLog('trace', { write: (line) => void logged.push(line) })
    const world = await worldOf({ log })
    // Long enough for a reason of a venue to be withheld.
    const secret = 'canary-secret-batch-41d7a5c0e9f2b6d8'
    const { ids, orders } = await built(world, 4)
    world.venue.reason = `bad key ${secret}`
    world.venue.orderModes.set(orders[0]!, 'reject').set(orders[1]!, 'refuse').set(orders[2]!, 'drop')
    const given = { novig: { apiSecret: secret } }
    const replies = [
      await submitAll(world, 'a', ids, given),
      await submitAll(world, 'a', ids, given),
      await submitAll(world, 'b', ids, { novig: { apiSecret: secret, more: secret } }),
      await submitAll(world, 'c', ids, { novig: secret }),
    ]
    expect(resultsOf(replies[0]!)).toEqual(['ok', 'VENUE_CREDENTIAL_REJECTED', 'ok', 'ok'])
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 400])
    const { rows } = await pg.pool.query<{ row: string }>(
      `SELECT e::text AS row FROM executions e UNION ALL SELECT k::text FROM execution_keys k
       UNION ALL SELECT b::text FROM bulk_requests b UNION ALL SELECT o::text FROM outbox o`,
    )
    expect(rows.length).toBeGreaterThan(4)
    for (const text of [...replies.map((reply) => reply.text), ...logged, ...rows.map(({ row }) => row)])
      expect(text).not.toContain('canary-secret-batch')
  })

  it.each([
    ['21 items', Array.from({ length: 21 }, () => randomUUID())],
    ['no item', []],
    ['an id that is none', ['x']],
    ['the same execution twice', Array(2).fill('6c1c1c46-7d3c-4f2a-9a6f-0c8f3f6d2b11')],
  ])('with %s is refused as a whole', async (_what, ids) => {
    const world = await worldOf()
    expect(refused(await submitAll(world, 'k', ids))).toEqual([400, 'VALIDATION_ERROR'])
    expect(await count('bulk_requests WHERE account_id = $1', [world.accountId])).toBe(0)
  })

  it('from a country that is not served sends cancels only', async () => {
    const geofence = createGeofence({
      countryHeader: 'x-country',
      trustedProxies: ['127.0.0.1'],
      blockedCountries: ['KP'],
    })
    const world = await worldOf({ geofence })
    const { ids } = await built(world, 2)
    await world.submit(ids[0]!, 's')
    const cancel = idOf(await world.cancel(ids[0]!, 'c'))
    const reply = await world.world.post(
      '/v1/exec/batch/submit',
      { submits: [{ executionId: cancel }, { executionId: ids[1] }], credentials: { novig: { apiSecret: 's' } } },
      { headers: { 'idempotency-key': 'k', 'x-country': 'KP' } },
    )
    expect(resultsOf(reply)).toEqual(['ok', 'GEO_BLOCKED'])
    expect([world.venue.placed.length, world.venue.canceled.length]).toEqual([1, 1])
  })
})

it('passes on the shared fields that a submit of the intent takes, and those that its lane does not know', () => {
  const { submit, refresh } = testLane()
  const lane = testLane({
    submit: { ...submit!, fields: ['signature', 'apiSecret'] },
    redeem: {
      body: z.strictObject({}),
      build: () => Promise.reject(new Error('not called')),
      sent: { submit: { ...submit!, fields: ['transactionHash'] }, refresh: refresh! },
    },
  })
  const lanes = new Map([['novig', { lane, context: () => Promise.reject(new Error('not called')) as never }]])
  const shared = { novig: { apiSecret: 's', transactionHash: 't', mistyped: 'm' } }
  const of = (intent: 'order' | 'redeem', venue = 'novig') =>
    sharedFields({ lanes }, { venue, intent, account_id: randomUUID() }, shared)
  expect(of('order')).toEqual({ apiSecret: 's', mistyped: 'm' })
  expect(of('redeem')).toEqual({ transactionHash: 't', mistyped: 'm' })
  expect(of('order', 'limitless')).toEqual({})
})
