// A wallet's balance of a token, read from its contract.
import { erc20Abi } from 'viem'
import { fromUnits } from '#core/decimal'
import type { HeldBalance } from '../../holdings.ts'
import type { LaneContext } from '../../lane.ts'
import { chainOf, hasNodes, readContract } from '../evm.ts'
import type { Hex } from './typedOrder.ts'

interface Token {
  venue: string
  chainId: number
  address: Hex
  symbol: string
  decimals: number
}

/** The amount is null without a node, and when the node does not answer: the positions do not depend on it. */
export async function readTokenBalance(
  context: LaneContext,
  { venue, chainId, address, symbol, decimals }: Token,
  wallet: Hex,
): Promise<HeldBalance> {
  const unknown = { currency: symbol, total: null, available: null }
  if (!hasNodes(context)) return unknown
  try {
    const call = { address, abi: erc20Abi, functionName: 'balanceOf', args: [wallet] } as const
    const units = await readContract(chainOf(context, venue, chainId), call, 'latest')
    return { ...unknown, total: fromUnits(units, decimals) }
  } catch (error) {
    context.signal.throwIfAborted()
    context.log.warn({ err: error }, 'the node did not return the balance')
    return unknown
  }
}
