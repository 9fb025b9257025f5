// What is asked of a chain's node, and in what shape it must answer: https://ethereum.org/en/developers/docs/apis/json-rpc/
import { z } from 'zod'
import { Fault } from '#lib/fault'
import { type Rpc, type RpcCall, RpcRefusal } from '#net/rpc'

export interface ChainBlock {
  number: number
  hash: string
  /** Epoch ms; blocks tell whole seconds. */
  timestampMs: number
}

/** Hex in lower case. */
export interface ChainLog {
  address: string
  topics: [string, ...string[]]
  data: string
  blockNumber: number
  blockHash: string
  transactionHash: string
  logIndex: number
}

export interface ChainNode {
  chainId(): Promise<number>
  head(): Promise<number>
  /** Null: the node does not have it, or not yet. */
  block(number: number): Promise<ChainBlock | null>
  /** Many at once, in their order. */
  blocks(numbers: readonly number[]): Promise<(ChainBlock | null)[]>
  /** Of these contracts and first topics, both ends included. */
  logs(range: {
    from: number
    to: number
    addresses: readonly string[]
    topics: readonly string[]
  }): Promise<ChainLog[]>
}

const Quantity = z
  .string()
  .regex(/^0x[0-9a-f]{1,14}$/i)
  .transform((hex) => Number.parseInt(hex, 16))
const hexOf = (bytes: number) =>
  z
    .string()
    .regex(new RegExp(`^0x[0-9a-f]{${bytes * 2}}$`, 'i'))
    .transform((hex) => hex.toLowerCase())
const Hash = hexOf(32)

const Block = z.object({ number: Quantity, hash: Hash, timestamp: Quantity })
const Log = z.object({
  address: hexOf(20),
  topics: z.tuple([Hash], Hash),
  data: z.string().regex(/^0x([0-9a-f]{2})*$/i),
  blockNumber: Quantity,
  blockHash: Hash,
  transactionHash: Hash,
  logIndex: Quantity,
  removed: z.boolean().optional(),
})

/** Addresses of one call: what providers take. */
const addressesPerCall = 100
/** Logs of one answer: more is not an answer worth having at once. */
const logsMax = 20_000

/** Blocks of one request. */
const blocksPerBatch = 50

const quantity = (value: number): string => `0x${value.toString(16)}`

export function createChainNode(rpc: Rpc, exchange: string): ChainNode {
  const parse = <T>(shape: z.ZodType<T>, method: string, answer: unknown): T => {
    const parsed = shape.safeParse(answer)
    if (parsed.success) return parsed.data
    throw strange(exchange, `${method}: ${parsed.error.issues[0]?.message ?? 'unreadable'}`)
  }
  const read = async <T>(shape: z.ZodType<T>, method: string, params: readonly unknown[]): Promise<T> =>
    parse(shape, method, await rpc.call(method, params))

  const blockCall = (number: number) => ['eth_getBlockByNumber', [quantity(number), false]] as const
  function blockOf(number: number, answer: unknown): ChainBlock | null {
    const found = parse(Block.nullable(), 'eth_getBlockByNumber', answer)
    if (found === null) return null
    if (found.number !== number) throw strange(exchange, `block ${found.number} instead of ${number}`)
    return { number, hash: found.hash, timestampMs: found.timestamp * 1_000 }
  }

  /** One by one where the node refuses many. */
  async function inOne(calls: readonly RpcCall[]): Promise<unknown[]> {
    try {
      return await rpc.batch(calls)
    } catch (error) {
      if (!(error instanceof RpcRefusal)) throw error
    }
    const answers: unknown[] = []
    for (const call of calls) answers.push(await rpc.call(...call))
    return answers
  }

  return {
    chainId: () => read(Quantity, 'eth_chainId', []),
    head: () => read(Quantity, 'eth_blockNumber', []),
    block: async (number) => blockOf(number, await rpc.call(...blockCall(number))),
    async blocks(numbers) {
      const found: (ChainBlock | null)[] = []
      for (let at = 0; at < numbers.length; at += blocksPerBatch) {
        const part = numbers.slice(at, at + blocksPerBatch)
        const answers = await inOne(part.map(blockCall))
        found.push(...part.map((number, i) => blockOf(number, answers[i])))
      }
      return found
    },
    async logs({ from, to, addresses, topics }) {
      const found: ChainLog[] = []
      for (let at = 0; at < addresses.length; at += addressesPerCall) {
        const address = addresses.slice(at, at + addressesPerCall)
        const filter = { fromBlock: quantity(from), toBlock: quantity(to), address, topics: [topics] }
        for (const { removed, ...log } of await read(z.array(Log).max(logsMax), 'eth_getLogs', [filter])) {
          // An answer to another question proves nothing about this one.
          if (
            log.blockNumber < from ||
            log.blockNumber > to ||
            !address.includes(log.address) ||
            !topics.includes(log.topics[0])
          )
            throw strange(exchange, `a log of block ${log.blockNumber} was not asked for`)
          if (removed !== true) found.push(log)
        }
      }
      return found.sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
    },
  }
}

const strange = (exchange: string, detail: string): Fault =>
  new Fault('NETWORK_ERROR', 'the node answered something that cannot be', { exchange, detail })
