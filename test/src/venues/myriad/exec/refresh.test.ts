// What the public row of an order proves.
import { describe, expect, it } from 'vitest'
import { executionOf } from '#test/support/laneWorld'
import { myriadLane as lane } from '#venues/myriad/exec/index'
import { laneSuite, placedRow } from './world.ts'

const suite = laneSuite()
const wei = '000000000000000000'

async function seen(given: Record<string, unknown>) {
  const execution = await suite.placed({ status: 'submitted' })
  suite.world.answer(() => ({ body: placedRow(execution, given) }))
  return { execution, read: await suite.read(execution) }
}

describe('an order', () => {
  it('that is open is acknowledged, even if partially filled, and is found by its hash without a key', async () => {
    const { execution, read } = await seen({ filledAmount: `4${wei}` })
    expect(read).toEqual({
      status: 'acked',
      shown: true,
      matchedSize: '4',
      venueRef: execution.clientRef,
      fills: [],
      observation: { status: 'open', size: '21.04', filled: '4' },
    })
    expect(suite.world.seen.at(-1)).toMatchObject({ method: 'GET', path: `/orders/${execution.clientRef}` })
    expect(suite.world.seen.at(-1)!.headers['x-api-key']).toBeUndefined()
  })

  it.each([
    ['filled', { filledAmount: `2104${wei.slice(2)}`, filledAt: '2026-09-21T14:15:00.000Z' }, 'filled', '21.04'],
    ['cancelled', { filledAmount: `1${wei}`, cancelledAt: '2026-09-21T14:15:00.000Z' }, 'canceled', '1'],
    ['expired', { filledAmount: '1', updatedAt: '2026-09-21T14:15:00.000Z' }, 'expired', '0.000000000000000001'],
  ])('that is %s has one fill with the total filled size', async (status, given, expectedStatus, size) => {
    const { execution, read } = await seen({ status, ...given })
    expect(read).toMatchObject({
      status: expectedStatus,
      fills: [{ key: `${execution.clientRef}:sum`, filledAt: Date.parse('2026-09-21T14:15:00.000Z') }],
    })
    expect(read.fills[0]!.fill).toMatchObject({ aggregate: true, size, status, filledAmount: given.filledAmount })
  })

  it.each(['cancelled', 'expired'])('that is %s without any fill has none', async (status) => {
    expect((await seen({ status })).read).toMatchObject({ status: expect.any(String), fills: [] })
  })

  it('that is reported filled with a lower count is undecided for ten minutes, then canceled with its partial fill', async () => {
    const given = { status: 'filled', filledAmount: '7000000000000000000' }
    const filledAt = new Date(suite.world.clock.now()).toISOString()
    expect((await seen({ ...given, filledAt })).read).toMatchObject({
      status: null,
      shown: true,
      matchedSize: '7',
      observation: { reason: 'the venue reports the order as filled, and 7 of 21.04 as filled' },
    })
    const longAgo = new Date(suite.world.clock.now() - 600_000).toISOString()
    expect((await seen({ ...given, filledAt: longAgo })).read).toMatchObject({
      status: 'canceled',
      fills: [{ fill: { aggregate: true, size: '7' } }],
    })
  })

  it('that is canceled with its whole size filled is filled', async () => {
    expect((await seen({ status: 'cancelled', filledAmount: '21040000000000000000' })).read.status).toBe('filled')
  })

  it('in an unknown state keeps its status and reports the state', async () => {
    for (const status of ['pending', 'partially_filled']) expect((await seen({ status })).read.status).toBe('acked')
    expect((await seen({ status: 'constructor', filledAmount: '7000000000000000000' })).read).toMatchObject({
      status: null,
      matchedSize: '7',
      observation: { reason: 'the venue reports an unknown order state: constructor' },
    })
  })

  it('must match in all fields: another row under its hash is ignored', async () => {
    const execution = await suite.placed()
    const row = placedRow(execution)
    suite.world.answer(() => ({ body: { ...row, order: { ...row.order, nonce: '1' } } }))
    expect(await suite.read(execution)).toMatchObject({
      status: null,
      observation: { reason: 'the answer is about another order' },
    })
  })

  it('that is unknown to the venue is absent; a 404 in another format is a network error', async () => {
    const execution = await suite.placed({ status: 'submitted' })
    suite.world.answer(() => ({ status: 404, body: { error: 'Order not found' } }))
    expect(await suite.read(execution)).toMatchObject({ status: null, shown: false, undone: true, fills: [] })
    for (const body of [{ error: 'Not found' }, { message: 'Order not found' }, {}]) {
      suite.world.answer(() => ({ status: 404, body }))
      await expect(suite.read(execution)).rejects.toThrowError(expect.objectContaining({ code: 'NETWORK_ERROR' }))
    }
  })
})

it('a cancellation follows the state of its order', async () => {
  const target = await suite.placed({ status: 'acked' })
  const order = { ...target, venueRef: target.clientRef }
  const cancel = executionOf(
    await lane.cancel!.build(suite.world.context, order, {} as never),
    { target: order },
    'cancel',
  )
  const read = async (given: Record<string, unknown>) => {
    suite.world.answer(() => ({ body: placedRow(target, given) }))
    return suite.read({ ...cancel, venueRef: target.clientRef })
  }
  expect(await read({ status: 'open' })).toMatchObject({ status: null, undone: true })
  expect(await read({ status: 'cancelled' })).toMatchObject({ status: 'acked', fills: [] })
  expect(await read({ status: 'filled', filledAmount: `2104${wei.slice(2)}` })).toMatchObject({ status: 'failed' })
})
