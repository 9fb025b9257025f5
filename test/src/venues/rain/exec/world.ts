// A pool in the catalog, a throwaway wallet, and a scripted chain.
import { decodeFunctionData, encodeFunctionResult, type Hex, multicall3Abi, parseAbi, toFunctionSelector } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { JsonObject } from '#schemas/executions'
import { binaryMarket, type Reply, type Seen } from '#test/support/laneWorld'

/** Hardhat's first account: public. */
export const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
export const owner = account.address

export const pool = '0x5921a9201ca251e9596ede57b67125d5c42c6077'
export const usdt = '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9'
export const official = '0x38B3Ba1ee001E6785224E31b3031ae96CA06C677'
export const marketId = `${pool}:2`

export const market = (
  given: Record<string, unknown> = {},
  { status = 'active' as 'active' | 'closed' | 'resolved', id = marketId, contractAddress = pool } = {},
) =>
  binaryMarket('rain', id, [`${id}:1`, `${id}:2`], {
    status,
    sourceMetadata: { collateralToken: usdt, collateral: 'USDT', collateralDecimals: 6, option: 2, ...given },
  }).map((row) => ({ ...row, market: { ...row.market, contractAddress } }))

export const buy = { outcome: marketId, outcomeSide: 'YES', isBuy: true, price: '0.4', amount: '20', owner }

/** Signs a built transaction like a wallet does. */
export const sign = (unsigned: JsonObject, nonce = 0, more: object = {}, by = account): Promise<Hex> =>
  by.signTransaction({
    type: 'eip1559',
    chainId: Number(unsigned.chainId),
    to: unsigned.to as Hex,
    data: unsigned.data as Hex,
    value: 0n,
    nonce,
    gas: 500_000n,
    maxFeePerGas: 100_000_000n,
    maxPriorityFeePerGas: 0n,
    ...more,
  })

const views = parseAbi([
  'function FACTORY() view returns (address)',
  'function baseToken() view returns (address)',
  'function numberOfOptions() view returns (uint256)',
  'function facetAddress(bytes4 selector) view returns (address)',
  'function decimals() view returns (uint8)',
  'function createdPools(address pool) view returns (bool)',
  'function diamondTradingFacet() view returns (address)',
  'function diamondCancelOrderFacet() view returns (address)',
  'function diamondClaimFacet() view returns (address)',
  'function getEntryShares(uint256 option, uint8 optionSide, uint256 amount) view returns (uint256, uint256)',
  'function firstBuyOrderPrice(uint256 option, uint8 optionSide) view returns (uint256)',
  'function orderBook(uint256 option, uint8 optionSide, uint256 price, uint256 orderID) view returns (bool, int256)',
])
type View = (typeof views)[number]['name']

export const facet = `0x${'fa'.repeat(20)}`
export const block = { number: 1_000, timestamp: 1_790_000_000 }

/** Contract return values by function; null reverts. A function value is called with the arguments and the contract address. */
export type ContractReturns = Partial<Record<View, unknown | ((args: readonly unknown[], to: string) => unknown)>>
const usual: ContractReturns = {
  FACTORY: official,
  baseToken: usdt,
  numberOfOptions: 3n,
  facetAddress: facet,
  decimals: 6,
  createdPools: true,
  diamondTradingFacet: facet,
  diamondCancelOrderFacet: facet,
  diamondClaimFacet: facet,
  getEntryShares: [50_000_000n, 50_000_000n],
  firstBuyOrderPrice: 390_000_000_000_000_000n,
  orderBook: [true, 0n],
}

export interface Chain {
  returns?: ContractReturns
  /** The error of a wallet’s call: revert bytes, or a message without bytes; null: it succeeds. */
  refuses?: Hex | string | null
  /** Additional methods of the node, by name. */
  methods?: Record<string, (params: readonly unknown[]) => unknown>
}

interface RpcRequest {
  id: number
  method: string
  params: readonly [{ to: string; data: Hex; from?: string }, string]
}

/** The selector of the error. */
export const errorOf = (name: string): Hex => toFunctionSelector(`${name}()`)

export function answerOf({ returns = {}, refuses = null, methods = {} }: Chain, request: RpcRequest): object {
  const { id, method, params } = request
  const result = (value: unknown): object => ({ jsonrpc: '2.0', id, result: value })
  const given = methods[method]
  if (given !== undefined) return result(given(params))
  if (method === 'eth_chainId') return result('0xa4b1')
  if (method === 'eth_getTransactionReceipt' || method === 'eth_getTransactionByHash') return result(null)
  if (method === 'eth_blockNumber') return result(`0x${block.number.toString(16)}`)
  if (method === 'eth_getBlockByNumber') {
    const [tag] = params as unknown as [string]
    const [newest, timestamp] = [block.number, block.timestamp].map((value) => `0x${value.toString(16)}`)
    return result({ number: tag === 'latest' ? newest : tag, hash: `0x${'b'.repeat(64)}`, timestamp })
  }
  const [{ to, data, from }] = params
  // Methods that this node does not have.
  if (data === undefined) return { jsonrpc: '2.0', id, error: { code: -32601, message: `no ${method} here` } }
  if (from !== undefined) {
    if (refuses === null) return result('0x')
    const isBytes = refuses.startsWith('0x')
    const error = { code: 3, message: isBytes ? 'execution reverted' : refuses, ...(isBytes && { data: refuses }) }
    return { jsonrpc: '2.0', id, error }
  }
  const { functionName, args } = decodeFunctionData({ abi: [...multicall3Abi, ...views], data })
  if (functionName !== 'aggregate3') {
    const returned = viewOf(returns, to, data)
    if (returned !== null) return result(returned)
    return { jsonrpc: '2.0', id, error: { code: 3, message: 'execution reverted' } }
  }
  const results = (args as readonly [readonly { target: string; callData: Hex }[]])[0].map(({ target, callData }) => {
    const returnData = viewOf(returns, target, callData)
    return { success: returnData !== null, returnData: returnData ?? ('0x' as const) }
  })
  return result(encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result: results }))
}

function viewOf(returns: ContractReturns, to: string, data: Hex): Hex | null {
  const { functionName, args } = decodeFunctionData({ abi: views, data })
  const scripted = functionName in returns ? returns[functionName] : usual[functionName]
  const value: unknown = typeof scripted === 'function' ? scripted(args ?? [], to) : scripted
  return value === null ? null : encodeFunctionResult({ abi: views, functionName, result: value as never })
}

/** Acts as the node, as the server of a lane’s world. */
export const nodeOf =
  (chain: Chain = {}) =>
  ({ text }: Pick<Seen, 'text'>): Reply => {
    const request = JSON.parse(text) as RpcRequest | RpcRequest[]
    return { body: Array.isArray(request) ? request.map((each) => answerOf(chain, each)) : answerOf(chain, request) }
  }
