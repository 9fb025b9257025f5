// Replacing an order: the venue's own modification, or a cancel and an order that can only follow it.
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Reply } from '#test/src/server/http/world'
import { stopsAtInsert } from '#test/support/execution/batch'
import { testLane } from '#test/support/execution/lane'
import { executionSuite, idOf, refused } from '#test/support/execution/suite'
import type { ExecutionWorld } from '#test/support/execution/world'
import type { ExecutionAdapter } from '#venues/lane'

const { pg, worldOf, count, setStatus } = executionSuite()
const patiently = { timeout: 15_000 }

const Body = z.strictObject({
  size: z.number().positive(),
  sell: z.boolean().optional(),
  market: z.string().optional(),
})

/** Without modifications, and with orders that state what they trade. */
function pairLane(): ExecutionAdapter {
  const { modify: _, ...base } = testLane()
  return {
    ...base,
    order: {
      body: Body,
      gatherFacts: async () => ({}),
      build(context, body) {
        const { size, sell = false, market: marketId = 'm1' } = body as z.infer<typeof Body>
        const id = context.randomUuid()
        const isBuy = !sell
        return {
          unsigned: { id, size, sell },
          terms: { marketId, outcomeId: 'o1', outcomeSide: 'YES', isBuy, price: '0.5', size: String(size) },
          notionalUsd: String(size),
          feeEstimate: null,
          bounds: { sizeMax: 1_000 },
          clientRef: id,
          warnings: [],
          owner: null,
        }
      },
    },
    describe(unsigned) {
      const described = base.describe(unsigned)
      return described.intent === 'order' ? { ...described, isBuy: unsigned.sell !== true } : described
    },
  }
}

const replace = ({ world }: ExecutionWorld, id: string, key: string, body: object): Promise<Reply> =>
  world.post(`/v1/exec/novig/orders/${id}/replace`, body, { headers: { 'idempotency-key': key } })

const becomes = (id: string, status: string, matchedSize: string | null): Promise<unknown> =>
  pg.pool.query('UPDATE executions SET status = $2, matched_size = $3 WHERE id = $1', [id, status, matchedSize])

const orderIn = (reply: Reply): string => reply.json.data.order.executionId

/** A world with an order of five that rests. */
async function resting(options: Parameters<typeof worldOf>[0] = {}) {
  const world = await worldOf({ lanes: [pairLane()], ...options })
  const id = idOf(await world.build('b'))
  expect((await world.submit(id, 's')).json.data.status).toBe('acked')
  return { world, id }
}

describe('a replacement where the venue has no modification', () => {
  it('is a cancel and an order that can only be submitted once the old one is canceled', async () => {
    const { world, id } = await resting()
    const reply = await replace(world, id, 'r', { order: { size: 4 } })
    expect(reply.status, reply.text).toBe(200)
    expect(reply.json.data).toMatchObject({
      kind: 'pair',
      replacesExecutionId: id,
      modify: null,
      size: '4',
      cancel: { intent: 'cancel', status: 'built', targetExecutionId: id },
      order: { intent: 'order', status: 'built' },
    })
    const early = await world.submit(orderIn(reply), 'early')
    expect(refused(early)).toEqual([409, 'CLAIM_GENERATION_UNDETERMINED'])
    await world.submit(reply.json.data.cancel.executionId, 'sc')
    expect(refused(await world.submit(orderIn(reply), 'early'))).toEqual([409, 'CLAIM_GENERATION_UNDETERMINED'])
    expect(world.venue.calls).toBe(2)
    await becomes(id, 'canceled', '0')
    expect((await world.submit(orderIn(reply), 'early')).json.data.status).toBe('acked')
  })

  it('follows an order of which the venue reports, when it has ended, that nothing was filled', async () => {
    const lane = pairLane()
    const read: NonNullable<typeof lane.refresh>['read'] = async (...given) => ({
      ...(await lane.refresh!.read(...given)),
      matchedSize: '0',
    })
    const { world, id } = await resting({ lanes: [{ ...lane, refresh: { ...lane.refresh!, read } }] })
    const reply = await replace(world, id, 'r', { order: {} })
    // While it rests that is no result: more may be filled.
    expect((await world.refresh(id)).json.data).toMatchObject({ status: 'acked', matchedSize: null })
    await world.submit(reply.json.data.cancel.executionId, 'sc')
    expect(refused(await world.submit(orderIn(reply), 'sn'))).toEqual([409, 'CLAIM_GENERATION_UNDETERMINED'])
    expect((await world.refresh(id)).json.data).toMatchObject({ status: 'canceled', matchedSize: '0' })
    expect((await world.submit(orderIn(reply), 'sn')).json.data.status).toBe('acked')
  })

  it.each([
    ['without a size', {}, '3'],
    ['with a larger size', { size: 5 }, '3'],
    ['with a smaller size', { size: 1 }, '1'],
  ])('%s is for at most what is left of the old order', async (_what, order, size) => {
    const { world, id } = await resting()
    await becomes(id, 'acked', '2.00')
    const reply = await replace(world, id, 'r', { order })
    expect(reply.json.data).toMatchObject({ size, order: { unsigned: { size: Number(size) } } })
  })

  it('is refused at its submit if more of the old order was filled meanwhile, and can be built again for the rest', async () => {
    const { world, id } = await resting()
    const first = await replace(world, id, 'r', { order: {} })
    await becomes(id, 'canceled', '2')
    expect(refused(await world.submit(orderIn(first), 's1'))).toEqual([409, 'ARTIFACT_VERSION_CONFLICT'])
    const again = await replace(world, id, 'r2', { order: {} })
    expect(again.json.data).toMatchObject({ cancel: null, size: '3' })
    expect((await world.submit(orderIn(again), 's2')).json.data.status).toBe('acked')
  })

  it('has nothing to replace once the old order was filled', async () => {
    const { world, id } = await resting()
    const reply = await replace(world, id, 'r', { order: {} })
    await becomes(id, 'filled', '5')
    expect(refused(await world.submit(orderIn(reply), 's1'))).toEqual([409, 'ARTIFACT_VERSION_CONFLICT'])
    expect(refused(await replace(world, id, 'r2', { order: {} }))).toEqual([409, 'EXECUTION_TERMINAL'])
    await becomes(id, 'canceled', '5')
    expect(refused(await replace(world, id, 'r2', { order: {} }))).toEqual([409, 'EXECUTION_TERMINAL'])
  })

  it('waits until the filled amount of the old order is known', async () => {
    const { world, id } = await resting()
    const reply = await replace(world, id, 'r', { order: {} })
    await becomes(id, 'canceled', null)
    expect(refused(await world.submit(orderIn(reply), 's1'))).toEqual([409, 'CLAIM_GENERATION_UNDETERMINED'])
    expect(refused(await replace(world, id, 'r2', { order: {} }))).toEqual([409, 'CLAIM_GENERATION_UNDETERMINED'])
  })

  it('places one order, however many replacements are submitted at once', async () => {
    const { world, id } = await resting()
    const orders: string[] = []
    for (let n = 0; n < 4; n++) orders.push(orderIn(await replace(world, id, `r${n}`, { order: { size: 1 + n } })))
    await becomes(id, 'canceled', '0')
    const replies = await Promise.all(orders.map((order) => world.submit(order, `s${order}`)))
    const codes = replies.map((reply) => reply.json.error?.code ?? reply.json.data.status).toSorted()
    expect(codes).toEqual([...Array(3).fill('ARTIFACT_VERSION_CONFLICT'), 'acked'])
    expect(await count("executions WHERE id = ANY ($1) AND status = 'acked'", [orders])).toBe(1)
  })

  it('of which another was rejected by the venue, or discarded, can be submitted', async () => {
    const { world, id } = await resting()
    const [rejected, discarded, last] = [
      orderIn(await replace(world, id, 'r1', { order: {} })),
      orderIn(await replace(world, id, 'r2', { order: {} })),
      orderIn(await replace(world, id, 'r3', { order: {} })),
    ]
    await becomes(id, 'canceled', '0')
    await setStatus(rejected, 'failed')
    await world.world.call('DELETE', `/v1/exec/novig/orders/${discarded}`)
    expect((await world.submit(last, 's1')).json.data.status).toBe('acked')
  })

  it('repeated returns the same executions, although the old order has ended by then', async () => {
    const { world, id } = await resting()
    const first = await replace(world, id, 'r', { order: { size: 4 } })
    await becomes(id, 'canceled', '3')
    const second = await replace(world, id, 'r', { order: { size: 4 } })
    expect([second.text, second.headers['idempotency-replay']]).toEqual([first.text, 'true'])
    expect(refused(await replace(world, id, 'r', { order: { size: 3 } }))).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
  })

  it('is built once when the same request arrives many times at once', async () => {
    const { world, id } = await resting()
    const replies = await Promise.all(Array.from({ length: 5 }, () => replace(world, id, 'r', { order: {} })))
    expect(new Set(replies.map(orderIn)).size).toBe(1)
    expect(await count('executions WHERE account_id = $1', [world.accountId])).toBe(3)
  })

  it.each([
    ['before its cancel', 1, 1],
    ['between its cancel and its order', 2, 2],
  ])('is completed by a repetition, if its process died %s', async (_where, most, made) => {
    const { world, id } = await resting({ wrap: stopsAtInsert(most) })
    void replace(world, id, 'r', { order: {} })
    await expect.poll(() => count('order_replacements WHERE replaces_id = $1', [id]), patiently).toBe(1)
    await expect.poll(() => count('executions WHERE account_id = $1', [world.accountId]), patiently).toBe(made)
    const alive = await worldOf({ lanes: [pairLane()] })
    alive.actAs(world.accountId)
    const reply = await replace(alive, id, 'r', { order: {} })
    expect(reply.status, reply.text).toBe(200)
    expect(await count('executions WHERE account_id = $1', [world.accountId])).toBe(3)
    expect(refused(await alive.submit(orderIn(reply), 's1'))).toEqual([409, 'CLAIM_GENERATION_UNDETERMINED'])
  })

  it.each([
    ['no order', {}],
    ['a modification', { modify: { size: 4 } }],
    ['another outcome', { order: { market: 'm2' } }],
    ['the other side', { order: { sell: true } }],
    ['a size of zero', { order: { size: 0 } }],
    ['a dry run', { order: { dryRun: true } }],
    ['an unknown field', { order: { colour: 1 } }],
  ])('is refused with %s, and writes nothing', async (_what, body) => {
    const { world, id } = await resting()
    expect(refused(await replace(world, id, 'r', body))).toEqual([400, 'VALIDATION_ERROR'])
    expect(await count('executions WHERE account_id = $1', [world.accountId])).toBe(1)
    expect(await count('order_replacements WHERE replaces_id = $1', [id])).toBe(0)
  })

  it.each([
    ['built', 400, 'VALIDATION_ERROR'],
    ['submitted', 409, 'CLAIM_GENERATION_UNDETERMINED'],
    ['failed', 409, 'EXECUTION_TERMINAL'],
  ])('is refused for an order that is %s', async (status, code, error) => {
    const { world, id } = await resting()
    await setStatus(id, status)
    expect(refused(await replace(world, id, 'r', { order: {} }))).toEqual([code, error])
  })

  it('is refused for a cancel, for another account, and where the venue has no cancel', async () => {
    const { world, id } = await resting()
    const cancel = idOf(await world.cancel(id, 'c'))
    expect(refused(await replace(world, cancel, 'r', { order: {} }))).toEqual([400, 'VALIDATION_ERROR'])
    const { cancel: _, ...without } = pairLane()
    const bare = await worldOf({ lanes: [without] })
    expect(refused(await replace(bare, id, 'r', { order: {} }))).toEqual([404, 'EXECUTION_NOT_FOUND'])
    bare.actAs(world.accountId)
    expect(refused(await replace(bare, id, 'r', { order: {} }))).toEqual([501, 'NOT_IMPLEMENTED'])
  })
})

describe('a replacement where the venue modifies orders', () => {
  it('is the modification', async () => {
    const world = await worldOf()
    const id = idOf(await world.build('b'))
    await world.submit(id, 's')
    const reply = await replace(world, id, 'r', { modify: { size: 7 }, order: { size: 7 } })
    expect(reply.json.data).toMatchObject({
      kind: 'modify',
      modify: { intent: 'modify', targetExecutionId: id, unsigned: { size: 7 } },
      cancel: null,
      order: null,
    })
    const again = await replace(world, id, 'r', { modify: { size: 7 } })
    expect([again.text, again.headers['idempotency-replay']]).toEqual([reply.text, 'true'])
    expect(refused(await replace(world, id, 'r2', { order: { size: 7 } }))).toEqual([400, 'VALIDATION_ERROR'])
  })
})
