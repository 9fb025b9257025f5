// A redemption of a resolved market: one transaction, sent by whoever holds the tokens. The adapter takes both sides, so the amounts are
// whatever the wallet holds.
import { encodeFunctionData, parseAbi } from 'viem'
import { Fault } from '#lib/fault'
import type { Built, LaneContext } from '../../lane.ts'
import type { RedeemBody } from './body.ts'
import { readCatalogFacts } from './facts.ts'
import { chainId, type Hex, pusd, redeemAdapters, zeroBytes32 } from './typedData.ts'

const abi = parseAbi(['function redeemPositions(address, bytes32, bytes32, uint256[])'])

export async function buildRedeem({ catalog }: LaneContext, body: RedeemBody): Promise<Built> {
  const { asset, outcome, outcomeSide = 'YES', owner } = body
  const resolved = await (asset === undefined ? catalog.side(outcome!, outcomeSide) : catalog.outcome(asset))
  if (resolved.market.status === 'active') {
    throw new Fault('VALIDATION_ERROR', 'outcome: this market still trades; there is nothing to redeem')
  }
  const { conditionId, negRisk } = readCatalogFacts(resolved)
  const to = negRisk ? redeemAdapters.negRisk : redeemAdapters.normal
  return {
    unsigned: { to, data: redeemCalldata(conditionId), value: '0', chainId },
    terms: null,
    notionalUsd: null,
    feeEstimate: null,
    bounds: { kind: 'redeem', to, conditionId },
    clientRef: null,
    warnings: [
      `the wallet that holds the tokens must send this, and must first have approved ${to} for them (setApprovalForAll)`,
    ],
    owner,
  }
}

export const redeemCalldata = (conditionId: Hex): Hex =>
  encodeFunctionData({ abi, functionName: 'redeemPositions', args: [pusd, zeroBytes32, conditionId, [1n, 2n]] })
