// A chain in memory with pools, read by ChainPrices through a node that may fail, lag and lose blocks.
import { encodeAbiParameters, encodeEventTopics, parseAbi } from 'viem'
import { ChainPrices } from '#actors/optionPrices/chainPrices'
import { ManualClock } from '#core/clock'
import { Fault } from '#core/fault'
import { silentLog } from '#core/log'
import { LabChain, type LabTransaction } from '#lab/chain/chain'
import { createAnswers, healthyNode, type NodeFaults } from '#lab/chain/rpcHandlers'
import type { PoolPrices } from '#marketData/optionPrices/prices'
import { createChainNode } from '#net/chainNode'
import type { Rpc } from '#net/rpc'
import type { PricedPool } from '#venues/optionPrices'

const events = parseAbi(['event Traded(uint256 pool)', 'event Untold(uint256 pool)'])
const contract = `0x${'c0'.repeat(20)}`
export const confirmations = 6

/** Pools are numbered; all emit logs from one contract. */
export const pool = (number: number): PricedPool => ({
  key: String(number),
  address: contract,
  choices: [{ index: 1, label: 'Yes' }],
  contract,
})

export interface World {
  clock: ManualClock
  chain: LabChain
  faults: NodeFaults
  reader: ChainPrices
  /** Price of each pool; changes take effect immediately. */
  prices: Map<string, number>
  /** Pools of each read, with its block. */
  reads: { keys: string[]; at: number }[]
  /** How often each method was called. */
  calls: Map<string, number>
  /** No node responds. */
  away: boolean
  trade(pool: number, price: number, more?: Partial<LabTransaction>): LabTransaction
  listen(pool: number): { received: PoolPrices[]; last(): PoolPrices; end(): void }
  /** The next poll, and everything that follows from it. */
  turn(ms?: number): Promise<void>
}

export function createWorld(seed = 'prices', more: { reorganises?: number; depthMax?: number } = {}): World {
  const clock = new ManualClock()
  const chain = new LabChain({ seed, clock, ...more })
  const faults = healthyNode(1)
  const calls = new Map<string, number>()
  const answer = createAnswers(chain, faults, calls)
  const rpc: Rpc = {
    async call(method, params) {
      if (world.away) throw new Fault('NETWORK_ERROR', 'the node is away')
      const { result, error } = answer({ id: 1, method, params }) as { result?: unknown; error?: { message: string } }
      if (error !== undefined) throw new Fault('NETWORK_ERROR', error.message)
      return result
    },
    batch: async () => [],
  }
  const node = createChainNode(rpc, 'test')
  const prices = new Map<string, number>()
  const reads: World['reads'] = []
  const reader = new ChainPrices({
    venue: 'test',
    chain: {
      chainId: 1,
      confirmations,
      // The second event is unknown to the reader.
      events: [events[0]!],
      concerns: ({ key }, { args }) => String(args.pool) === key,
      async fetch(_, pools, at) {
        if (world.away) throw new Fault('NETWORK_ERROR', 'the node is away')
        reads.push({ keys: pools.map(({ key }) => key), at })
        return pools.map(({ key, choices }) => {
          const price = prices.get(key)
          if (price === undefined) return []
          return choices.map(({ index, label }) => ({ choiceIndex: index, label, price01: price, rawPrice: null }))
        })
      },
    },
    node: () => node,
    clock,
    log: silentLog,
  })
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve))
  const world: World = {
    clock,
    chain,
    faults,
    reader,
    prices,
    reads,
    calls,
    away: false,
    trade(number, price, transaction) {
      prices.set(String(number), price)
      const topics = encodeEventTopics({ abi: events, eventName: 'Traded' }) as string[]
      const data = encodeAbiParameters([{ type: 'uint256' }], [BigInt(number)])
      return chain.send([{ address: contract, topics, data }], transaction)
    },
    listen(number) {
      const received: PoolPrices[] = []
      const end = reader.watch(pool(number), (prices) => received.push(prices))
      return { received, last: () => received.at(-1)!, end }
    },
    async turn(ms = 3_000) {
      clock.advance(ms)
      // Nothing here waits for anything but due timers.
      await settled()
    },
  }
  return world
}
