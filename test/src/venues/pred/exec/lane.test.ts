import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildOrder, executionOf, type LaneWorld, type Reply, submit } from '#test/support/laneWorld'
import type { LaneExecution } from '#venues/lane'
import { predLane as lane } from '#venues/pred/exec/index'
import { lanes } from '#venues/registry'
import {
  account,
  buy,
  childMarketId,
  createWorld,
  credentials,
  exchange,
  facts,
  market,
  marketId,
  owner,
  parentMarketId,
} from './world.ts'

let world: LaneWorld
beforeAll(async () => {
  world = await createWorld()
})
beforeEach(() => {
  world.seen.length = 0
  world.outcomes.splice(0, world.outcomes.length, ...market())
})
afterAll(() => world.close())

const build = (given: Record<string, unknown> = {}) => buildOrder(lane, world.context, { ...buy, ...given })
const placed = async (given: Partial<LaneExecution> = {}) => executionOf(await build(), given)
const sign = ({ unsigned }: Pick<LaneExecution, 'unsigned'>) => account.signTypedData(unsigned as never)
const someone = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

it('is disabled unless the deployment enables it', () => {
  expect(lane.defaultOff).toBe(true)
  expect(lanes.pred).toBe(lane)
})

describe('an order', () => {
  it('is typed data for the exchange of its parent', async () => {
    const built = await build()
    expect(built.unsigned).toMatchObject({
      domain: { name: 'Pred CTF Exchange', version: '1', chainId: 8453, verifyingContract: exchange },
      primaryType: 'Order',
      message: {
        salt: built.clientRef,
        maker: owner,
        signer: account.address,
        taker: `0x${'0'.repeat(40)}`,
        price: '550000',
        quantity: '21500000',
        expiration: '0',
        nonce: '0',
        questionId: childMarketId,
        feeRateBps: '0',
        intent: 0,
        signatureType: 2,
      },
      post: { parentMarketId },
    })
    expect(built).toMatchObject({
      terms: { marketId, outcomeId: `${marketId}-long`, outcomeSide: 'YES', isBuy: true, price: '0.55', size: '21.5' },
      notionalUsd: '11.825',
      feeEstimate: null,
      owner,
    })
  })

  it.each([
    ['YES', true, 0, '550000', '11.825'],
    ['YES', false, 1, '550000', '9.675'],
    ['NO', true, 1, '450000', '11.825'],
    ['NO', false, 0, '450000', '9.675'],
  ])('%s, buying %s: intent %i at %s on the one book', async (outcomeSide, isBuy, intent, price, notionalUsd) => {
    const built = await build({ outcomeSide, isBuy })
    expect(built.unsigned.message).toMatchObject({ intent, price })
    expect(built).toMatchObject({ notionalUsd, terms: { price: '0.55' } })
    const byId = await build({
      outcome: undefined,
      outcomeSide: undefined,
      asset: `${marketId}-${outcomeSide === 'YES' ? 'long' : 'short'}`,
      isBuy,
    })
    expect(byId.unsigned.message).toMatchObject({ intent, price })
  })
})

it('on the test network is signed for that chain only', async () => {
  const context = { ...world.context, settings: { CHAIN_ID: '84532' } }
  const { unsigned, bounds } = await buildOrder(lane, context, buy)
  expect(unsigned.domain).toMatchObject({ chainId: 84_532, verifyingContract: exchange })
  const execution = executionOf({ ...(await build()), unsigned, bounds })
  const { submittedArtifact } = await lane.submit!.prepare(
    context,
    execution,
    lane.submit!.body.parse({ ...credentials, signature: await sign(execution) }) as never,
  )
  expect(submittedArtifact.domain).toEqual(unsigned.domain)
  const shape = lane.settings!.CHAIN_ID!.shape
  expect(['8453', '84532', '1', ''].filter((text) => shape.safeParse(text).success)).toEqual(['8453', '84532'])
})

describe('a body is refused', () => {
  it.each([
    ['with an access token', { accessToken: 't' }, /accessToken.*credentials/],
    ['with a funder', { funder: owner }, /unknown: funder/],
    ['with an expiry', { expiresAt: 1 }, /unknown: expiresAt/],
    ['with an echo', { buildResult: {} }, /unknown: buildResult/],
    ['without an owner', { owner: undefined }, /owner/],
    ['without a signer', { signer: undefined }, /signer/],
    ['with the Safe as its own signer', { signer: owner.toLowerCase() }, /not the Safe/],
    ['with the zero address as owner', { owner: `0x${'0'.repeat(40)}` }, /zero address/],
    ['without isBuy', { isBuy: undefined }, /isBuy/],
    ['without a side', { outcomeSide: undefined }, /outcomeSide/],
  ])('%s', (_, given, message) => {
    const parsed = lane.order.body.safeParse({ ...buy, ...given })
    expect(parsed.success).toBe(false)
    expect(JSON.stringify(parsed.error?.issues)).toMatch(message)
  })

  it.each([
    ['price 0', { price: 0 }],
    ['price 1', { price: 1 }],
    ['a price off the tick', { price: '0.555' }],
    ['a price of NO off the tick', { price: '0.555', outcomeSide: 'NO' }],
    ['fewer than five shares', { size: '4.9' }],
    ['hundredths of a share', { size: '5.25' }],
    ['a size beyond the maximum', { size: '9999999999' }],
  ])('for %s', async (_, given) => {
    await expect(build(given)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })
})

describe('incomplete catalog facts', () => {
  const without = (name: keyof typeof facts) => {
    const { [name]: _, ...rest } = facts
    return market(rest)
  }
  it.each([
    ['no contract', () => without('contractAddress')],
    ['a contract of zeros', () => market({ ...facts, contractAddress: `0x${'0'.repeat(40)}` })],
    ['no parent', () => without('parentMarketId')],
    ['a child id of another format', () => market({ ...facts, childMarketId: '7' })],
    ['no tick', () => market(facts, null)],
  ])('reject %s', async (_, rows) => {
    world.outcomes.splice(0, 2, ...rows())
    await expect(build()).rejects.toMatchObject({ code: 'CATALOG_UNAVAILABLE' })
  })

  it('reject a market that takes no orders', async () => {
    const rows = market().map((entry) => ({ ...entry, market: { ...entry.market, status: 'resolved' as const } }))
    world.outcomes.splice(0, 2, ...rows)
    await expect(build()).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })
})

describe('bounds are enforced at submit', () => {
  const violates = async (change: (unsigned: Record<string, object>) => object) => {
    const { unsigned, bounds } = await build()
    expect(() => lane.checkBounds({ ...unsigned, ...change(unsigned as never) }, bounds)).toThrowError(
      expect.objectContaining({ code: 'ARTIFACT_BOUNDS_VIOLATION' }),
    )
  }

  it.each([
    ['another market', { questionId: parentMarketId }],
    ['another maker', { maker: someone }],
    ['another signer', { signer: someone }],
    ['a taker', { taker: someone }],
    ['the other intent', { intent: 1 }],
    ['a worse price', { price: '560000' }],
    ['a price off the tick', { price: '545000' }],
    ['more shares', { quantity: '21600000' }],
    ['hundredths of a share', { quantity: '21450000' }],
    ['a fee', { feeRateBps: '1' }],
    ['an expiry', { expiration: '1' }],
    ['another signature type', { signatureType: 0 }],
    ['a salt of another format', { salt: '1' }],
    ['an extra field', { note: 'x' }],
  ])('against %s', (_, message) =>
    violates((unsigned) => ({ message: { ...(unsigned.message as object), ...message } })),
  )

  it('against another exchange, chain, parent and type', async () => {
    await violates(({ domain }) => ({ domain: { ...(domain as object), verifyingContract: someone } }))
    await violates(({ domain }) => ({ domain: { ...(domain as object), chainId: 84_532 } }))
    await violates(() => ({ post: { parentMarketId: childMarketId } }))
    await violates(() => ({ primaryType: 'CreateProxy' }))
  })

  it('it may become cheaper and smaller', async () => {
    const { unsigned, bounds } = await build()
    const message = { ...(unsigned.message as object), price: '540000', quantity: '5000000' }
    expect(() => lane.checkBounds({ ...unsigned, message }, bounds)).not.toThrow()
  })
})

describe('submit', () => {
  const relayed = async (reply: Reply, given: object = {}) => {
    world.answer(() => reply)
    const execution = await placed()
    const send = { ...credentials, signature: await sign(execution), ...given }
    return submit(lane, world.context, execution, send)
  }
  const taken = (status: string) => ({ status: 202, body: { status, order_id: 'o-7', message: '' } })

  it('sends the token and the account’s addresses, and stores neither token nor time', async () => {
    const { prepared, outcome } = await relayed(taken('order_created'))
    expect(outcome).toEqual({ kind: 'accepted', venueRef: 'o-7', status: 'acked', fills: [] })
    expect(world.seen[0]?.headers).toMatchObject({
      authorization: 'Bearer token-throwaway',
      'x-wallet-address': account.address,
      'x-proxy-address': owner,
    })
    expect(JSON.stringify(prepared)).not.toMatch(/token-throwaway|timestamp/)
  })

  it('treats "matched" as a complete fill, and a partial match as accepted only', async () => {
    expect((await relayed(taken('matched'))).outcome).toEqual({
      kind: 'accepted',
      venueRef: 'o-7',
      status: 'filled',
      matchedSize: '21.5',
      fills: [
        {
          key: 'o-7:sum',
          filledAt: world.clock.now(),
          fill: {
            aggregate: true,
            order_id: 'o-7',
            status: 'matched',
            side: 'long',
            quantity: '21.5',
            limit_price: '55',
          },
        },
      ],
    })
    for (const status of ['partial_matched', 'open_order']) {
      expect((await relayed(taken(status))).outcome).toMatchObject({ kind: 'accepted', status: 'acked', fills: [] })
    }
  })

  it('a failed placement is rejected with the venue’s text', async () => {
    const body = { status: 'failed', order_id: '', message: 'not enough collateral' }
    expect((await relayed({ status: 202, body })).outcome).toEqual({
      kind: 'rejected',
      reason: 'not enough collateral',
    })
  })

  it('a session without enabled trading is refused: nothing was placed', async () => {
    const body = { success: false, message: '', error: { code: 'TRADING_NOT_ENABLED', message: 'trading not enabled' } }
    for (const status of [400, 401, 403, 422])
      expect((await relayed({ status, body })).outcome, String(status)).toEqual({
        kind: 'refused',
        reason: 'TRADING_NOT_ENABLED: trading not enabled',
      })
  })

  it.each([
    ['another owner', { owner: someone }],
    ['another signer', { signer: someone }],
    ['no signature', { signature: undefined }],
  ])('rejects %s before anything is sent', async (_, given) => {
    await expect(relayed(taken('open_order'), given)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    expect(world.seen).toEqual([])
  })

  it('accepts a missing signer and any case of the owner’s address', async () => {
    const { outcome } = await relayed(taken('open_order'), { signer: undefined, owner: owner.toLowerCase() })
    expect(outcome.kind).toBe('accepted')
  })

  it('a token that is not allowed in a header is rejected without being repeated', async () => {
    await expect(relayed(taken('open_order'), { accessToken: 'canary\n5b1f' })).rejects.toMatchObject({
      code: 'VENUE_CREDENTIAL_REJECTED',
      message: expect.not.stringContaining('canary'),
    })
  })
})

describe('a cancellation', () => {
  const cancelOf = async () => {
    const target = await placed({ status: 'acked', venueRef: 'o-7' })
    return executionOf(await lane.cancel!.build(world.context, target, {} as never), { target }, 'cancel')
  }

  it('contains the order and its market, and is sent with the token only', async () => {
    const execution = await cancelOf()
    expect(execution.unsigned).toEqual({
      parentMarketId,
      order_id: 'o-7',
      market_id: childMarketId,
      proxy: owner,
      wallet: account.address,
    })
    world.answer(() => ({ status: 202, body: { status: 'user_cancelled', order_id: 'o-7', success: true } }))
    const { outcome } = await submit(lane, world.context, execution, credentials)
    expect(outcome).toMatchObject({ kind: 'accepted', venueRef: 'o-7' })
    expect(world.seen[0]).toMatchObject({
      method: 'DELETE',
      path: `/api/v1/order/${parentMarketId}/cancel`,
      text: JSON.stringify({ order_id: 'o-7', market_id: childMarketId }),
    })
    const signature = `0x${'1'.repeat(130)}`
    await expect(submit(lane, world.context, execution, { ...credentials, signature })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    })
  })

  it('of another order, or without success, is not accepted', async () => {
    const execution = await cancelOf()
    for (const body of [
      { status: 'user_cancelled', order_id: 'o-8', success: true },
      { status: 'user_cancelled', order_id: 'o-7', success: false },
      { order_id: 'o-7', success: true },
    ]) {
      world.answer(() => ({ body }))
      expect((await submit(lane, world.context, execution, credentials)).outcome.kind).toBe('unknown')
    }
  })

  it('of an order without an id is rejected', async () => {
    await expect(lane.cancel!.build(world.context, await placed(), {} as never)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    })
  })
})

describe('refresh', () => {
  const row = (given: object = {}) => ({
    order_id: 'o-7',
    market_id: childMarketId,
    market_name: 'Roma',
    parent_market_id: parentMarketId,
    side: 'long',
    price: '55.0',
    quantity: '21.5',
    remaining_quantity: '21.5',
    ...given,
  })
  const look = async (orders: unknown, given: Partial<LaneExecution> = { status: 'acked', venueRef: 'o-7' }) => {
    world.answer(() => ({ body: { orders } }))
    return lane.refresh!.read(world.context, await placed(given), lane.refresh!.body.parse(credentials) as never)
  }

  it('of an open order reports its filled size', async () => {
    expect(await look([row({ order_id: 'o-6' }), row({ remaining_quantity: '20' })])).toMatchObject({
      status: 'acked',
      shown: true,
      matchedSize: '1.5',
      venueRef: 'o-7',
      fills: [],
      observation: { quantity: '21.5', remaining_quantity: '20' },
    })
    expect(world.seen.at(-1)?.path).toBe(`/api/v1/order/${parentMarketId}/open-orders`)
  })

  it('treats a row with nothing remaining as filled', async () => {
    expect(await look([row({ remaining_quantity: '0' })])).toMatchObject({
      status: 'filled',
      fills: [{ key: 'o-7:sum', fill: { quantity: '21.5', aggregate: true } }],
    })
  })

  it('an unreadable row does not hide the others, and a missing count is not guessed', async () => {
    const seen = await look([{ order_id: 7 }, row({ remaining_quantity: null })])
    expect([seen.status, seen.shown, seen.matchedSize]).toEqual(['acked', true, undefined])
    expect(await look([row({ quantity: null, remaining_quantity: '0' })])).toMatchObject({ status: null, fills: [] })
  })

  it('absence proves nothing, and the observation explains that', async () => {
    const seen = await look([row({ order_id: 'o-6' })])
    expect(seen).toEqual({
      status: null,
      shown: false,
      venueRef: 'o-7',
      fills: [],
      observation: { status: 'unknown', reason: expect.stringMatching(/not among the open orders/) },
    })
  })

  it('a row with the same id on another market proves nothing', async () => {
    expect(await look([row({ side: 'short' })])).toMatchObject({ status: null })
    expect(await look([row({ market_id: parentMarketId })])).toMatchObject({ status: null })
  })

  it('of an order without a response reports possible matches and adopts none', async () => {
    const lost = { status: 'submitted' as const, venueRef: null }
    const none = await look([row({ price: '54' }), row({ quantity: '21' }), row({ side: 'short' })], lost)
    expect(none).toMatchObject({ status: null, venueRef: null, observation: { status: 'unknown' } })
    expect(none).not.toHaveProperty('mayBe')
    for (const [rows, words] of [
      [[row()], /^an open order matches it/],
      [[row(), row({ order_id: 'o-8' })], /^2 open orders match it/],
    ] as const) {
      expect(await look(rows, lost)).toMatchObject({
        status: null,
        venueRef: null,
        mayBe: 'order',
        observation: { reason: expect.stringMatching(words) },
      })
    }
  })

  it('of a cancellation: an open order was not cancelled; a missing one proves nothing', async () => {
    const target = await placed({ status: 'acked', venueRef: 'o-7' })
    const cancel = executionOf(await lane.cancel!.build(world.context, target, {} as never), { target }, 'cancel')
    const read = () => lane.refresh!.read(world.context, cancel, lane.refresh!.body.parse(credentials) as never)
    world.answer(() => ({ body: { orders: [row()] } }))
    expect(await read()).toMatchObject({ status: null, shown: true, undone: true })
    world.answer(() => ({ body: { orders: [] } }))
    expect(await read()).toMatchObject({ status: null, observation: { status: 'unknown' } })
  })

  it('rejects other addresses, and reports a credential error only for the venue’s own error', async () => {
    const execution = await placed({ status: 'acked', venueRef: 'o-7' })
    const read = (given: object) =>
      lane.refresh!.read(world.context, execution, lane.refresh!.body.parse({ ...credentials, ...given }) as never)
    for (const given of [{ owner: someone }, { signer: someone }]) {
      await expect(read(given)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    }
    expect(world.seen).toEqual([])
    world.answer(() => ({ status: 401, body: { success: false, error: { code: 'X', message: 'expired' } } }))
    await expect(read({})).rejects.toMatchObject({ code: 'VENUE_CREDENTIAL_REJECTED' })
    for (const reply of [{ body: {} }, { status: 401, text: '<html>' }]) {
      world.answer(() => reply)
      await expect(read({})).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
    }
  })
})
