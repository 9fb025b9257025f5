// Trades with pools and redemptions with a node of BNB Chain: what a build reads from it, what submit accepts, and what refresh may conclude.
// The pool uses the ABI of the contracts’ own package.
import { decodeFunctionData, encodeAbiParameters, encodeEventTopics, keccak256, toHex } from 'viem'
import { beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#schemas/executions'
import { binaryMarket, buildOrder, executionOf, submit } from '#test/support/laneWorld'
import type { LaneContext, LaneExecution } from '#venues/lane'
import { myriadLane as lane } from '#venues/myriad/exec/index'
import { predictionMarketV3_4 as abi } from './predictionMarketAbi.ts'
import { account, bookMarket, buy, laneSuite, owner, poolMarket, venuePool } from './world.ts'

const suite = laneSuite()
const contract = '0x39E66eE6b2ddaf4DEfDEd3038E0162180dbeF340'
const market = '56:amm:549'
const head = 5_000
const hash = `0x${'c'.repeat(64)}` as const

type Methods = Record<string, (params: readonly unknown[]) => unknown>
interface RpcRequest {
  id: number
  method: string
  params: readonly unknown[]
}
const sound: Methods = {
  eth_chainId: () => '0x38',
  eth_blockNumber: () => toHex(head),
  // The contract’s own vector for 50.
  eth_call: () => toHex(123_287_972n, { size: 32 }),
  eth_getTransactionByHash: () => null,
  eth_getTransactionReceipt: () => null,
  eth_getTransactionCount: () => '0x0',
}
/** The venue’s API and the node. */
function answer(methods: Methods = {}): void {
  const result = ({ id, method, params }: RpcRequest): object => ({
    jsonrpc: '2.0',
    id,
    result: { ...sound, ...methods }[method]!(params),
  })
  suite.world.answer(({ text }) => {
    if (!text.includes('jsonrpc')) return { body: venuePool }
    const request = JSON.parse(text) as RpcRequest | RpcRequest[]
    return { body: Array.isArray(request) ? request.map(result) : result(request) }
  })
}
beforeEach(() => {
  const metadata = { collateral: 'USDT', collateralDecimals: 6, voided: false, synthetic: true }
  const mine = binaryMarket('myriad', market, [`${market}:0`, `${market}:1`], { sourceMetadata: metadata })
  suite.world.outcomes.push(...mine)
  answer()
})
const context = (): LaneContext => ({
  ...suite.world.context,
  urls: { ...suite.world.context.urls, RPC: suite.world.url },
})
const order = { ...buy, outcome: market, price: '0.5', size: '100' }
const built = async (body: object = {}): Promise<LaneExecution> =>
  executionOf(await buildOrder(lane, context(), { ...order, ...body }), { createdAt: suite.world.clock.now() })
const sign = ({ unsigned }: LaneExecution, more: object = {}) =>
  account.signTransaction({
    type: 'eip1559',
    chainId: Number(unsigned.chainId),
    to: unsigned.to as `0x${string}`,
    data: unsigned.data as `0x${string}`,
    nonce: 4,
    gas: 500_000n,
    maxFeePerGas: 1n,
    maxPriorityFeePerGas: 0n,
    ...more,
  })
const refusal = (message: RegExp, code = 'VALIDATION_ERROR') =>
  expect.objectContaining({ code, message: expect.stringMatching(message) })

describe('a build', () => {
  it('quotes the pool at one block, and a rejection names that block', async () => {
    const calls: unknown[] = []
    const quoted = (shares: bigint) =>
      answer({
        eth_call([call, at]) {
          const { to, data } = call as { to: string; data: `0x${string}` }
          calls.push([to.toLowerCase(), decodeFunctionData({ abi, data }), at])
          return toHex(shares, { size: 32 })
        },
      })
    quoted(100_000_000n)
    expect((await built()).unsigned).toMatchObject({ to: contract, chainId: 56 })
    expect(calls).toEqual([
      [contract.toLowerCase(), { functionName: 'calcBuyAmount', args: [50_000_000n, 549n, 0n] }, toHex(head)],
    ])
    quoted(99_999_999n)
    await expect(built()).rejects.toThrowError(
      refusal(/^price: for 50 USDT the pool gives 99.999999 shares at block 5000/),
    )
    quoted(100_000_001n)
    await expect(built({ isBuy: false })).rejects.toThrowError(refusal(/wants 100.000001 shares at block 5000/))
  })

  it('rejects a node of another chain', async () => {
    answer({ eth_chainId: () => '0xa4b1' })
    const { urls, ...rest } = context()
    const otherChainContext = { ...rest, urls: { ...urls, RPC: `${suite.world.url}/elsewhere` } }
    await expect(buildOrder(lane, otherChainContext, order)).rejects.toThrowError(refusal(/chain/, 'NETWORK_ERROR'))
  })
})

describe('submit', () => {
  it('sends the signed transaction once; its hash is known before', async () => {
    const execution = await built()
    const signedTransaction = await sign(execution)
    const sent: unknown[] = []
    answer({
      eth_sendRawTransaction([raw]) {
        sent.push(raw)
        return keccak256(signedTransaction)
      },
    })
    const { prepared, outcome } = await submit(lane, context(), execution, { signedTransaction })
    expect(sent).toEqual([signedTransaction])
    expect(prepared).toEqual({
      submittedArtifact: { ...execution.unsigned, nonce: 4, signedTransaction },
      venueRef: keccak256(signedTransaction),
    })
    expect(outcome).toMatchObject({ kind: 'accepted', status: 'acked', venueRef: prepared.venueRef })
  })

  it('accepts the hash of a transaction that the wallet has sent', async () => {
    const execution = await built()
    const { to, data } = execution.unsigned
    const row = { hash, from: owner, to, input: data, value: '0x0', nonce: '0x9' }
    answer({ eth_getTransactionByHash: () => row })
    const { prepared } = await submit(lane, context(), execution, { transactionHash: hash })
    expect(prepared).toMatchObject({ submittedArtifact: { nonce: 9, transactionHash: hash }, venueRef: hash })
  })

  it('rejects anything but one transaction of the owner; without a node of its chain it sends nothing', async () => {
    const execution = await built()
    const signedTransaction = await sign(execution)
    const send = (body: object, by = context(), what = execution) => submit(lane, by, what, body)
    const other = await sign(execution, { chainId: 1 })
    for (const [body, why, code] of [
      [{ signedTransaction: other }, /differs from what was built/, 'ARTIFACT_BOUNDS_VIOLATION'],
      [{}, /give signedTransaction, or transactionHash/],
      [{ signedTransaction, transactionHash: hash }, /give signedTransaction, or transactionHash/],
      [{ signature: `0x${'1'.repeat(130)}` }, /^signature: a transaction has its own/],
    ] as const) {
      await expect(send(body)).rejects.toThrowError(refusal(why, code))
    }
    await expect(send({ signedTransaction }, suite.world.context)).rejects.toThrowError(
      refusal(/no node of chain 56/, 'NOT_IMPLEMENTED'),
    )
    const otherChainOrder = await built({ outcome: '2741:amm:549' })
    await expect(send({ signedTransaction }, context(), otherChainOrder)).rejects.toThrowError(
      refusal(/no node of chain 2741/, 'NOT_IMPLEMENTED'),
    )
    const book = executionOf(await suite.build())
    await expect(send({ transactionHash: hash }, context(), book)).rejects.toThrowError(
      refusal(/^transactionHash: an order of its book is not a transaction/),
    )
  })
})

const logOf = ({ user = owner, action = 0, marketId = 549n, outcomeId = 0n, address = contract as string }, n = 3) => ({
  address,
  topics: encodeEventTopics({ abi, eventName: 'MarketActionTx', args: { user, action, marketId } }),
  data: encodeAbiParameters(
    [{ type: 'uint256' }, { type: 'uint256' }, { type: 'uint256' }, { type: 'uint256' }],
    [outcomeId, 101_500_000n, 50_000_000n, 1_790_000_000n],
  ),
  blockNumber: toHex(head - 100),
  blockHash: hash,
  transactionHash: hash,
  logIndex: toHex(n),
})
const mined = (logs: readonly object[], { depth = 100, status = '0x1' } = {}) => {
  const place = { blockNumber: toHex(head - depth), blockHash: hash }
  const rows = logs.map((log) => ({ ...log, ...place }))
  answer({ eth_getTransactionReceipt: () => ({ transactionHash: hash, ...place, status, logs: rows }) })
}
const submitted = async (execution: LaneExecution, submittedArtifact: JsonObject = { nonce: 4 }) =>
  lane.refresh!.read(
    context(),
    { ...execution, status: 'submitted', venueRef: hash, submittedArtifact },
    lane.refresh!.body.parse({}) as never,
  )

describe('refresh', () => {
  it('reads the trade from its own log, and reports it once it is final', async () => {
    const execution = await built()
    mined([logOf({})])
    expect(await submitted(execution)).toEqual({
      status: 'filled',
      shown: true,
      matchedSize: '101.5',
      venueRef: hash,
      fills: [
        {
          key: `${hash}:3`,
          fill: {
            event: 'MarketActionTx',
            transactionHash: hash,
            logIndex: 3,
            blockNumber: head - 100,
            size: '101.5',
            value: '50',
          },
          filledAt: 1_790_000_000_000,
        },
      ],
      observation: { blockNumber: head - 100 },
    })
    mined([logOf({})], { depth: 87 })
    expect(await submitted(execution)).toMatchObject({
      status: 'acked',
      matchedSize: '101.5',
      fills: [],
      observation: { reason: 'its block may still leave the chain' },
    })
  })

  it('ignores logs of other trades', async () => {
    const execution = await built()
    const stranger = `0x${'1'.repeat(40)}` as const
    const others = [{ user: stranger }, { action: 1 }, { marketId: 550n }, { outcomeId: 1n }, { address: stranger }]
    mined([...others.map((given, n) => logOf(given, n)), { ...logOf({}), data: '0x12' }])
    expect(await submitted(execution)).toMatchObject({
      status: 'acked',
      fills: [],
      observation: { reason: 'its transaction shows no trade that can be read' },
    })
  })

  it('is failed when finally reverted or when its nonce was used; before that it is pending', async () => {
    const execution = await built()
    mined([], { status: '0x0' })
    expect(await submitted(execution)).toMatchObject({ status: 'failed', reason: 'the transaction was reverted' })
    mined([], { status: '0x0', depth: 1 })
    expect(await submitted(execution)).toMatchObject({ status: null, observation: { blockNumber: head - 1 } })
    answer()
    expect(await submitted(execution)).toMatchObject({ status: null, shown: false, undone: true })
    const { to, data } = execution.unsigned
    answer({ eth_getTransactionByHash: () => ({ hash, from: owner, to, input: data, value: '0x0', nonce: '0x4' }) })
    expect(await submitted(execution)).toMatchObject({ status: 'acked', shown: true })
    answer({ eth_getTransactionCount: () => '0x5' })
    const missing = { ...execution, missingSince: suite.world.clock.now() - 61_000 }
    expect(await submitted(missing)).toMatchObject({ status: 'failed', fills: [] })
  })

  it('reports a redemption as done once its transaction is final', async () => {
    suite.world.outcomes.splice(0, Infinity, ...bookMarket({}, 'resolved'), ...poolMarket({}, 'resolved'))
    const calldata = '0xa2e7865300000000000000000000000000000000000000000000000000000000000002da'
    suite.world.answer(() => ({ body: { to: '0x6413734f92248D4B29ae35883290BD93212654Dc', calldata, value: '0' } }))
    const execution = { ...executionOf(await suite.redeem({ outcome: '56:ob:730' })), intent: 'redeem' as const }
    mined([])
    expect(await submitted(execution)).toMatchObject({
      status: 'filled',
      fills: [],
      observation: { blockNumber: head - 100 },
    })
    mined([], { depth: 1 })
    expect(await submitted(execution)).toMatchObject({ status: 'acked', fills: [] })
  })
})
