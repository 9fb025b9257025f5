import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildOrder, executionOf, type LaneWorld, type Reply } from '#test/support/laneWorld'
import { hyperliquidLane as lane } from '#venues/hyperliquid/exec/index'
import { knownOrderStates } from '#venues/hyperliquid/exec/orderStatus'
import type { LaneExecution } from '#venues/lane'
import { buy, createWorld, owner, rich } from './world.ts'

let world: LaneWorld
let order: LaneExecution
beforeAll(async () => {
  world = await createWorld()
})
beforeEach(async () => {
  world.answer(rich)
  order = executionOf(await buildOrder(lane, world.context, buy), { status: 'acked', venueRef: '42' })
  world.seen.length = 0
})
afterAll(() => world.close())

const read = (execution: LaneExecution = order) => lane.refresh!.read(world.context, execution, {} as never)
const requestBodies = () => world.seen.map(({ text }) => JSON.parse(text))

interface StatusFields {
  status: string
  sz?: string
  coin?: string
  statusTimestamp?: number
}
const statusAnswer = ({
  status,
  sz = '50.0',
  coin = '#5160',
  statusTimestamp = world.clock.now() - 120_000,
}: StatusFields) => ({
  status: 'order',
  order: {
    order: {
      coin,
      side: 'B',
      limitPx: '0.35',
      sz,
      oid: 42,
      origSz: '50.0',
      timestamp: 1_789_999_999_000,
      cloid: order.clientRef,
    },
    status,
    statusTimestamp,
  },
})
const fill = (tid: number, sz: string, given: Record<string, unknown> = {}) => ({
  coin: '#5160',
  px: '0.35',
  sz,
  side: 'B',
  time: 1_790_000_000_000 + tid,
  dir: 'Buy',
  hash: '0x1',
  oid: 42,
  crossed: false,
  fee: '0.0',
  tid,
  feeToken: 'USDC',
  twapId: null,
  ...given,
})

function venue(status: unknown, fills: unknown[] = [], history: unknown[] = []): void {
  world.answer(({ text }): Reply => {
    const { type } = JSON.parse(text)
    if (type === 'historicalOrders') return { body: history }
    return type === 'orderStatus' ? { body: status } : type === 'userFillsByTime' ? { body: fills } : { status: 400 }
  })
}

describe('the state of an order', () => {
  it('is requested by owner and order id, without credentials', async () => {
    venue(statusAnswer({ status: 'open' }))
    expect(await read()).toMatchObject({ status: 'acked', venueRef: '42', fills: [] })
    expect(requestBodies()).toEqual([{ type: 'orderStatus', user: owner.address.toLowerCase(), oid: 42 }])
    expect(lane.refresh!.body.safeParse({}).success).toBe(true)
    expect(lane.refresh!.body.safeParse({ apiKey: 'x' }).success).toBe(false)
    expect(lane.refresh!.credentialFree).toBe(true)
  })

  it('is requested by client order id when the submit got no response, and returns the venue’s order id', async () => {
    venue(statusAnswer({ status: 'open' }))
    expect(await read({ ...order, status: 'submitted', venueRef: null })).toMatchObject({
      status: 'acked',
      venueRef: '42',
    })
    expect(requestBodies()[0].oid).toBe(order.clientRef)
  })

  it('is not concluded from an order unknown to the venue', async () => {
    venue({ status: 'unknownOid' })
    expect(await read()).toEqual({
      status: null,
      shown: false,
      undone: true,
      venueRef: '42',
      fills: [],
      observation: { reason: 'unknownOid' },
    })
  })

  it.each(['zz', '0x12', '-5', '1e3'])('is not requested for an invalid stored order id: %s', async (venueRef) => {
    expect(await read({ ...order, venueRef })).toMatchObject({
      status: null,
      observation: { reason: 'the stored order id is not one of this venue’s' },
    })
    expect(world.seen).toEqual([])
  })

  it('is not taken from an order on another outcome', async () => {
    venue(statusAnswer({ status: 'filled', coin: '#5161', sz: '0.0' }))
    expect(await read()).toMatchObject({ status: null, fills: [] })
  })

  it.each(knownOrderStates)('parses state %s', async (status) => {
    venue(statusAnswer({ status }))
    const { status: ours, reason } = await read()
    const expected =
      status === 'open' || status === 'triggered'
        ? 'acked'
        : status === 'filled'
          ? 'filled'
          : /rejected$/i.test(status)
            ? 'failed'
            : 'canceled'
    expect(ours).toBe(expected)
    expect(reason).toBe(expected === 'failed' ? status : undefined)
  })

  it.each(['halfFilled', '', 'constructor', '__proto__'])(
    'in an unknown state (%j) keeps the status, reports the state, and fills are still read',
    async (status) => {
      venue(statusAnswer({ status, sz: '20.0' }), [fill(1, '30')])
      expect(await read()).toMatchObject({
        status: null,
        shown: true,
        matchedSize: '30',
        fills: [{ key: '1' }],
        observation: { reason: `the venue reports an unknown order state: ${status}` },
      })
    },
  )

  it.each([
    ['filled', '20.0', 'canceled'],
    ['canceled', '0.0', 'filled'],
    ['iocCancelRejected', '20.0', 'canceled'],
  ])('depends on its sizes too: %s with %s of 50.0 left is %s', async (status, sz, expected) => {
    venue(statusAnswer({ status, sz }), [fill(1, sz === '0.0' ? '50' : '30')])
    expect(await read()).toMatchObject({ status: expected, fills: [{ key: '1' }] })
  })

  describe('when the id lookup finds nothing', () => {
    const old = { timestamp: 1_789_000_000_000, oid: 7 }
    const sent = () => ({ ...order, status: 'submitted' as const, venueRef: null })
    beforeEach(() => world.clock.advance(120_000))

    it('is found among the newest orders of the account', async () => {
      const { order: row } = statusAnswer({ status: 'filled', sz: '0.0' })
      venue({ status: 'unknownOid' }, [fill(1, '50')], [{ order: { ...old, coin: 7 } }, row])
      expect(await read(sent())).toMatchObject({ status: 'filled', venueRef: '42', fills: [{ key: '1' }] })
    })

    it('is found next to an unreadable order, and is not absent if that may be it', async () => {
      const { order: row } = statusAnswer({ status: 'filled', sz: '0.0' })
      venue({ status: 'unknownOid' }, [fill(1, '50')], [{ order: { ...old, oid: null } }, null, row])
      expect(await read(sent())).toMatchObject({ status: 'filled', venueRef: '42' })
      venue({ status: 'unknownOid' }, [], [{ order: { ...old, oid: null } }])
      expect((await read(sent())).undone).toBeUndefined()
    })

    it('is absent only if the newest orders reach back past the submission', async () => {
      const rows = (timestamp: number) =>
        Array.from({ length: 2_000 }, (_, i) => ({ order: { oid: i + 100, timestamp } }))
      venue({ status: 'unknownOid' }, [], rows(1_790_000_000_000))
      const unproven = await read(sent())
      expect(unproven).toMatchObject({ status: null, shown: false, observation: { reason: /do not reach back/ } })
      expect(unproven.undone).not.toBe(true)
      venue({ status: 'unknownOid' }, [], rows(1_789_000_000_000))
      expect(await read(sent())).toMatchObject({ status: null, shown: false, undone: true })
      venue({ status: 'unknownOid' }, [], rows(1_790_000_000_000).slice(1))
      expect(await read(sent())).toMatchObject({ status: null, shown: false, undone: true })
    })
  })

  it('that is unreadable is a network error', async () => {
    world.answer(() => ({ body: { status: 'order', order: {} } }))
    await expect(read()).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  })
})

describe('fills', () => {
  it('are complete, keyed by the venue’s id, ordered, and only of this order', async () => {
    venue(statusAnswer({ status: 'filled', sz: '0.0' }), [fill(3, '20'), fill(1, '30.0'), fill(2, '7', { oid: 41 })])
    const { status, fills, observation } = await read()
    expect(status).toBe('filled')
    expect(fills.map(({ key, filledAt }) => [key, filledAt])).toEqual([
      ['1', 1_790_000_000_001],
      ['3', 1_790_000_000_003],
    ])
    expect(fills[0]!.fill).toMatchObject({ px: '0.35', sz: '30.0', dir: 'Buy', twapId: null })
    expect(observation).toMatchObject({ fillsReconciled: true })
    expect(requestBodies()[1]).toMatchObject({
      type: 'userFillsByTime',
      startTime: 1_789_999_999_000,
      aggregateByTime: false,
    })
  })

  it.each([[{ oid: 1, time: 5, coin: 7 }], [{ oid: null, time: 5 }], [{ oid: 42, time: null }], [{ junk: 1 }], [null]])(
    'are found next to an unreadable row: %j',
    async (row) => {
      venue(statusAnswer({ status: 'filled', sz: '0.0' }), [row, fill(1, '50')])
      expect(await read()).toMatchObject({ status: 'filled', fills: [{ key: '1' }] })
    },
  )

  it('with an odd side or price are kept; an unreadable fill of this order leaves the order open', async () => {
    const now = world.clock.now()
    venue(statusAnswer({ status: 'filled', sz: '0.0' }), [fill(1, '50', { side: 7, px: null })])
    expect(await read()).toMatchObject({ status: 'filled', fills: [{ fill: { side: null, px: null, sz: '50' } }] })
    venue(statusAnswer({ status: 'filled', sz: '0.0', statusTimestamp: now }), [fill(1, '50', { tid: null })])
    expect(await read()).toMatchObject({ status: null, fills: [], observation: { fillsReconciled: false } })
  })

  it('of a part are reported while the order is open and when it is cancelled', async () => {
    venue(statusAnswer({ status: 'open', sz: '20.0' }), [fill(1, '30')])
    expect(await read()).toMatchObject({ status: 'acked', fills: [{ key: '1' }] })
    venue(statusAnswer({ status: 'canceled', sz: '20.0' }), [fill(1, '30')])
    expect(await read()).toMatchObject({ status: 'canceled', fills: [{ key: '1' }] })
  })

  it.each([
    ['open', [fill(1, '30')], 'acked', '30'],
    ['filled', [fill(1, '50')], 'filled', '50'],
    ['filled', [fill(1, '30')], null, '50'],
    ['canceled', [fill(1, '30')], null, '30'],
  ])('settle an order without sizes: %s with fills of %j is %s', async (word, fills, status, matchedSize) => {
    const { order: row, ...answer } = statusAnswer({ status: word, statusTimestamp: world.clock.now() })
    const unsized = { ...row.order, sz: null, origSz: 7, timestamp: null }
    venue({ ...answer, order: { ...row, order: unsized } }, fills)
    const seen = await read()
    expect(seen).toMatchObject({ status, matchedSize, observation: { sz: null, origSz: null } })
    expect(seen.fills).toHaveLength(1)
  })

  it('that lag behind delay the final status, but only for ten minutes', async () => {
    const now = world.clock.now()
    venue(statusAnswer({ status: 'filled', sz: '0.0', statusTimestamp: now }), [fill(1, '30')])
    expect(await read()).toMatchObject({ status: null, observation: { fillsReconciled: false } })
    venue(statusAnswer({ status: 'filled', sz: '0.0', statusTimestamp: now - 600_000 }), [fill(1, '30')])
    expect(await read()).toMatchObject({ status: 'filled', fills: [{ key: '1' }] })
  })

  it('are paged through, each counted once', async () => {
    const many = Array.from({ length: 2_500 }, (_, i) => fill(i + 1, '0.02'))
    const base = 1_790_000_000_000
    world.answer(({ text }): Reply => {
      const { type, startTime } = JSON.parse(text)
      if (type === 'orderStatus') return { body: statusAnswer({ status: 'filled', sz: '0.0' }) }
      return { body: many.filter(({ time }) => time >= Math.max(startTime, base)).slice(0, 2_000) }
    })
    const { fills, observation } = await read()
    expect(fills).toHaveLength(2_500)
    expect(observation).toMatchObject({ fillsReconciled: true })
    expect(requestBodies()).toHaveLength(3)
  })
})

describe('the state of a cancellation', () => {
  const cancellation = async () =>
    executionOf(await lane.cancel!.build(world.context, order, {} as never), { status: 'submitted' }, 'cancel')

  it.each([
    ['canceled', 'acked'],
    ['outcomeSettledCanceled', 'acked'],
    ['open', null],
    ['filled', 'failed'],
  ])('follows the order: %s is %s', async (word, expected) => {
    venue(statusAnswer({ status: word }))
    expect(await read(await cancellation())).toMatchObject({ status: expected, venueRef: '42', fills: [] })
  })
})
