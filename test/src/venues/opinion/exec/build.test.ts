import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareDecimals, multiplyDecimals } from '#core/decimal'
import { stored } from '#test/support/laneWorld'
import { amountsOf, truncatedAt } from '#venues/opinion/exec/amounts'
import { opinionLane as lane } from '#venues/opinion/exec/index'
import { orderHash } from '#venues/opinion/exec/typedData'
import type { CtfMessage } from '#venues/shared/exec/ctfOrder'
import { exchange, laneSuite, market, marketId, owner, publicReads, quoteTokens, safe, tokens, usdt } from './world.ts'

const here = laneSuite()
const { build } = here
const messageOf = ({ unsigned }: { unsigned: object }) => (unsigned as { message: CtfMessage }).message

describe('an order', () => {
  it('of an EOA is typed data for the exchange of the quote token, plus the unsigned fields', async () => {
    const built = await build()
    expect(built.unsigned).toMatchObject({
      domain: { name: 'OPINION CTF Exchange', version: '1', chainId: 56, verifyingContract: exchange },
      primaryType: 'Order',
      message: { maker: owner, signer: owner, tokenId: tokens[0], side: 0, signatureType: 0, expiration: '0' },
      post: { topicId: Number(marketId), currencyAddress: usdt, price: '0.56' },
    })
    expect(built).toMatchObject({
      owner,
      feeEstimate: null,
      clientRef: expect.stringMatching(/^search:/),
      warnings: [expect.stringMatching(/region/)],
    })
    // 11.7824 dollars, cut to 11.78.
    expect([built.terms, built.notionalUsd]).toMatchObject([
      { price: '0.56', isBuy: true },
      expect.stringMatching(/^11\.77999/),
    ])
    expect(built).not.toHaveProperty('buildResult')
  })

  it('of a Safe is paid by the Safe and signed by its owner', async () => {
    for (const more of [{}, { signatureType: 2 }]) {
      const message = messageOf(await build({ safeAddress: safe, ...more }))
      expect(message).toMatchObject({ maker: safe, signer: owner, signatureType: 2 })
    }
  })

  it('that sells gives shares and costs nothing; NO is a separate token', async () => {
    const built = await build({ isBuy: false, outcomeSide: 'NO', price: '0.3', size: '12.349' })
    expect(messageOf(built)).toMatchObject({
      tokenId: tokens[1],
      side: 1,
      makerAmount: '12340000000000000000',
      takerAmount: '3702000000000000000',
    })
    expect([built.notionalUsd, built.terms!.size]).toEqual(['0', '12.34'])
  })

  it('can be selected by outcome id', async () => {
    const {
      outcome: _,
      outcomeSide: __,
      ...rest
    } = { outcome: 0, outcomeSide: 0, isBuy: true, price: '0.5', size: 10, owner }
    const built = lane.order.body.parse({ asset: `${marketId}:${tokens[1]}`, ...rest })
    expect(built).toMatchObject({ signatureType: 0 })
  })

  it.each([
    ['a Safe type without a Safe', { signatureType: 2 }],
    ['the owner as its own Safe', { safeAddress: owner }],
    ['a Safe for an EOA', { signatureType: 0, safeAddress: safe }],
    ['a proxy', { signatureType: 1, safeAddress: safe }],
    ['a price of five decimals', { price: '0.12345' }],
    ['a price outside the band', { price: '0.995' }],
    ['less than a share', { size: '0.99' }],
    ['two selectors', { asset: `${marketId}:${tokens[0]}` }],
    ['a key', { apiKey: 'x' }],
    ['an unknown key', { expiresAt: 1_900_000_000 }],
  ])('refuses %s', async (_, given) => {
    await expect(build(given)).rejects.toThrow()
  })

  it('is rejected for a token without an exchange and on a market that does not trade', async () => {
    here.world.answer((seen) => publicReads(seen, []))
    await expect(build()).rejects.toMatchObject({ code: 'EXEC_UNAVAILABLE' })
    here.world.answer((seen) => publicReads(seen, [{ odd: true }, { ...quoteTokens[0], chainId: '204' }]))
    await expect(build()).rejects.toMatchObject({ code: 'EXEC_UNAVAILABLE' })
    here.world.answer(() => ({ body: { errno: 1, errmsg: 'no', result: null } }))
    await expect(build()).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
    here.world.outcomes.splice(0, 2, ...market('closed'))
    await expect(build()).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    here.world.outcomes.splice(0, 2, ...market('active', { chainId: '8453' }))
    await expect(build()).rejects.toMatchObject({ code: 'CATALOG_UNAVAILABLE' })
  })
})

describe('amounts', () => {
  it.each([
    [1n, 1n],
    [9_999n, 9_999n],
    [12_345n, 12_340n],
    [123_456_789n, 123_400_000n],
    [10n ** 19n, 10n ** 19n],
    [42_553_191n * 10n ** 12n, 4_255n * 10n ** 16n],
  ])('%s is cut to %s', (units, cut) => expect(truncatedAt(units)).toBe(cut))

  const orders = fc.record({
    isBuy: fc.boolean(),
    price: fc.integer({ min: 100, max: 9_900 }).map((bps) => String(bps / 10_000)),
    size: fc.oneof(
      fc.integer({ min: 100, max: 100_000_000 }).map((cents) => String(cents / 100)),
      fc
        .bigInt({ min: 10n ** 18n, max: 10n ** 26n })
        .map((wei) => `${wei / 10n ** 18n}.${String(wei % 10n ** 18n).padStart(18, '0')}`),
    ),
    decimals: fc.constantFrom(6, 18),
    tick: fc.constantFrom('0.0001', '0.001', '0.01', '0.1'),
  })

  it('cost at most what was requested, less than a thousandth below it, at the exact price', () => {
    fc.assert(
      fc.property(orders, ({ tick, ...order }) => {
        const price = (Math.max(1, Math.round(Number(order.price) / Number(tick))) * Number(tick)).toFixed(4)
        fc.pre(Number(price) >= 0.01 && Number(price) <= 0.99)
        const found = amountsOf({ ...order, price, tick })
        const [cash, shares] = order.isBuy
          ? [found.makerAmount, found.takerAmount]
          : [found.takerAmount, found.makerAmount]
        expect(BigInt(cash!) * 10_000n).toBe(BigInt(shares!) * BigInt(Math.round(Number(price) * 10_000)))
        expect(compareDecimals(found.size, order.size)).toBeLessThanOrEqual(0)
        // For a token of six decimals the client rounds to whole shares.
        const least = order.decimals === 18 ? multiplyDecimals(order.size, '0.999') : '0'
        expect(compareDecimals(found.size, least)).toBe(1)
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('a returned build result', () => {
  /** As written by the venue’s client. */
  async function resultOf(given: Record<string, unknown> = {}, order: Record<string, unknown> = {}) {
    const built = await build(given)
    const message = { ...messageOf(built), ...order } as CtfMessage
    const { domain, types, primaryType } = built.unsigned as Record<string, object>
    return {
      order: Object.fromEntries(Object.entries(message).map(([name, value]) => [name, String(value)])),
      domain,
      structHash: orderHash(message, exchange),
      typedData: { types, primaryType, domain, message },
      exchangeAddress: exchange,
      currencyAddress: usdt.toLowerCase(),
      currencyDecimal: 18,
      marketId: Number(marketId),
      orderType: 2,
      price: '0.56',
    }
  }

  it('becomes the artifact including its salt, and is stored unchanged', async () => {
    const expiration = String(Math.floor(here.world.clock.now() / 1_000) + 86_400)
    const buildResult = await resultOf({}, { salt: '77', expiration, makerAmount: '560', takerAmount: '1000' })
    const built = await build({ buildResult })
    expect(messageOf(built)).toMatchObject({ salt: '77', expiration, makerAmount: '560', takerAmount: '1000' })
    expect(built.buildResult).toEqual(buildResult)
    expect(built.terms!.size).toBe('0.000000000000001')
    expect(stored(built.unsigned)).toEqual(
      stored((await build({ buildResult: { order: buildResult.order } })).unsigned),
    )
  })

  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['another maker', {}, { maker: safe }],
    ['another signer', {}, { signer: safe }],
    ['another token', {}, { tokenId: tokens[1] }],
    ['another side', {}, { side: 1 }],
    ['another wallet type', {}, { signatureType: 2 }],
    ['a fee', {}, { feeRateBps: '1' }],
    ['a worse price', {}, { makerAmount: '561', takerAmount: '1000' }],
    ['more shares', {}, { makerAmount: '11782960000000000000', takerAmount: '21041000000000000000' }],
    ['a taker', {}, { taker: safe }],
    ['an expiry in the past', {}, { expiration: '1000' }],
  ])('is rejected with %s', async (_, given, order) => {
    await expect(build({ ...given, buildResult: await resultOf(given, order) })).rejects.toThrow()
  })

  it.each([
    ['structHash', `0x${'11'.repeat(32)}`],
    ['exchangeAddress', safe],
    ['currencyAddress', safe],
    ['currencyDecimal', 6],
    ['marketId', 7],
    ['price', '0.55'],
    ['orderType', 1],
    ['signature', `0x${'11'.repeat(65)}`],
    ['privateKey', 'x'],
  ])('is rejected with another %s', async (name, value) => {
    await expect(build({ buildResult: { ...(await resultOf()), [name]: value } })).rejects.toThrow()
  })
})

describe('bounds', () => {
  it('limit market, wallet, amounts, price and lifetime', async () => {
    const built = await build()
    const { message, post } = built.unsigned as { message: CtfMessage; post: object }
    const changed = (more: Partial<CtfMessage>, posted: object = {}) => ({
      ...built.unsigned,
      message: { ...message, ...more },
      post: { ...post, ...posted },
    })
    lane.checkBounds(stored(built.unsigned), stored(built.bounds))
    for (const unsigned of [
      changed({ maker: safe }),
      changed({ signer: safe }),
      changed({ tokenId: tokens[1] }),
      changed({ side: 1 }),
      changed({ expiration: '1900000000' }),
      changed({ feeRateBps: '100' }),
      changed({ makerAmount: String(BigInt(message.makerAmount) + 1n) }),
      changed({ takerAmount: String(BigInt(message.takerAmount) - 1n) }),
      changed({}, { topicId: 7 }),
      changed({}, { price: '0.57' }),
      changed({}, { currencyAddress: safe }),
      { ...built.unsigned, domain: { ...(built.unsigned.domain as object), verifyingContract: safe } },
    ]) {
      expect(() => lane.checkBounds(stored(unsigned as never), stored(built.bounds))).toThrow(
        expect.objectContaining({ code: 'ARTIFACT_BOUNDS_VIOLATION' }),
      )
    }
  })
})
