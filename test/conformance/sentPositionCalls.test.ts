// Splits and merges that a holder's wallet has sent are reported by their transaction hash at every adapter that builds them. The log of the
// contract settles them, and states the market and the amount.
import { encodeAbiParameters, encodeEventTopics, type Hex, parseAbi, toHex } from 'viem'
import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#schemas/executions'
import { posterOf } from '#test/support/execution/labTable'
import { executionSuite, refused } from '#test/support/execution/suite'
import { laneCases, laneVenues } from '#test/support/laneCases'
import { createLaneWorld, type LaneWorld } from '#test/support/laneWorld'
import { type LaneVenue, lanes } from '#venues/registry'
import { readPositionCall } from '#venues/shared/exec/positionCalls'

const suite = executionSuite()
const exchanging = laneVenues.filter((venue) => lanes[venue].split?.sent !== undefined)
const owner = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const stranger: Hex = `0x${'5e'.repeat(20)}`
const hash: Hex = `0x${'c'.repeat(64)}`
const head = 5_000
const noParent: Hex = `0x${'0'.repeat(64)}`
const conditionalTokens: Record<string, Hex> = { polymarket: '0x4D97DCd97eC945f40cF65F87097ACe5EA0476045' }

const abi = parseAbi([
  'event PositionSplit(address indexed stakeholder, address collateralToken, bytes32 indexed parentCollectionId, bytes32 indexed conditionId, uint256[] partition, uint256 amount)',
  'event PositionsMerge(address indexed stakeholder, address collateralToken, bytes32 indexed parentCollectionId, bytes32 indexed conditionId, uint256[] partition, uint256 amount)',
  'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
])
const [splitEvent, mergeEvent, transferEvent] = abi

const open: LaneWorld[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((world) => world.close()))
})

interface Chain {
  transaction?: object | null
  receipt?: object | null
}

async function exchangeAt(venue: LaneVenue, intent: 'split' | 'merge') {
  const lane = lanes[venue]
  const here = await createLaneWorld(venue, [...Object.keys(lane.urls), 'RPC'])
  open.push(here)
  const { rows, reads } = laneCases[venue].made
  here.outcomes.push(...rows)
  const show = ({ transaction = null, receipt = null }: Chain = {}) => {
    const methods: Record<string, () => unknown> = {
      eth_chainId: () => toHex(lane.chain!.id),
      eth_blockNumber: () => toHex(head),
      eth_getTransactionByHash: () => transaction,
      eth_getTransactionReceipt: () => receipt,
      eth_getTransactionCount: () => '0x0',
    }
    here.answer((seen) => {
      if (!seen.text.includes('jsonrpc')) return reads?.(seen) ?? { status: 404 }
      const answer = ({ id, method }: { id: number; method: string }) => ({
        jsonrpc: '2.0',
        id,
        result: methods[method]!(),
      })
      const request = JSON.parse(seen.text) as { id: number; method: string }
      return { body: Array.isArray(request) ? request.map(answer) : answer(request) }
    })
  }
  show()
  const world = await suite.worldOf({
    lanes: [lane],
    clock: here.clock,
    contextOf: (signal) => ({ ...here.context, signal }),
  })
  const post = posterOf(world, venue)
  const body = { intent, outcome: rows[0]!.market.marketId, amount: '2.5', owner }
  const built = await post('build', body, 'b')
  expect(built.status, built.text).toBe(200)
  const { executionId: id, unsigned } = built.json.data as { executionId: string; unsigned: JsonObject }
  let keys = 0
  return {
    show,
    unsigned,
    summary: built.json.data.summary,
    call: { hash, from: owner, to: unsigned.to, input: unsigned.data, value: '0x0', nonce: '0x9' },
    report: () => post(`${id}/submit`, { transactionHash: hash }, `s${keys++}`),
    refresh: async () => (await post(`${id}/refresh`, {})).json.data,
    cancel: () => post(`${id}/cancel`, {}, `c${keys++}`),
    tokens: conditionalTokens[venue] ?? (unsigned.to as Hex),
    exchange: readPositionCall(venue, unsigned.data as Hex) as { conditionId: Hex; amount: bigint },
  }
}
type Exchanged = Awaited<ReturnType<typeof exchangeAt>>

const mined = (logs: readonly object[] = [], { depth = 1_000, status = '0x1' } = {}) => {
  const place = { blockNumber: toHex(head - depth), blockHash: hash }
  const rows = logs.map((log, n) => ({ ...log, ...place, transactionHash: hash, logIndex: toHex(n) }))
  return { transactionHash: hash, ...place, status, logs: rows }
}

const logOf = (
  intent: 'split' | 'merge',
  { tokens, exchange }: Exchanged,
  { stakeholder = owner as Hex, conditionId = exchange.conditionId, amount = exchange.amount, address = tokens } = {},
) => ({
  address,
  topics: encodeEventTopics({
    abi: [intent === 'split' ? splitEvent : mergeEvent],
    args: { stakeholder, parentCollectionId: noParent, conditionId },
  }),
  data: encodeAbiParameters(
    [{ type: 'address' }, { type: 'uint256[]' }, { type: 'uint256' }],
    [stranger, [1n, 2n], amount],
  ),
})

/** Between the adapter and the holder. */
const moved = (intent: 'split' | 'merge', { tokens, unsigned }: Exchanged, holder: Hex) => {
  const contract = unsigned.to as Hex
  const [from, to] = intent === 'split' ? [contract, holder] : [holder, contract]
  return {
    address: tokens,
    topics: encodeEventTopics({ abi: [transferEvent], args: { operator: contract, from, to } }),
    data: encodeAbiParameters(
      [{ type: 'uint256[]' }, { type: 'uint256[]' }],
      [
        [1n, 2n],
        [5n, 5n],
      ],
    ),
  }
}

it('covers the adapters that build them', () => {
  expect(exchanging.length).toBeGreaterThanOrEqual(4)
})

describe.each(exchanging.flatMap((venue) => (['split', 'merge'] as const).map((intent) => [venue, intent] as const)))(
  '%s, %s',
  (venue, intent) => {
    it('is built with what it exchanges, and is not cancelled', async () => {
      const { summary, cancel } = await exchangeAt(venue, intent)
      const shares = [{ size: '2.5' }, { size: '2.5' }]
      expect(summary).toMatchObject({
        intent,
        size: '2.5',
        exchange: intent === 'split' ? { receives: shares, cash: '-2.5' } : { gives: shares, cash: '2.5' },
      })
      expect(refused(await cancel())[1]).toMatch(/VALIDATION_ERROR|NOT_IMPLEMENTED|EXECUTION_TERMINAL/)
    })

    it('accepts the hash of the built call, and no other transaction', async () => {
      const { show, call, report } = await exchangeAt(venue, intent)
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

    it('is filled by the log of its market and amount alone, and fails when it was reverted', async () => {
      const exchanged = await exchangeAt(venue, intent)
      const { show, call, report, refresh } = exchanged
      show({ transaction: call })
      expect((await report()).json.data.status).toBe('acked')
      const wrong = [
        [],
        [logOf(intent, exchanged, { conditionId: `0x${'9'.repeat(64)}` })],
        [logOf(intent, exchanged, { amount: exchanged.exchange.amount - 1n })],
        [logOf(intent, exchanged, { address: stranger })],
        [logOf(intent === 'split' ? 'merge' : 'split', exchanged)],
      ]
      for (const logs of wrong) {
        show({ transaction: call, receipt: mined(logs, { depth: 1 }) })
        const reason = expect.stringContaining(`shows no ${intent} that can be read`)
        expect(await refresh()).toMatchObject({ status: 'acked', observation: { reason } })
      }
      show({ transaction: call, receipt: mined([logOf(intent, exchanged)], { depth: 1 }) })
      expect(await refresh()).toMatchObject({ status: 'acked' })
      show({ transaction: call, receipt: mined([logOf(intent, exchanged)]) })
      expect(await refresh()).toMatchObject({ status: 'filled', observation: { blockNumber: head - 1_000 } })

      const second = await exchangeAt(venue, intent)
      second.show({ transaction: second.call, receipt: mined([], { status: '0x0' }) })
      expect((await second.report()).json.data.status).toBe('acked')
      expect(await second.refresh()).toMatchObject({ status: 'failed', error: 'the transaction was reverted' })
    })

    it('through another wallet counts only with a log that names the holder', async () => {
      const exchanged = await exchangeAt(venue, intent)
      const { show, call, report, refresh } = exchanged
      expect((await report()).json.data.status).toBe('submitted')
      const wrapped = { ...call, from: stranger, to: stranger, input: '0x12345678' }
      for (const logs of [
        [],
        [logOf(intent, exchanged, { stakeholder: stranger })],
        [logOf(intent, exchanged, { stakeholder: stranger }), moved(intent, exchanged, stranger)],
        [logOf(intent, exchanged, { amount: 1n }), moved(intent, exchanged, owner)],
      ]) {
        show({ transaction: wrapped, receipt: mined(logs) })
        expect((await refresh()).status).toBe('submitted')
      }
      show({ transaction: wrapped, receipt: mined([logOf(intent, exchanged), moved(intent, exchanged, owner)]) })
      expect((await refresh()).status).toBe('filled')
    })
  },
)
