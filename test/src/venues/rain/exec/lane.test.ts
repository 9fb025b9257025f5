// Rain’s lane with a wallet and a scripted chain: what submit accepts, and what refresh may conclude.
import { encodeAbiParameters, encodeEventTopics, keccak256, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#schemas/executions'
import { buildOrder, createLaneWorld, executionOf, type LaneWorld, type Reply, submit } from '#test/support/laneWorld'
import type { LaneExecution } from '#venues/lane'
import { readCall } from '#venues/rain/exec/contracts'
import { rainLane as lane } from '#venues/rain/exec/index'
import { account, block, buy, type Chain, errorOf, market, nodeOf, owner, pool, sign } from './world.ts'

let world: LaneWorld
beforeAll(async () => {
  world = await createLaneWorld('rain', ['RPC'], {})
})
beforeEach(() => {
  world.outcomes.splice(0, Infinity, ...market())
  world.answer(nodeOf())
})
afterAll(() => world.close())

const built = async (body: object = {}) =>
  executionOf(await buildOrder(lane, world.context, { ...buy, ...body }), { createdAt: world.clock.now() })
const atMarket = { action: 'market', price: undefined, slippageBps: 100, deadlineSecondsFromNow: 600 }
const send = async (execution: LaneExecution, body: object) => submit(lane, world.context, execution, body)
const hash = `0x${'c'.repeat(64)}` as const

const abi = parseAbi([
  'event PlaceBuyOrder(uint256 orderOption, uint8 orderOptionSide, uint256 orderPrice, uint256 baseAmount, uint256 orderID, address indexed maker)',
  'event ExecuteBuyOrder(uint256 orderOption, uint8 orderOptionSide, uint256 orderPrice, uint256 sharesAmount, uint256 baseAmount, uint256 orderID, address indexed maker, address indexed taker)',
  'event CancelBuyOrder(uint256 orderOption, uint8 orderOptionSide, uint256 orderBaseAmount, uint256 orderPrice, uint256 orderID, address indexed orderCreator)',
  'event EnterOption(uint256 option, uint8 optionSide, uint256 baseAmount, uint256 sharesAmount, address wallet)',
  'event Claim(address indexed wallet, uint256 option, uint8 winnerSide, uint256 winningReward)',
])
const stranger = `0x${'ee'.repeat(20)}` as const
const hex = (value: number): string => `0x${value.toString(16)}`
const price = 400_000_000_000_000_000n
let index = 0
const log = (eventName: (typeof abi)[number]['name'], args: Record<string, unknown>, at: number, address = pool) => {
  const event = abi.find(({ name }) => name === eventName)!
  const inData = event.inputs.filter((input) => !('indexed' in input && input.indexed))
  return {
    address,
    topics: encodeEventTopics({ abi, eventName, args } as never),
    data: encodeAbiParameters(inData as never, inData.map(({ name }) => args[name!]) as never),
    blockNumber: hex(at),
    blockHash: `0x${'b'.repeat(64)}`,
    transactionHash: hash,
    logIndex: hex(index++),
  }
}
const order = { orderOption: 2n, orderOptionSide: 1, orderPrice: price, orderID: 7n }
const placed = (at: number, more: object = {}) =>
  log('PlaceBuyOrder', { ...order, baseAmount: 20_000_000n, maker: owner, ...more }, at)
const executed = (at: number, shares: bigint, more: object = {}) =>
  log(
    'ExecuteBuyOrder',
    { ...order, sharesAmount: shares, baseAmount: (shares * 4n) / 10n, maker: owner, taker: stranger, ...more },
    at,
  )
const cancelled = (at: number, more: object = {}) =>
  log('CancelBuyOrder', { ...order, orderBaseAmount: 1n, orderCreator: owner, ...more }, at)
const minedAt = block.number - 60
const receipt = (logs: object[], at = minedAt, status = '0x1') => ({
  transactionHash: hash,
  blockNumber: hex(at),
  blockHash: `0x${'b'.repeat(64)}`,
  status,
  logs,
})

describe('submit', () => {
  it('sends the signed transaction once; its hash is known before', async () => {
    const execution = await built()
    const signedTransaction = await sign(execution.unsigned, 4)
    const sent: string[] = []
    const answers = nodeOf({
      methods: {
        eth_sendRawTransaction([raw]) {
          sent.push(String(raw))
          return keccak256(signedTransaction)
        },
      },
    })
    world.answer(answers)
    const { prepared, outcome } = await send(execution, { signedTransaction })
    expect(sent).toEqual([signedTransaction])
    expect(prepared.venueRef).toBe(keccak256(signedTransaction))
    expect(prepared.submittedArtifact).toEqual({ ...execution.unsigned, nonce: 4, signedTransaction })
    expect(outcome).toMatchObject({ kind: 'accepted', status: 'acked', venueRef: prepared.venueRef })
  })

  it('accepts the hash of a transaction that the wallet sent itself, once it is on the chain', async () => {
    const execution = await built()
    const row = { hash, from: owner, to: pool, input: execution.unsigned.data, value: '0x0', nonce: '0x9' }
    const shown = (more: object | null) =>
      world.answer(
        nodeOf({ methods: { eth_getTransactionByHash: () => (more === null ? null : { ...row, ...more }) } }),
      )
    shown({})
    const { prepared, outcome } = await send(execution, { transactionHash: hash })
    expect(prepared).toEqual({
      submittedArtifact: { ...execution.unsigned, nonce: 9, transactionHash: hash },
      venueRef: hash,
    })
    expect(outcome).toMatchObject({ kind: 'accepted', venueRef: hash })
    const beyond = [/differs from what was built/, 'ARTIFACT_BOUNDS_VIOLATION'] as const
    for (const [more, why, code] of [
      [null, /shows no such transaction yet/, 'VALIDATION_ERROR'],
      [{ from: `0x${'1'.repeat(40)}` }, /not the owner/, 'INVALID_SIGNATURE'],
      [{ to: `0x${'1'.repeat(40)}` }, ...beyond],
      [{ to: null }, ...beyond],
      [{ input: `${String(execution.unsigned.data).slice(0, -1)}1` }, ...beyond],
      [{ value: '0x1' }, ...beyond],
    ] as const) {
      shown(more)
      await expect(send(execution, { transactionHash: hash })).rejects.toMatchObject({
        code,
        message: expect.stringMatching(why),
      })
    }
    shown({ hash: `0x${'d'.repeat(64)}` })
    await expect(send(execution, { transactionHash: hash })).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  })

  it.each<[string, object]>([
    ['to another contract', { to: `0x${'1'.repeat(40)}` }],
    ['with other calldata', { data: '0x12345678' }],
    ['with money', { value: 1n }],
    ['for another chain', { chainId: 1 }],
    ['with blobs or delegations', { type: 'eip7702', authorizationList: [] }],
  ])('refuses one %s', async (_, more) => {
    const execution = await built()
    const signedTransaction = await sign(execution.unsigned, 0, more)
    await expect(send(execution, { signedTransaction })).rejects.toMatchObject({
      code: 'ARTIFACT_BOUNDS_VIOLATION',
      afterWork: true,
    })
  })

  it('rejects one of another wallet, an unsigned one, and garbage bytes', async () => {
    const execution = await built()
    const stranger = privateKeyToAccount(`0x${'11'.repeat(32)}`)
    const { to, data, chainId } = execution.unsigned as { to: `0x${string}`; data: `0x${string}`; chainId: number }
    const theirs = await stranger.signTransaction({ type: 'eip1559', to, data, chainId, gas: 1n })
    const own = await sign(execution.unsigned)
    for (const signedTransaction of [theirs, own.slice(0, 200), `${own}00`, '0x', '0x02', `0x02${'c0'.repeat(99)}`]) {
      const refused = send(execution, { signedTransaction })
      await expect(refused).rejects.toSatisfy((error: Error) =>
        /VALIDATION_ERROR|INVALID_SIGNATURE|ARTIFACT_BOUNDS_VIOLATION|signed transaction/.test(
          `${(error as { code?: string }).code} ${error.message}`,
        ),
      )
    }
    for (const body of [{}, { signedTransaction: own, transactionHash: hash }, { transactionHash: '0x12' }]) {
      expect(lane.submit!.body.safeParse(body).success).toBe(false)
    }
  })

  it('sends no market order after its deadline', async () => {
    const execution = await built(atMarket)
    const signedTransaction = await sign(execution.unsigned)
    world.clock.step(600_000)
    await expect(send(execution, { signedTransaction })).rejects.toMatchObject({ code: 'RAIN_INVALID_DEADLINE' })
    world.clock.step(-600_000)
    expect(lane.submit!.lateBound!(execution, 0)).toMatchObject({ untilMs: (block.timestamp + 600) * 1_000 })
    expect(lane.submit!.lateBound!(await built(), 0)).toBeNull()
  })

  it('an unreachable node has sent nothing, and an interrupted one may have', async () => {
    const execution = await built()
    const signedTransaction = await sign(execution.unsigned)
    const away = { ...world.context, urls: { RPC: 'http://127.0.0.1:1' } }
    expect((await submit(lane, away, execution, { signedTransaction })).outcome).toMatchObject({
      kind: 'refused',
      code: 'NETWORK_ERROR',
    })
    world.answer((seen) => (seen.text.includes('eth_sendRawTransaction') ? 'cut' : nodeOf()(seen)))
    expect((await send(execution, { signedTransaction })).outcome.kind).toBe('unknown')
  })

  it('allows the same bytes to be sent again: a rate-limited node refuses, and one that already has them accepts', async () => {
    const execution = await built()
    const signedTransaction = await sign(execution.unsigned)
    const answered = async (reply: Reply) => {
      world.answer((seen) => (seen.text.includes('eth_sendRawTransaction') ? reply : nodeOf()(seen)))
      return (await send(execution, { signedTransaction })).outcome
    }
    const error = (message: string): Reply => ({ body: { jsonrpc: '2.0', id: 1, error: { code: -32_000, message } } })
    expect(await answered({ status: 429, text: 'slow down' })).toMatchObject({ kind: 'refused', code: 'NETWORK_ERROR' })
    expect(await answered(error('already known'))).toMatchObject({
      kind: 'accepted',
      venueRef: keccak256(signedTransaction),
    })
    expect((await answered(error('nonce too low'))).kind).toBe('unknown')
  })
})

describe('a cancellation and a redemption', () => {
  it('need the order’s own number, and are transactions to the same pool', async () => {
    const target = { ...(await built()), status: 'acked' as const, venueRef: hash }
    const cancel = await lane.cancel!.build(world.context, target, lane.cancel!.body.parse({ orderId: 7 }))
    expect(readCall(cancel.unsigned.data as `0x${string}`)).toEqual({
      kind: 'cancel',
      side: 'buy',
      option: '2',
      optionSide: 1,
      price: '400000000000000000',
      orderId: '7',
    })
    expect([cancel.terms, cancel.owner, cancel.warnings]).toEqual([null, owner, []])
    lane.checkBounds(cancel.unsigned, cancel.bounds)
    for (const orderId of [undefined, 0, -1, 1.5, '0', '01', 'x', (2n ** 256n).toString()]) {
      expect(lane.cancel!.body.safeParse({ orderId }).success, String(orderId)).toBe(false)
    }
    expect(lane.cancel!.body.safeParse({ orderId: (2n ** 256n - 1n).toString() }).success).toBe(true)
    world.answer(nodeOf({ refuses: errorOf('OrderDoesNotExist') }))
    const gone = await lane.cancel!.build(world.context, target, lane.cancel!.body.parse({ orderId: 7 }))
    expect(gone.warnings).toEqual([expect.stringContaining('OrderDoesNotExist')])
    const trade = { ...(await built(atMarket)), venueRef: hash }
    await expect(lane.cancel!.build(world.context, trade, { orderId: '7' } as never)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    })
  })

  it('must use the number of its placement, if the chain shows it', async () => {
    const target = { ...(await built()), status: 'acked' as const, venueRef: hash }
    const cancel = (orderId: number, shown: unknown) => {
      world.answer(nodeOf({ methods: { eth_getTransactionReceipt: () => shown } }))
      return lane.cancel!.build(world.context, target, lane.cancel!.body.parse({ orderId }))
    }
    const own = receipt([placed(minedAt)])
    const { unsigned } = await cancel(7, own)
    expect(readCall(unsigned.data as `0x${string}`)).toMatchObject({ orderId: '7' })
    await expect(cancel(8, own)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringMatching(/^orderId: .*\b7\b/),
    })
    // Nothing on the chain shows another number.
    for (const shown of [
      null,
      receipt([]),
      receipt([], minedAt, '0x0'),
      receipt([placed(minedAt, { maker: stranger })]),
    ]) {
      await expect(cancel(8, shown)).resolves.toMatchObject({ owner })
    }
  })

  it('claim a resolved market, if the pool pays', async () => {
    const redeem = (chain: Chain = {}) => {
      world.answer(nodeOf(chain))
      return lane.redeem!.build(world.context, lane.redeem!.body.parse({ outcome: buy.outcome, owner }))
    }
    await expect(redeem()).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    world.outcomes.splice(0, Infinity, ...market({}, { status: 'resolved' }))
    const { unsigned, bounds, warnings } = await redeem()
    expect([readCall(unsigned.data as `0x${string}`), warnings]).toEqual([{ kind: 'redeem', option: '2' }, []])
    lane.checkBounds(unsigned, bounds)
    expect((await redeem({ returns: { createdPools: false } })).warnings).toHaveLength(1)
    expect((await redeem({ refuses: 'execution reverted' })).warnings).toHaveLength(1)
    for (const name of ['NoRewardToClaim', 'AlreadyClaimed', 'IneligibleToClaim', 'PoolNotClosed']) {
      await expect(redeem({ refuses: errorOf(name) })).rejects.toMatchObject({ message: expect.stringContaining(name) })
    }
    await expect(redeem({ returns: { facetAddress: `0x${'bd'.repeat(20)}` } })).rejects.toMatchObject({
      code: 'RAIN_POOL_SAFETY_CHECK_FAILED',
    })
  })
})

describe('a refresh', () => {
  const looked = async (
    chain: { receipt?: unknown; logs?: object[]; nonce?: number; known?: boolean; returns?: Chain['returns'] },
    given: Partial<LaneExecution> = {},
    body: object = {},
  ) => {
    const execution = {
      ...(await built(body)),
      status: 'submitted' as const,
      venueRef: hash,
      submittedArtifact: { nonce: 3 },
      ...given,
    }
    const methods = {
      eth_getTransactionReceipt: () => chain.receipt ?? null,
      eth_getTransactionCount: () => hex(chain.nonce ?? 0),
      eth_getTransactionByHash: () =>
        chain.known === true ? { hash, from: owner, to: pool, input: '0x', value: '0x0', nonce: '0x3' } : null,
      eth_getLogs: () => chain.logs ?? [],
    }
    world.answer(nodeOf({ methods, ...(chain.returns && { returns: chain.returns }) }))
    return lane.refresh!.read(world.context, execution, {} as never)
  }
  const gone = { orderBook: [false, 0n] }

  it('follows the transaction: pending, missing, replaced, reverted', async () => {
    expect(await looked({ known: true })).toMatchObject({ status: 'acked', shown: true })
    expect(await looked({})).toMatchObject({ status: null, shown: false, undone: true })
    // A single read of a used nonce is not enough, nor is a read of an old transaction.
    const now = world.clock.now()
    expect(await looked({ nonce: 4 })).toMatchObject({ status: null, shown: false })
    expect(await looked({ nonce: 4 }, { missingSince: now - 59_999 })).toMatchObject({ status: null })
    expect(await looked({ nonce: 4 }, { missingSince: now - 60_000, createdAt: now - 60_000 })).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('nonce'),
    })
    expect(await looked({ nonce: 3 }, { missingSince: now - 60_000, createdAt: now - 60_000 })).toMatchObject({
      status: null,
    })
    expect(await looked({ nonce: 4 }, { missingSince: now - 60_000, createdAt: now - 86_400_000 })).toMatchObject({
      status: null,
    })
    expect(await looked({ receipt: receipt([], minedAt, '0x0') })).toMatchObject({ status: 'failed', fills: [] })
    expect(await looked({ receipt: receipt([], block.number - 39, '0x0') })).toMatchObject({
      status: null,
      shown: true,
    })
  })

  it('an open order is acknowledged, and its number is reported', async () => {
    expect(await looked({ receipt: receipt([placed(minedAt)]) })).toMatchObject({
      status: 'acked',
      fills: [],
      observation: { orderId: '7' },
    })
  })

  it('an open order reports its executions so far, each log once', async () => {
    const part = executed(minedAt + 1, 30_000_000n)
    expect(await looked({ receipt: receipt([placed(minedAt)]), logs: [part, part] })).toMatchObject({
      status: 'acked',
      matchedSize: '30',
      fills: [],
      observation: { orderId: '7' },
    })
  })

  it('a completely executed order is filled, with one fill per execution', async () => {
    const logs = [executed(minedAt + 1, 30_000_000n), executed(minedAt + 2, 20_000_000n)]
    const read = await looked({ receipt: receipt([placed(minedAt)]), returns: gone, logs })
    expect(read).toMatchObject({ status: 'filled', matchedSize: '50' })
    expect(read.fills.map(({ fill }) => [fill.size, fill.price, fill.baseAmount])).toEqual([
      ['30', '0.4', '12'],
      ['20', '0.4', '8'],
    ])
    expect(new Set(read.fills.map(({ key }) => key)).size).toBe(2)
  })

  it('a cancelled order is canceled, with its earlier executions', async () => {
    const logs = [executed(minedAt + 1, 30_000_000n), cancelled(minedAt + 2)]
    const read = await looked({ receipt: receipt([placed(minedAt)]), returns: gone, logs })
    expect(read).toMatchObject({ status: 'canceled', matchedSize: '30' })
    expect(read.fills).toHaveLength(1)
  })

  it('a state that may be reorganised is not final, and neither is one without evidence', async () => {
    const whole = [executed(block.number - 39, 50_000_000n)]
    expect(await looked({ receipt: receipt([placed(minedAt)]), returns: gone, logs: whole })).toMatchObject({
      status: 'acked',
      matchedSize: '50',
      fills: [],
    })
    for (const logs of [[], [executed(minedAt + 1, 10_000_000n)]]) {
      expect(await looked({ receipt: receipt([placed(minedAt)]), returns: gone, logs })).toMatchObject({
        status: 'acked',
        observation: { reason: expect.stringContaining('no longer rests') },
      })
    }
    // A pool whose book is unreadable: the order stays open unless its logs end it.
    const read = await looked({ receipt: receipt([placed(minedAt)]), returns: { orderBook: null }, logs: [] })
    expect([read.status, read.observation]).toEqual(['acked', { orderId: '7' }])
  })

  it('ignores logs of another order, option, pool or wallet', async () => {
    const others = [{ orderID: 8n }, { orderOption: 1n }, { orderOptionSide: 2 }, { orderPrice: price + 1n }]
    for (const other of others) {
      const logs = [executed(minedAt + 1, 50_000_000n, other), cancelled(minedAt + 1, other)]
      expect((await looked({ receipt: receipt([placed(minedAt)]), returns: gone, logs })).status).toBe('acked')
      const strange = await looked({ receipt: receipt([placed(minedAt, { ...other, orderID: 7n })]) })
      if (!('orderID' in other)) expect(strange.observation?.reason).toMatch(/no order that can be read/)
    }
    const otherContract = { ...placed(minedAt), address: stranger }
    expect((await looked({ receipt: receipt([otherContract]) })).observation?.reason).toMatch(/no order/)
    const theirs = await looked({ receipt: receipt([placed(minedAt, { maker: stranger })]) })
    expect(theirs.observation?.reason).toMatch(/no order/)
  })

  it('an order that matched completely at once never rested, and is filled', async () => {
    const met = log(
      'ExecuteBuyOrder',
      {
        ...order,
        orderPrice: 1n,
        orderID: 99n,
        sharesAmount: 50_000_000n,
        baseAmount: 19_000_000n,
        maker: stranger,
        taker: owner,
      },
      minedAt,
    )
    expect(await looked({ receipt: receipt([met]) })).toMatchObject({ status: 'filled', matchedSize: '50' })
    expect(await looked({ receipt: receipt([met], block.number - 1) })).toMatchObject({ status: 'acked' })
  })

  it('an immediate trade is read from its own log', async () => {
    const entry = (more: object = {}) =>
      log(
        'EnterOption',
        { option: 2n, optionSide: 1, baseAmount: 20_000_000n, sharesAmount: 49_600_000n, wallet: owner, ...more },
        minedAt,
      )
    const read = await looked({ receipt: receipt([entry()]) }, {}, atMarket)
    expect(read).toMatchObject({
      status: 'filled',
      matchedSize: '49.6',
      fills: [{ fill: { size: '49.6', baseAmount: '20' } }],
    })
    for (const more of [{ wallet: stranger }, { option: 1n }]) {
      expect((await looked({ receipt: receipt([entry(more)]) }, {}, atMarket)).status).toBe('acked')
    }
  })

  it('a cancellation and a claim are decided by their own final logs', async () => {
    const target = { ...(await built()), status: 'acked' as const, venueRef: hash }
    const cancel = await lane.cancel!.build(world.context, target, lane.cancel!.body.parse({ orderId: 7 }))
    const given = { unsigned: cancel.unsigned as JsonObject, bounds: cancel.bounds, intent: 'cancel' as const, target }
    expect(await looked({ receipt: receipt([cancelled(minedAt)]) }, given)).toMatchObject({ status: 'acked' })
    expect(await looked({ receipt: receipt([cancelled(block.number)], block.number) }, given)).toMatchObject({
      status: null,
    })
    expect(await looked({ receipt: receipt([cancelled(minedAt, { orderID: 8n })]) }, given)).toMatchObject({
      status: null,
    })
    expect(await looked({ receipt: receipt([], minedAt, '0x0') }, given)).toMatchObject({ status: 'failed' })
    world.outcomes.splice(0, Infinity, ...market({}, { status: 'resolved' }))
    world.answer(nodeOf())
    const redeem = await lane.redeem!.build(world.context, lane.redeem!.body.parse({ outcome: buy.outcome, owner }))
    world.outcomes.splice(0, Infinity, ...market())
    const claim = { unsigned: redeem.unsigned as JsonObject, bounds: redeem.bounds, intent: 'redeem' as const }
    const paid = log('Claim', { wallet: owner, option: 2n, winnerSide: 1, winningReward: 5n }, minedAt)
    expect(await looked({ receipt: receipt([paid]) }, claim)).toMatchObject({
      status: 'filled',
      observation: { winningReward: '5' },
    })
    expect(await looked({ receipt: receipt([]) }, claim)).toMatchObject({ status: 'acked' })
  })

  it('requests logs in ranges that the node accepts, and reports when it accepts too few blocks', async () => {
    const spans: number[] = []
    const execution = { ...(await built()), status: 'acked' as const, venueRef: hash, submittedArtifact: { nonce: 3 } }
    const answering = (rangeMax: number) =>
      world.answer(({ text }) => {
        const body = JSON.parse(text) as {
          id: number
          method: string
          params: [{ fromBlock: string; toBlock: string }]
        }
        const chain: Chain = {
          returns: gone,
          methods: {
            eth_getTransactionReceipt: () => receipt([placed(minedAt)]),
            eth_getTransactionCount: () => '0x4',
          },
        }
        if (Array.isArray(body) || body.method !== 'eth_getLogs') return nodeOf(chain)({ text })
        const [{ fromBlock, toBlock }] = body.params
        const span = Number(toBlock) - Number(fromBlock) + 1
        spans.push(span)
        if (span > rangeMax) return { body: { id: body.id, error: { code: -32_005, message: 'range too wide' } } }
        return { body: { id: body.id, result: [] } }
      })
    answering(20)
    expect((await lane.refresh!.read(world.context, execution, {} as never)).observation?.reason).toMatch(
      /neither all of it/,
    )
    expect(spans.filter((span) => span <= 20).reduce((sum, span) => sum + span, 0)).toBe(61)
    answering(1)
    expect((await lane.refresh!.read(world.context, execution, {} as never)).observation?.reason).toMatch(
      /too few blocks/,
    )
  })
})

it('the wallet equals the one of the vectors', () => {
  expect(account.address).toBe('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')
})
