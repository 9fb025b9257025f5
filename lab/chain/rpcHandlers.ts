// How a node of the lab's chain answers one call, and the faults of nodes.
import type { LabChain } from './chain.ts'

export interface NodeFaults {
  /** Maximum blocks per eth_getLogs. */
  rangeMax: number
  /** Blocks by which this node lags the chain. */
  behind: number
  /** Answers with this status instead; null: answers normally. */
  status: number | null
  /** The chain id it reports. */
  chainId: number
  /** Falsifies the results of these methods. */
  falsifiers: ReadonlyMap<string, (result: unknown) => unknown>
}

export const healthyNode = (chainId: number): NodeFaults => ({
  rangeMax: 2_000,
  behind: 0,
  status: null,
  chainId,
  falsifiers: new Map(),
})

export interface Call {
  id: unknown
  method: string
  params: readonly unknown[]
}

export class Refusal extends Error {
  readonly code: number
  readonly data: string | undefined

  constructor(code: number, message: string, data?: string) {
    super(message)
    this.code = code
    this.data = data
  }
}

export const errorOf = ({ code, message, data }: Refusal): { code: number; message: string; data?: string } => ({
  code,
  message,
  ...(data !== undefined && { data }),
})

const zeroAddress = `0x${'0'.repeat(40)}`
const hex = (value: number): string => `0x${value.toString(16)}`

/** `called`: call counts per method. */
export function createAnswers(
  chain: LabChain,
  faults: NodeFaults,
  called: Map<string, number>,
): (call: Call) => unknown {
  const headNumber = (): number => Math.max(1, chain.head.number - faults.behind)

  function numberOf(tag: unknown): number {
    if (tag === undefined || tag === 'latest') return headNumber()
    if (tag === 'finalized' && chain.finalAfter !== null) return Math.max(1, headNumber() - chain.finalAfter)
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

  function receiptOf(hash: string): unknown {
    const found = chain.find(hash)
    if (found === null || found.block.number > headNumber()) return null
    const { block, transaction } = found
    const before = block.transactions.slice(0, block.transactions.indexOf(transaction))
    const first = before.reduce((sum, { logs }) => sum + logs.length, 0)
    return {
      transactionHash: hash,
      blockNumber: hex(block.number),
      blockHash: block.hash,
      from: transaction.call?.from,
      to: transaction.call?.to,
      status: transaction.isReverted === true ? '0x0' : '0x1',
      logs: transaction.logs.map((log, n) => ({
        ...log,
        blockNumber: hex(block.number),
        blockHash: block.hash,
        transactionHash: hash,
        logIndex: hex(first + n),
        removed: false,
      })),
    }
  }

  function transactionOf(hash: string): unknown {
    const call = chain.find(hash)?.transaction.call
    if (call === undefined) return null
    const { from, to, input, nonce } = call
    return { hash, from, to, input, value: '0x0', nonce: hex(nonce) }
  }

  function callContract({ to = '', data = '0x', from }: { to?: string; data?: string; from?: string }): string {
    const set = chain.calls.get(`${to.toLowerCase()}:${data.slice(0, 10).toLowerCase()}`)
    if (set !== undefined) return set(data)
    const result = chain.machine?.call({ from: (from ?? zeroAddress).toLowerCase(), to: to.toLowerCase(), input: data })
    if (result !== undefined && 'reverted' in result) throw new Refusal(3, 'execution reverted', result.reverted)
    return result?.returned ?? '0x'
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
        if (numberOf(params[1]) > headNumber()) throw new Refusal(-32000, 'header not found')
        return callContract((params[0] ?? {}) as { to?: string; data?: string; from?: string })
      }
      case 'eth_getTransactionReceipt':
        return receiptOf(String(params[0]).toLowerCase())
      case 'eth_getTransactionByHash':
        return transactionOf(String(params[0]).toLowerCase())
      case 'eth_getTransactionCount':
        return hex(chain.callsOf(String(params[0]).toLowerCase(), numberOf(params[1])).length)
      default:
        throw new Refusal(-32601, `the method ${method} does not exist`)
    }
  }

  return (call) => {
    const { id, method } = call
    called.set(method, (called.get(method) ?? 0) + 1)
    try {
      const result = resultOf(call)
      const falsify = faults.falsifiers.get(method)
      return { jsonrpc: '2.0', id, result: falsify === undefined ? result : falsify(result) }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { jsonrpc: '2.0', id, error: errorOf(error) }
    }
  }
}
