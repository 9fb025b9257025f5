// What the order stream reports of execution algorithms.
import { afterEach, expect, it } from 'vitest'
import { algorithmFrame, snapshotFrames } from '#orders/stream/frames'
import { OrdersFrame } from '#schemas/streamFrames'
import { readAlgorithms } from '#storage/postgres/orderChanges/readChanges'
import { readOpenOrders } from '#storage/postgres/orderChanges/readOpenOrders'
import { openAlgorithmWorld } from '#test/support/algorithms/world'
import { withPostgres } from '#test/support/postgres'

const pg = withPostgres()
const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((world) => world.close()))
})

const parsed = (frame: Buffer) => OrdersFrame.parse(JSON.parse(frame.toString())).data

async function scene() {
  const world = await openAlgorithmWorld(pg.pool)
  open.push(world)
  const changes = async () => {
    const page = await readAlgorithms(pg.pool, { after: 0, missing: [], limit: 1_000, accounts: [world.accountId] })
    return page.rows.flatMap(({ row }) => (row === null ? [] : [parsed(algorithmFrame(row, 1))]))
  }
  return { ...world, changes }
}

it('reports a slice that is offered, with its execution and the time until which it may be submitted', async () => {
  const { created, settle, advance, sign, read, changes } = await scene()
  const id = await created()
  await settle()
  const offered = (await changes()).at(-1)!
  const { liveSlice } = await read(id)
  expect(offered).toMatchObject({
    kind: 'algorithm',
    event: 'slice_offered',
    algorithm: { id, status: 'running', liveSlice: { executionId: liveSlice.executionId, signBy: liveSlice.signBy } },
  })
  await sign(liveSlice.executionId)
  await advance(1_000)
  expect((await changes()).map((data) => (data.kind === 'algorithm' ? data.event : data.kind))).toEqual([
    'created',
    'slice_offered',
    'slice_sent',
  ])
})

it('shows the running ones in a snapshot', async () => {
  const { created, settle, accountId, cancelAlgorithm } = await scene()
  const options = { reason: 'subscribed', truncated: false, ts: 1 } as const
  const id = await created()
  await settle()
  const [executions, algorithms] = snapshotFrames(await readOpenOrders(pg.pool, accountId, 10), options).map(parsed)
  expect(executions).toMatchObject({ kind: 'snapshot', algorithms: [{ id, waitsFor: 'awaiting_signature' }] })
  expect(algorithms).toBeUndefined()
  await cancelAlgorithm(id)
  await settle()
  const frames = snapshotFrames(await readOpenOrders(pg.pool, accountId, 10), options).map(parsed)
  expect(frames).toEqual([expect.objectContaining({ executions: [], conditionals: [] })])
  expect(frames[0]).not.toHaveProperty('algorithms')
})
