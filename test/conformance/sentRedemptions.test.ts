// A redemption that its holder's wallet has sent is reported by its transaction hash at every settlement adapter, without credentials. The
// chain settles it; without a node its owner does.
import { encodeAbiParameters, encodeEventTopics, parseAbi, toHex } from 'viem'
import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#schemas/executions'
import { settlementVenues } from '#schemas/venues'
import { nodeOf } from '#test/src/venues/rain/exec/world'
import { posterOf } from '#test/support/execution/labTable'
import { executionSuite, refused } from '#test/support/execution/suite'
import { laneCases } from '#test/support/laneCases'
import { createLaneWorld, type LaneWorld } from '#test/support/laneWorld'
import { type LaneVenue, lanes } from '#venues/registry'

const suite = executionSuite()
const settling = settlementVenues.filter((venue): venue is LaneVenue & typeof venue => venue in lanes)
const direct = ['rain', 'myriad']
const owner = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const stranger = `0x${'5e'.repeat(20)}` as const
const hash = `0x${'c'.repeat(64)}`
const head = 5_000
const conditionalTokens: Record<string, string> = { polymarket: '0x4D97DCd97eC945f40cF65F87097ACe5EA0476045' }

const abi = parseAbi([
  'event PayoutRedemption(address indexed redeemer, address indexed collateralToken, bytes32 indexed parentCollectionId, bytes32 conditionId, uint256[] indexSets, uint256 payout)',
  'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
])
const [payoutEvent, transferEvent] = abi

interface Chain {
  transaction?: object | null
  receipt?: object | null
}

const open: LaneWorld[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((world) => world.close()))
})

async function redemptionAt(venue: LaneVenue, { hasNode = true } = {}) {
  const lane = lanes[venue]
  const names = Object.keys(lane.urls)
  const here = await createLaneWorld(venue, hasNode ? [...names, 'RPC'] : names)
  open.push(here)
  const { rows } = laneCases[venue].made
  const resolved = rows.map((row) => ({ ...row, market: { ...row.market, status: 'resolved' as const } }))
  here.outcomes.push(...resolved)
  const show = ({ transaction = null, receipt = null }: Chain = {}) => {
    const methods: Record<string, () => unknown> = {
      eth_chainId: () => toHex(lane.chain!.id),
      eth_blockNumber: () => toHex(head),
      eth_getTransactionByHash: () => transaction,
      eth_getTransactionReceipt: () => receipt,
      eth_getTransactionCount: () => '0x0',
    }
    here.answer((seen) => {
      if (!seen.text.includes('jsonrpc')) {
        const calldata = '0xa2e7865300000000000000000000000000000000000000000000000000000000000002da'
        return { body: { to: '0x6413734f92248D4B29ae35883290BD93212654Dc', calldata, value: '0' } }
      }
      if (venue === 'rain') return nodeOf({ methods })(seen)
      const rpcRequest = JSON.parse(seen.text) as { id: number; method: string }
      const answer = ({ id, method }: { id: number; method: string }) => ({
        jsonrpc: '2.0',
        id,
        result: methods[method]!(),
      })
      return { body: Array.isArray(rpcRequest) ? rpcRequest.map(answer) : answer(rpcRequest) }
    })
  }
  show()
  const world = await suite.worldOf({
    lanes: [lane],
    clock: here.clock,
    contextOf: (signal) => ({ ...here.context, signal }),
  })
  const post = posterOf(world, venue)
  const outcome = resolved[0]!.market.marketId
  const built = await post('build', { intent: 'redeem', outcome, owner }, 'b')
  expect(built.status, built.text).toBe(200)
  const { executionId: id, unsigned } = built.json.data as { executionId: string; unsigned: JsonObject }
  const call = { hash, from: owner, to: unsigned.to, input: unsigned.data, value: '0x0', nonce: '0x9' }
  let keys = 0
  return {
    here,
    show,
    unsigned,
    call,
    report: () => post(`${id}/submit`, { transactionHash: hash }, `s${keys++}`),
    refresh: async () => (await post(`${id}/refresh`, {})).json.data,
    resolve: (outcome: string) => {
      here.clock.advance(106_000)
      return post(`${id}/resolve`, { outcome, reason: 'seen in an explorer' }, `r${keys++}`)
    },
    conditionId: () => (lane.describe(unsigned) as { instrument: `0x${string}` }).instrument,
    tokens: (conditionalTokens[venue] ?? unsigned.to) as `0x${string}`,
  }
}
type Redemption = Awaited<ReturnType<typeof redemptionAt>>

const mined = (logs: readonly object[] = [], { depth = 1_000, status = '0x1' } = {}) => {
  const place = { blockNumber: toHex(head - depth), blockHash: hash }
  const rows = logs.map((log, n) => ({ ...log, ...place, transactionHash: hash, logIndex: toHex(n) }))
  return { transactionHash: hash, ...place, status, logs: rows }
}

/** By default the conditional tokens contract's log of this redemption. */
const payout = (
  { conditionId, tokens }: Redemption,
  { redeemer = owner as `0x${string}`, condition = conditionId(), address = tokens } = {},
) => ({
  address,
  topics: encodeEventTopics({
    abi: [payoutEvent],
    args: { redeemer, collateralToken: stranger, parentCollectionId: `0x${'0'.repeat(64)}` },
  }),
  data: encodeAbiParameters(
    [{ type: 'bytes32' }, { type: 'uint256[]' }, { type: 'uint256' }],
    [condition, [1n, 2n], 7n],
  ),
})

const given = ({ tokens, unsigned }: Redemption, from: `0x${string}`) => ({
  address: tokens,
  topics: encodeEventTopics({ abi: [transferEvent], args: { operator: from, from, to: unsigned.to as `0x${string}` } }),
  data: encodeAbiParameters([{ type: 'uint256[]' }, { type: 'uint256[]' }], [[1n], [5n]]),
})

it('covers every venue that settles', () => {
  expect(settling).toEqual(settlementVenues)
})

describe.each(settling)('%s', (venue) => {
  it('accepts the hash of the built call, and no other transaction', async () => {
    const { show, call, report } = await redemptionAt(venue)
    for (const [more, code] of [
      [{ from: stranger }, 'INVALID_SIGNATURE'],
      [{ to: stranger }, 'ARTIFACT_BOUNDS_VIOLATION'],
      [{ input: `${String(call.input).slice(0, -1)}9` }, 'ARTIFACT_BOUNDS_VIOLATION'],
    ] as const) {
      show({ transaction: { ...call, ...more }, receipt: mined() })
      expect(refused(await report())).toEqual([400, code])
    }
    show({ transaction: call })
    const sent = await report()
    expect(sent.json.data, sent.text).toMatchObject({ status: 'acked', venueRef: hash })
  })
})

// Rain's adapter is enabled only with a node.
describe.each(settling.filter((venue) => venue !== 'rain'))('%s', (venue) => {
  it('without a node stores the report, explains why its state is unknown, and lets its owner resolve it', async () => {
    const { report, refresh, resolve } = await redemptionAt(venue, { hasNode: false })
    const reason = expect.stringContaining('no node of chain')
    const sent = await report()
    expect(sent.json.data, sent.text).toMatchObject({ status: 'submitted', venueRef: hash, observation: { reason } })
    expect(await refresh()).toMatchObject({ status: 'submitted', observation: { reason } })
    expect((await resolve('filled')).json.data.status).toBe('filled')
  })
})

describe.each(settling.filter((venue) => !direct.includes(venue)))('%s', (venue) => {
  it('stays submitted while the chain does not show it, and is filled by the log of its contract', async () => {
    const redemption = await redemptionAt(venue)
    const { show, call, report, refresh } = redemption
    const reason = expect.stringContaining('the chain does not show the transaction')
    expect((await report()).json.data).toMatchObject({ status: 'submitted', observation: { reason } })
    expect(await refresh()).toMatchObject({ status: 'submitted', observation: { reason } })
    show({ transaction: call, receipt: mined([], { depth: 1 }) })
    const unread = expect.stringContaining('no redemption that can be read')
    expect(await refresh()).toMatchObject({ status: 'acked', observation: { reason: unread } })
    // A final block does not change: its owner may resolve it.
    show({ transaction: call, receipt: mined([]) })
    expect((await refresh()).observation.reason).toMatch(/no redemption that can be read: resolve it/)
    show({ transaction: call, receipt: mined([payout(redemption)], { depth: 1 }) })
    expect(await refresh()).toMatchObject({
      status: 'acked',
      observation: { reason: 'its block may still leave the chain' },
    })
    show({ transaction: call, receipt: mined([payout(redemption)]) })
    expect(await refresh()).toMatchObject({ status: 'filled', observation: { blockNumber: head - 1_000 } })
  })

  it('fails when its transaction was reverted', async () => {
    const { show, call, report, refresh } = await redemptionAt(venue)
    show({ transaction: call, receipt: mined([], { status: '0x0' }) })
    expect((await report()).json.data.status).toBe('acked')
    expect(await refresh()).toMatchObject({ status: 'failed', error: 'the transaction was reverted' })
  })

  it('does not accept another transaction as proof, whenever the chain shows it', async () => {
    const redemption = await redemptionAt(venue)
    const { show, call, report, refresh, resolve } = redemption
    expect((await report()).json.data.status).toBe('submitted')
    const wrapped = { ...call, from: stranger, to: stranger, input: '0x12345678' }
    const others = [
      [],
      [payout(redemption, { redeemer: stranger })],
      [payout(redemption, { condition: `0x${'9'.repeat(64)}` }), given(redemption, owner)],
      [payout(redemption, { address: stranger }), given(redemption, owner)],
      [payout(redemption, { redeemer: stranger }), given(redemption, stranger)],
    ]
    for (const logs of others) {
      show({ transaction: wrapped, receipt: mined(logs) })
      expect(await refresh()).toMatchObject({
        status: 'submitted',
        observation: { reason: expect.stringContaining('another transaction') },
      })
    }
    show({ transaction: wrapped, receipt: mined([], { status: '0x0' }) })
    expect((await refresh()).status).toBe('submitted')
    expect((await resolve('failed')).json.data.status).toBe('failed')
  })

  it('recognises a wallet’s wrapped call by the log that names the holder', async () => {
    const redemption = await redemptionAt(venue)
    const { show, call, report, refresh } = redemption
    const logs = [given(redemption, owner), payout(redemption)]
    show({ transaction: { ...call, from: stranger, to: owner, input: '0x12345678' }, receipt: mined(logs) })
    expect((await report()).json.data.status).toBe('acked')
    expect((await refresh()).status).toBe('filled')
  })

  it('takes no credentials, and not both forms', async () => {
    const { submit } = lanes[venue].redeem!.sent!
    for (const body of [{}, { transactionHash: '0x12' }, { transactionHash: hash, apiKey: 'x' }]) {
      expect(submit.body.safeParse(body).success, JSON.stringify(body)).toBe(false)
    }
  })
})
