// Execution algorithms from their creation to their end, with a real store and real executions.
import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { runStep } from '#orders/algorithms/index'
import { runningAlgorithmsMax } from '#schemas/algorithms'
import {
  type AlgorithmWorldOptions,
  bookAt,
  evening,
  noon,
  openAlgorithmWorld,
  signature,
} from '#test/support/algorithms/world'
import { refused } from '#test/support/execution/suite'
import { withPostgres } from '#test/support/postgres'

const pg = withPostgres()
const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((world) => world.close()))
})

async function scene(options: AlgorithmWorldOptions = {}) {
  const world = await openAlgorithmWorld(pg.pool, options)
  open.push(world)
  return world
}

describe('in client mode', () => {
  it('offers each slice for signing, and the next one when it is filled', async () => {
    const { created, settle, advance, read, sign, executionIs, executions } = await scene()
    const id = await created()
    await settle()
    const first = await read(id)
    expect(first).toMatchObject({
      status: 'running',
      waitsFor: 'awaiting_signature',
      side: 'buy',
      marketId: 'm1',
      filledSize: '0',
      averagePrice: null,
      benchmark: { arrivalMid: '0.42', intervalVwap: null },
      liveSlice: {
        number: 0,
        status: 'awaiting_signature',
        price: '0.5',
        size: '2',
        signBy: new Date(noon.getTime() + 60_000).toISOString(),
      },
    })
    const { executionId } = first.liveSlice
    expect((await sign(executionId)).json.data.status).toBe('acked')
    await advance(1_000)
    expect(await read(id)).toMatchObject({ waitsFor: 'slice_open', liveSlice: { status: 'sent' } })
    await executionIs(executionId, 'filled', '2')
    await advance(1_000)
    const second = await read(id)
    expect(second).toMatchObject({ filledSize: '2', remainingSize: '3', liveSlice: { number: 1, size: '2' } })
    expect(second.slices.map(({ status, outcome }: { status: string; outcome: string }) => [status, outcome])).toEqual([
      ['ended', 'filled'],
      ['awaiting_signature', null],
    ])
    expect((await executions()).map(({ size }) => size)).toEqual(['2', '2'])
  })

  it('takes back a slice that is not submitted in time, and offers another one', async () => {
    const { created, settle, advance, read, sign, executions } = await scene()
    const id = await created()
    await settle()
    const { executionId } = (await read(id)).liveSlice
    await advance(60_000)
    const after = await read(id)
    expect(after.liveSlice).toMatchObject({ number: 1, status: 'awaiting_signature' })
    expect(after.slices[0]).toMatchObject({ outcome: 'unsigned', filledSize: '0' })
    expect(refused(await sign(executionId))).toEqual([409, 'EXECUTION_TERMINAL'])
    expect((await executions()).map(({ status }) => status)).toEqual(['canceled', 'built'])
  })

  it('keeps a slice that its owner submitted at the last moment', async () => {
    const { created, settle, advance, read, sign, executions } = await scene()
    const id = await created()
    await settle()
    const { executionId } = (await read(id)).liveSlice
    await sign(executionId)
    await advance(120_000)
    expect(await read(id)).toMatchObject({ waitsFor: 'slice_open', liveSlice: { number: 0, executionId } })
    expect(await executions()).toHaveLength(1)
  })

  it('offers the cancel of a live slice, and ends when the venue has confirmed it', async () => {
    const { created, settle, advance, read, sign, executionIs, cancelAlgorithm } = await scene()
    const id = await created()
    await settle()
    const { executionId } = (await read(id)).liveSlice
    await sign(executionId)
    await advance(1_000)
    expect((await cancelAlgorithm(id)).json.data).toMatchObject({ status: 'ending' })
    await settle()
    const ending = await read(id)
    expect(ending).toMatchObject({ status: 'ending', waitsFor: 'cancel_awaiting_signature' })
    const { cancelExecutionId } = ending.liveSlice
    await sign(cancelExecutionId)
    await advance(5_000)
    expect(await read(id)).toMatchObject({ status: 'ending', waitsFor: 'cancel_unconfirmed' })
    await executionIs(executionId, 'canceled', '1')
    await advance(5_000)
    expect(await read(id)).toMatchObject({ status: 'canceled', filledSize: '1', liveSlice: null, waitsFor: null })
    expect((await cancelAlgorithm(id)).json.data).toMatchObject({ status: 'canceled' })
  })

  it('ends as canceled when its owner canceled a resting slice', async () => {
    const { created, settle, advance, read, sign, executionIs, executions } = await scene()
    const id = await created()
    await settle()
    const { executionId } = (await read(id)).liveSlice
    await sign(executionId)
    await executionIs(executionId, 'canceled', '0')
    await advance(1_000)
    expect(await read(id)).toMatchObject({ status: 'canceled', lastError: expect.stringContaining('canceled') })
    expect(await executions()).toHaveLength(1)
  })

  it('waits while what was filled of an ended slice is not reported, and fails when it never is', async () => {
    const { created, settle, advance, read, sign, executionIs } = await scene()
    const id = await created()
    await settle()
    const { executionId } = (await read(id)).liveSlice
    await sign(executionId)
    await executionIs(executionId, 'expired')
    await advance(1_000)
    expect(await read(id)).toMatchObject({ status: 'running', waitsFor: 'fill_unknown' })
    await advance(600_000)
    expect(await read(id)).toMatchObject({ status: 'failed', filledSize: null, remainingSize: null })
  })

  it('waits on a book that is not live, and sends nothing after it has expired', async () => {
    const { created, settle, advance, read, book, executions } = await scene()
    book.next = 'silent'
    const id = await created()
    await settle()
    expect(await read(id)).toMatchObject({ waitsFor: 'book_not_live', liveSlice: null })
    expect(await executions()).toEqual([])
    book.next = bookAt(0.4, 0.44)
    await advance(evening.getTime() - noon.getTime())
    expect(await read(id)).toMatchObject({ status: 'expired', sliceCount: 0 })
  })
})

describe('hosted', () => {
  const hosted = { mode: 'hosted' } as const

  it('works a TWAP of a paper account from start to end', async () => {
    const { created, settle, advance, read, executions, executionIs } = await paperScene()
    const id = await created({
      ...hosted,
      algorithm: { kind: 'twap', slices: 3, durationMs: 30_000 },
      expiresAt: undefined,
      size: 6,
    })
    for (let interval = 0; interval < 3; interval++) {
      if (interval > 0) await advance(10_000)
      await settle()
      const { liveSlice } = await read(id)
      expect(liveSlice).toMatchObject({ number: interval, takes: true, status: 'sent' })
      await executionIs(liveSlice.executionId, 'filled', '2')
      await advance(1_000)
    }
    await advance(10_000)
    expect(await read(id)).toMatchObject({ status: 'completed', filledSize: '6', sliceCount: 3 })
    expect((await executions()).map(({ size, status }) => [size, status])).toEqual([
      ['2', 'filled'],
      ['2', 'filled'],
      ['2', 'filled'],
    ])
  })

  it('moves a peg: the next price is sent after the cancel of the last one is confirmed', async () => {
    const { created, settle, advance, read, book, executions, executionIs } = await paperScene()
    const id = await created({ ...hosted, algorithm: { kind: 'peg', to: 'bid', intervalMs: 5_000 } })
    await settle()
    const first = await read(id)
    expect(first).toMatchObject({ waitsFor: 'slice_open', liveSlice: { price: '0.4', size: '5', status: 'sent' } })
    book.next = bookAt(0.41, 0.44)
    await advance(5_000)
    expect(await read(id)).toMatchObject({ waitsFor: 'cancel_unconfirmed', sliceCount: 1 })
    await executionIs(first.liveSlice.executionId, 'canceled', '2')
    await advance(1_000)
    expect(await read(id)).toMatchObject({
      sliceCount: 2,
      filledSize: '2',
      liveSlice: { price: '0.41', size: '3', status: 'sent' },
    })
    expect((await executions()).map(({ intent }) => intent)).toEqual(['order', 'cancel', 'order'])
  })

  it('pauses before the next cancel of a slice when the venue refused one', async () => {
    const { created, settle, advance, read, book, clock, executions, executionIs, algorithms } = await paperScene()
    const id = await created({ ...hosted, algorithm: { kind: 'peg', to: 'bid', intervalMs: 5_000 } })
    await settle()
    book.next = bookAt(0.41, 0.44)
    clock.advance(5_000)
    const orders: typeof algorithms.orders = {
      ...algorithms.orders,
      async submit(caller, request) {
        await algorithms.orders.submit(caller, request)
        await executionIs(request.executionId, 'failed')
        return 'failed'
      },
    }
    const takeDue = () => algorithms.store.takeDue({ limit: 10, leaseMs: 60_000, at: new Date(clock.now()) })
    const [row] = await takeDue()
    const options = { blocks: () => false, signal: new AbortController().signal }
    expect(await runStep({ ...algorithms, orders }, row!, options)).toBe('stepped')
    expect(await takeDue()).toEqual([])
    expect(await read(id)).toMatchObject({
      waitsFor: 'cancel_unconfirmed',
      lastError: expect.stringContaining('refused the cancel'),
    })
    await advance(1_000)
    expect((await executions()).map(({ intent }) => intent)).toEqual(['order', 'cancel', 'cancel'])
  })

  it('waits while trading is halted', async () => {
    const { created, settle, advance, read, world, executions } = await paperScene()
    const halt = await world.post('/v1/exec/halt', { scope: 'account', reason: 'looking into it' })
    expect(halt.json.data.changed).toBe(true)
    const id = await created(hosted)
    await settle()
    expect(await read(id)).toMatchObject({ status: 'running', waitsFor: 'halted', liveSlice: { status: 'ready' } })
    expect((await executions()).map(({ status }) => status)).toEqual(['built'])
    await advance(5_000)
    expect(await read(id)).toMatchObject({ waitsFor: 'halted' })
  })

  it('sends slices that were signed in advance, each once, and keeps none of them afterwards', async () => {
    const { created, settle, advance, read, executionIs, executions, world } = await scene()
    const executionIds: string[] = []
    for (const size of [2, 3]) {
      const body = { isBuy: true, price: 0.5, size }
      const headers = { 'idempotency-key': randomUUID() }
      executionIds.push((await world.post('/v1/exec/limitless/orders/build', body, { headers })).json.data.executionId)
    }
    const signedSlices = executionIds.map((executionId) => ({ executionId, signedArtifact: { signature } }))
    const id = await created({ ...hosted, build: undefined, signedSlices })
    await settle()
    expect(await read(id)).toMatchObject({ liveSlice: { number: 0, size: '2', status: 'sent' } })
    await executionIs(executionIds[0]!, 'filled', '2')
    await advance(1_000)
    expect(await read(id)).toMatchObject({ liveSlice: { number: 1, size: '3', status: 'sent' } })
    await executionIs(executionIds[1]!, 'filled', '3')
    await advance(1_000)
    expect(await read(id)).toMatchObject({ status: 'completed', filledSize: '5' })
    expect(await executions()).toHaveLength(2)
    const { rows } = await pg.pool.query(
      'SELECT FROM execution_algorithm_slices WHERE algorithm_id = $1 AND sealed IS NOT NULL',
      [id],
    )
    expect(rows).toEqual([])
  })

  it('is refused without signed slices where orders are signed', async () => {
    const { create } = await scene()
    expect(refused(await create(hosted))).toEqual([400, 'HOSTED_FIRE_NOT_ELIGIBLE'])
  })

  const paperScene = () => scene({ isPaper: true })
})

describe('a request', () => {
  it('is answered with the same algorithm when it is repeated, and refused for another body', async () => {
    const { create } = await scene()
    const key = randomUUID()
    const first = await create({}, key)
    const again = await create({}, key)
    expect(again.json.data.id).toBe(first.json.data.id)
    expect(again.headers['idempotency-replay']).toBe('true')
    expect(refused(await create({ size: 7 }, key))).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
  })

  it.each([
    ['a size between two steps', { size: 5.5, sizeStep: 1 }],
    ['a field that the algorithm sets', { build: { isBuy: true, price: 0.4 } }],
    ['no build', { build: undefined }],
    ['no end', { expiresAt: undefined }],
    ['an end of a TWAP', { algorithm: { kind: 'twap', slices: 2, durationMs: 10_000 } }],
    [
      'more slices than the size has',
      { algorithm: { kind: 'twap', slices: 9, durationMs: 10_000 }, expiresAt: undefined },
    ],
    [
      'post-only slices that take',
      { algorithm: { kind: 'twap', slices: 2, durationMs: 10_000 }, expiresAt: undefined, postOnly: true },
    ],
    ['a passive phase until the end', { algorithm: { kind: 'passive_then_aggressive', passiveMs: 86_400_000 } }],
    ['a price of 1', { limitPrice: 1 }],
    ['a start in the past', { startsAt: new Date(noon.getTime() - 1).toISOString() }],
    ['signed slices in client mode', { signedSlices: [{ executionId: randomUUID(), signedArtifact: {} }] }],
  ])('with %s is refused', async (_, body) => {
    const { create } = await scene()
    expect(refused(await create(body))).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('for a market without a book of its own is refused', async () => {
    const { create, book } = await scene()
    book.next = 'none'
    expect(refused(await create())).toEqual([501, 'NOT_SUPPORTED'])
  })

  it('beyond the limit of running algorithms is refused', async () => {
    const { create, created, cancelAlgorithm, settle } = await scene()
    const ids: string[] = []
    for (let n = 1; n < runningAlgorithmsMax; n++) ids.push(await created())
    // The last one, by two requests at once.
    const key = randomUUID()
    const last = await Promise.all([create({}, key), create({}, key)])
    expect(last.map(({ status }) => status)).toEqual([200, 200])
    expect(new Set(last.map(({ json }) => json.data.id)).size).toBe(1)
    expect(refused(await create())).toEqual([400, 'VALIDATION_ERROR'])
    await cancelAlgorithm(ids[0]!)
    await settle()
    expect((await create()).status).toBe(200)
  }, 60_000)
})

describe('reads', () => {
  it('list the account’s algorithms page by page, by status', async () => {
    const { created, list, cancelAlgorithm, settle } = await scene()
    const ids = [await created(), await created(), await created()]
    const first = (await list('?limit=2')).json
    expect(first.data.map(({ id }: { id: string }) => id)).toEqual([ids[2], ids[1]])
    const second = (await list(`?limit=2&cursor=${first.meta.nextCursor}`)).json
    expect([second.data.map(({ id }: { id: string }) => id), second.meta.nextCursor]).toEqual([[ids[0]], null])
    await cancelAlgorithm(ids[1]!)
    await settle()
    const canceled = (await list('?status=canceled')).json
    expect(canceled.data.map(({ id }: { id: string }) => id)).toEqual([ids[1]])
    expect(refused(await list('?status=open'))).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('do not show those of other accounts', async () => {
    const { created, list, cancelAlgorithm, actAs, newAccount, world } = await scene()
    const id = await created()
    actAs(await newAccount())
    expect((await list()).json.data).toEqual([])
    expect(refused(await world.call('GET', `/v1/exec/algorithms/${id}`))).toEqual([404, 'CONDITIONAL_NOT_FOUND'])
    expect(refused(await cancelAlgorithm(id))).toEqual([404, 'CONDITIONAL_NOT_FOUND'])
  })

  it('refuse to cancel one that has ended', async () => {
    const { created, cancelAlgorithm, advance, book } = await scene()
    book.next = 'silent'
    const id = await created()
    await advance(evening.getTime() - noon.getTime())
    expect(refused(await cancelAlgorithm(id))).toEqual([409, 'CONDITIONAL_NOT_ARMED'])
  })
})

describe('steps', () => {
  const leaseMs = 60_000

  it('are taken of each venue up to its limit, those in progress included', async () => {
    const { created, clock, accountId, algorithms } = await scene()
    for (let number = 0; number < 3; number++) await created()
    await pg.pool.query("UPDATE execution_algorithms SET due_at = 'infinity' WHERE account_id <> $1", [accountId])
    const take = async (max: number, running: Record<string, number>) => {
      const at = new Date(clock.now())
      return (await algorithms.store.takeDue({ limit: 10, leaseMs, at, venueLimit: { max, running } })).length
    }
    expect(await take(2, { limitless: 2 })).toBe(0)
    expect(await take(3, { limitless: 1 })).toBe(2)
    expect(await take(3, { kalshi: 3 })).toBe(1)
  })

  it('that only wait read the progress once', async () => {
    const { created, settle, clock, algorithms } = await scene()
    await created()
    await settle()
    clock.advance(1_000)
    const [row] = await algorithms.store.takeDue({ limit: 10, leaseMs, at: new Date(clock.now()) })
    let reads = 0
    const store: typeof algorithms.store = {
      ...algorithms.store,
      readProgress(id) {
        reads++
        return algorithms.store.readProgress(id)
      },
    }
    const options = { blocks: () => false, signal: new AbortController().signal }
    expect(await runStep({ ...algorithms, store }, row!, options)).toBe('stepped')
    expect(reads).toBe(1)
  })
})
