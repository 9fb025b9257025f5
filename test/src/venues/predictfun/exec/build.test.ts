import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareDecimals, multiplyDecimals } from '#core/decimal'
import { stored } from '#test/support/laneWorld'
import { amountsOf } from '#venues/predictfun/exec/amounts'
import { predictfunLane as lane } from '#venues/predictfun/exec/index'
import { exchanges, kernelDigest, kindOf, orderHash } from '#venues/predictfun/exec/typedData'
import type { CtfMessage } from '#venues/shared/exec/ctfOrder'
import { kinds, laneSuite, market, marketId, owner, smartWallet, tokens } from './world.ts'

const here = laneSuite()
const { build } = here
const messageOf = ({ unsigned }: { unsigned: object }) => (unsigned as { message: CtfMessage }).message

describe('an order', () => {
  it.each(kinds)(
    'negative-risk %s, yield-bearing %s: uses the exchange of its kind',
    async (negRisk, isYieldBearing) => {
      here.world.outcomes.splice(0, 2, ...market({ negRisk, isYieldBearing }))
      const built = await build()
      const exchange = exchanges[kindOf({ negRisk, isYieldBearing })]
      expect(built).toMatchObject({
        unsigned: {
          domain: { name: 'predict.fun CTF Exchange', version: '1', chainId: 56, verifyingContract: exchange },
          message: {
            maker: owner,
            signer: owner,
            tokenId: tokens[0],
            side: 0,
            feeRateBps: '200',
            expiration: '4102444800',
          },
          post: { pricePerShare: '456000000000000000', strategy: 'LIMIT' },
        },
        terms: { price: '0.456', size: '21.04', isBuy: true },
        notionalUsd: '9.59424',
        feeEstimate: null,
        clientRef: orderHash(messageOf(built), exchange),
        warnings: [],
        owner,
      })
      expect(here.world.seen).toEqual([])
    },
  )

  it('of a smart wallet has it as maker and signer, and its owner signs the Kernel digest of the hash', async () => {
    const built = await build({ predictAccount: smartWallet })
    expect(messageOf(built)).toMatchObject({ maker: smartWallet, signer: smartWallet, signatureType: 0 })
    const digest = kernelDigest(smartWallet, orderHash(messageOf(built), exchanges.plain))
    expect(built).toMatchObject({ owner, unsigned: { kernel: { owner, digest } } })
  })

  it('that sells gives shares and costs nothing; NO is a separate token; a size keeps five digits', async () => {
    const built = await build({ isBuy: false, outcomeSide: 'NO', price: '0.032', size: '1234.567' })
    expect(messageOf(built)).toMatchObject({
      tokenId: tokens[1],
      side: 1,
      makerAmount: '1234500000000000000000',
      takerAmount: '39504000000000000000',
    })
    expect([built.notionalUsd, built.terms!.size]).toEqual(['0', '1234.5'])
  })

  it.each([
    ['a price of four digits', { price: '0.4567' }],
    ['a price off the step', { price: '0.0321' }],
    ['a price of one', { price: '1' }],
    ['less than a hundredth of a share', { size: '0.009' }],
    ['the owner as its own smart wallet', { predictAccount: owner }],
    ['two selectors', { asset: `${marketId}:1` }],
    ['a token', { jwt: 'x' }],
    ['an unknown key', { iceberg: true }],
  ])('refuses %s', async (_, given) => {
    await expect(build(given)).rejects.toThrow()
  })

  it('is rejected with missing catalog facts and on a market that does not trade', async () => {
    const code = async () => build().catch(({ code: errorCode }: { code: string }) => errorCode)
    for (const more of [{ negRisk: undefined }, { fees: undefined }, { tokenIds: ['7'] }]) {
      here.world.outcomes.splice(0, 2, ...market({ more }))
      expect(await code()).toBe('CATALOG_UNAVAILABLE')
    }
    here.world.outcomes.splice(0, 2, ...market({ status: 'closed' }))
    expect(await code()).toBe('VALIDATION_ERROR')
  })
})

it('amounts cost at most what was requested, at the exact price, for any tick', () => {
  const orders = fc.record({
    isBuy: fc.boolean(),
    digits: fc.integer({ min: 1, max: 999 }),
    tick: fc.constantFrom(null, '0.01', '0.001'),
    size: fc.oneof(
      fc.integer({ min: 1, max: 100_000_000 }).map((cents) => String(cents / 100)),
      fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }).map((wei) => `7.${String(wei).padStart(18, '0')}`),
    ),
  })
  fc.assert(
    fc.property(orders, ({ isBuy, digits, tick, size }) => {
      const price = String(tick === '0.01' ? Math.ceil(digits / 10.1) / 100 : digits / 1_000)
      const found = amountsOf({ isBuy, price, size, tick })
      const [cash, shares] = isBuy ? [found.makerAmount, found.takerAmount] : [found.takerAmount, found.makerAmount]
      expect(BigInt(cash!) * 1_000n).toBe(BigInt(shares!) * BigInt(Math.round(Number(price) * 1_000)))
      expect(compareDecimals(found.size, size)).toBeLessThanOrEqual(0)
      expect(compareDecimals(found.size, multiplyDecimals(size, '0.9999'))).toBe(1)
    }),
    { numRuns: 1_000 },
  )
})

describe('a returned build result', () => {
  const resultOf = async (order: Record<string, unknown> = {}) => {
    const built = await build()
    const message = { ...messageOf(built), ...order } as CtfMessage
    const { domain, types, primaryType } = built.unsigned as Record<string, object>
    return {
      order: message,
      typedData: { types, primaryType, domain, message },
      hash: orderHash(message, exchanges.plain),
      pricePerShare: '456000000000000000',
      strategy: 'LIMIT',
    }
  }

  it('becomes the artifact including its salt, and is stored unchanged', async () => {
    const buildResult = await resultOf({ salt: '77', makerAmount: '456', takerAmount: '1000' })
    const built = await build({ buildResult })
    expect(messageOf(built)).toMatchObject({ salt: '77', makerAmount: '456', takerAmount: '1000' })
    expect([built.buildResult, built.clientRef]).toEqual([buildResult, buildResult.hash])
  })

  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['another maker', { maker: smartWallet, signer: smartWallet }, {}],
    ['another token', { tokenId: tokens[1] }, {}],
    ['another side', { side: 1 }, {}],
    ['another fee', { feeRateBps: '300' }, {}],
    ['another price', { makerAmount: '457', takerAmount: '1000' }, {}],
    ['an expiry in the past', { expiration: '1000' }, {}],
    ['another hash', {}, { hash: `0x${'11'.repeat(32)}` }],
    ['another pricePerShare', {}, { pricePerShare: '1' }],
    ['a market order', {}, { strategy: 'MARKET' }],
    ['a signature', {}, { signature: `0x${'11'.repeat(65)}` }],
  ])('is rejected with %s', async (_, order, extra) => {
    await expect(build({ buildResult: { ...(await resultOf(order)), ...extra } })).rejects.toThrow()
  })
})

describe('bounds', () => {
  it('limit market, wallet, amounts, price, fee, lifetime and signed bytes', async () => {
    const built = await build({ predictAccount: smartWallet })
    const { message, post, kernel } = built.unsigned as { message: CtfMessage; post: object; kernel: object }
    const changed = (more: Partial<CtfMessage>, posted: object = {}, kernels: object = {}) => ({
      ...built.unsigned,
      message: { ...message, ...more },
      post: { ...post, ...posted },
      kernel: { ...kernel, ...kernels },
    })
    lane.checkBounds(stored(built.unsigned), stored(built.bounds))
    for (const unsigned of [
      changed({ maker: owner }),
      changed({ maker: owner, signer: owner }),
      changed({ tokenId: tokens[1] }),
      changed({ side: 1 }),
      changed({ expiration: '1900000000' }),
      changed({ feeRateBps: '300' }),
      changed({ salt: '5' }),
      changed({ makerAmount: String(BigInt(message.makerAmount) + 1n) }),
      changed({ takerAmount: String(BigInt(message.takerAmount) - 1n) }),
      changed({}, { pricePerShare: '457000000000000000' }),
      changed({}, {}, { owner: smartWallet }),
      changed({}, {}, { digest: `0x${'11'.repeat(32)}` }),
      { ...built.unsigned, domain: { ...(built.unsigned.domain as object), verifyingContract: exchanges.negRisk } },
    ]) {
      expect(() => lane.checkBounds(stored(unsigned as never), stored(built.bounds))).toThrow(
        expect.objectContaining({ code: 'ARTIFACT_BOUNDS_VIOLATION' }),
      )
    }
  })
})
