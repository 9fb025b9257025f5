// What is sent to the venue and what its answers prove: one signature of the owner, sent once, without a key.
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { executionOf, submit } from '#test/support/laneWorld'
import type { LaneExecution } from '#venues/lane'
import { myriadLane as lane } from '#venues/myriad/exec/index'
import { account, laneSuite } from './world.ts'

const suite = laneSuite()
const stranger = privateKeyToAccount(`0x${'42'.repeat(32)}`)
const refusal = (message: RegExp, code = 'VALIDATION_ERROR') =>
  expect.objectContaining({ code, message: expect.stringMatching(message) })

/** An execution after the venue accepted it. */
async function sent(): Promise<LaneExecution> {
  const execution = await suite.placed()
  const { prepared } = await submit(lane, suite.world.context, execution, { signature: await suite.sign(execution) })
  suite.world.seen.length = 0
  return { ...execution, status: 'acked', venueRef: prepared.venueRef, submittedArtifact: prepared.submittedArtifact }
}
const cancelOf = async (target: LaneExecution) =>
  executionOf(await lane.cancel!.build(suite.world.context, target, {} as never), { target }, 'cancel')

describe('an order', () => {
  it('is posted with its signature and unsigned fields, and its hash is known before any response', async () => {
    const execution = await suite.placed()
    const signature = await suite.sign(execution)
    suite.world.answer(() => ({ body: { orderHash: execution.clientRef, status: 'open', timeInForce: 'GTC' } }))
    const { prepared, outcome } = await submit(lane, suite.world.context, execution, { signature })
    expect(prepared).toMatchObject({ venueRef: execution.clientRef, submittedArtifact: { signature } })
    expect(outcome).toEqual({ kind: 'accepted', venueRef: execution.clientRef, status: 'acked', fills: [] })
    const [seen] = suite.world.seen
    expect([seen!.method, seen!.path, seen!.headers['content-type']]).toEqual(['POST', '/orders', 'application/json'])
    expect(JSON.parse(seen!.text)).toEqual({
      order: execution.unsigned.message,
      signature,
      network_id: 56,
      time_in_force: 'GTC',
    })
  })

  it('is sent only with the owner’s signature', async () => {
    const execution = await suite.placed()
    const prepare = (signature?: string) =>
      lane.submit!.prepare(
        suite.world.context,
        execution,
        lane.submit!.body.parse({ ...(signature && { signature }) }) as never,
      )
    await expect(prepare()).rejects.toThrowError(refusal(/^signature: is needed/))
    await expect(prepare(await suite.sign(execution, stranger))).rejects.toThrowError(
      refusal(/not the owner/, 'INVALID_SIGNATURE'),
    )
    const another = await suite.sign(await suite.placed())
    await expect(prepare(another)).rejects.toThrowError(refusal(/not the owner/, 'INVALID_SIGNATURE'))
    expect(suite.world.seen).toEqual([])
  })

  it.each([
    [400, { error: 'Insufficient collateral balance' }, 'rejected'],
    [400, { error: 'Invalid order payload', details: ['price'] }, 'rejected'],
    [404, { error: 'Market not found' }, 'rejected'],
    [404, { error: 'Order not found' }, 'unknown'],
    [404, { error: 'Not found' }, 'unknown'],
    [401, { error: 'Missing or invalid API key' }, 'unknown'],
    [409, { error: 'Order already exists' }, 'unknown'],
    [429, { error: 'Rate limit exceeded' }, 'refused'],
    [429, { error: 'slow down' }, 'unknown'],
    [500, { error: 'Internal server error' }, 'unknown'],
    [200, { orderHash: '0x1', status: 'open' }, 'unknown'],
  ])('answered %i %j: %s', async (status, body, kind) => {
    const execution = await suite.placed()
    suite.world.answer(() => ({ status, body }))
    const { outcome } = await submit(lane, suite.world.context, execution, { signature: await suite.sign(execution) })
    expect(outcome.kind).toBe(kind)
  })

  it('with an expiry has a bound for late copies, because the contract fills nothing after it', async () => {
    expect(lane.submit!.lateBound!(await suite.placed(), 0)).toBeNull()
    const dated = executionOf(await suite.build({ expiresAt: 1_900_000_000 }))
    expect(lane.submit!.lateBound!(dated, 0)).toMatchObject({ untilMs: 1_900_000_000_000 })
  })
})

describe('a cancellation', () => {
  it('reuses the signature of the order', async () => {
    const order = await sent()
    const { orderHash } = { orderHash: order.venueRef! }
    suite.world.answer(() => ({ body: { orderHash, status: 'cancelled' } }))
    const { prepared, outcome } = await submit(lane, suite.world.context, await cancelOf(order), {})
    expect(outcome).toMatchObject({ kind: 'accepted', venueRef: orderHash })
    expect(prepared.venueRef).toBe(orderHash)
    const [seen] = suite.world.seen
    expect([seen!.method, seen!.path]).toEqual(['DELETE', `/orders/${orderHash}`])
    const { signature } = order.submittedArtifact!
    expect(JSON.parse(seen!.text)).toEqual({ order: order.unsigned.message, signature, network_id: 56 })
    expect(signature).toBe(await account.signTypedData(order.unsigned as never))
  })

  it('of an order stored without its signature needs that signature and accepts no other', async () => {
    const order = await sent()
    const { signature, ...rest } = order.submittedArtifact as { signature: string }
    const cancel = await cancelOf({ ...order, submittedArtifact: rest })
    const prepare = (body: object) =>
      lane.submit!.prepare(suite.world.context, cancel, lane.submit!.body.parse(body) as never)
    expect((await prepare({ signature })).submittedArtifact).toMatchObject({ signature })
    await expect(prepare({})).rejects.toThrowError(refusal(/^signature: Crossbook fired this order/))
    const other = await suite.sign(await suite.placed())
    await expect(prepare({ signature: other })).rejects.toThrowError(refusal(/^signature: /, 'INVALID_SIGNATURE'))
  })

  it('is not signed again, and applies to this order only', async () => {
    const order = await sent()
    const cancel = await cancelOf(order)
    await expect(
      lane.submit!.prepare(
        suite.world.context,
        cancel,
        lane.submit!.body.parse({ signature: await suite.sign(order) }) as never,
      ),
    ).rejects.toThrowError(refusal(/^signature: the one of the order is sent/))
    const other = await cancelOf(await sent())
    expect(() => lane.checkBounds(other.unsigned, cancel.bounds)).toThrowError(
      refusal(/cancels another order/, 'ARTIFACT_BOUNDS_VIOLATION'),
    )
    const swapped = { ...cancel.unsigned, order: other.unsigned.order! }
    expect(() => lane.checkBounds(swapped, cancel.bounds)).toThrowError(
      refusal(/cancels another order/, 'ARTIFACT_BOUNDS_VIOLATION'),
    )
    await expect(cancelOf(await suite.placed())).rejects.toThrowError(refusal(/no venue order id/))
  })

  it.each([
    [400, { error: 'Order already filled' }, 'rejected'],
    [404, { error: 'Order not found' }, 'unknown'],
    [200, { orderHash: `0x${'1'.repeat(64)}`, status: 'cancelled' }, 'unknown'],
    [200, { status: 'cancelled' }, 'unknown'],
  ])('answered %i %j: %s', async (status, body, kind) => {
    const cancel = await cancelOf(await sent())
    suite.world.answer(() => ({ status, body }))
    expect((await submit(lane, suite.world.context, cancel, {})).outcome.kind).toBe(kind)
  })
})
