// What a pool would trade for a value, read from its contract at one block, if the operator has a node of its network.
import { CallReverted } from '#net/chainNode'
import type { LaneContext } from '../../lane.ts'
import { chainOf, readContract } from '../../shared/evm.ts'
import type { CatalogFacts } from './catalogFacts.ts'
import { predictionMarketOf, quoteAbi } from './contracts.ts'
import { hasRpcNode } from './transaction.ts'
import { chainId } from './typedData.ts'

export interface PoolQuote {
  /** Base units that a buyer gets, or a seller gives. Null: the pool refuses. */
  shares: bigint | null
  /** The block of the read. */
  block: number
}

/** Null without a node of its network. Throws NETWORK_ERROR. */
export async function readQuote(
  context: LaneContext,
  { networkId, venueMarketId, venueOutcomeId }: CatalogFacts,
  { isBuy, value }: { isBuy: boolean; value: bigint },
): Promise<PoolQuote | null> {
  const address = predictionMarketOf(networkId)
  if (address === null || !hasRpcNode(context, networkId)) return null
  const node = chainOf(context, 'myriad', chainId)
  const block = await node.head()
  const functionName = isBuy ? 'calcBuyAmount' : 'calcSellAmount'
  const args = [value, BigInt(venueMarketId), BigInt(venueOutcomeId)] as const
  try {
    return { shares: await readContract(node, { address, abi: quoteAbi, functionName, args }, block), block }
  } catch (error) {
    if (error instanceof CallReverted) return { shares: null, block }
    throw error
  }
}
