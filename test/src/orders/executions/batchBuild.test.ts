// Many builds in one request: each is a build of its own, and the key belongs to the request.
import { describe, expect, it } from 'vitest'
import { createLog } from '#core/log'
import { itemKey } from '#orders/executions/bulk/runItems'
import { readIdempotencyKey } from '#server/http/idempotencyKey'
import { MemoryCredits } from '#test/src/server/http/purse'
import { createWorld, keys } from '#test/src/server/http/world'
import { buildAll, idsOf, novigOrders, resultsOf, stopsAtInsert } from '#test/support/execution/batch'
import { createTestContext } from '#test/support/execution/context'
import { heldRows } from '#test/support/execution/heldRows'
import { testLane } from '#test/support/execution/lane'
import { executionSuite, idOf, refused } from '#test/support/execution/suite'

const { worldOf, count } = executionSuite()
const patiently = { timeout: 15_000 }

describe('a batch of builds', () => {
  it('answers one entry per item in order, and a refused item changes no other', async () => {
    const world = await worldOf({ lanes: [testLane(), testLane({}, 'limitless')] })
    const reply = await buildAll(world, 'k', [
      { venue: 'novig', size: 1 },
      { venue: 'novig', size: -1 },
      { venue: 'limitless', size: 3 },
      { venue: 'nowhere', size: 4 },
      { venue: 'smarkets', size: 5 },
      { venue: 'novig' },
      { venue: 'novig', size: 7, intent: 'redeem' },
    ])
    expect(reply.status).toBe(200)
    expect(resultsOf(reply)).toEqual([
      'ok',
      'VALIDATION_ERROR',
      'ok',
      'VENUE_NOT_SUPPORTED',
      'EXCHANGE_NOT_AVAILABLE',
      'VALIDATION_ERROR',
      'NOT_IMPLEMENTED',
    ])
    const { data } = reply.json
    expect([data[0].data.unsigned.size, data[2].data.venue, data[2].data.status]).toEqual([1, 'limitless', 'built'])
    expect(data[1].error).toMatchObject({ retryable: false, requestId: reply.headers['x-request-id'] })
    expect(await count('executions WHERE account_id = $1', [world.accountId])).toBe(2)
  })

  it('repeated returns the same executions and builds nothing', async () => {
    const world = await worldOf()
    const first = await buildAll(world, 'k', novigOrders(5))
    expect(first.headers['idempotency-replay']).toBeUndefined()
    const second = await buildAll(world, 'k', novigOrders(5))
    expect(second.headers['idempotency-replay']).toBe('true')
    expect(idsOf(second)).toEqual(idsOf(first))
    expect(await count('executions WHERE account_id = $1', [world.accountId])).toBe(5)
  })

  it('builds each item once when the same request arrives many times at once', async () => {
    const world = await worldOf()
    const replies = await Promise.all(Array.from({ length: 5 }, () => buildAll(world, 'k', novigOrders(4))))
    expect(new Set(replies.map((reply) => idsOf(reply).join())).size).toBe(1)
    expect(await count('executions WHERE account_id = $1', [world.accountId])).toBe(4)
  })

  it.each([
    ['a changed item', [...novigOrders(1), { venue: 'novig', size: 9 }]],
    ['another item', novigOrders(3)],
    ['an item less', novigOrders(1)],
    ['another order of the items', novigOrders(2).toReversed()],
  ])('with %s under its key is refused as a whole', async (_what, orders) => {
    const world = await worldOf()
    await buildAll(world, 'k', novigOrders(2))
    expect(refused(await buildAll(world, 'k', orders))).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
    expect(await count('executions WHERE account_id = $1', [world.accountId])).toBe(2)
  })

  it('keeps its key even if every item was refused', async () => {
    const world = await worldOf()
    expect(resultsOf(await buildAll(world, 'k', [{ venue: 'novig', size: -1 }]))).toEqual(['VALIDATION_ERROR'])
    expect(refused(await buildAll(world, 'k', novigOrders(1)))).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
  })

  it('is complete after a repetition, if its process died between two items', async () => {
    const dead = await worldOf({ wrap: stopsAtInsert(2) })
    void buildAll(dead, 'k', novigOrders(6))
    const made = () => count('executions WHERE account_id = $1', [dead.accountId])
    await expect.poll(made, patiently).toBe(2)
    const alive = await worldOf()
    alive.actAs(dead.accountId)
    const reply = await buildAll(alive, 'k', novigOrders(6))
    expect(resultsOf(reply)).toEqual(Array(6).fill('ok'))
    expect(reply.json.data.filter(({ replay }: { replay?: true }) => replay === true)).toHaveLength(2)
    expect(reply.headers['idempotency-replay']).toBeUndefined()
    expect(await made()).toBe(6)
  })

  it('previews every item with dryRun: nothing is stored, and the key stays free', async () => {
    const world = await worldOf()
    const reply = await buildAll(world, 'k', novigOrders(3), { dryRun: true })
    expect(reply.json.dryRun).toBe(true)
    expect(reply.json.data.map(({ dryRun }: { dryRun?: true }) => dryRun)).toEqual([true, true, true])
    expect(await count('executions WHERE account_id = $1', [world.accountId])).toBe(0)
    expect(resultsOf(await buildAll(world, 'k', novigOrders(1)))).toEqual(['ok'])
  })

  it('runs four items at once', async () => {
    let running = 0
    let most = 0
    const waiting: (() => void)[] = []
    const lane = testLane()
    const gatherFacts = async () => {
      most = Math.max(most, ++running)
      if (running < 4) await new Promise<void>((proceed) => waiting.push(proceed))
      else {
        // A fifth one would begin meanwhile.
        await new Promise((proceed) => setImmediate(proceed))
        for (const proceed of waiting.splice(0)) proceed()
      }
      running--
      return {}
    }
    const world = await worldOf({ lanes: [{ ...lane, order: { ...lane.order, gatherFacts } }] })
    expect(resultsOf(await buildAll(world, 'k', novigOrders(20)))).toEqual(Array(20).fill('ok'))
    expect(most).toBe(4)
  })

  it.each([
    ['21 items', { orders: novigOrders(21) }],
    ['no item', { orders: [] }],
    ['an item without a venue', { orders: [{ size: 1 }] }],
    ['an unknown field', { orders: novigOrders(1), venue: 'novig' }],
  ])('with %s is refused as a whole', async (_what, body) => {
    const world = await worldOf()
    const reply = await world.world.post('/v1/exec/batch/build', body, { headers: { 'idempotency-key': 'k' } })
    expect(refused(reply)).toEqual([400, 'VALIDATION_ERROR'])
    expect(await count('executions WHERE account_id = $1', [world.accountId])).toBe(0)
    expect(await count('bulk_requests WHERE account_id = $1', [world.accountId])).toBe(0)
  })

  it('has keys of its own: a single build and another account use the same key for something else', async () => {
    const world = await worldOf()
    const [item] = idsOf(await buildAll(world, 'k', novigOrders(1)))
    expect(idOf(await world.build('k'))).not.toBe(item)
    expect(() => readIdempotencyKey(itemKey('k', 0), 1)).toThrow('not printable ASCII')
    world.actAs(await world.newAccount())
    expect(resultsOf(await buildAll(world, 'k', novigOrders(2)))).toEqual(['ok', 'ok'])
  })

  it('reports an unexpected failure of an item as INTERNAL, and logs it', async () => {
    const lane = testLane()
    const gatherFacts = () => Promise.reject(new TypeError('cannot read the secret plan'))
    const lines: string[] = []
    const log = createLog('info', { write: (line) => void lines.push(line) })
    const world = await worldOf({ lanes: [{ ...lane, order: { ...lane.order, gatherFacts } }], log })
    const reply = await buildAll(world, 'k', novigOrders(1))
    expect(resultsOf(reply)).toEqual(['INTERNAL'])
    expect(reply.text).not.toContain('plan')
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { item: 0, requestId: reply.headers['x-request-id'], err: { message: 'cannot read the secret plan' } },
    ])
  })
})

describe('the cost of a batch of builds', () => {
  function paidWorld(balance: number) {
    const credits = new MemoryCredits(balance)
    const held = heldRows()
    const lane = testLane()
    const { context, close } = createTestContext('http://127.0.0.1:9')
    const world = createWorld({
      credits,
      executions: { store: held.store as never, knownLanes: [lane], lanes: new Map([['novig', { lane, context }]]) },
    })
    const build = async (orders: readonly object[]) => {
      const headers = { 'idempotency-key': 'k' }
      const { status, headers: given } = await world.post(
        '/v1/exec/batch/build',
        { orders },
        { key: keys.builder, headers },
      )
      return [status, given['x-credits-charged'], given['x-credits-balance']]
    }
    return { credits, held, build, close }
  }

  it('is two credits for every item that was built', async () => {
    const { credits, build, close } = paidWorld(100)
    expect(await build([...novigOrders(3), { venue: 'novig', size: -1 }])).toEqual([200, '6', '94'])
    expect(await build([{ venue: 'nowhere' }])).toEqual([200, '0', '94'])
    expect(credits).toMatchObject({ open: 0, kept: [['k2', 6, 'batchBuild']] })
    await close()
  })

  it('must be there for all items before any is built', async () => {
    const { credits, held, build, close } = paidWorld(7)
    expect(await build(novigOrders(4))).toEqual([402, '0', '7'])
    expect([held.rows.size, credits.open, credits.kept]).toEqual([0, 0, []])
    expect(await build(novigOrders(3))).toEqual([200, '6', '1'])
    await close()
  })
})
