// An order's status from the exchange's contract, without a key: its state by hash, and the logs about it. Read a few blocks behind the newest,
// all at one block. The contract descends from Polymarket's first (getOrderStatus, OrderFilled, OrderCancelled); a log of another shape is not
// ours.
import { parseAbi, parseEventLogs, toEventSelector } from 'viem'
import type { ChainBlock, ChainLog, ChainNode } from '#net/chainNode'
import { RpcRefusal } from '#net/rpc'
import { readContract } from '../../shared/evm.ts'
import type { Hex } from '../../shared/exec/typedOrder.ts'

const abi = parseAbi([
  'function getOrderStatus(bytes32 orderHash) view returns (bool isFilledOrCancelled, uint256 remaining)',
  'event OrderFilled(bytes32 indexed orderHash, address indexed maker, address indexed taker, uint256 makerAssetId, uint256 takerAssetId, uint256 makerAmountFilled, uint256 takerAmountFilled, uint256 fee)',
  'event OrderCancelled(bytes32 indexed orderHash)',
])
const topics = abi.flatMap((item) => (item.type === 'event' ? [toEventSelector(item)] : []))

/** Blocks left to settle. */
const confirmations = 5
/** Base makes a block every two seconds. */
const blockMs = 2_000
/** The chain's clock and ours may differ. */
const slackMs = 300_000
/** For a block range that nodes find too wide. */
const requestsMax = 64

export interface ChainOrder {
  exchange: Hex
  hash: Hex
}

export interface ChainState {
  /** Fully filled, or cancelled by a transaction. */
  isDone: boolean
  /** Of what the order gives, base units; also zero when nothing was ever done with it. */
  remaining: bigint
  newest: ChainBlock
  /** The block that was read. */
  block: number
}

export interface ChainFill {
  /** Base units; a fee is in what the order takes. */
  gives: bigint
  takes: bigint
  fee: bigint
  /** It crossed: the exchange itself is the other side of its log, and what a buyer gave beyond the price is paid back separately. */
  isTaker: boolean
  transactionHash: string
  logIndex: number
  blockNumber: number
}

/** Throws NETWORK_ERROR, CallReverted. */
export async function readState(node: ChainNode, { exchange, hash }: ChainOrder): Promise<ChainState> {
  const newest = await node.latest()
  const block = Math.max(0, newest.number - confirmations)
  const call = { address: exchange, abi, functionName: 'getOrderStatus', args: [hash] } as const
  const [isDone, remaining] = await readContract(node, call, block)
  return { isDone, remaining, newest, block }
}

/** Everything done with an order since it was built, up to the block of its state. Throws NETWORK_ERROR. */
export async function readLogs(
  node: ChainNode,
  { exchange, hash }: ChainOrder,
  { newest, block }: Pick<ChainState, 'newest' | 'block'>,
  sinceMs: number,
): Promise<{ fills: ChainFill[]; isCancelled: boolean }> {
  const from = newest.number - Math.ceil((newest.timestampMs - sinceMs + slackMs) / blockMs)
  const range = { from: Math.max(0, from), to: block, addresses: [exchange.toLowerCase()], topics, second: hash }
  const rows = await logsBetween(node, range, { left: requestsMax })
  const once = [...new Map(rows.map((row) => [`${row.transactionHash}:${row.logIndex}`, row])).values()]
  const logs = parseEventLogs({ abi, logs: once as never, strict: true }).filter(({ args }) => args.orderHash === hash)
  const fills = logs.flatMap((log): ChainFill[] => {
    if (log.eventName !== 'OrderFilled') return []
    const { transactionHash, logIndex, blockNumber, args } = log
    const { makerAmountFilled: gives, takerAmountFilled: takes, fee, taker } = args
    const isTaker = taker.toLowerCase() === exchange.toLowerCase()
    return [{ gives, takes, fee, isTaker, transactionHash, logIndex, blockNumber: Number(blockNumber) }]
  })
  return { fills, isCancelled: logs.some(({ eventName }) => eventName === 'OrderCancelled') }
}

type Range = Parameters<ChainNode['logs']>[0]

/** A range that the nodes find too wide is halved. */
async function logsBetween(node: ChainNode, range: Range, requests: { left: number }): Promise<ChainLog[]> {
  const { from, to } = range
  requests.left--
  try {
    return await node.logs(range)
  } catch (error) {
    if (!(error instanceof RpcRefusal) || from >= to || requests.left <= 0) throw error
    const middle = Math.floor((from + to) / 2)
    const [first, second] = [
      { ...range, to: middle },
      { ...range, from: middle + 1 },
    ]
    return [...(await logsBetween(node, first, requests)), ...(await logsBetween(node, second, requests))]
  }
}

/** Epoch ms of a block: blocks come at a constant pace. */
export const timeOf = (blockNumber: number, { number, timestampMs }: ChainBlock): number =>
  timestampMs - (number - blockNumber) * blockMs
