// Cancel and modify: new executions that act on another one.
import { describe, expect, it } from 'vitest'
import { testLane } from '#test/support/execution/lane'
import { executionSuite, idOf, refused } from '#test/support/execution/suite'

const { pg, worldOf, count, setStatus } = executionSuite()

describe.each(['cancel', 'modify'] as const)('%s', (verb) => {
  it('is a new execution and leaves its target unchanged', async () => {
    const world = await worldOf()
    const id = idOf(await world.build('b'))
    await world.submit(id, 's')
    const before = await world.get(`/v1/exec/executions/${id}`)
    const made = await world[verb](id, 'c')
    expect(made.json.data).toMatchObject({
      intent: verb,
      status: 'built',
      venueRef: null,
      submittedArtifact: null,
      targetExecutionId: id,
    })
    expect(idOf(made)).not.toBe(id)
    const again = await world[verb](id, 'c')
    expect([again.text, again.headers['idempotency-replay']]).toEqual([made.text, 'true'])
    expect((await world.get(`/v1/exec/executions/${id}`)).text).toBe(before.text)
    expect(world.venue.calls).toBe(1)
  })

  it('requires a venue order id: without one it is a 400 that binds no key', async () => {
    const world = await worldOf()
    const id = idOf(await world.build('b'))
    expect(refused(await world[verb](id, 'early'))).toEqual([400, 'VALIDATION_ERROR'])
    world.venue.mode = 'drop'
    await world.submit(id, 's')
    expect(refused(await world[verb](id, 'early'))).toEqual([400, 'VALIDATION_ERROR'])
    await world.refresh(id)
    expect((await world[verb](id, 'early')).status).toBe(200)
  })

  it('of an ended execution is a 409 before the adapter builds', async () => {
    const lane = testLane()
    let builds = 0
    const build = () => Promise.reject(new Error(`build ${++builds}`))
    const world = await worldOf({ lanes: [{ ...lane, [verb]: { ...lane[verb]!, build } }] })
    const id = idOf(await world.build('b'))
    await world.submit(id, 's')
    for (const status of ['failed', 'canceled', 'expired']) {
      await setStatus(id, status)
      expect(refused(await world[verb](id, `c-${status}`)), status).toEqual([409, 'EXECUTION_TERMINAL'])
    }
    expect(builds).toBe(0)
  })

  it('is NOT_IMPLEMENTED where the adapter has none', async () => {
    const { [verb]: _none, ...bare } = testLane()
    const world = await worldOf({ lanes: [bare] })
    const id = idOf(await world.build('b'))
    expect(refused(await world[verb](id, 'c'))).toEqual([501, 'NOT_IMPLEMENTED'])
  })

  it('of a cancellation is 400', async () => {
    const world = await worldOf()
    const id = idOf(await world.build('b'))
    await world.submit(id, 's')
    const cancel = idOf(await world.cancel(id, 'c'))
    await world.submit(cancel, 'sc')
    expect(refused(await world[verb](cancel, 'cc'))).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('under the key of an unsent older version is a 409', async () => {
    const world = await worldOf()
    const id = idOf(await world.build('b'))
    await world.submit(id, 's')
    const made = idOf(await world[verb](id, 'c'))
    await pg.pool.query('UPDATE executions SET build_version = 0 WHERE id = $1', [made])
    expect(refused(await world[verb](id, 'c'))).toEqual([409, 'ARTIFACT_VERSION_CONFLICT'])
    expect((await world[verb](id, 'fresh')).status).toBe(200)
  })

  it('rejects unused fields', async () => {
    const world = await worldOf()
    const id = idOf(await world.build('b'))
    await world.submit(id, 's')
    expect(refused(await world.post(`${id}/${verb}`, { nonsense: 1 }, 'c'))).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('rejects a changed artifact, and stores none that is out of bounds', async () => {
    const lane = testLane()
    const build = async (...given: Parameters<NonNullable<typeof lane.cancel>['build']>) => ({
      ...(await testLane()[verb]!.build(...given)),
      unsigned: { size: 5_000 },
    })
    const world = await worldOf({ lanes: [{ ...lane, [verb]: { ...lane[verb]!, build } }] })
    const id = idOf(await world.build('b'))
    await world.submit(id, 's')
    expect(refused(await world[verb](id, 'c'))).toEqual([400, 'ARTIFACT_BOUNDS_VIOLATION'])
    await pg.pool.query(`UPDATE executions SET unsigned = '{"size":999}' WHERE id = $1`, [id])
    expect(refused(await world[verb](id, 'c'))).toEqual([409, 'ARTIFACT_INTEGRITY_MISMATCH'])
    expect(await count('executions WHERE target_id = $1', [id])).toBe(0)
  })
})

it('a cancel is submitted under its own id: the venue cancels, and refresh ends both executions', async () => {
  const world = await worldOf()
  const id = idOf(await world.build('b'))
  await world.submit(id, 's')
  const cancel = idOf(await world.cancel(id, 'c'))
  expect((await world.submit(cancel, 'sc')).json.data).toMatchObject({ intent: 'cancel', status: 'acked' })
  expect(world.venue.canceled).toHaveLength(1)
  expect((await world.get(`/v1/exec/executions/${id}`)).json.data.status).toBe('acked')
  expect((await world.refresh(id)).json.data.status).toBe('canceled')
  expect((await world.refresh(cancel)).json.data.status).toBe('acked')
})

it('a modify is submitted under its own id and replaces the order; its fills are its own', async () => {
  const world = await worldOf()
  const id = idOf(await world.build('b'))
  await world.submit(id, 's')
  const change = await world.modify(id, 'm', 7)
  const changed = idOf(change)
  expect((await world.submit(changed, 'sm')).json.data).toMatchObject({ intent: 'modify', status: 'acked' })
  expect((await world.refresh(id)).json.data.status).toBe('acked')
  const order = change.json.data.unsigned.id
  world.venue.status.set(order, 'filled')
  world.venue.fills.set(order, ['f'])
  expect((await world.refresh(changed)).json.data).toMatchObject({ status: 'filled', fills: [{ key: 'f' }] })
  expect((await world.refresh(id)).json.data).toMatchObject({ status: 'filled', fills: [] })
  expect(refused(await world.modify(id, 'more', 8))).toEqual([409, 'EXECUTION_TERMINAL'])
  expect(await count('execution_fills WHERE execution_id = $1', [id])).toBe(0)
})

it('a modify counts under the spend cap, a cancel does not', async () => {
  const world = await worldOf()
  const id = idOf(await world.build('b'))
  await world.submit(id, 's')
  await pg.pool.query('INSERT INTO spend_caps VALUES ($1, 1)', [world.accountId])
  expect(refused(await world.modify(id, 'm', 7))).toEqual([402, 'SPEND_CAP_EXCEEDED'])
  expect((await world.modify(id, 'm', 6)).status).toBe(200)
  expect((await world.cancel(id, 'c')).status).toBe(200)
})
