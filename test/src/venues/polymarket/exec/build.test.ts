import { describe, expect, it } from 'vitest'
import { binaryMarket, buildOrder } from '#test/support/laneWorld'
import { depositWalletsOf } from '#venues/polymarket/exec/depositWallet'
import { polymarketLane as lane } from '#venues/polymarket/exec/index'
import { exchanges } from '#venues/polymarket/exec/typedData'
import {
  buy,
  conditionId,
  conditionV2,
  funder,
  idsOf,
  laneSuite,
  market,
  owner,
  positions,
  publicReads,
  tokens,
  type Venue,
} from './world.ts'

const here = laneSuite()
const { build } = here

describe('build', () => {
  it('21.04 at 0.56 matches the venue’s own vector', async () => {
    const built = await build()
    expect(built.unsigned.message).toMatchObject({
      makerAmount: '11782400',
      takerAmount: '21040000',
      side: 0,
      maker: owner,
      signer: owner,
    })
    expect(built.unsigned.post).toEqual({ orderType: 'GTC', expiration: '0' })
    expect(built.warnings.join()).toMatch(/region/)
    expect(built.notionalUsd).toBe('11.7824')
  })

  it('costs a seller nothing, because the exchange takes existing shares', async () => {
    expect((await build({ isBuy: false })).notionalUsd).toBe('0')
  })

  it('0.056 on a tick of 0.001 too', async () => {
    here.world.answer((seen) => publicReads(seen, { tick: 0.001 }))
    expect((await build({ price: 0.056 })).unsigned.message).toMatchObject({
      makerAmount: '1178240',
      takerAmount: '21040000',
    })
  })

  it('size is rounded down to two decimals', async () => {
    expect((await build({ size: '21.0499' })).terms).toMatchObject({ size: '21.04' })
  })

  it('a Safe pays and its owner signs', async () => {
    const built = await build({ signatureType: 2, funder })
    expect(built.unsigned.message).toMatchObject({ maker: funder, signer: owner, signatureType: 2 })
  })

  it('a positive expiresAt builds GTD', async () => {
    expect((await build({ expiresAt: '1800000000' })).unsigned.post).toEqual({
      orderType: 'GTD',
      expiration: '1800000000',
    })
  })

  it.each<[string, Partial<Venue>, boolean | null, string]>([
    ['version 1', { version: 1 }, false, 'EXEC_UNAVAILABLE'],
    ['version 4', { version: 4 }, false, 'EXEC_UNAVAILABLE'],
    ['another protocol at the venue', { v: 'v2' }, false, 'CATALOG_UNAVAILABLE'],
    ['an unknown protocol', { v: 'v3' }, false, 'CATALOG_UNAVAILABLE'],
    ['no version', { version: null }, false, 'NETWORK_ERROR'],
    ['negative-risk only at the venue', { negRisk: true }, false, 'CATALOG_UNAVAILABLE'],
    ['negative-risk only in the catalog', {}, true, 'CATALOG_UNAVAILABLE'],
    ['a catalog without the flag', {}, null, 'CATALOG_UNAVAILABLE'],
    ['an unknown tick', { tick: 0.03 }, false, 'EXEC_UNAVAILABLE'],
  ])('fails closed: %s', async (_, venue, negRisk, code) => {
    here.world.outcomes.splice(0, here.world.outcomes.length, ...market(negRisk))
    here.world.answer((seen) => publicReads(seen, venue))
    await expect(build()).rejects.toMatchObject({ code })
  })

  it.each([2, 3])('the market determines the exchange, whatever version the venue reports: %i', async (version) => {
    const domains = { v1: exchanges.normal, v2: exchanges.v3 } as const
    for (const protocol of ['v1', 'v2'] as const) {
      here.world.outcomes.splice(0, here.world.outcomes.length, ...market(false, 'active', protocol))
      here.world.answer((seen) => publicReads(seen, { version, v: protocol, ids: idsOf(protocol) }))
      const { domain, message } = (await build()).unsigned
      const [tokenId] = idsOf(protocol)
      expect(message).toMatchObject({ tokenId })
      expect(domain).toEqual({
        ...{ name: 'Polymarket CTF Exchange', chainId: 137, version: protocol === 'v1' ? '2' : '3' },
        verifyingContract: domains[protocol],
      })
    }
  })

  it('a row stored without a protocol is identified by its ids, and rejected if they contradict its protocol', async () => {
    const stored = (given: Record<string, unknown>) =>
      binaryMarket('polymarket', '512345', positions, {
        tickSize: 0.01,
        sourceMetadata: { conditionId: conditionV2, negRisk: false, ...given },
      })
    here.world.answer((seen) => publicReads(seen, { ids: positions }))
    here.world.outcomes.splice(0, here.world.outcomes.length, ...stored({}))
    expect((await build()).unsigned.domain).toMatchObject({ version: '3' })
    here.world.outcomes.splice(0, here.world.outcomes.length, ...stored({ protocol: 'v1' }))
    await expect(build()).rejects.toMatchObject({ code: 'CATALOG_UNAVAILABLE' })
  })

  it('a deposit wallet is maker and signer; its owner signs the order together with the wallet', async () => {
    for (const wallet of depositWalletsOf(owner)) {
      const built = await build({ signatureType: 3, funder: wallet.toLowerCase() })
      expect(built.owner).toBe(owner)
      expect(built.unsigned).toMatchObject({
        primaryType: 'TypedDataSign',
        domain: { version: '2', verifyingContract: exchanges.normal },
        message: {
          contents: { maker: wallet, signer: wallet, signatureType: 3 },
          ...{ name: 'DepositWallet', version: '1', chainId: '137', verifyingContract: wallet },
        },
      })
    }
  })

  it.each([
    ['no wallet', {}],
    ['the owner', { funder: owner }],
    ['another wallet', { funder }],
  ])('rejects signatureType 3 with %s as funder', async (_name, given) => {
    await expect(build({ signatureType: 3, ...given })).rejects.toThrow(/deposit wallet/)
  })

  it('reads the version, the tick and negative-risk flag of the exact token, and the market’s fee details', async () => {
    await build({ outcomeSide: 'NO' })
    const token = `?token_id=${tokens[1]}`
    expect(here.world.seen.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
      `GET /clob-markets/${conditionId}`,
      `GET /neg-risk${token}`,
      `GET /tick-size${token}`,
      'GET /version',
    ])
  })

  it.each<[string, string, unknown, string]>([
    ['a version as a string', '/version', { version: '2' }, 'NETWORK_ERROR'],
    ['a fractional version', '/version', { version: 2.5 }, 'NETWORK_ERROR'],
    ['a flag as a string', '/neg-risk', { neg_risk: 'false' }, 'NETWORK_ERROR'],
    ['an invalid tick', '/tick-size', { minimum_tick_size: 'small' }, 'NETWORK_ERROR'],
    ['a contradicting market', '/clob-markets', { t: [{ t: tokens[0] }], nr: true }, 'CATALOG_UNAVAILABLE'],
    ['a market without the token', '/clob-markets', { t: [{ t: '7' }, null] }, 'CATALOG_UNAVAILABLE'],
    ['invalid fee details', '/clob-markets', { t: [{ t: tokens[0] }], fd: { r: -1, e: 1 } }, 'NETWORK_ERROR'],
  ])('fails closed on %s', async (_, path, body, code) => {
    here.world.answer((seen) => (seen.path.startsWith(path) ? { body } : publicReads(seen)))
    await expect(build()).rejects.toMatchObject({ code })
  })

  it.each(['/tick-size', '/neg-risk', '/clob-markets'])(
    'rejects orders on a book that is unknown to %s',
    async (path) => {
      here.world.answer((seen) =>
        seen.path.startsWith(path) ? { status: 404, body: { error: 'no' } } : publicReads(seen),
      )
      await expect(build()).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    },
  )

  it('rejects orders on a market that no longer trades, without a request', async () => {
    here.world.outcomes.splice(0, here.world.outcomes.length, ...market(false, 'resolved'))
    await expect(build()).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    expect(here.world.seen).toEqual([])
  })

  it('omitted fields are zero: type 0, GTC, zero metadata and builder', async () => {
    const zero = `0x${'0'.repeat(64)}`
    expect((await build()).unsigned).toMatchObject({
      message: { signatureType: 0, metadata: zero, builder: zero },
      post: { orderType: 'GTC', expiration: '0' },
    })
    expect((await build({ signatureType: 0, funder: owner })).unsigned.message).toMatchObject({ maker: owner })
  })

  it('selects an outcome by market and side or by token, and a market by number or text', async () => {
    const byToken = { outcome: undefined, outcomeSide: undefined, asset: tokens[1] }
    expect((await build(byToken)).terms).toMatchObject({ outcomeId: tokens[1], outcomeSide: 'NO' })
    expect((await build({ outcome: 512345, outcomeSide: 'NO' })).terms).toMatchObject({ outcomeId: tokens[1] })
    // A token id as a JSON number has already lost digits.
    await expect(build({ ...byToken, asset: Number(tokens[1]) })).rejects.toThrow()
  })

  it('negative-risk on both sides selects the other exchange', async () => {
    here.world.outcomes.splice(0, here.world.outcomes.length, ...market(true))
    here.world.answer((seen) => publicReads(seen, { negRisk: true }))
    expect((await build()).unsigned.domain).toMatchObject({
      verifyingContract: '0xe2222d279d744050d28e00520010520000310F59',
    })
  })

  it.each([
    { price: '0.565' },
    { price: 0 },
    { price: 1 },
    { price: '5e-1' },
    { size: '0.009' },
    { size: '4.99' },
    { size: '-1' },
    { owner: undefined },
    { owner: '0x1' },
    { funder },
    { signatureType: 1 },
    { signatureType: 2 },
    { signatureType: 1, funder: owner },
    { signatureType: '0' },
    { signatureType: 2, funder: owner.toLowerCase() },
    { signatureType: 3, funder },
    { expiresAt: 1_790_000_060 },
    { expiresAt: 1_790_000_180 },
    { expiresAt: -1 },
    { expiresAt: 1_800_000_000_000 },
    { metadata: '0x12' },
    { builder: 'x' },
    { asset: tokens[0] },
    { outcomeSide: undefined },
    { privateKey: 'x' },
    { apiKey: 'x' },
    { nonsense: 1 },
  ])('refuses %j', async (given) => {
    await expect(build(given)).rejects.toThrow()
  })

  it('the fee follows the curve of the market’s fee details, and excludes the builder fee', async () => {
    const estimate = { model: 'shares × rate × (p × (1 − p))^exponent', rate: '0.05', exponent: 1, taker: '0.25921' }
    expect((await build()).feeEstimate).toEqual({ ...estimate, currency: 'pUSD', maker: '0' })
    const built = await build({ builder: `0x${'0'.repeat(63)}1` })
    expect(built.feeEstimate).toMatchObject({ ...estimate, excludes: ['builder fee'] })
    here.world.answer((seen) => publicReads(seen, { fd: null }))
    expect((await build()).feeEstimate).toMatchObject({ model: 'none', taker: '0' })
    here.world.answer((seen) => publicReads(seen, { fd: { r: 0.25, e: 1.5, to: true } }))
    expect((await build()).feeEstimate).toBeNull()
  })

  it('the fee of a paper account’s order is the catalog’s, and unknown where the catalog has none', async () => {
    const context = { ...here.world.context, paper: { accountId: 'a' } }
    const estimateWith = async (facts: object) => {
      const rows = market().map((row) => ({
        ...row,
        market: { ...row.market, sourceMetadata: { ...row.market.sourceMetadata, ...facts } },
      }))
      here.world.outcomes.splice(0, here.world.outcomes.length, ...rows)
      return (await buildOrder(lane, context, buy)).feeEstimate
    }
    expect(await estimateWith({ feesEnabled: false })).toMatchObject({ model: 'none', taker: '0' })
    expect(await estimateWith({ feeSchedule: { rate: 0.05, exponent: 1 } })).toMatchObject({ taker: '0.25921' })
    expect(await estimateWith({ feesEnabled: true, feeSchedule: null })).toBeNull()
    expect(here.world.seen).toEqual([])
  })

  it('enforces bounds on each field', async () => {
    const { unsigned, bounds } = await build()
    const message = unsigned.message as Record<string, string>
    const changed = (given: object) => ({ ...unsigned, message: { ...message, ...given } })
    for (const wrong of [
      changed({ makerAmount: '11782401' }),
      changed({ takerAmount: '21039999' }),
      changed({ maker: funder }),
      changed({ tokenId: '7' }),
      changed({ side: 1 }),
      changed({ salt: '9007199254740993' }),
      { ...unsigned, post: { orderType: 'GTD', expiration: '1800000000' } },
      {
        ...unsigned,
        domain: { ...(unsigned.domain as object), verifyingContract: '0xe2222d279d744050d28e00520010520000310F59' },
      },
      { ...unsigned, types: {} },
      { ...unsigned, more: 1 },
    ]) {
      expect(() => lane.checkBounds(wrong as never, bounds)).toThrowError(
        expect.objectContaining({ code: 'ARTIFACT_BOUNDS_VIOLATION' }),
      )
    }
  })
})
