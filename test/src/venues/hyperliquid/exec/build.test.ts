import { recoverTypedDataAddress } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { binaryMarket, buildOrder, executionOf, type LaneWorld, stored } from '#test/support/laneWorld'
import { hyperliquidLane as lane } from '#venues/hyperliquid/exec/index'
import { buy, createWorld, market516, owner, rich, sign } from './world.ts'

let world: LaneWorld
beforeAll(async () => {
  world = await createWorld()
})
beforeEach(() => {
  world.outcomes.splice(0, world.outcomes.length, ...market516)
  world.answer(rich)
})
afterAll(() => world.close())

const build = (given: Record<string, unknown> = {}) => buildOrder(lane, world.context, { ...buy, ...given })

describe('an order', () => {
  it('is typed data that a wallet can sign unchanged, plus the action that it commits to', async () => {
    const built = await build()
    expect(built).toMatchObject({
      unsigned: {
        action: {
          type: 'order',
          orders: [{ a: 100005160, b: true, p: '0.35', s: '50', r: false, t: { limit: { tif: 'Gtc' } } }],
          grouping: 'na',
        },
        primaryType: 'Agent',
        domain: { name: 'Exchange', version: '1', chainId: 1337 },
        message: { source: 'a' },
      },
      terms: { marketId: '516', outcomeId: '#5160', outcomeSide: 'YES', isBuy: true, price: '0.35', size: '50' },
      notionalUsd: '17.5',
      collateral: { ledger: 'spot', destinationDex: null },
      feeEstimate: { maker: '0', taker: '0' },
      warnings: [],
      owner: owner.address.toLowerCase(),
    })
    const { clientRef, unsigned } = built
    expect(clientRef).toMatch(/^0x[0-9a-f]{32}$/)
    expect(JSON.stringify(unsigned)).toContain(clientRef)
    const typed = stored(unsigned) as unknown as Parameters<typeof recoverTypedDataAddress>[0]
    const signature = await sign(executionOf(built))
    expect(await recoverTypedDataAddress({ ...typed, signature })).toBe(owner.address)
  })

  it('of the same millisecond has its own nonce and client order id', async () => {
    const [a, b] = [await build(), await build()]
    expect(a.unsigned.nonce).not.toBe(b.unsigned.nonce)
    expect(a.clientRef).not.toBe(b.clientRef)
  })

  it('names the NO side by its own asset, also by outcome id', async () => {
    const bySide = await build({ outcomeSide: 'NO' })
    const byId = await build({ outcome: undefined, outcomeSide: undefined, asset: '#5161' })
    for (const built of [bySide, byId]) {
      expect(built.unsigned).toMatchObject({ action: { orders: [{ a: 100005161 }] } })
      expect(built.terms).toMatchObject({ outcomeId: '#5161', outcomeSide: 'NO' })
    }
  })

  it('rounds off-grid values in the caller’s favour', async () => {
    expect((await build({ price: 0.350019, size: 50.9 })).terms).toMatchObject({ price: '0.35001', size: '50' })
    expect((await build({ price: 0.350011, isBuy: false })).terms).toMatchObject({ price: '0.35002' })
  })

  it('of a seller estimates the closing fee at base rates: 2 × 0.0004 and 2 × 0.0007 of the value', async () => {
    const { feeEstimate } = await build({ isBuy: false, price: '0.5', size: 100 })
    expect(feeEstimate).toMatchObject({ token: 'USDC', maker: '0.04', taker: '0.07' })
  })

  // Mainnet fills of 2026-09-12, charged after a 4 % referral discount.
  it.each([
    ['maker', 0.000768],
    ['taker', 0.001344],
  ])(
    'of a seller as %s is an upper bound: minus a discount of 4 %% it equals the measured rate of %d',
    async (role, measured) => {
      const { feeEstimate } = await build({ isBuy: false, price: '0.5', size: 100 })
      expect((Number(feeEstimate![role]) * 0.96) / 50).toBeCloseTo(measured, 9)
    },
  )

  it('has neither a dollar value nor a fee estimate when the venue reports neither', async () => {
    world.outcomes.splice(
      0,
      2,
      ...binaryMarket('hyperliquid', '516', ['#5160', '#5161'], {
        sourceMetadata: { outcome: 516, quoteToken: 'HYPE' },
      }),
    )
    expect(await build({ isBuy: true })).toMatchObject({ notionalUsd: null })
    expect(await build({ isBuy: false })).toMatchObject({ notionalUsd: '0', feeEstimate: null })
  })

  it('is for the testnet only under the testnet’s own host', async () => {
    const urls = { REST: 'https://api.hyperliquid-testnet.xyz' }
    const built = await buildOrder(lane, { ...world.context, urls }, { ...buy, isBuy: false })
    expect(built.unsigned.message).toMatchObject({ source: 'b' })
  })
})

describe('the balance advisory', () => {
  const balance =
    (total: string, hold: string) =>
    ({ text }: { text: string }) => {
      expect(JSON.parse(text)).toEqual({ type: 'spotClearinghouseState', user: owner.address.toLowerCase() })
      return {
        body: {
          balances: [
            { coin: '+5160', total: '9', hold: '0' },
            { coin: 'USDC', total, hold },
          ],
        },
      }
    }

  it('reports the shortfall against total minus hold and how to fund, and still builds the order', async () => {
    world.answer(balance('20.0', '10.5'))
    const { warnings } = await build()
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain('9.5')
    expect(warnings[0]).toContain('8 short')
    expect(warnings[0]).toContain('POST /v1/funding/hyperliquid/steps')
  })

  it('is absent when the balance is exactly sufficient', async () => {
    world.answer(balance('28.0', '10.5'))
    expect((await build()).warnings).toEqual([])
  })

  it.each([
    ['a refusal', () => ({ status: 400, body: { error: 'no' } })],
    ['an answer of another format', () => ({ body: { balances: [{ coin: 'USDC', total: 'many' }] } })],
  ])('is absent after %s: a failed read does not block the order', async (_, reply) => {
    world.answer(reply)
    expect((await build()).warnings).toEqual([])
  })

  it('is not requested for a seller, who pays in contracts', async () => {
    world.seen.length = 0
    await build({ isBuy: false })
    expect(world.seen).toEqual([])
  })

  it('is added to the hint that the venue may value an order by its other side', async () => {
    expect((await build({ price: '0.9', size: 12 })).warnings).toEqual([
      'the venue may count this order at 1.2 USDC, the value of its other side, and refuses orders worth less than 10 USDC',
    ])
  })
})

describe('the minimum order value', () => {
  it.each([
    [true, '0.35', 28],
    [false, '0.35', 28],
    [true, '0.99', 10],
  ])('is enforced (isBuy %s, %s x %i)', async (isBuy, price, size) => {
    await expect(build({ isBuy, price, size })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringMatching(
        /^size: hyperliquid refuses orders worth less than 10 USDC; this one is worth 9\.[89]$/,
      ),
    })
  })

  it('is accepted when met exactly', async () => {
    expect((await build({ price: '0.5', size: 20 })).warnings).toEqual([])
  })
})

describe('a body is refused', () => {
  it.each([
    ['with a private key', { privateKey: '0x01' }, /privateKey.*credentials/],
    ['with a signature', { signature: '0x01' }, /signature.*credentials/],
    ['with an unknown field', { tif: 'Ioc' }, /unknown: tif/],
    ['without an owner', { owner: undefined }, /owner/],
    ['with an owner that is not an address', { owner: '0x12' }, /40 hex/],
    ['without a side', { outcomeSide: undefined }, /outcomeSide/],
    ['with a side in another script', { outcomeSide: 'yes' }, /outcomeSide/],
    ['with both selectors of the outcome', { asset: '#5160' }, /asset alone/],
    ['with isBuy as text', { isBuy: 'true' }, /isBuy/],
  ])('%s', (_, given, message) => {
    const parsed = lane.order.body.safeParse({ ...buy, ...given })
    expect(parsed.success).toBe(false)
    expect(JSON.stringify(parsed.error?.issues)).toMatch(message)
  })

  it('without repeating the rejected value', () => {
    const parsed = lane.order.body.safeParse({ ...buy, privateKey: 'canary-7f3a' })
    expect(JSON.stringify(parsed.error)).not.toContain('canary-7f3a')
  })

  it.each([
    ['price 0', { price: 0 }],
    ['price 1', { price: '1' }],
    ['a price below the tick', { price: '0.000001' }],
    ['a seller’s price that rounds to 1', { price: '0.999999', isBuy: false }],
    ['a negative price', { price: '-0.5' }],
    ['a price in exponents', { price: '1e-2' }],
    ['a price that is not a number', { price: 'half' }],
    ['less than one contract', { size: '0.99' }],
    ['size 0', { size: 0 }],
    ['a size that is not a number', { size: 'Infinity' }],
    ['a size beyond the maximum', { size: '1000000000000000000' }],
  ])('for %s', async (_, given) => {
    await expect(build(given)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })
})

describe('incomplete catalog facts', () => {
  const catalog = (sourceMetadata: Record<string, unknown>, ids: [string, string] = ['#5160', '#5161']) =>
    world.outcomes.splice(0, 2, ...binaryMarket('hyperliquid', '516', ids, { sourceMetadata }))

  it.each([
    ['no outcome number', { quoteToken: 'USDC' }],
    ['no quote token', { outcome: 516 }],
    ['an outcome number as text', { outcome: '516', quoteToken: 'USDC' }],
  ])('reject %s', async (_, metadata) => {
    catalog(metadata)
    await expect(build()).rejects.toMatchObject({ code: 'CATALOG_UNAVAILABLE' })
  })

  it('reject an outcome id that encodes another outcome', async () => {
    catalog({ outcome: 517, quoteToken: 'USDC' })
    await expect(build()).rejects.toMatchObject({ code: 'CATALOG_UNAVAILABLE' })
  })

  it('reject a market that takes no orders', async () => {
    world.outcomes.splice(
      0,
      2,
      ...binaryMarket('hyperliquid', '516', ['#5160', '#5161'], {
        sourceMetadata: { outcome: 516, quoteToken: 'USDC' },
        status: 'resolved',
      }),
    )
    await expect(build()).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })

  it('reject an unknown outcome', async () => {
    await expect(build({ outcome: '999' })).rejects.toMatchObject({ code: 'OUTCOME_NOT_FOUND' })
  })
})

describe('bounds are enforced at submit', () => {
  type Unsigned = { action: { orders: Record<string, unknown>[] }; [name: string]: unknown }
  it.each([
    ['another asset', { a: 100005161 }],
    ['the other side', { b: false }],
    ['a worse price', { p: '0.36' }],
    ['a better price under the old hash', { p: '0.34' }],
    ['more contracts', { s: '51' }],
    ['another client order id', { c: '0x00000000000000000000000000000001' }],
    ['an unknown field', { extra: 1 }],
  ])('against %s', async (_, change) => {
    const built = await build()
    const { action, ...rest } = structuredClone(built.unsigned) as unknown as Unsigned
    const changed = { ...rest, action: { ...action, orders: [{ ...action.orders[0], ...change }] } }
    expect(() => lane.checkBounds(changed as never, built.bounds)).toThrowError(
      expect.objectContaining({ code: 'ARTIFACT_BOUNDS_VIOLATION' }),
    )
  })

  it('rejects the artifact of another order, even with a matching hash', async () => {
    const [built, dearer, bigger, other, sale] = [
      await build(),
      await build({ price: '0.36' }),
      await build({ size: 51 }),
      await build({ outcomeSide: 'NO' }),
      await build({ isBuy: false }),
    ]
    for (const { unsigned } of [dearer, bigger, other, sale]) {
      expect(() => lane.checkBounds(unsigned, built.bounds)).toThrowError(
        expect.objectContaining({ code: 'ARTIFACT_BOUNDS_VIOLATION' }),
      )
    }
  })
})
