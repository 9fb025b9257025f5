// What a pool's contract says, read at the operator's node: many calls in one, by the chain's own Multicall3. A call that the contract refuses costs
// no other one. https://github.com/UsamaShafique/rain-sdk-v2 (src/abi/MarketsAbi.ts)
import { decodeFunctionResult, encodeFunctionData, type Hex, multicall3Abi, parseAbi } from 'viem'
import { arbitrum } from 'viem/chains'
import { Fault } from '#lib/fault'
import { read, unreadable } from '../../shared/data/rest.ts'
import type { VenueContext } from '../../venue.ts'
import { RpcAnswer } from '../wire.ts'

export const poolAbi = parseAbi([
  'function getCurrentPrice(uint256 option, uint8 optionSide) view returns (uint256)',
  'function optionTotalFunds(uint256 option) view returns (uint256)',
  'function getEntryShares(uint256 option, uint8 optionSide, uint256 amount) view returns (uint256 returnedShares, uint256 expectedReward)',
])

export type PoolCall = { pool: string } & (
  | { functionName: 'getCurrentPrice'; args: readonly [option: bigint, side: number] }
  | { functionName: 'optionTotalFunds'; args: readonly [option: bigint] }
  | { functionName: 'getEntryShares'; args: readonly [option: bigint, side: number, amount: bigint] }
)

const what = 'eth_call'

export const hasNode = ({ urls }: Pick<VenueContext, 'urls'>): boolean => urls.RPC !== undefined

/** The first value of each answer, in the order of the calls; null for what the contract refused. Throws NOT_SUPPORTED without a node. */
export async function callPools(context: VenueContext, calls: readonly PoolCall[]): Promise<(bigint | null)[]> {
  if (!hasNode(context))
    throw new Fault('NOT_SUPPORTED', 'its prices are read from its chain, and no node is configured', {
      exchange: context.venue,
    })
  if (calls.length === 0) return []
  const data = encodeFunctionData({
    abi: multicall3Abi,
    functionName: 'aggregate3',
    args: [
      calls.map((call) => ({
        target: call.pool as Hex,
        allowFailure: true,
        callData: encodeFunctionData({ abi: poolAbi, ...call }),
      })),
    ],
  })
  const to = arbitrum.contracts.multicall3.address
  const send = { jsonrpc: '2.0', id: 1, method: what, params: [{ to, data }, 'latest'] }
  const answer = await read(context, {
    base: 'RPC',
    path: '',
    what,
    method: 'POST',
    send,
    body: RpcAnswer,
    isUnknown: () => false,
  })
  if (answer === null || 'error' in answer)
    throw unreadable(context, what, answer?.error.message.slice(0, 200) ?? 'nothing')
  const results = decoded(() =>
    decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data: answer.result as Hex }),
  )
  if (results?.length !== calls.length) throw unreadable(context, what, 'other results than were asked for')
  return calls.map(({ functionName }, n) => {
    const { success, returnData } = results[n]!
    const value = success ? decoded(() => decodeFunctionResult({ abi: poolAbi, functionName, data: returnData })) : null
    return typeof value === 'bigint' ? value : (value?.[0] ?? null)
  })
}

/** Null for bytes that are no such answer. */
function decoded<T>(decode: () => T): T | null {
  try {
    return decode()
  } catch {
    return null
  }
}
