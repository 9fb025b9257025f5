// Compares the calls of this lane with the second client’s published ABI: selectors and words written out by hand here, the client’s own
// snapshots, and the lab’s contracts, which decode and execute them with a separate ABI.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createLaneLab } from '#test/support/laneLab'
import { buildOrder, executionOf } from '#test/support/laneWorld'
import { callData, type PoolCall, readCall } from '#venues/rain/exec/contracts'
import { rainLane as lane } from '#venues/rain/exec/index'
import { owner, sign } from './world.ts'

const word = (value: bigint | number | string): string => BigInt(value).toString(16).padStart(64, '0')
/** A list of one after `before` words of head. */
const lists = (values: readonly string[], head: number): string => {
  const offsets = values.map((_, n) => word((head + n * 2) * 32))
  return offsets.join('') + values.map((value) => word(1) + word(value)).join('')
}

/** From the table of the published ABI. */
function expected(call: PoolCall, isOlder: boolean): string {
  const option = word(call.option)
  if (call.kind === 'redeem') return `0x379607f5${option}`
  const isBuy = call.side === 'buy'
  const side = word(call.optionSide)
  if (call.kind === 'cancel') {
    return `${isBuy ? '0x74be5a8e' : '0xaa27e5b1'}${option}${lists([String(call.optionSide), call.price, call.orderId], 4)}`
  }
  if (call.kind === 'market') {
    const selector = isBuy ? '0xa2489000' : '0x25f44ecb'
    return `${selector}${option}${side}${word(call.amount)}${word(call.minimum)}${word(call.deadline)}`
  }
  const words = `${option}${side}${word(call.price)}${word(call.amount)}`
  if (isOlder) return `${isBuy ? '0xf4bb4a27' : '0xa5c7fb94'}${words}`
  return `${isBuy ? '0xf3e41a90' : '0x7fed5233'}${words}${word(call.postOnly === true ? 1 : 0)}`
}

const uint = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(String)
const of = {
  side: fc.constantFrom('buy' as const, 'sell' as const),
  option: uint,
  optionSide: fc.constantFrom(1, 2),
}
const calls: fc.Arbitrary<PoolCall> = fc.oneof(
  fc.record({ kind: fc.constant('limit' as const), ...of, price: uint, amount: uint }),
  fc.record({
    kind: fc.constant('limit' as const),
    ...of,
    price: uint,
    amount: uint,
    postOnly: fc.constant(true as const),
  }),
  fc.record({ kind: fc.constant('market' as const), ...of, amount: uint, minimum: uint, deadline: uint }),
  fc.record({ kind: fc.constant('cancel' as const), ...of, price: uint, orderId: uint }),
  fc.record({ kind: fc.constant('redeem' as const), option: uint }),
)
const isLong = process.env.CROSSBOOK_TEST_LONG === '1'

it('every call equals the published ABI encoding byte for byte, and decodes to the same values', () => {
  fc.assert(
    fc.property(calls, fc.boolean(), (call, wantsOlder) => {
      const isOlder = wantsOlder && call.kind === 'limit' && call.postOnly !== true
      const data = callData(call, isOlder)
      expect(data).toBe(expected(call, isOlder))
      expect(readCall(data)).toEqual(call)
    }),
    { numRuns: isLong ? 1_000 : 150 },
  )
})

it('the client’s own snapshots: a cancellation of one order has the option separately and three lists of one', () => {
  const of = { option: '1', optionSide: 1 } as const
  const canceled = callData({ kind: 'cancel', side: 'buy', ...of, price: '500000000000000000', orderId: '7' })
  expect([canceled.slice(0, 10), canceled.length]).toEqual(['0x74be5a8e', 650])
  const other = { option: '1', optionSide: 2, price: '400000000000000000', orderId: '9' }
  expect(callData({ kind: 'cancel', side: 'sell', ...other }).slice(0, 10)).toBe('0xaa27e5b1')
  const sold = callData({ kind: 'limit', side: 'sell', ...of, price: '500000000000000000', amount: '1000' })
  expect(sold.slice(0, 10)).toBe('0x7fed5233')
  expect(callData({ kind: 'redeem', option: '2' }).slice(0, 10)).toBe('0x379607f5')
})

it('a built order sent to the lab’s contracts is the requested order', async () => {
  const here = await createLaneLab('rain')
  const { lab, world, facts } = here
  const { context } = world
  const shares = fc.integer({ min: 1, max: 500 })
  try {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ isBuy: fc.boolean(), isYes: fc.boolean(), price: fc.integer({ min: 1, max: 999 }), shares }),
        async ({ isBuy, isYes, price, shares }) => {
          const [cost, size] = [(price * shares) / 1_000, String(shares)]
          const built = await buildOrder(lane, context, {
            outcome: facts.marketId,
            outcomeSide: isYes ? 'YES' : 'NO',
            isBuy,
            price: String(price / 1_000),
            amount: isBuy ? cost.toFixed(3) : size,
            owner,
          })
          expect([built.warnings, built.terms!.size]).toEqual([[], size])
          const signedTransaction = await sign(built.unsigned, lab.nonceOf(owner))
          const body = lane.submit!.body.parse({ signedTransaction }) as never
          const prepared = await lane.submit!.prepare(context, executionOf(built), body)
          const outcome = await lane.submit!.relay(context, executionOf(built), prepared, body)
          expect(outcome).toMatchObject({ kind: 'accepted', venueRef: prepared.venueRef })
          const order = lab.engine.orderManager.ordersOf(owner.toLowerCase()).at(-1)!
          const onYes = isYes ? price * 1_000 : 1_000_000 - price * 1_000
          expect([order.priceMicros, order.hundredths, order.side]).toEqual([
            onYes,
            shares * 100,
            isBuy === isYes ? 0 : 1,
          ])
          lab.engine.orderManager.cancel(order)
        },
      ),
      { numRuns: isLong ? 1_000 : 25 },
    )
  } finally {
    await here.close()
  }
})

it('a post-only order that would take changes nothing in the lab’s pool; elsewhere it rests', async () => {
  const here = await createLaneLab('rain')
  const { lab, world, facts, bid, ask } = here
  const place = async (price: number) => {
    const order = { outcome: facts.marketId, outcomeSide: 'YES', isBuy: true, amount: '20', owner, postOnly: true }
    const built = await buildOrder(lane, world.context, { ...order, price: String(price / 1e6) })
    const signedTransaction = await sign(built.unsigned, lab.nonceOf(owner))
    const body = lane.submit!.body.parse({ signedTransaction }) as never
    const prepared = await lane.submit!.prepare(world.context, executionOf(built), body)
    await lane.submit!.relay(world.context, executionOf(built), prepared, body)
    return lab.engine.orderManager.ordersOf(owner.toLowerCase()).map(({ status }) => status)
  }
  try {
    expect(await place(ask)).toEqual([])
    expect(await place(bid)).toEqual(['open'])
  } finally {
    await here.close()
  }
})
