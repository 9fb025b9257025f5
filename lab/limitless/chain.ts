// What a node of Base reports about limitless' orders: the state that the exchange's contract keeps by their hashes, and its logs. One block every
// two seconds; fills are in the next one. The venue's own cancellations are not transactions: the chain never sees them.
import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionResult,
  type Hex,
  parseAbi,
} from 'viem'
import type { SimulatedFill, SimulatedOrder } from '../engine/orderManager.ts'
import { digestHex } from '../prng.ts'
import type { VenueCore } from '../restVenue.ts'
import { type LabRoute, ok } from '../venueServer.ts'
import type { LimitlessListing } from './marketGenerator.ts'
import { detailsOf } from './orders.ts'
import { exchange } from './rows.ts'
import { type Sent, TokenCalls } from './tokenCalls.ts'
import type { TokenChanges } from './tokenChanges.ts'

const blockMs = 2_000
/** Every wallet has a million USDC. */
const balanceUnits = 1_000_000_000_000n
/** Per `eth_getLogs`. */
const rangeMax = 10_000

const abi = parseAbi([
  'function getOrderStatus(bytes32) view returns (bool, uint256)',
  'function balanceOf(address) view returns (uint256)',
  'event OrderFilled(bytes32 indexed orderHash, address indexed maker, address indexed taker, uint256, uint256, uint256, uint256, uint256)',
])

interface Call {
  id: unknown
  method: string
  params: readonly unknown[]
}

export function chainRoute(
  core: VenueCore,
  listing: LimitlessListing,
  { settled, changes }: { settled: ReadonlyMap<Hex, SimulatedOrder>; changes: TokenChanges },
): LabRoute {
  const { faults, nowMs } = core
  const head = (): number => Math.floor(nowMs() / blockMs)
  const tokenCalls = new TokenCalls(core, listing, changes, head)
  const fillsUntil = (order: SimulatedOrder | undefined, block: number): SimulatedFill[] =>
    order === undefined || faults().hides('fills') ? [] : order.fills.filter(({ atMs }) => blockOf(atMs) <= block)

  function callOf(data: Hex, block: number): Hex {
    const { args, functionName } = decodeFunctionData({ abi, data })
    if (functionName === 'balanceOf') return encodeFunctionResult({ abi, functionName, result: balanceUnits })
    const order = settled.get(args[0])
    const fills = fillsUntil(order, block)
    const given = BigInt(order === undefined ? 0 : detailsOf(order).posted.order.makerAmount)
    const remaining = fills.reduce((left, fill) => left - amountsOf(order!, fill).gives, given)
    return encodeFunctionResult({
      abi,
      functionName: 'getOrderStatus',
      result: fills.length === 0 ? [false, 0n] : [remaining === 0n, remaining],
    })
  }

  function logsOf({ address, topics, fromBlock, toBlock }: Readonly<Record<string, unknown>>): unknown {
    const [from, to] = [fromBlock, toBlock].map(Number) as [number, number]
    if (to - from >= rangeMax) throw new Error(`query exceeds max block range ${rangeMax}`)
    const hash = (topics as (Hex | null)[])[1]!
    const order = String(address).toLowerCase() === exchange.toLowerCase() ? settled.get(hash) : undefined
    return fillsUntil(order, Math.min(to, head()))
      .filter(({ atMs }) => blockOf(atMs) >= from)
      .map((fill) => logOf(order!, hash, fill))
  }

  function resultOf({ method, params }: Call): unknown {
    const [first, second] = params
    switch (method) {
      case 'eth_chainId':
        return '0x2105'
      case 'eth_blockNumber':
        return hex(head())
      case 'eth_sendRawTransaction':
        return tokenCalls.send(first as Hex)
      case 'eth_getTransactionCount':
        return hex(tokenCalls.count(String(first), second === 'latest' ? head() : Number(second)))
      case 'eth_getTransactionByHash':
        return transactionOf(tokenCalls.find(String(first)))
      case 'eth_getTransactionReceipt':
        return receiptOf(tokenCalls.mined(String(first)))
      case 'eth_getBlockByNumber':
        return { number: hex(head()), hash: hashOf(head()), timestamp: hex((head() * blockMs) / 1_000) }
      case 'eth_call':
        return callOf((first as { data: Hex }).data, Number(second))
      case 'eth_getLogs':
        return logsOf(first as Record<string, unknown>)
      default:
        throw new Error(`the method ${method} does not exist`)
    }
  }

  async function answer(call: Call): Promise<unknown> {
    const { id } = call
    try {
      return { jsonrpc: '2.0', id, result: await resultOf(call) }
    } catch (error) {
      return {
        jsonrpc: '2.0',
        id,
        error: { code: -32_000, message: error instanceof Error ? error.message : String(error) },
      }
    }
  }

  return {
    method: 'POST',
    path: '/rpc',
    handle: async ({ body }) =>
      ok(await (Array.isArray(body) ? Promise.all(body.map((call) => answer(call as Call))) : answer(body as Call))),
  }
}

function transactionOf(sent: Sent | null): unknown {
  if (sent === null) return null
  const { hash, from, to, input, nonce } = sent
  return { hash, from, to, input, value: '0x0', nonce: hex(nonce) }
}

function receiptOf(sent: Sent | null): unknown {
  if (sent === null) return null
  const { hash, block, log } = sent
  const place = { blockNumber: hex(block), blockHash: hashOf(block), transactionHash: hash }
  const logs = log === null ? [] : [{ ...log, ...place, logIndex: '0x0', removed: false }]
  return { ...place, status: log === null ? '0x0' : '0x1', logs }
}

const hashOf = (block: number): Hex => `0x${digestHex(`limitless/block/${block}`).slice(0, 64)}`
const hex = (value: number): Hex => `0x${value.toString(16)}`
const blockOf = (atMs: number): number => Math.floor(atMs / blockMs) + 1

/** What an order gave and took in one fill, base units: a buyer gives at its own price, and the saving is refunded separately. */
function amountsOf(
  order: SimulatedOrder,
  { hundredths, priceMicros }: SimulatedFill,
): { gives: bigint; takes: bigint } {
  const { posted, isYes } = detailsOf(order)
  const shares = BigInt(hundredths) * 10_000n
  const cashAt = (micros: number): bigint => (shares * BigInt(micros)) / 1_000_000n
  if (posted.order.side === 0) return { gives: cashAt(Math.round(posted.order.price * 1_000_000)), takes: shares }
  return { gives: shares, takes: cashAt(isYes ? priceMicros : 1_000_000 - priceMicros) }
}

function logOf(order: SimulatedOrder, hash: Hex, fill: SimulatedFill) {
  const { posted } = detailsOf(order)
  const { gives, takes } = amountsOf(order, fill)
  const token = BigInt(posted.order.tokenId)
  const assets: [bigint, bigint] = posted.order.side === 0 ? [0n, token] : [token, 0n]
  // Of an order that crossed, the exchange itself is the other side.
  const taker: Hex = fill.maker ? `0x${digestHex(`limitless/flow/${fill.id}`).slice(0, 40)}` : exchange
  return {
    address: exchange,
    topics: encodeEventTopics({
      abi,
      eventName: 'OrderFilled',
      args: { orderHash: hash, maker: posted.order.maker, taker },
    }),
    data: encodeAbiParameters(
      Array.from({ length: 5 }, () => ({ type: 'uint256' as const })),
      [...assets, gives, takes, 0n],
    ),
    blockNumber: hex(blockOf(fill.atMs)),
    blockHash: hashOf(blockOf(fill.atMs)),
    transactionHash: `0x${digestHex(`limitless/tx/${fill.trade}/${fill.id}`).slice(0, 64)}`,
    logIndex: hex(fill.id % 1_000),
  }
}
