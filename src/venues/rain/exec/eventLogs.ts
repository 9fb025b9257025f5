// Decodes a pool's logs of one wallet's orders. Logs of others, and undecodable ones, are skipped.
import { decodeEventLog } from 'viem'
import { z } from 'zod'
import type { ChainBlock, ChainLog, ChainNode } from '#net/chainNode'
import { bisectBlockRange } from '#net/rpc'
import type { Hex } from '../../shared/exec/typedOrder.ts'
import { eventAbi } from './contracts.ts'

export interface PoolLog {
  name: string
  args: Readonly<Record<string, unknown>>
  log: ChainLog
}

/** Only of this pool; null for an unknown event. */
export function readLog(pool: string, log: ChainLog): PoolLog | null {
  if (log.address !== pool.toLowerCase()) return null
  try {
    const [first, ...rest] = log.topics as [Hex, ...Hex[]]
    const { eventName, args } = decodeEventLog({ abi: eventAbi, topics: [first, ...rest], data: log.data as Hex })
    return { name: eventName, args: args as PoolLog['args'], log }
  } catch {
    return null
  }
}

const Address = z.string().transform((text) => text.toLowerCase())
const OfOrder = {
  orderOption: z.bigint(),
  orderOptionSide: z.number(),
  orderPrice: z.bigint(),
  orderID: z.bigint(),
}
export const Placed = z.object({ ...OfOrder, maker: Address })
export const Executed = z.object({
  ...OfOrder,
  sharesAmount: z.bigint(),
  baseAmount: z.bigint(),
  maker: Address,
  taker: Address,
})
export const Canceled = z.object({ ...OfOrder, orderCreator: Address })
export const Traded = z.object({
  option: z.bigint(),
  optionSide: z.number(),
  baseAmount: z.bigint(),
  sharesAmount: z.bigint(),
  wallet: Address,
})
export const Claimed = z.object({ wallet: Address, option: z.bigint(), winningReward: z.bigint() })

/** Requests per refresh. */
const lookCallsMax = 30

/**
 * All logs with these first topics whose second topic is the wallet, in ranges as wide as the node allows, each once; null: it would take more
 * than `callsMax` requests.
 */
export async function logsOf(
  node: ChainNode,
  { pools, topics, wallet }: { pools: readonly string[]; topics: readonly string[]; wallet: string },
  { from, to }: { from: number; to: number },
  callsMax = lookCallsMax,
): Promise<ChainLog[] | null> {
  const found = new Map<string, ChainLog>()
  const addresses = pools.map((pool) => pool.toLowerCase())
  const second = `0x${'0'.repeat(24)}${wallet.slice(2).toLowerCase()}`
  let [at, span] = [from, to - from + 1]
  for (let calls = 0; at <= to; calls++) {
    if (calls === callsMax) return null
    const end = Math.min(to, at + span - 1)
    try {
      for (const log of await node.logs({ from: at, to: end, addresses, topics, second })) {
        found.set(`${log.transactionHash}:${log.logIndex}`, log)
      }
      at = end + 1
    } catch (error) {
      span = bisectBlockRange(end - at + 1, error)
    }
  }
  return [...found.values()]
}

/** Times of these blocks, epoch ms. A block that the node lacks gets the current time. */
export async function timesOf(node: ChainNode, logs: readonly ChainLog[], nowMs: number): Promise<Map<number, number>> {
  const numbers = [...new Set(logs.map(({ blockNumber }) => blockNumber))]
  const blocks: (ChainBlock | null)[] = await node.blocks(numbers)
  return new Map(numbers.map((number, n) => [number, blocks[n]?.timestampMs ?? nowMs]))
}
