import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '#config'
import { Fault } from '#core/fault'
import { createLaneWorld, type LaneWorld } from '#test/support/laneWorld'
import { openFunding } from '../../../../src/roles/funding.ts'
import { createWorld, keys } from '../../server/http/world.ts'

const path = '/v1/funding/hyperliquid/steps'
const owner = '0x14791697260E4c9A71f18484C9f997B308e59325'
const requestSteps = (world: ReturnType<typeof createWorld>, body: unknown) =>
  world.post(path, body, { key: keys.trader })

describe('POST /v1/funding/hyperliquid/steps', () => {
  it('returns the total, the hold and the available balance, and no steps', async () => {
    const addresses: string[] = []
    const world = createWorld({
      funding: {
        spotBalance: async (address) => {
          addresses.push(address)
          return { coin: 'USDC', total: '100.5', hold: '40', spendable: '60.5' }
        },
      },
    })
    const { status, json } = await requestSteps(world, { owner })
    expect(status).toBe(200)
    expect(json).toEqual({
      success: true,
      data: {
        venue: 'hyperliquid',
        owner: owner.toLowerCase(),
        ledger: 'spot',
        token: 'USDC',
        total: '100.5',
        hold: '40',
        spendable: '60.5',
        ready: true,
        steps: [],
      },
    })
    expect(addresses).toEqual([owner.toLowerCase()])
  })

  it('reports an account without available balance as not ready', async () => {
    const world = createWorld({
      funding: { spotBalance: async () => ({ coin: 'USDC', total: '40', hold: '40', spendable: '0' }) },
    })
    expect((await requestSteps(world, { owner })).json.data).toMatchObject({ ready: false, steps: [] })
  })

  it.each([
    ['no owner', {}],
    ['an owner that is not an address', { owner: '0x1' }],
    ['a key besides the owner', { owner, privateKey: '0x1' }],
  ])('refuses %s', async (_, body) => {
    const { status, json } = await requestSteps(createWorld(), body)
    expect(status).toBe(400)
    expect(json.error.code).toBe('VALIDATION_ERROR')
  })

  it('requires the trade scope', async () => {
    const { status, json } = await createWorld().post(path, { owner }, { key: keys.reader })
    expect([status, json.error.code]).toEqual([403, 'SCOPE_MISSING'])
  })

  it('returns a retryable 503 when the venue cannot be read', async () => {
    const world = createWorld({
      funding: {
        spotBalance: async () => {
          throw new Fault('NETWORK_ERROR', 'hyperliquid is unreachable', { exchange: 'hyperliquid' })
        },
      },
    })
    const { status, json } = await requestSteps(world, { owner })
    expect(status).toBe(503)
    expect(json.error).toMatchObject({ code: 'NETWORK_ERROR', retryable: true, exchange: 'hyperliquid' })
  })
})

describe('the venue read', () => {
  let venue: LaneWorld
  let funding: ReturnType<typeof openFunding>
  beforeAll(async () => {
    venue = await createLaneWorld('hyperliquid', ['REST'])
    funding = openFunding(readConfig({ CROSSBOOK_HYPERLIQUID_REST_URL: venue.url }))
  })
  afterAll(() => Promise.all([funding.close(), venue.close()]))
  const spot = () => funding.spotBalance(owner.toLowerCase(), new AbortController().signal)

  it('requests the spot state of the account from the configured URL and subtracts exactly', async () => {
    venue.answer(() => ({ body: { balances: [{ coin: 'USDC', token: 0, total: '0.45', hold: '0.4' }] } }))
    expect(await spot()).toEqual({ coin: 'USDC', total: '0.45', hold: '0.4', spendable: '0.05' })
    expect(JSON.parse(venue.seen.at(-1)!.text)).toEqual({ type: 'spotClearinghouseState', user: owner.toLowerCase() })
  })

  it('treats an account without the coin as having zero of it', async () => {
    venue.answer(() => ({ body: { balances: [] } }))
    expect(await spot()).toEqual({ coin: 'USDC', total: '0', hold: '0', spendable: '0' })
  })

  it('never returns a negative available balance', async () => {
    venue.answer(() => ({ body: { balances: [{ coin: 'USDC', total: '-3.5', hold: '1' }] } }))
    expect((await spot()).spendable).toBe('0')
  })

  it('rejects an invalid response', async () => {
    venue.answer(() => ({ body: { balances: 'none' } }))
    await expect(spot()).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  })
})
