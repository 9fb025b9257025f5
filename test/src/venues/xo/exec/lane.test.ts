import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildOrder, type LaneWorld } from '#test/support/laneWorld'
import { xoLane as lane } from '#venues/xo/exec/index'
import { account, buy, createWorld, market, marketId, owner, settings, tokens } from './world.ts'

let world: LaneWorld
beforeAll(async () => {
  world = await createWorld()
})
beforeEach(() => world.outcomes.splice(0, world.outcomes.length, ...market()))
afterAll(() => world.close())

const build = (given: Record<string, unknown> = {}) => buildOrder(lane, world.context, { ...buy, ...given })
const someone = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

it('only builds, because everything else is undocumented', () => {
  expect([lane.submit, lane.refresh, lane.cancel, lane.modify, lane.redeem]).toEqual(Array(5).fill(undefined))
  expect(lane.urls).toEqual({})
})

describe('an order', () => {
  it('is for the exchange set by the operator, with the smart account by default', async () => {
    const built = await build()
    expect(built.unsigned).toMatchObject({
      domain: { name: settings.DOMAIN_NAME, version: '7', chainId: 31_337, verifyingContract: settings.EXCHANGE },
      primaryType: 'Order',
      message: {
        maker: owner,
        signer: owner,
        tokenId: tokens[0],
        makerAmount: '11782400',
        takerAmount: '21040000',
        side: 0,
        signatureType: 3,
      },
    })
    expect(built).toMatchObject({
      terms: { marketId, outcomeId: `${marketId}.${tokens[0]}`, outcomeSide: 'YES', isBuy: true, size: '21.04' },
      notionalUsd: '11.7824',
      feeEstimate: null,
      warnings: [],
      owner,
    })
    expect(built).not.toHaveProperty('buildResult')
  })

  it('of a direct account has signature type 0', async () => {
    const { unsigned } = await build({ signatureType: 0, owner: account.address })
    expect(unsigned.message).toMatchObject({ maker: account.address, signer: account.address, signatureType: 0 })
  })

  it('sells a token selected by side or by outcome id', async () => {
    for (const selector of [
      { outcomeSide: 'NO' },
      { outcome: undefined, outcomeSide: undefined, asset: `${marketId}.${tokens[1]}` },
    ]) {
      const built = await build({ ...selector, isBuy: false })
      expect(built.unsigned.message).toMatchObject({
        tokenId: tokens[1],
        side: 1,
        makerAmount: '21040000',
        takerAmount: '11782400',
      })
      expect(built.notionalUsd).toBe('9.2576')
    }
  })
})

describe('a body is refused', () => {
  it.each([
    ['signatureType 1', { signatureType: 1 }, /must be 3 \(smart account\) or 0/],
    ['signatureType 2', { signatureType: 2 }, /must be 3 \(smart account\) or 0/],
    ['an echo', { buildResult: {} }, /unknown: buildResult/],
    ['a funder', { funder: owner }, /unknown: funder/],
    ['a key', { apiKey: 'k' }, /apiKey.*credentials/],
    ['no owner', { owner: undefined }, /owner/],
    ['the zero address as owner', { owner: `0x${'0'.repeat(40)}` }, /zero address/],
    ['both selectors', { asset: tokens[0] }, /asset alone/],
    ['no side', { outcomeSide: undefined }, /outcomeSide/],
  ])('for %s', (_, given, message) => {
    const parsed = lane.order.body.safeParse({ ...buy, ...given })
    expect(parsed.success).toBe(false)
    expect(JSON.stringify(parsed.error?.issues)).toMatch(message)
  })

  it.each([
    ['price 0', { price: 0 }],
    ['price 1', { price: '1' }],
    ['a price in exponents', { price: '5e-1' }],
    ['a price as text', { price: 'x' }],
    ['size 0', { size: 0 }],
    ['a negative size', { size: '-1' }],
    ['a size finer than the collateral', { size: '1.0000001' }],
    ['cash finer than the collateral', { price: '0.1234567', size: '1' }],
    ['a size beyond the maximum', { size: '9999999999' }],
  ])('%s', async (_, given) => {
    await expect(build(given)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })
})

describe('incomplete catalog facts', () => {
  it('reject an invalid token id', async () => {
    world.outcomes.splice(0, 2, ...market(['abc', 'def']))
    await expect(build()).rejects.toMatchObject({ code: 'CATALOG_UNAVAILABLE' })
  })

  it('reject a market that takes no orders', async () => {
    world.outcomes.splice(0, 2, ...market(tokens, 'resolved'))
    await expect(build()).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })
})

describe('bounds are enforced', () => {
  it.each([
    ['another token', { tokenId: tokens[1] }],
    ['the other side', { side: 1 }],
    ['another maker', { maker: someone, signer: someone }],
    ['another signer', { signer: someone }],
    ['another kind of account', { signatureType: 0 }],
    ['an unsupported account type', { signatureType: 1 }],
    ['more cash', { makerAmount: '11782401' }],
    ['fewer shares', { takerAmount: '21039999' }],
    ['nothing given', { makerAmount: '0' }],
    ['a builder', { builder: `0x${'1'.repeat(64)}` }],
    ['an extra field', { taker: someone }],
  ])('against %s', async (_, change) => {
    const { unsigned, bounds } = await build()
    const message = { ...(unsigned.message as object), ...change }
    expect(() => lane.checkBounds({ ...unsigned, message }, bounds)).toThrowError(
      expect.objectContaining({ code: 'ARTIFACT_BOUNDS_VIOLATION' }),
    )
  })

  it.each([
    ['contract', { verifyingContract: someone }],
    ['chain', { chainId: 1 }],
    ['name', { name: 'Another' }],
    ['version', { version: '8' }],
  ])('against another %s', async (_, change) => {
    const { unsigned, bounds } = await build()
    const domain = { ...(unsigned.domain as object), ...change }
    expect(() => lane.checkBounds({ ...unsigned, domain }, bounds)).toThrowError(
      expect.objectContaining({ code: 'ARTIFACT_BOUNDS_VIOLATION' }),
    )
  })

  it('allow a cheaper order', async () => {
    const { unsigned, bounds } = await build()
    const message = { ...(unsigned.message as object), makerAmount: '11000000' }
    expect(() => lane.checkBounds({ ...unsigned, message }, bounds)).not.toThrow()
  })
})

describe('operator settings', () => {
  it.each([
    ['EXCHANGE', '0x1'],
    ['EXCHANGE', `0x${'0'.repeat(40)}`],
    ['CHAIN_ID', '0'],
    ['CHAIN_ID', 'base'],
    ['DOMAIN_NAME', ''],
    ['ORDER_TYPE_HASH', `0x${'1'.repeat(64)}`],
    ['COLLATERAL_DECIMALS', '19'],
    ['COLLATERAL_DECIMALS', '6.5'],
  ])('%s is rejected as %s', (name, text) => {
    expect(lane.settings![name]!.shape.safeParse(text).success).toBe(false)
  })
})
