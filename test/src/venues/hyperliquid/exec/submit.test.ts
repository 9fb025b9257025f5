import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createHttpSender } from '#net/httpSender'
import { buildOrder, executionOf, type LaneWorld, type Reply, type Seen, stored, submit } from '#test/support/laneWorld'
import { hyperliquidLane as lane } from '#venues/hyperliquid/exec/index'
import { buy, createWorld, owner, rich, sign, stranger } from './world.ts'

let world: LaneWorld
beforeAll(async () => {
  world = await createWorld()
})
beforeEach(() => {
  world.seen.length = 0
  // The cached agent role has expired by then.
  world.clock.advance(10 * 60_000)
  world.answer(rich)
})
afterAll(() => world.close())

const placed = async () => executionOf(await buildOrder(lane, world.context, buy))
const exchange =
  (reply: Reply) =>
  (seen: Seen): Reply =>
    seen.path === '/exchange' ? reply : rich(seen)
const statuses = (...list: unknown[]): Reply => ({
  body: { status: 'ok', response: { type: 'order', data: { statuses: list } } },
})
const orders = () => world.seen.filter(({ path }) => path === '/exchange')

describe('a signature', () => {
  it('of the owner is sent, and the stored artifact equals what was sent', async () => {
    world.answer(exchange(statuses({ resting: { oid: 480264497594 } })))
    const execution = await placed()
    const { prepared, outcome } = await submit(lane, world.context, execution, { signature: await sign(execution) })
    expect(outcome).toMatchObject({ kind: 'accepted', venueRef: '480264497594', status: 'acked', fills: [] })
    expect(orders()).toHaveLength(1)
    expect(stored(JSON.parse(orders()[0]!.text))).toEqual(prepared.submittedArtifact)
    expect(orders()[0]!.headers['content-type']).toBe('application/json')
  })

  it('of an approved agent is accepted too', async () => {
    const execution = await placed()
    world.answer((seen) => {
      if (JSON.parse(seen.text).type === 'userRole') {
        expect(JSON.parse(seen.text).user).toBe(stranger.address.toLowerCase())
        return { body: { role: 'agent', data: { user: owner.address } } }
      }
      return exchange(statuses({ resting: { oid: 1 } }))(seen)
    })
    const { outcome } = await submit(lane, world.context, execution, { signature: await sign(execution, stranger) })
    expect(outcome.kind).toBe('accepted')
  })

  it.each([
    ['a stranger', { role: 'user' }],
    ['an agent of someone else', { role: 'agent', data: { user: stranger.address } }],
    ['a sub-account of the owner', { role: 'subAccount', data: { master: owner.address } }],
  ])('of %s is not sent', async (_, role) => {
    const execution = await placed()
    world.answer((seen) => (JSON.parse(seen.text).type === 'userRole' ? { body: role } : rich(seen)))
    const signature = await sign(execution, stranger)
    await expect(submit(lane, world.context, execution, { signature })).rejects.toMatchObject({
      code: 'INVALID_SIGNATURE',
    })
    expect(orders()).toEqual([])
  })

  it('is not sent when the signer’s role cannot be read', async () => {
    const execution = await placed()
    world.answer(() => ({ status: 400, body: null }))
    const signature = await sign(execution, stranger)
    await expect(submit(lane, world.context, execution, { signature })).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
    expect(orders()).toEqual([])
  })

  it('over another order is not sent', async () => {
    const [execution, other] = [await placed(), await placed()]
    const signature = await sign(other)
    await expect(submit(lane, world.context, execution, { signature })).rejects.toMatchObject({
      code: 'INVALID_SIGNATURE',
    })
    expect(orders()).toEqual([])
  })

  it.each([
    ['no hex', 'signature'],
    ['64 bytes', `0x${'11'.repeat(64)}`],
    ['nothing', ''],
  ])('of %s is rejected by the body schema', (_, signature) => {
    expect(lane.submit!.body.safeParse({ signature }).success).toBe(false)
  })

  it('with a private key is rejected by the body schema', () => {
    const signature = `0x${'11'.repeat(65)}`
    expect(lane.submit!.body.safeParse({ signature, privateKey: '0x1' }).success).toBe(false)
  })

  it('that is garbage is not sent', async () => {
    const execution = await placed()
    for (const signature of [`0x${'00'.repeat(65)}`, `0x${'ff'.repeat(65)}`]) {
      await expect(submit(lane, world.context, execution, { signature })).rejects.toMatchObject({
        code: 'INVALID_SIGNATURE',
      })
    }
    expect(orders()).toEqual([])
  })
})

describe('venue responses', () => {
  const relayed = async (reply: Reply) => {
    world.seen.length = 0
    const execution = await placed()
    world.answer(exchange(reply))
    const { outcome } = await submit(lane, world.context, execution, { signature: await sign(execution) })
    expect(orders()).toHaveLength(1)
    return outcome
  }

  it('an immediate fill is accepted, and its fills are left to refresh', async () => {
    expect(await relayed(statuses({ filled: { totalSz: '50.0', avgPx: '0.35', oid: 9 } }))).toMatchObject({
      kind: 'accepted',
      venueRef: '9',
      status: 'acked',
      fills: [],
      matchedSize: '50.0',
    })
  })

  it.each(['waitingForFill', 'waitingForTrigger'])(
    '%s has no id, so the order is looked up by client order id',
    async (word) => {
      expect((await relayed(statuses(word))).kind).toBe('unknown')
    },
  )

  it.each([
    'Price must be divisible by tick size.',
    'Order must have minimum value of $10.',
    'Insufficient spot balance asset=5160',
    'Order has invalid size.',
    'Post only order would have immediately matched, bbo was 0.3@0.4',
  ])('%s is a rejection with the venue’s text', async (error) => {
    expect(await relayed(statuses({ error }))).toEqual({ kind: 'rejected', reason: error })
    expect(await relayed({ body: { status: 'err', response: error } })).toEqual({ kind: 'rejected', reason: error })
  })

  it.each([
    ['an unknown wallet', 'User or API Wallet 0xabc does not exist.', undefined],
    ['an unknown wallet, as an L1 error', 'L1 error: User or API Wallet 0xabc does not exist.', undefined],
    ['a wallet without a deposit', 'Must deposit before performing actions. User: 0xabc', undefined],
    ['too many requests', 'Too many cumulative requests sent (1 > 0).', 'NETWORK_ERROR'],
  ])('%s means refused: the venue did not process the order', async (_, response, code) => {
    const outcome = await relayed({ body: { status: 'err', response } })
    expect([outcome.kind, 'code' in outcome ? outcome.code : undefined]).toEqual(['refused', code])
  })

  it('an L1 error is rejected like a plain one', async () => {
    const response = 'L1 error: Order has zero size.'
    expect(await relayed({ body: { status: 'err', response } })).toEqual({
      kind: 'rejected',
      reason: 'Order has zero size.',
    })
  })

  it('a 429 with an HTML page stays unknown, because a proxy may have passed the order on', async () => {
    expect((await relayed({ status: 429, text: '<html>' })).kind).toBe('unknown')
  })

  it('a 429 without a body may be sent again, because the venue accepts a nonce once', async () => {
    const reply = { status: 429, body: null }
    expect(await relayed(reply)).toEqual({
      kind: 'refused',
      code: 'NETWORK_ERROR',
      reason: 'requests are limited: the same order can be sent again, the venue takes it only once',
    })
  })

  it.each(['Invalid nonce: 1 is below the 100 highest', 'Invalid nonce: 1 is out of range'])(
    '%s: the single copy that was sent was not accepted',
    async (response) => {
      expect(await relayed({ body: { status: 'err', response } })).toEqual({ kind: 'rejected', reason: response })
    },
  )

  it.each([
    ['an internal error', { body: { status: 'err', response: 'Internal error' } }],
    ['an internal error of one order', statuses({ error: 'Could not process, try later' })],
    ['a nonce used before', { body: { status: 'err', response: 'Invalid nonce: duplicate nonce 1' } }],
    ['an unknown status word', statuses('delayed')],
    ['401', { status: 401, text: 'no' }],
    ['403', { status: 403, text: '<html>' }],
    ['422', { status: 422, text: 'Failed to deserialize the JSON body' }],
    ['500', { status: 500, text: 'oops' }],
    ['502 in HTML', { status: 502, text: '<html>' }],
    ['408', { status: 408, text: '' }],
    ['200 without a body', { status: 200, text: '' }],
    ['200 of another format', { body: { ok: true } }],
    ['no statuses', { body: { status: 'ok', response: { type: 'default' } } }],
    ['a redirect', { status: 307, headers: { location: 'http://127.0.0.1:1/' } }],
    ['a connection cut after the request', 'cut'],
  ])('%s leaves the outcome unknown, and nothing is sent again', async (_, reply) => {
    expect(await relayed(reply as Reply)).toMatchObject({ kind: 'unknown' })
  })

  it('a refused connection means nothing was sent', async () => {
    const execution = await placed()
    const signature = await sign(execution)
    const sender = createHttpSender()
    const context = { ...world.context, sender, urls: { REST: 'http://127.0.0.1:1' } }
    const { outcome } = await submit(lane, context, execution, { signature })
    expect(outcome).toMatchObject({ kind: 'refused' })
    await sender.close()
  })
})

describe('a cancellation', () => {
  const target = async () => ({ ...(await placed()), status: 'acked' as const, venueRef: '42' })

  it('is a separate, newly signed execution and knows its target order', async () => {
    const built = await lane.cancel!.build(world.context, await target(), {} as never)
    const execution = executionOf(built, { target: await target() }, 'cancel')
    world.answer(exchange(statuses('success')))
    const { prepared, outcome } = await submit(lane, world.context, execution, { signature: await sign(execution) })
    expect(prepared.venueRef).toBe('42')
    expect(outcome).toEqual({ kind: 'accepted', venueRef: '42', status: 'acked', fills: [] })
    expect(JSON.parse(orders()[0]!.text).action).toEqual({ type: 'cancel', cancels: [{ a: 100005160, o: 42 }] })
  })

  it('of an order without a known id uses its client order id', async () => {
    const order = await placed()
    const built = await lane.cancel!.build(world.context, order, {} as never)
    lane.checkBounds(built.unsigned, built.bounds)
    expect(built.unsigned.action).toEqual({
      type: 'cancelByCloid',
      cancels: [{ asset: 100005160, cloid: order.clientRef }],
    })
  })

  it('of an order that is gone is rejected with the venue’s text', async () => {
    const built = await lane.cancel!.build(world.context, await target(), {} as never)
    const execution = executionOf(built, {}, 'cancel')
    world.answer(exchange(statuses({ error: 'Order was never placed, already canceled, or filled.' })))
    const { outcome } = await submit(lane, world.context, execution, { signature: await sign(execution) })
    expect(outcome).toMatchObject({ kind: 'rejected' })
  })

  it('stays within its bounds', async () => {
    const [a, b] = [await target(), { ...(await target()), venueRef: '43' }]
    const [first, second] = [
      await lane.cancel!.build(world.context, a, {} as never),
      await lane.cancel!.build(world.context, b, {} as never),
    ]
    expect(() => lane.checkBounds(first.unsigned, second.bounds)).toThrowError(
      expect.objectContaining({ code: 'ARTIFACT_BOUNDS_VIOLATION' }),
    )
  })
})

describe('a modification', () => {
  it('is accepted under the new id that the venue returns', async () => {
    const target = { ...(await placed()), status: 'acked' as const, venueRef: '42' }
    const built = await lane.modify!.build(world.context, target, { price: '0.4', size: 30 } as never)
    expect(built).toMatchObject({ terms: { price: '0.4', size: '30', outcomeId: '#5160' }, notionalUsd: '12' })
    const execution = executionOf(built, { target }, 'modify')
    world.answer(exchange(statuses({ resting: { oid: 43 } })))
    const { outcome } = await submit(lane, world.context, execution, { signature: await sign(execution) })
    expect(outcome).toMatchObject({ kind: 'accepted', venueRef: '43' })
  })

  it('is rejected below the minimum order value', async () => {
    const target = { ...(await placed()), status: 'acked' as const, venueRef: '42' }
    await expect(lane.modify!.build(world.context, target, { price: '0.4', size: 20 } as never)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringMatching(/worth less than 10 USDC/),
    })
  })

  it('requires a change', () => {
    expect(lane.modify!.body.safeParse({}).success).toBe(false)
    expect(lane.modify!.body.safeParse({ owner: owner.address }).success).toBe(false)
  })
})
