// What is built for Rain and what is not: every code and warning of the specification, and the amounts that a wallet signs.
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { compareDecimals, multiplyDecimals } from '#core/decimal'
import type { Fault } from '#core/fault'
import { buildOrder, createLaneWorld, type LaneWorld } from '#test/support/laneWorld'
import { callData, readCall } from '#venues/rain/exec/contracts'
import { rainLane as lane } from '#venues/rain/exec/index'
import { block, buy, type Chain, errorOf, facet, market, marketId, nodeOf, official, owner, pool } from './world.ts'

let world: LaneWorld
beforeAll(async () => {
  world = await createLaneWorld('rain', ['RPC'], {})
})
beforeEach(() => {
  world.outcomes.splice(0, Infinity, ...market())
  world.seen.length = 0
})
afterAll(() => world.close())

const build = (body: object = {}, chain: Chain = {}, settings: Record<string, string> = {}) => {
  world.answer(nodeOf(chain))
  return buildOrder(lane, { ...world.context, settings }, { ...buy, ...body })
}
const codeOf = async (...given: Parameters<typeof build>): Promise<string> => {
  const refused: unknown = await build(...given).then(
    () => null,
    (error: unknown) => error,
  )
  return refused === null ? 'built' : (refused as Fault).code
}
const atMarket = { action: 'market', price: undefined, slippageBps: 100, deadlineSecondsFromNow: 600 }
const callOf = ({ unsigned }: Awaited<ReturnType<typeof build>>) => readCall(unsigned.data as `0x${string}`)

describe('a limit order', () => {
  it('spends the base token to buy and gives shares to sell, in one transaction to the pool', async () => {
    const bought = await build()
    expect(bought.unsigned).toMatchObject({ to: expect.stringMatching(/^0x5921/i), value: '0', chainId: 42_161 })
    expect(callOf(bought)).toEqual({
      kind: 'limit',
      side: 'buy',
      option: '2',
      optionSide: 1,
      price: '400000000000000000',
      amount: '20000000',
    })
    expect(bought.terms).toMatchObject({ marketId, outcomeSide: 'YES', isBuy: true, price: '0.4', size: '50' })
    expect([bought.notionalUsd, bought.feeEstimate, bought.clientRef, bought.owner]).toEqual(['20', null, null, owner])
    expect(bought.warnings).toEqual([])
    const sold = await build({ isBuy: false, outcomeSide: 'NO', amount: 7.5 })
    expect(callOf(sold)).toMatchObject({ side: 'sell', optionSide: 2, amount: '7500000' })
    expect([sold.terms?.size, sold.notionalUsd]).toEqual(['7.5', '0'])
  })

  it('has no dollar value in a token of unknown value', async () => {
    world.outcomes.splice(0, Infinity, ...market({ collateralToken: `0x${'aa'.repeat(20)}`, collateral: 'RAIN' }))
    const returns = { baseToken: `0x${'aa'.repeat(20)}` }
    expect((await build({}, { returns })).notionalUsd).toBeNull()
  })

  it('uses the older call for a pool with an older contract', async () => {
    const returns = {
      facetAddress: ([selector]: readonly unknown[]) => (selector === '0xf4bb4a27' ? facet : `0x${'0'.repeat(40)}`),
    }
    const { unsigned } = await build({}, { returns })
    expect(String(unsigned.data).slice(0, 10)).toBe('0xf4bb4a27')
  })
})

it('post-only is in the call of a limit order, and is refused for a pool of an older build and for a market order', async () => {
  const built = await build({ postOnly: true })
  expect(callOf(built)).toMatchObject({ kind: 'limit', postOnly: true })
  expect(lane.describe(built.unsigned)).toMatchObject({ postOnly: true })
  const plain = await build()
  expect(() => lane.checkBounds(built.unsigned, plain.bounds)).toThrow('its postOnly is not as requested')
  const returns = {
    facetAddress: ([selector]: readonly unknown[]) => (selector === '0xf4bb4a27' ? facet : `0x${'0'.repeat(40)}`),
  }
  expect(await codeOf({ postOnly: true }, { returns })).not.toBe('built')
  await expect(build({ ...atMarket, postOnly: true })).rejects.toThrow()
})

describe('a market order', () => {
  it('takes its minimum from a quote at one block, and its deadline from that block', async () => {
    const bought = await build(atMarket)
    const deadline = String(block.timestamp + 600)
    expect(callOf(bought)).toEqual({
      kind: 'market',
      side: 'buy',
      option: '2',
      optionSide: 1,
      amount: '20000000',
      // One percent less than the quote.
      minimum: '49500000',
      deadline,
    })
    expect(bought.bounds).toMatchObject({ block: block.number, quote: '50000000', deadline })
    expect(bought.terms).toMatchObject({ size: '49.5', price: '0.404040404040404041' })
    const blocks = world.seen
      .map(({ text }) => JSON.parse(text) as { method: string; params: [unknown, string] })
      .filter(({ method }) => method === 'eth_call')
      .map(({ params }) => params[1])
    expect(new Set(blocks)).toEqual(new Set([`0x${block.number.toString(16)}`]))
    const sold = await build({ ...atMarket, isBuy: false })
    // Twenty shares at 0.39, less one percent.
    expect(callOf(sold)).toMatchObject({ side: 'sell', amount: '20000000', minimum: '7722000' })
  })

  it('has a minimum of at least one unit, rounded in its owner’s favour', async () => {
    const { unsigned } = await build({ ...atMarket, slippageBps: 9_999 }, { returns: { getEntryShares: [3n, 3n] } })
    expect(readCall(unsigned.data as `0x${string}`)).toMatchObject({ minimum: '1' })
  })
})

describe('rejects with', () => {
  it.each<[string, object, Chain]>([
    ['RAIN_INVALID_PRICE', { price: 0 }, {}],
    ['RAIN_INVALID_PRICE', { price: '1' }, {}],
    ['RAIN_INVALID_PRICE', { price: '-0.1' }, {}],
    ['RAIN_INVALID_PRICE', { price: '1e-3' }, {}],
    ['RAIN_INVALID_PRICE', { price: `0.${'1'.repeat(19)}` }, {}],
    ['RAIN_INVALID_PRICE', { price: undefined }, {}],
    ['RAIN_INVALID_PRICE', {}, { refuses: errorOf('InvalidPrice') }],
    ['RAIN_INVALID_AMOUNT', { amount: 0 }, {}],
    ['RAIN_INVALID_AMOUNT', { amount: '-1' }, {}],
    ['RAIN_INVALID_AMOUNT', { amount: '0.0000001' }, {}],
    ['RAIN_INVALID_AMOUNT', { amount: '1000000001' }, {}],
    ['RAIN_INVALID_AMOUNT', {}, { refuses: errorOf('AmountTooSmall') }],
    ['RAIN_INVALID_AMOUNT', atMarket, { returns: { getEntryShares: [0n, 0n] } }],
    ['RAIN_SLIPPAGE_REQUIRED', { ...atMarket, slippageBps: undefined }, {}],
    ['RAIN_SLIPPAGE_REQUIRED', { ...atMarket, slippageBps: 0 }, {}],
    ['RAIN_SLIPPAGE_REQUIRED', { ...atMarket, slippageBps: 10_000 }, {}],
    ['RAIN_SLIPPAGE_REQUIRED', { ...atMarket, slippageBps: 1.5 }, {}],
    ['RAIN_INVALID_DEADLINE', { ...atMarket, deadlineSecondsFromNow: undefined }, {}],
    ['RAIN_INVALID_DEADLINE', { ...atMarket, deadlineSecondsFromNow: 0 }, {}],
    ['RAIN_INVALID_DEADLINE', { ...atMarket, deadlineSecondsFromNow: 86_401 }, {}],
    ['RAIN_INVALID_DEADLINE', atMarket, { refuses: errorOf('DeadlineExpired') }],
    ['RAIN_INVALID_OPTION', {}, { returns: { numberOfOptions: 1n } }],
    ['RAIN_INVALID_OPTION', {}, { refuses: errorOf('InvalidOption') }],
    ['RAIN_INVALID_SIDE', {}, { refuses: errorOf('InvalidSide') }],
    ['RAIN_PHASE_NOT_OPEN', {}, { refuses: errorOf('OrderBookPhaseNotOpen') }],
    ['RAIN_PHASE_NOT_OPEN', {}, { refuses: errorOf('SaleNotLive') }],
    ['RAIN_PHASE_NOT_OPEN', {}, { refuses: errorOf('PoolClosed') }],
    ['RAIN_PHASE_NOT_OPEN', atMarket, { returns: { getEntryShares: null } }],
    ['RAIN_ORDER_LIMIT_REACHED', {}, { refuses: errorOf('UserBuyOrderLimitReached') }],
    ['RAIN_ORDER_LIMIT_REACHED', { isBuy: false }, { refuses: errorOf('UserSellOrderLimitReached') }],
    ['RAIN_POOL_SAFETY_CHECK_FAILED', {}, { returns: { facetAddress: `0x${'bd'.repeat(20)}` } }],
    ['RAIN_POOL_SAFETY_CHECK_FAILED', {}, { returns: { facetAddress: `0x${'0'.repeat(40)}` } }],
    ['RAIN_POOL_SAFETY_CHECK_FAILED', {}, { returns: { facetAddress: null } }],
    ['RAIN_POOL_SAFETY_CHECK_FAILED', {}, { returns: { baseToken: `0x${'bd'.repeat(20)}` } }],
    ['RAIN_POOL_SAFETY_CHECK_FAILED', {}, { returns: { numberOfOptions: null } }],
    ['RAIN_POOL_SAFETY_CHECK_FAILED', {}, { returns: { decimals: 18 } }],
    ['RAIN_POOL_SAFETY_CHECK_FAILED', {}, { returns: { diamondTradingFacet: null } }],
    ['VALIDATION_ERROR', { ...atMarket, isBuy: false }, { returns: { firstBuyOrderPrice: 0n } }],
  ])('%s: %j', async (code, body, chain) => {
    expect(await codeOf(body, chain)).toBe(code)
  })

  it('RAIN_INVALID_OPTION, RAIN_INVALID_SIDE for catalog ids that no pool has', async () => {
    const sided = market()
    world.outcomes.splice(0, Infinity, { ...sided[0]!, outcome: { ...sided[0]!.outcome, outcomeId: `${marketId}:3` } })
    expect(await codeOf()).toBe('RAIN_INVALID_SIDE')
    for (const id of [`${pool}:0`, 'x']) {
      world.outcomes.splice(0, Infinity, ...market({}, { id }))
      expect(await codeOf({ outcome: id })).toBe('CATALOG_UNAVAILABLE')
    }
    world.outcomes.splice(0, Infinity, ...market({ collateralToken: undefined }))
    expect(await codeOf()).toBe('CATALOG_UNAVAILABLE')
    world.outcomes.splice(0, Infinity, ...market({}, { contractAddress: `0x${'1'.repeat(40)}` }))
    expect(await codeOf()).toBe('CATALOG_UNAVAILABLE')
  })

  it('VALIDATION_ERROR for fields of the other action, and for a market that takes no orders', async () => {
    for (const body of [
      { slippageBps: 1 },
      { deadlineSecondsFromNow: 1 },
      { ...atMarket, price: 0.5 },
      { action: 'stop' },
    ]) {
      expect(lane.order.body.safeParse({ ...buy, ...body }).success).toBe(false)
    }
    world.outcomes.splice(0, Infinity, ...market({}, { status: 'closed' }))
    expect(await codeOf()).toBe('VALIDATION_ERROR')
  })

  it('NETWORK_ERROR when the node is unreachable', async () => {
    world.answer(() => ({ status: 503 }))
    await expect(buildOrder(lane, world.context, buy)).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  })
})

describe('warns', () => {
  it.each<[string, Chain]>([
    ['the deployer does not list it', { returns: { createdPools: false } }],
    ['it has another deployer', { returns: { FACTORY: `0x${'ee'.repeat(20)}` } }],
    ['it has no deployer', { returns: { FACTORY: null } }],
  ])('about a pool of unproven origin: %s', async (_, chain) => {
    const { warnings } = await build({}, chain)
    expect(warnings).toEqual([expect.stringMatching(/origin is unproven.*official deployer/)])
  })

  it('about missing allowance or shares, and still builds the order', async () => {
    const { warnings } = await build({}, { refuses: 'execution reverted: ERC20: insufficient allowance' })
    expect(warnings).toEqual([expect.stringMatching(/insufficient allowance.*20 USDT, approved for 0x5921/)])
    const sold = await build({ isBuy: false, amount: '5' }, { refuses: errorOf('InsufficientUserShares') })
    expect(sold.warnings).toEqual([expect.stringMatching(/InsufficientUserShares.*5 shares/)])
  })
})

describe('trusted contracts', () => {
  const another = `0x${'d1'.repeat(20)}`
  const madeBy = (deployer: string): Chain => ({
    returns: {
      FACTORY: deployer,
      createdPools: (_: readonly unknown[], to: string) => to.toLowerCase() === deployer.toLowerCase(),
    },
  })

  it('are pools of the official deployer, or of the deployers set by the operator instead', async () => {
    expect((await build({}, madeBy(official))).warnings).toEqual([])
    expect((await build({}, madeBy(another))).warnings).toHaveLength(1)
    const settings = { DEPLOYERS: `${official}, ${another}` }
    expect((await build({}, madeBy(another), settings)).warnings).toEqual([])
    expect((await build({}, madeBy(official), { DEPLOYERS: another })).warnings).toHaveLength(1)
  })

  it('include an older facet set by the operator', async () => {
    const older = `0x${'0f'.repeat(20)}`
    const chain: Chain = { returns: { facetAddress: older } }
    expect(await codeOf({}, chain)).toBe('RAIN_POOL_SAFETY_CHECK_FAILED')
    expect((await build({}, chain, { FACETS: older })).warnings).toEqual([])
  })

  it('are set as addresses', () => {
    for (const { shape } of Object.values(lane.settings!)) {
      for (const wrong of ['', 'x', '0x12', `${official},`, `${official} ${official}`]) {
        expect(shape.safeParse(wrong).success).toBe(false)
      }
      expect(shape.safeParse(`${official}, ${another}`).success).toBe(true)
    }
  })
})

describe('properties of every order', () => {
  const cents = fc.integer({ min: 1, max: 999 }).map((n) => n / 1_000)
  const micros = fc.bigInt({ min: 1n, max: 10n ** 12n })
  const text = (units: bigint) => `${units / 1_000_000n}.${String(units % 1_000_000n).padStart(6, '0')}`
  const longer = process.env.CROSSBOOK_TEST_LONG === '1' ? 1_000 : 25

  it('a buyer spends exactly the requested amount, for any price, without rounding', async () => {
    await fc.assert(
      fc.asyncProperty(cents, micros, fc.boolean(), async (price, amount, isBuy) => {
        const built = await build({ price, amount: text(amount), isBuy })
        const call = callOf(built)
        if (call?.kind !== 'limit') throw new Error('no limit order')
        expect([BigInt(call.amount), Number(call.price) / 1e18]).toEqual([amount, price])
        const { size, price: termsPrice } = built.terms!
        // The maximum cost is the requested amount.
        if (isBuy) expect(compareDecimals(multiplyDecimals(size, termsPrice), text(amount))).toBeLessThanOrEqual(0)
        else expect(compareDecimals(size, text(amount))).toBe(0)
      }),
      { numRuns: longer },
    )
  })

  it('a minimum is between the quote less slippage and the quote', async () => {
    await fc.assert(
      fc.asyncProperty(micros, fc.integer({ min: 1, max: 9_999 }), async (shares, slippageBps) => {
        const built = await build({ ...atMarket, slippageBps }, { returns: { getEntryShares: [shares, 0n] } })
        const call = callOf(built)
        if (call?.kind !== 'market') throw new Error('no market order')
        const minimum = BigInt(call.minimum)
        expect(minimum > 0n && minimum <= shares).toBe(true)
        expect(minimum * 10_000n >= shares * (10_000n - BigInt(slippageBps))).toBe(true)
      }),
      { numRuns: longer },
    )
  })
})

describe('an artifact at submit', () => {
  const altered = async (change: (call: NonNullable<ReturnType<typeof readCall>>) => object, body: object = {}) => {
    const { unsigned, bounds } = await build(body)
    const call = readCall(unsigned.data as `0x${string}`)!
    const data = callData({ ...call, ...change(call) } as never)
    return () => lane.checkBounds({ ...unsigned, data }, bounds)
  }

  it('may cost less and yield more, and nothing else', async () => {
    expect(await altered(() => ({ amount: '1' }))).not.toThrow()
    expect(await altered(() => ({ price: '1' }))).not.toThrow()
    expect(await altered(() => ({ minimum: '49999999', deadline: '1' }), atMarket)).not.toThrow()
    for (const [change, body] of [
      [{ amount: '20000001' }, {}],
      [{ price: '400000000000000001' }, {}],
      [{ price: '399999999999999999' }, { isBuy: false }],
      [{ option: '1' }, {}],
      [{ optionSide: 2 }, {}],
      [{ side: 'sell' }, {}],
      [{ minimum: '49499999' }, atMarket],
      [{ deadline: String(block.timestamp + 601) }, atMarket],
      [{ amount: '20000001' }, atMarket],
    ] as const) {
      expect(await altered(() => change, body), JSON.stringify(change)).toThrow()
    }
  })

  it('must be exactly one of our calls, to the same pool, without value', async () => {
    const { unsigned, bounds } = await build()
    for (const other of [
      { to: `0x${'1'.repeat(40)}` },
      { value: '1' },
      { chainId: 1 },
      { data: `${String(unsigned.data)}${'0'.repeat(64)}` },
      { data: `0xa9059cbb${String(unsigned.data).slice(10)}` },
      { data: String(unsigned.data).slice(0, -64) },
      { more: 1 },
    ]) {
      expect(() => lane.checkBounds({ ...unsigned, ...other } as never, bounds)).toThrow()
    }
  })
})
