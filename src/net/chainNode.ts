// Requests to a chain's node, and the required shape of its answers: https://ethereum.org/en/developers/docs/apis/json-rpc/
import { z } from 'zod'
import { Fault } from '#core/fault'
import { type Rpc, type RpcCall, RpcRefusal } from './rpc.ts'

export interface ChainBlock {
  number: number
  hash: string
  /** Epoch ms; blocks have whole seconds. */
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

/** The result of a transaction once it is in a block. */
export interface ChainReceipt {
  blockNumber: number
  blockHash: string
  /** False: it was reverted, and only cost its gas. */
  succeeded: boolean
  logs: ChainLog[]
}

/** As signed by its sender. Lower-case hex. */
export interface ChainTransaction {
  from: string
  to: string | null
  input: string
  value: bigint
  nonce: number
}

/** A block by number: answers for other blocks do not count. */
export type BlockTag = 'latest' | number

/**
 * Everything throws NETWORK_ERROR: RpcRefusal for the node's own error, and for anything that is not a valid answer.
 */
export interface ChainNode {
  /** Named in faults. */
  exchange: string
  head(): Promise<number>
  /** The newest. */
  latest(): Promise<ChainBlock>
  /** Null: the node does not have it, or not yet. */
  block(number: number): Promise<ChainBlock | null>
  /** Many at once, in order. */
  blocks(numbers: readonly number[]): Promise<(ChainBlock | null)[]>
  /** Of these contracts and first topics, both ends inclusive. `second`: required value of the second topic. */
  logs(range: {
    from: number
    to: number
    addresses: readonly string[]
    topics: readonly string[]
    second?: string
  }): Promise<ChainLog[]>
  /** The contract's return data. Throws CallReverted when it reverts. */
  call(call: { to: string; data: string; from?: string }, at: BlockTag): Promise<`0x${string}`>
  /** Null: in no block that the node has. */
  receipt(hash: string): Promise<ChainReceipt | null>
  /** Null: the node has never seen it, or has forgotten it. */
  transaction(hash: string): Promise<ChainTransaction | null>
  /**
   * The result of a transaction, and the wallet's transaction count in blocks up to `at`: requested together, so that one node answers
   * both.
   */
  transactionState(
    hash: string,
    address: string,
    at: BlockTag,
  ): Promise<{ receipt: ChainReceipt | null; nonce: number }>
}

/** The contract itself reverted the call. */
export class CallReverted extends Error {
  /** The revert data; null when the node does not return it. */
  readonly data: `0x${string}` | null

  constructor(message: string, data: `0x${string}` | null) {
    super(message)
    this.name = 'CallReverted'
    this.data = data
  }
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

const Bytes = z
  .string()
  .regex(/^0x([0-9a-f]{2})*$/i)
  .transform((hex) => hex.toLowerCase() as `0x${string}`)

const Block = z.object({ number: Quantity, hash: Hash, timestamp: Quantity })
const Log = z.object({
  address: hexOf(20),
  topics: z.tuple([Hash], Hash),
  data: Bytes,
  blockNumber: Quantity,
  blockHash: Hash,
  transactionHash: Hash,
  logIndex: Quantity,
  removed: z.boolean().optional(),
})
/** Maximum logs per transaction. */
const receiptLogsMax = 1_000
const Receipt = z.object({
  transactionHash: Hash,
  blockNumber: Quantity,
  blockHash: Hash,
  status: z.enum(['0x0', '0x1']),
  logs: z.array(Log).max(receiptLogsMax),
})
const Transaction = z.object({
  hash: Hash,
  from: hexOf(20),
  to: hexOf(20).nullish(),
  input: Bytes,
  value: z
    .string()
    .regex(/^0x[0-9a-f]{1,64}$/i)
    .transform(BigInt),
  nonce: Quantity,
})

/** Addresses per call that providers accept. */
const addressesPerCall = 100
/** Maximum logs per answer. */
const logsMax = 20_000

/** Blocks per request. */
const blocksPerBatch = 50

/** Maximum hex digits of a call's return data; nothing we request is larger. */
const returnedMax = 262_144

const quantity = (value: number): string => `0x${value.toString(16)}`
const tagOf = (at: BlockTag): string => (at === 'latest' ? at : quantity(at))

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

  const receiptMethod = 'eth_getTransactionReceipt'
  function receiptOf(hash: string, answer: unknown): ChainReceipt | null {
    const found = parse(Receipt.nullable(), receiptMethod, answer)
    if (found === null) return null
    if (found.transactionHash !== hash.toLowerCase()) throw strange(exchange, 'a receipt of another transaction')
    const { blockNumber, blockHash, status, logs } = found
    return { blockNumber, blockHash, succeeded: status === '0x1', logs: logs.map(({ removed: _, ...log }) => log) }
  }

  /** One by one if the node refuses batches. */
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
    exchange,
    head: () => read(Quantity, 'eth_blockNumber', []),
    async latest() {
      const { number, hash, timestamp } = await read(Block, 'eth_getBlockByNumber', ['latest', false])
      return { number, hash, timestampMs: timestamp * 1_000 }
    },
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
    async logs({ from, to, addresses, topics, second }) {
      const found: ChainLog[] = []
      for (let at = 0; at < addresses.length; at += addressesPerCall) {
        const address = addresses.slice(at, at + addressesPerCall)
        const filter = {
          fromBlock: quantity(from),
          toBlock: quantity(to),
          address,
          topics: second === undefined ? [topics] : [topics, second],
        }
        for (const { removed, ...log } of await read(z.array(Log).max(logsMax), 'eth_getLogs', [filter])) {
          // An answer to another request proves nothing about this one.
          if (
            log.blockNumber < from ||
            log.blockNumber > to ||
            !address.includes(log.address) ||
            !topics.includes(log.topics[0]) ||
            (second !== undefined && log.topics[1] !== second)
          )
            throw strange(exchange, `a log of block ${log.blockNumber} was not requested`)
          if (removed !== true) found.push(log)
        }
      }
      return found.sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
    },
    async call(call, at) {
      const method = 'eth_call'
      const answer = await rpc.call(method, [call, tagOf(at)]).catch((error: unknown) => {
        throw error instanceof RpcRefusal && isRevert(error) ? revertOf(error) : error
      })
      return parse(
        Bytes.refine(({ length }) => length <= returnedMax, 'too much'),
        method,
        answer,
      )
    },
    async receipt(hash) {
      return receiptOf(hash, await rpc.call(receiptMethod, [hash]))
    },
    async transaction(hash) {
      const method = 'eth_getTransactionByHash'
      const found = await read(Transaction.nullable(), method, [hash])
      if (found === null) return null
      if (found.hash !== hash.toLowerCase()) throw strange(exchange, `${method}: of another transaction`)
      const { from, to = null, input, value, nonce } = found
      return { from, to, input, value, nonce }
    },
    async transactionState(hash, address, at) {
      const count = 'eth_getTransactionCount'
      const [nonce, receipt] = await rpc.batch([
        [count, [address, tagOf(at)]],
        [receiptMethod, [hash]],
      ])
      return { receipt: receiptOf(hash, receipt), nonce: parse(Quantity, count, nonce) }
    },
  }
}

const strange = (exchange: string, detail: string): Fault =>
  new Fault('NETWORK_ERROR', 'the node sent an impossible answer', { exchange, detail })

/** Clients use different numbers for it, but all of them say so in words. */
const isRevert = ({ rpcCode, text }: RpcRefusal): boolean =>
  rpcCode === 3 || rpcCode === -32_015 || /revert/i.test(text)

function revertOf({ text, data }: RpcRefusal): CallReverted {
  const bytes = Bytes.safeParse(data)
  return new CallReverted(text.slice(0, 200), bytes.success && bytes.data.length <= returnedMax ? bytes.data : null)
}
