// What the lane builds, rejects and bounds, and how it interprets venue responses and chain logs.
import { encodeAbiParameters, encodeEventTopics, encodeFunctionResult, type Hex, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#schemas/executions'
import { buildOrder, executionOf, type LaneWorld, type Reply, type Seen, submit } from '#test/support/laneWorld'
import type { LaneExecution } from '#venues/lane'
import { limitlessLane as lane } from '#venues/limitless/exec/index'
import {
  account,
  buy,
  conditionId,
  createWorld,
  credentials,
  exchange,
  market,
  owner,
  placed,
  profile,
  shownProfile,
  slug,
  tokens,
} from './world.ts'

let world: LaneWorld
beforeAll(async () => {
  world = await createWorld()
})
beforeEach(() => {
  world.seen.length = 0
  world.outcomes.splice(0, world.outcomes.length, ...market())
  world.answer((seen) => shownProfile(seen) ?? { status: 201, body: placed })
})
afterAll(() => world.close())

const build = (over: object = {}) => buildOrder(lane, world.context, { ...buy, ...over })
const sign = ({ unsigned }: Pick<LaneExecution, 'unsigned'>, by = account) => by.signTypedData(unsigned as never)
const sent = async (over: object = {}, given: object = credentials) => {
  const execution = executionOf(await build(over))
  return submit(lane, world.context, execution, { ...given, signature: await sign(execution) })
}
const refused = (code = 'VALIDATION_ERROR') => expect.objectContaining({ code })

describe('build', () => {
  it('builds an order for the market’s own contract, for any taker, without an expiry', async () => {
    const built = await build()
    expect(built.unsigned).toMatchObject({
      domain: { name: 'Limitless CTF Exchange', version: '1', chainId: 8453, verifyingContract: exchange },
      message: {
        maker: owner,
        signer: owner,
        taker: `0x${'0'.repeat(40)}`,
        tokenId: tokens.yes,
        makerAmount: '6500000',
        takerAmount: '10000000',
        expiration: '0',
        nonce: '0',
        feeRateBps: '300',
        side: 0,
        signatureType: 0,
      },
      post: { price: '0.65', ownerId: profile.id, orderType: 'GTC', marketSlug: slug },
    })
    expect(built).toMatchObject({ notionalUsd: '6.5', feeEstimate: null, warnings: [], owner })
    expect((await build({ outcomeSide: 'NO', isBuy: false })).notionalUsd).toBe('0')
    const lower = market({ exchange: exchange.toLowerCase() })
    world.outcomes.splice(0, world.outcomes.length, ...lower)
    expect(await build()).toMatchObject({ unsigned: { domain: { verifyingContract: exchange } } })
  })

  it('estimates the fee only when the market charges none', async () => {
    world.outcomes.splice(0, world.outcomes.length, ...market({ feesEnabled: false }))
    expect((await build()).feeEstimate).toMatchObject({ maker: '0', taker: '0' })
  })

  it('signs no rate when takers pay in USDC, and warns of the required approval', async () => {
    const feeModule = `0x${'fe'.repeat(20)}`
    world.outcomes.splice(0, world.outcomes.length, ...market({ feeModule, feeModuleType: 'COLLATERAL' }))
    const built = await build()
    expect(built).toMatchObject({
      unsigned: { message: { feeRateBps: '0', makerAmount: '6500000' } },
      notionalUsd: '6.5',
      feeEstimate: null,
      warnings: [expect.stringContaining(feeModule)],
    })
    // The owner’s rank has a rate of 300, which does not matter for an order without a rate.
    const signature = await account.signTypedData(built.unsigned as never)
    world.answer((seen) => shownProfile(seen) ?? { status: 201, body: placed })
    const { outcome } = await submit(lane, world.context, executionOf(built), { ...credentials, signature })
    expect(outcome).toMatchObject({ kind: 'accepted' })
    expect(JSON.parse(world.seen.at(-1)!.text).order.feeRateBps).toBe(0)
    world.outcomes.splice(
      0,
      world.outcomes.length,
      ...market({ feeModule, feeModuleType: 'COLLATERAL', feesEnabled: false }),
    )
    expect(await build()).toMatchObject({ unsigned: { message: { feeRateBps: '0' } }, warnings: [] })
  })

  it.each<[string, object]>([
    ['a price off the tick', { price: '0.6555' }],
    ['a price of one', { price: 1 }],
    ['a price of zero', { price: 0 }],
    ['a size off the step', { size: '3.0004' }],
    ['no size', { size: 0 }],
    ['a size beyond JSON precision', { size: '1000000001' }],
  ])('refuses %s', async (_, over) => {
    await expect(build(over)).rejects.toEqual(refused())
  })

  it.each<[string, object]>([
    ['no owner', { owner: undefined }],
    ['no profile', { ownerId: undefined }],
    ['no fee rate', { feeRateBps: undefined }],
    ['half a basis point', { feeRateBps: 0.5 }],
    ['a token', { tokenId: 'x' }],
    ['a session', { session: 'x' }],
  ])('rejects a body with %s', (_, over) => {
    expect(lane.order.body.safeParse({ ...buy, ...over }).success).toBe(false)
  })

  it('rejects pools, markets that do not trade, and incomplete rows', async () => {
    for (const [rows, code] of [
      [market({ executionModel: 'amm' }), 'VALIDATION_ERROR'],
      [market({}, 'resolved'), 'VALIDATION_ERROR'],
      [market({ exchange: undefined }), 'CATALOG_UNAVAILABLE'],
      [market({ collateral: 'WETH' }), 'CATALOG_UNAVAILABLE'],
      [market({ collateralDecimals: 18 }), 'CATALOG_UNAVAILABLE'],
    ] as const) {
      world.outcomes.splice(0, world.outcomes.length, ...rows)
      await expect(build()).rejects.toEqual(refused(code))
    }
  })

  it('a signed order may become cheaper or smaller, and nothing else', async () => {
    const { unsigned, bounds } = await build()
    const { message, post, domain } = unsigned as Record<string, JsonObject>
    const check = (over: object) => () => lane.checkBounds({ ...unsigned, ...over } as never, bounds)
    expect(check({ message: { ...message, makerAmount: '6490000' } })).not.toThrow()
    for (const over of [
      { makerAmount: '6500001' },
      { takerAmount: '9999000' },
      { makerAmount: '6499999' },
      { tokenId: tokens.no },
      { side: 1 },
      { maker: exchange },
      { signer: exchange },
      { taker: exchange },
      { expiration: '1' },
      { nonce: '1' },
      { feeRateBps: '0' },
      { signatureType: 2 },
      { more: 1 },
    ]) {
      expect(check({ message: { ...message, ...over } }), JSON.stringify(over)).toThrow(
        refused('ARTIFACT_BOUNDS_VIOLATION'),
      )
    }
    for (const over of [
      { post: { ...post, ownerId: 7 } },
      { post: { ...post, marketSlug: 'another' } },
      { post: { ...post, price: '0.66' } },
      { post: { ...post, orderType: 'FOK' } },
      { domain: { ...domain, chainId: 1 } },
      { domain: { ...domain, verifyingContract: owner } },
      { clientOrderId: '6f1c0f38-7f0a-4df6-9d1e-2a8b2f3c4d5e' },
    ]) {
      expect(check(over), JSON.stringify(over)).toThrow(refused('ARTIFACT_BOUNDS_VIOLATION'))
    }
  })
})

describe('submit', () => {
  it('reads the owner’s profile, then sends once', async () => {
    const { outcome, prepared } = await sent()
    expect(outcome).toMatchObject({ kind: 'accepted', status: 'acked', venueRef: placed.order.id })
    expect(prepared.venueRef).toBeNull()
    expect(world.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `GET /profiles/${owner}`,
      'POST /orders',
    ])
    expect(JSON.stringify(prepared)).not.toContain(credentials.tokenId)
  })

  it('sends nothing for another profile, another fee, a foreign signature, or incomplete credentials', async () => {
    const other = privateKeyToAccount(`0x${'11'.repeat(32)}`)
    const execution = executionOf(await build())
    const trials: [Reply | null, object, string][] = [
      [{ body: { ...profile, id: 7 } }, {}, 'VALIDATION_ERROR'],
      [{ body: { id: profile.id, rank: { feeRateBps: 200 } } }, {}, 'VALIDATION_ERROR'],
      [{ body: { id: profile.id } }, {}, 'VALIDATION_ERROR'],
      [{ status: 401, body: { message: 'Invalid HMAC signature' } }, {}, 'VENUE_CREDENTIAL_REJECTED'],
      [{ status: 403, body: { message: 'Not your profile' } }, {}, 'NETWORK_ERROR'],
      [null, { signature: await sign(execution, other) }, 'INVALID_SIGNATURE'],
      [null, { signature: undefined }, 'VALIDATION_ERROR'],
      [null, { secret: undefined }, 'VENUE_CREDENTIAL_REJECTED'],
      [null, { session: 'a-session' }, 'VENUE_CREDENTIAL_REJECTED'],
      [null, { tokenId: undefined, secret: undefined, session: 'a; b=c' }, 'VENUE_CREDENTIAL_REJECTED'],
      [null, { secret: 'no base 64' }, 'VENUE_CREDENTIAL_REJECTED'],
    ]
    for (const [reply, over, code] of trials) {
      world.answer((seen) => reply ?? shownProfile(seen) ?? { body: placed })
      const given = { ...credentials, signature: await sign(execution), ...over }
      const body = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
      await expect(submit(lane, world.context, execution, body), JSON.stringify(reply ?? over)).rejects.toEqual(
        refused(code),
      )
    }
    expect(world.seen.filter(({ method }) => method === 'POST')).toEqual([])
  })

  it('accepts a zero rate when the market takes no fees', async () => {
    world.outcomes.splice(0, world.outcomes.length, ...market({ feesEnabled: false }))
    expect((await sent({ feeRateBps: 0 })).outcome.kind).toBe('accepted')
  })

  it('sends a session as a cookie', async () => {
    await sent({}, { session: 'a-session' })
    for (const { headers } of world.seen) {
      expect(headers.cookie).toBe('limitless_session=a-session')
      expect(headers['lmts-signature']).toBeUndefined()
    }
  })

  const error = (status: number, message: unknown, more: object = {}): Reply => ({ status, body: { message, ...more } })
  it.each<[string, Reply, string]>([
    ['400', error(400, 'Insufficient collateral allowance'), 'rejected'],
    ['400 of several fields', error(400, ['order.price must be positive', 'ownerId must be an integer']), 'rejected'],
    ['400 with its status', error(400, 'Invalid signature', { statusCode: 400, error: 'Bad Request' }), 'rejected'],
    ['401', error(401, 'Invalid HMAC signature'), 'refused'],
    ['409', error(409, 'clientOrderId is already used'), 'unknown'],
    ['422', error(422, 'price must be a multiple of the tick'), 'rejected'],
    ['425 for a late request', error(425, 'Request is outside of the receive window'), 'refused'],
    ['425 during maintenance', error(425, 'Trading is off', { code: 'trading_disabled' }), 'refused'],
    ['425 without a reason', error(425, 'Too early'), 'unknown'],
    ['429', error(429, 'ThrottlerException: Too Many Requests'), 'refused'],
    ['429 of a proxy', { status: 429, text: '<html>' }, 'unknown'],
    ['500', error(500, 'Internal server error'), 'unknown'],
    ['201 of an unexpected format', { status: 201, body: {} }, 'unknown'],
    ['a cut connection', 'cut', 'unknown'],
  ])('%s', async (_, reply, kind) => {
    world.answer((seen) => shownProfile(seen) ?? reply)
    expect((await sent()).outcome.kind).toBe(kind)
  })

  it('an immediate match is recorded; an order cancelled on arrival is canceled', async () => {
    const outcomeOf = async (execution: object) => {
      world.answer((seen) => shownProfile(seen) ?? { status: 201, body: { ...placed, execution } })
      return (await sent()).outcome
    }
    const totalsRaw = { contractsGross: '4500000' }
    expect(await outcomeOf({ matched: true, settlementStatus: 'MATCHED', totalsRaw })).toMatchObject({
      matchedSize: '4.5',
    })
    const failed = await outcomeOf({ matched: true, settlementStatus: 'FAILED', totalsRaw })
    expect(failed).toMatchObject({ kind: 'accepted', status: 'acked' })
    expect(failed).not.toHaveProperty('matchedSize')
    expect(await outcomeOf({ matched: false, settlementStatus: 'CANCELED' })).toMatchObject({ status: 'canceled' })
    expect(await outcomeOf({ matched: true, settlementStatus: 'CANCELED', totalsRaw })).toMatchObject({
      status: 'acked',
    })
    expect(await outcomeOf({ matched: 7, totalsRaw: 'x' })).toMatchObject({ kind: 'accepted', status: 'acked' })
  })
})

it('redeems at the conditional tokens once the market is resolved; negative-risk markets are not supported', async () => {
  const redeem = async () =>
    lane.redeem!.build(world.context, lane.redeem!.body.parse({ outcome: slug, owner }) as never)
  await expect(redeem()).rejects.toEqual(refused())
  world.outcomes.splice(0, world.outcomes.length, ...market({}, 'resolved'))
  const built = await redeem()
  lane.checkBounds(built.unsigned, built.bounds)
  expect(built.unsigned).toMatchObject({ to: '0xC9c98965297Bc527861c898329Ee280632B76e18', value: '0', chainId: 8453 })
  const words = String(built.unsigned.data).slice(10).match(/.{64}/g)!
  expect(String(built.unsigned.data).slice(0, 10)).toBe('0x01b7037c')
  expect(words.map((word) => word.replace(/^0+/, ''))).toEqual([
    '833589fcd6edb6e08f4c7c32d4f71b54bda02913',
    '',
    conditionId.slice(2),
    '80',
    '2',
    '1',
    '2',
  ])
  const forged = { ...built.unsigned, data: String(built.unsigned.data).replace('ab'.repeat(32), 'cd'.repeat(32)) }
  expect(() => lane.checkBounds(forged, built.bounds)).toThrow(refused('ARTIFACT_BOUNDS_VIOLATION'))
  for (const negRisk of [true, undefined]) {
    world.outcomes.splice(0, world.outcomes.length, ...market({ negRisk }, 'resolved'))
    await expect(redeem()).rejects.toEqual(refused('NOT_IMPLEMENTED'))
  }
})

describe('refresh from the chain', () => {
  const abi = parseAbi([
    'function getOrderStatus(bytes32) view returns (bool, uint256)',
    'event OrderFilled(bytes32 indexed orderHash, address indexed maker, address indexed taker, uint256, uint256, uint256, uint256, uint256)',
    'event OrderCancelled(bytes32 indexed orderHash)',
  ])
  const head = 30_000_000
  interface ChainState {
    status: [boolean, bigint]
    logs?: readonly { gives?: bigint; takes?: bigint; other?: boolean }[]
    /** The node’s maximum number of blocks per request. */
    rangeMax?: number
    chainId?: number
  }
  let rpcCalls: { method: string; params: unknown[] }[]

  function node(hash: Hex, { status, logs = [], rangeMax = Infinity, chainId = 8453 }: ChainState) {
    const rowOf = ({ gives, takes, other }: NonNullable<ChainState['logs']>[number], i: number) => ({
      address: exchange.toLowerCase(),
      topics:
        gives === undefined
          ? encodeEventTopics({ abi, eventName: 'OrderCancelled', args: { orderHash: hash } })
          : encodeEventTopics({
              abi,
              eventName: 'OrderFilled',
              args: { orderHash: other ? `0x${'1'.repeat(64)}` : hash, maker: owner, taker: exchange },
            }),
      data:
        gives === undefined
          ? '0x'
          : encodeAbiParameters(
              Array.from({ length: 5 }, () => ({ type: 'uint256' as const })),
              [0n, 1n, gives, takes!, 0n],
            ),
      blockNumber: `0x${(head - 100).toString(16)}`,
      blockHash: `0x${'2'.repeat(64)}`,
      transactionHash: `0x${String(i).repeat(64)}`,
      logIndex: '0x1',
    })
    const answer = ({ id, method, params }: { id: number; method: string; params: unknown[] }) => {
      rpcCalls.push({ method, params })
      const [filter] = params as [{ fromBlock: string; toBlock: string }]
      const respond = (result: unknown) => ({ jsonrpc: '2.0', id, result })
      if (method === 'eth_chainId') return respond(`0x${chainId.toString(16)}`)
      if (method === 'eth_getBlockByNumber')
        return respond({
          number: `0x${head.toString(16)}`,
          hash: `0x${'3'.repeat(64)}`,
          timestamp: `0x${Math.floor(world.clock.now() / 1_000).toString(16)}`,
        })
      if (method === 'eth_call')
        return respond(encodeFunctionResult({ abi, functionName: 'getOrderStatus', result: status }))
      const [from, to] = [Number(filter.fromBlock), Number(filter.toBlock)]
      if (to - from >= rangeMax) return { jsonrpc: '2.0', id, error: { code: -32_005, message: 'range is too wide' } }
      const rows = logs.map(rowOf).filter(({ blockNumber }) => Number(blockNumber) >= from && Number(blockNumber) <= to)
      return respond(rows)
    }
    return ({ text }: Seen): Reply => {
      const body = JSON.parse(text)
      return { body: Array.isArray(body) ? body.map(answer) : answer(body) }
    }
  }

  const look = async (state: ChainState, over: Partial<LaneExecution> = {}) => {
    const built = await build()
    const createdAt = world.clock.now() - 3_600_000
    const execution = { ...executionOf(built, { status: 'acked', venueRef: placed.order.id, createdAt }), ...over }
    rpcCalls = []
    world.answer(node(built.clientRef as Hex, state))
    return lane.refresh!.read({ ...world.context, http: { ...world.context.http } }, execution, {} as never)
  }

  it.each<[string, ChainState, object]>([
    ['nothing', { status: [false, 0n] }, { status: null, fills: [] }],
    ['a part', { status: [false, 3_900_000n] }, { status: 'acked', matchedSize: '4', fills: [] }],
    [
      'all, in two fills',
      {
        status: [true, 0n],
        logs: [
          { gives: 2_600_000n, takes: 4_000_000n },
          { gives: 3_900_000n, takes: 6_500_000n },
        ],
      },
      {
        status: 'filled',
        fills: [{ fill: { size: '4' } }, { fill: { size: '6.5' } }],
        observation: { fillsReconciled: true },
      },
    ],
    [
      'cancelled by a transaction',
      { status: [true, 0n], logs: [{}] },
      { status: 'canceled', fills: [], matchedSize: '0' },
    ],
    [
      'cancelled after a partial fill',
      { status: [true, 3_900_000n], logs: [{ gives: 2_600_000n, takes: 4_000_000n }, {}] },
      { status: 'canceled', matchedSize: '4', fills: [{ fill: { size: '4' } }] },
    ],
    ['done without logs', { status: [true, 0n] }, { status: null, fills: [], observation: { fillsReconciled: false } }],
    [
      'done with incomplete logs',
      { status: [true, 0n], logs: [{ gives: 2_600_000n, takes: 4_000_000n }] },
      { status: null, fills: [] },
    ],
  ])('%s', async (_, state, seen) => {
    expect(await look(state)).toMatchObject(seen)
  })

  it('an untouched order on the chain does not contradict the venue’s acknowledgement', async () => {
    const reasonOf = async (over: Partial<LaneExecution>) =>
      (await look({ status: [false, 0n] }, over)).observation?.reason
    expect(await reasonOf({ matchedSize: '4.5' })).toMatch(/^the venue matched 4\.5 of it; .* its settlement follows$/)
    expect(await reasonOf({})).toMatch(/^the venue took it; /)
    expect(await reasonOf({ status: 'submitted', venueRef: null })).toMatch(/may never have arrived$/)
  })

  it('an undecided status always has a reason, and a call names its block', async () => {
    for (const status of [
      [false, 0n],
      [true, 0n],
    ] as [boolean, bigint][]) {
      expect((await look({ status })).observation).toMatchObject({ reason: expect.any(String) })
    }
    const call = rpcCalls.find(({ method }) => method === 'eth_call')!
    expect(call.params[1]).toBe(`0x${(head - 5).toString(16)}`)
  })

  it('searches back to the build, halving ranges that the node finds too wide', async () => {
    const logs = [{ gives: 6_500_000n, takes: 10_000_000n }]
    expect(await look({ status: [true, 0n], logs, rangeMax: 600 })).toMatchObject({ status: 'filled' })
    const ranges = rpcCalls.filter(({ method }) => method === 'eth_getLogs').map(({ params }) => params[0] as never)
    const from = Math.min(...ranges.map(({ fromBlock }) => Number(fromBlock)))
    expect(head - from).toBe(1_800 + 150)
    await expect(look({ status: [true, 0n], logs, rangeMax: 10 })).rejects.toEqual(refused('NETWORK_ERROR'))
  })

  it('logs of another order, or a node of another chain, are a fault', async () => {
    const logs = [{ gives: 6_500_000n, takes: 10_000_000n, other: true }]
    await expect(look({ status: [true, 0n], logs })).rejects.toEqual(refused('NETWORK_ERROR'))
    await expect(look({ status: [false, 0n], chainId: 1 })).rejects.toEqual(refused('NETWORK_ERROR'))
  })

  it('a cancellation on the venue alone leaves no evidence on the chain', async () => {
    const target = executionOf(await build(), { status: 'acked', venueRef: placed.order.id })
    const built = await lane.cancel!.build(world.context, target, {} as never)
    lane.checkBounds(built.unsigned, built.bounds)
    const execution = executionOf(built, { target, status: 'acked' }, 'cancel')
    rpcCalls = []
    world.answer(node(target.clientRef as Hex, { status: [false, 0n] }))
    const context = { ...world.context, http: { ...world.context.http } }
    expect(await lane.refresh!.read(context, execution, {} as never)).toMatchObject({ status: null, fills: [] })
  })
})
