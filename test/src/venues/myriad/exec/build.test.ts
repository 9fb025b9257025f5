// Bodies, amounts and bounds of orders, for order books and pools.
import fc from 'fast-check'
import { decodeFunctionData } from 'viem'
import { describe, expect, it } from 'vitest'
import { compareDecimals, fromUnits, multiplyDecimals } from '#core/decimal'
import { executionOf, stored } from '#test/support/laneWorld'
import { sharesBought, sharesSold } from '#venues/myriad/data/pool'
import { poolAbi } from '#venues/myriad/exec/contracts'
import { myriadLane as lane } from '#venues/myriad/exec/index'
import { amountsOf } from '#venues/myriad/exec/poolOrder'
import { bookMarket, buy, laneSuite, owner, poolMarket, venuePool } from './world.ts'

const suite = laneSuite()
const { build, buildPool } = suite
const refusal = (message: RegExp, code = 'VALIDATION_ERROR') =>
  expect.objectContaining({ code, message: expect.stringMatching(message) })

describe('an order on a book', () => {
  it('is typed data for the exchange, good till cancelled or until a date', async () => {
    const built = await build()
    expect(built).toMatchObject({
      unsigned: {
        domain: { name: 'MyriadCTFExchange', version: '1', chainId: 56 },
        message: {
          trader: owner.toLowerCase(),
          marketId: '730',
          outcomeId: 0,
          side: 0,
          amount: '21040000000000000000',
          price: '560000000000000000',
          minFillAmount: '0',
          expiration: '0',
        },
        post: { network_id: 56, time_in_force: 'GTC' },
      },
      terms: {
        marketId: '56:ob:730',
        outcomeId: '56:ob:730:0',
        outcomeSide: 'YES',
        isBuy: true,
        price: '0.56',
        size: '21.04',
      },
      notionalUsd: '11.7824',
      feeEstimate: null,
      warnings: [],
      owner,
    })
    const dated = await build({
      asset: '56:ob:730:1',
      outcome: undefined,
      outcomeSide: undefined,
      expiresAt: '1900000000',
    })
    expect(dated.unsigned).toMatchObject({
      message: { outcomeId: 1, expiration: '1900000000' },
      post: { time_in_force: 'GTD' },
    })
    // A sale has no cost, because the venue requires the shares.
    expect((await build({ isBuy: false })).notionalUsd).toBe('0')
    expect((await build()).clientRef).not.toBe((await build()).clientRef)
  })

  it('has no dollar value when its collateral is not a dollar', async () => {
    suite.world.outcomes.splice(0, 2, ...bookMarket({ collateral: 'PENGU' }))
    expect((await build()).notionalUsd).toBeNull()
  })

  it.each([
    [{ price: '0' }, /^price: must lie between 0 and 1/],
    [{ price: 1 }, /^price: must lie between 0 and 1/],
    [{ price: '-0.5' }, /^price/],
    [{ price: '0.5000000000000000001' }, /^price: must be a multiple of 0\.000000000000000001$/],
    [{ price: '5e-1' }, /^price: must be a plain decimal/],
    [{ size: '0' }, /^size: must be more than nothing/],
    [{ size: -1 }, /^size/],
    [{ size: '1000000001' }, /^size: must be at most/],
    [{ size: '0.0000000000000000001' }, /^size: must be a multiple/],
    [{ expiresAt: 1_000 }, /^expiresAt: is over already/],
  ])('refuses %j', async (given, message) => {
    await expect(build(given)).rejects.toThrowError(refusal(message))
  })

  it('on a closed market or with missing catalog facts is rejected', async () => {
    suite.world.outcomes.splice(0, 2, ...bookMarket({}, 'closed'))
    await expect(build()).rejects.toThrowError(refusal(/closed and takes no orders/))
    for (const given of [{ collateral: null }, { collateralDecimals: 6 }, { collateralDecimals: undefined }]) {
      suite.world.outcomes.splice(0, 2, ...bookMarket(given))
      await expect(build()).rejects.toThrowError(refusal(/does not know enough/, 'CATALOG_UNAVAILABLE'))
    }
  })

  it('may become cheaper or smaller until submit, and nothing else', async () => {
    const { unsigned, bounds } = await build({ expiresAt: 1_900_000_000 })
    const changed = (members: object, post = {}) => ({
      ...stored(unsigned),
      message: { ...(unsigned.message as object), ...members },
      post: { ...(unsigned.post as object), ...post },
    })
    const check = (members: object, post?: object) => () => lane.checkBounds(changed(members, post), stored(bounds))
    for (const fine of [{}, { price: '550000000000000000' }, { amount: '1' }, { nonce: '7' }])
      expect(check(fine)).not.toThrow()
    for (const wrong of [
      { price: '560000000000000001' },
      { price: '0' },
      { price: '1000000000000000000' },
      { amount: '21040000000000000001' },
      { amount: '0' },
      { trader: `0x${'11'.repeat(20)}` },
      { marketId: '731' },
      { outcomeId: 1 },
      { side: 1 },
      { expiration: '1900000001' },
      { minFillAmount: '1' },
      { more: 1 },
    ]) {
      expect(check(wrong), JSON.stringify(wrong)).toThrowError(refusal(/./, 'ARTIFACT_BOUNDS_VIOLATION'))
    }
    expect(check({}, { time_in_force: 'GTC' })).toThrowError(refusal(/its lifetime/, 'ARTIFACT_BOUNDS_VIOLATION'))
    expect(check({}, { network_id: 1 })).toThrowError(refusal(/not have a shape/, 'ARTIFACT_BOUNDS_VIOLATION'))
  })
})

describe('an order on a pool', () => {
  const callOf = ({ unsigned }: { unsigned: Record<string, unknown> }) =>
    decodeFunctionData({ abi: poolAbi, data: unsigned.data as `0x${string}` })

  it('is one transaction that pays price × size for at least that many shares', async () => {
    const built = await buildPool({ price: '0.45', size: '100' })
    expect(built).toMatchObject({
      unsigned: { to: '0x3e0F5F8F5Fb043aBFA475C0308417Bf72c463289', value: '0', chainId: 2741 },
      notionalUsd: '45',
      feeEstimate: { currency: 'USDC.e', rate: '0.03', taker: '1.35' },
      clientRef: null,
      terms: { price: '0.45', size: '100' },
      warnings: [expect.stringContaining('45 USDC.e')],
    })
    expect(callOf(built)).toEqual({ functionName: 'buy', args: [549n, 0n, 100_000_000n, 45_000_000n] })
    const sold = await buildPool({ isBuy: false, price: '0.3', size: '120' })
    expect(sold).toMatchObject({ notionalUsd: '0', feeEstimate: { taker: '0' } })
    expect(callOf(sold)).toEqual({ functionName: 'sell', args: [549n, 0n, 36_000_000n, 120_000_000n] })
    expect(suite.world.seen.map(({ path }) => path)).toEqual(
      Array.from({ length: 2 }, () => '/markets/549?network_id=2741&trading_model=amm'),
    )
  })

  it('is rejected when the pool would reject it now, with its numbers', async () => {
    // 50 buy 123.287972, from the contract’s own vectors.
    await expect(buildPool({ price: '0.5', size: '100' })).resolves.toBeDefined()
    await expect(buildPool({ price: '0.4', size: '125' })).rejects.toThrowError(
      refusal(/^price: for 50 USDC\.e the pool gives 123\.287972 shares now$/),
    )
    await expect(buildPool({ isBuy: false, price: '0.5', size: '100' })).rejects.toThrowError(
      refusal(/^price: for 50 USDC\.e the pool wants [\d.]+ shares now$/),
    )
    await expect(buildPool({ isBuy: false, price: '0.99', size: '1000' })).rejects.toThrowError(
      refusal(/wants nothing now/),
    )
  })

  it.each([
    [{ expiresAt: 1_900_000_000 }, /^expiresAt/],
    [{ size: '1.0000001' }, /^size: must be a multiple of 0\.000001/],
    [{ size: '0.000001', price: '0.5' }, /^size: is worth less/],
    [{ price: '1.2' }, /^price: must lie/],
  ])('refuses %j', async (given, message) => {
    await expect(buildPool(given)).rejects.toThrowError(refusal(message))
  })

  it('is not built from an incomplete or contradictory row', async () => {
    for (const row of [
      { ...venuePool, state: 'closed' },
      { ...venuePool, fees: null },
      { ...venuePool, token: { ...venuePool.token, decimals: '18' } },
      { ...venuePool, outcomes: venuePool.outcomes.map((outcome) => ({ ...outcome, shares: null })) },
    ]) {
      suite.world.answer(() => ({ body: row }))
      await expect(buildPool()).rejects.toThrowError(refusal(/does not know enough/, 'CATALOG_UNAVAILABLE'))
    }
    suite.world.answer(() => ({ status: 404, body: { error: 'Market not found' } }))
    await expect(buildPool()).rejects.toThrowError(refusal(/./, 'CATALOG_UNAVAILABLE'))
    suite.world.answer(() => ({ body: venuePool }))
    suite.world.outcomes.splice(2, 2, ...poolMarket({ collateralDecimals: 18 }))
    await expect(buildPool()).rejects.toThrowError(refusal(/./, 'CATALOG_UNAVAILABLE'))
  })

  it('never costs more or yields less than requested, for any token decimals, also at the pool’s own quote', () => {
    const decimal = (max: bigint, places: number) =>
      fc.bigInt({ min: 1n, max }).map((units) => fromUnits(units, places))
    const requestedOrders = fc.constantFrom(0, 2, 6, 18).chain((decimals) =>
      fc.record({
        decimals: fc.constant(decimals),
        isBuy: fc.boolean(),
        price: decimal(10n ** 18n - 1n, 18),
        size: decimal(10n ** BigInt(decimals + 4), decimals),
      }),
    )
    fc.assert(
      fc.property(requestedOrders, ({ decimals, ...order }) => {
        let amounts: ReturnType<typeof amountsOf>
        try {
          amounts = amountsOf(order, decimals)
        } catch {
          // Worth less than the token’s smallest unit.
          return
        }
        const cash = fromUnits(amounts.value, decimals)
        const worth = multiplyDecimals(order.price, order.size)
        expect(compareDecimals(cash, worth) * (order.isBuy ? 1 : -1)).toBeLessThanOrEqual(0)
        expect(fromUnits(amounts.shares, decimals)).toBe(amounts.size)
        const unit = 10n ** BigInt(decimals)
        const pool = { reserves: [1_000n * unit, 600n * unit], outcome: 0, fee: 3n * 10n ** 16n }
        const traded = order.isBuy ? sharesBought(pool, amounts.value) : sharesSold(pool, amounts.value)
        const fits = traded !== null && (order.isBuy ? traded >= amounts.shares : traded <= amounts.shares)
        // The contract’s condition: no share costs more, or yields less, than the price.
        if (fits)
          expect(
            compareDecimals(cash, multiplyDecimals(order.price, fromUnits(traded, decimals))) * (order.isBuy ? 1 : -1),
          ).toBeLessThanOrEqual(0)
      }),
      { numRuns: 200 },
    )
  })

  it('cannot be changed, cancelled, refreshed or submitted here, because its owner sends it', async () => {
    const built = await buildPool({ price: '0.5', size: '100' })
    const other = await buildPool({ price: '0.5', size: '99' })
    expect(() => lane.checkBounds(other.unsigned, stored(built.bounds))).toThrowError(
      refusal(/another transaction/, 'ARTIFACT_BOUNDS_VIOLATION'),
    )
    const execution = executionOf(built)
    await expect(lane.submit!.prepare(suite.world.context, execution, {} as never)).rejects.toThrowError(
      refusal(/sent by the wallet/, 'NOT_IMPLEMENTED'),
    )
    await expect(suite.read(execution)).rejects.toThrowError(refusal(/no order to read/))
  })
})

it('a body selects one outcome and one wallet, and accepts no credentials', () => {
  const parse = (given: object) => lane.order.body.safeParse({ ...buy, ...given })
  expect(parse({}).data).toMatchObject({ owner, expiresAt: 0 })
  expect(parse({ owner: owner.toLowerCase() }).data).toMatchObject({ owner })
  for (const wrong of [
    { asset: '56:ob:730:0' },
    { outcomeSide: undefined },
    { owner: '0x1' },
    { owner: undefined },
    { apiKey: 'x' },
    { expiresAt: 1.5 },
  ]) {
    expect(parse(wrong).success, JSON.stringify(wrong)).toBe(false)
  }
})
