// State of a pool's contract, read at the operator's node: many calls in one, by the chain's own Multicall3. A reverting call does not affect the
// others. https://github.com/UsamaShafique/rain-sdk-v2 (src/abi/MarketsAbi.ts)
import { type Hex, parseAbi } from 'viem'
import { Fault } from '#core/fault'
import { chainOf, hasNodes, readContracts } from '../../shared/evm.ts'
import type { VenueContext } from '../../venueContext.ts'
import { chainId } from '../ids.ts'

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

/** The first value of each result, in the order of the calls; null for a reverted call. Throws NOT_SUPPORTED without a node. */
export async function callPools(context: VenueContext, calls: readonly PoolCall[]): Promise<(bigint | null)[]> {
  if (!hasNodes(context))
    throw new Fault('NOT_SUPPORTED', 'its prices are read from its chain, and no node is configured', {
      exchange: context.venue,
    })
  const node = chainOf(context, context.venue, chainId)
  const answers = await readContracts(
    node,
    calls.map(({ pool, ...call }) => ({ address: pool as Hex, abi: poolAbi, ...call })),
    'latest',
  )
  return answers.map((answer) => {
    const first: unknown = Array.isArray(answer) ? answer[0] : answer
    return typeof first === 'bigint' ? first : null
  })
}
