// What a node of the lab's chain answers to one call, and what goes wrong with nodes.
import type { LabChain } from './chain.ts'

export interface NodeFaults {
  /** Blocks of one eth_getLogs at most. */
  rangeMax: number
  /** Blocks that this node is behind the chain. */
  behind: number
  /** Answers this status instead; null: answers. */
  status: number | null
  /** What it calls its chain. */
  chainId: number
  /** Answers these methods with something else than was asked. */
  lies: ReadonlyMap<string, (result: unknown) => unknown>
}

export const soundNode = (chainId: number): NodeFaults => ({
  rangeMax: 2_000,
  behind: 0,
  status: null,
  chainId,
  lies: new Map(),
})

export interface Call {
  id: unknown
  method: string
  params: readonly unknown[]
}

class Refusal extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

const hex = (value: number): string => `0x${value.toString(16)}`

/** `called`: how often each method was. */
export function createAnswers(
  chain: LabChain,
  faults: NodeFaults,
  called: Map<string, number>,
): (call: Call) => unknown {
  const headNumber = (): number => Math.max(1, chain.head.number - faults.behind)

  function numberOf(tag: unknown): number {
    if (tag === undefined || tag === 'latest') return headNumber()
    if (typeof tag !== 'string' || !/^0x[0-9a-f]+$/i.test(tag))
      throw new Refusal(-32602, `invalid block ${String(tag)}`)
    return Number.parseInt(tag, 16)
  }

  function blockOf(number: number): unknown {
    const block = number > headNumber() ? undefined : chain.block(number)
    if (block === undefined) return null
    const { hash, parentHash, timestamp, transactions } = block
    return {
      number: hex(number),
      hash,
      parentHash,
      timestamp: hex(timestamp),
      transactions: transactions.map(({ hash }) => hash),
    }
  }

  function logsOf(filter: Readonly<Record<string, unknown>>): unknown {
    const [from, to] = [numberOf(filter.fromBlock), numberOf(filter.toBlock)]
    if (to - from + 1 > faults.rangeMax) throw new Refusal(-32005, `query exceeds max block range ${faults.rangeMax}`)
    const anyOf = (wanted: unknown): readonly string[] | null =>
      wanted == null ? null : [wanted].flat().map((text) => String(text).toLowerCase())
    const addresses = anyOf(filter.address)
    const topics = Array.isArray(filter.topics) ? filter.topics.map(anyOf) : []
    const found = chain.logs(
      from,
      Math.min(to, headNumber()),
      (log) =>
        addresses?.includes(log.address) !== false &&
        topics.every((wanted, i) => wanted === null || wanted.includes(log.topics[i] ?? '')),
    )
    return found.map(({ block, transaction, log, index }) => ({
      ...log,
      blockNumber: hex(block.number),
      blockHash: block.hash,
      transactionHash: transaction.hash,
      logIndex: hex(index),
      removed: false,
    }))
  }

  function resultOf({ method, params }: Call): unknown {
    switch (method) {
      case 'eth_chainId':
        return hex(faults.chainId)
      case 'eth_blockNumber':
        return hex(headNumber())
      case 'eth_getBlockByNumber':
        return blockOf(numberOf(params[0]))
      case 'eth_getLogs':
        return logsOf((params[0] ?? {}) as Readonly<Record<string, unknown>>)
      case 'eth_call': {
        const { to = '', data = '0x' } = (params[0] ?? {}) as { to?: string; data?: string }
        return chain.calls.get(`${to.toLowerCase()}:${data.slice(0, 10).toLowerCase()}`)?.(data) ?? '0x'
      }
      default:
        throw new Refusal(-32601, `the method ${method} does not exist`)
    }
  }

  return (call) => {
    const { id, method } = call
    called.set(method, (called.get(method) ?? 0) + 1)
    try {
      const result = resultOf(call)
      const lie = faults.lies.get(method)
      return { jsonrpc: '2.0', id, result: lie === undefined ? result : lie(result) }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { jsonrpc: '2.0', id, error: { code: error.code, message: error.message } }
    }
  }
}
