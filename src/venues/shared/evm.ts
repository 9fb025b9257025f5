// Reads contracts at the operator's nodes (`urls.RPC`, CROSSBOOK_<VENUE>_RPC_URL, a comma-separated list): viem encodes the call and decodes the
// result. Each read names its block. A revert by the contract is CallReverted; bytes that do not decode are a fault, never a value.
import {
  type Abi,
  type ContractFunctionName,
  type ContractFunctionParameters,
  type ContractFunctionReturnType,
  decodeFunctionResult,
  encodeFunctionData,
  encodeFunctionResult,
  multicall3Abi,
} from 'viem'
import { Fault } from '#core/fault'
import { type BlockTag, CallReverted, type ChainNode, createChainNode } from '#net/chainNode'
import type { HttpClient } from '#net/http'
import { createRpc, nodeUrls, RpcNodes } from '#net/rpc'
import type { Hex } from './exec/typedOrder.ts'

interface NodeContext {
  http: HttpClient
  urls: Readonly<Record<string, string>>
  signal: AbortSignal
}

export const hasNodes = ({ urls }: Pick<NodeContext, 'urls'>): boolean => urls.RPC !== undefined

/**
 * Knowledge about a node, above all that it is on the right chain, outlives the single call that a context is made for.
 */
const known = new WeakMap<HttpClient, Map<string, RpcNodes>>()

/** The chain's nodes of this context. `exchange`: named in faults. Throws NOT_SUPPORTED when none is configured. */
export function nodesOf({ http, urls: { RPC } }: Omit<NodeContext, 'signal'>, exchange: string, chainId: number) {
  if (RPC === undefined) throw new Fault('NOT_SUPPORTED', 'no node of its chain is configured', { exchange })
  const mine = known.get(http) ?? new Map<string, RpcNodes>()
  known.set(http, mine)
  const key = `${chainId} ${RPC}`
  const nodes = mine.get(key) ?? new RpcNodes({ http, urls: nodeUrls(RPC), chainId, exchange })
  mine.set(key, nodes)
  return nodes
}

export const chainOf = (context: NodeContext, exchange: string, chainId: number): ChainNode =>
  createChainNode(createRpc(nodesOf(context, exchange, chainId), context.signal), exchange)

type View = 'view' | 'pure'
interface Erased {
  address: Hex
  abi: Abi
  functionName: string
  args?: readonly unknown[]
}

/** What the call returns, as viem types it. Throws CallReverted, and NETWORK_ERROR. */
export async function readContract<const A extends Abi, N extends ContractFunctionName<A, View>>(
  node: ChainNode,
  call: ContractFunctionParameters<A, View, N>,
  at: BlockTag,
): Promise<ContractFunctionReturnType<A, View, N>> {
  const erased = call as unknown as Erased
  const returned = await node.call({ to: erased.address, data: encodeFunctionData(erased) }, at)
  const value = decoded(erased, returned)
  if (value !== nothing) return value as ContractFunctionReturnType<A, View, N>
  throw strange(node, `${erased.functionName}: ${returned.slice(0, 100)}`)
}

const strange = ({ exchange }: ChainNode, detail: string): Fault =>
  new Fault('NETWORK_ERROR', 'the node sent an impossible answer', { exchange, detail })

/** The same address on every chain that has it. https://www.multicall3.com */
const multicall: Hex = '0xcA11bde05977b3631167028862bE2a173976CA11'

/** Many calls in one, at one block, in order; null for a call that reverts or does not decode, without affecting the others. */
export async function readContracts(
  node: ChainNode,
  calls: readonly Erased[],
  at: BlockTag,
): Promise<(unknown | null)[]> {
  if (calls.length === 0) return []
  const results = await readContract(
    node,
    {
      address: multicall,
      abi: multicall3Abi,
      functionName: 'aggregate3',
      args: [calls.map((call) => ({ target: call.address, allowFailure: true, callData: encodeFunctionData(call) }))],
    },
    at,
  ).catch((error: unknown) => {
    // Multicall itself never reverts: it reports the reverts of others.
    throw error instanceof CallReverted ? strange(node, error.message) : error
  })
  if (results.length !== calls.length) throw strange(node, `${results.length} results of ${calls.length} calls`)
  return calls.map((call, n) => {
    const { success, returnData } = results[n]!
    const value = success ? decoded(call, returnData) : nothing
    return value === nothing ? null : value
  })
}

const nothing = Symbol('no such answer')

/** Decoded and re-encoded: bytes with a second possible reading are rejected. */
function decoded({ abi, functionName, args }: Omit<Erased, 'address'>, data: Hex): unknown {
  try {
    const result: unknown = decodeFunctionResult({ abi, functionName, data, ...(args && { args }) })
    return encodeFunctionResult({ abi, functionName, result }) === data ? result : nothing
  } catch {
    return nothing
  }
}
