// A redemption goes to the contract that holds the shares, and pays in the market's token.
import type { Built, LaneContext } from '../../lane.ts'
import {
  lossWarning,
  type RedeemBody,
  redeemedCondition,
  redeemPositions,
  redemption,
  resolveRedeemed,
} from '../../shared/exec/redemption.ts'
import { sentRedemption } from '../../shared/exec/sentRedemption.ts'
import { readCall } from './artifact.ts'
import { readCatalogFacts } from './facts.ts'
import { chainId, conditionalTokens } from './typedData.ts'

export async function buildRedeem({ catalog }: LaneContext, body: RedeemBody): Promise<Built> {
  const resolved = await resolveRedeemed(catalog, body)
  const { quoteToken, conditionId } = readCatalogFacts(resolved)
  return redemption(
    { to: conditionalTokens, data: redeemPositions(quoteToken, conditionId), chainId },
    {
      owner: body.owner,
      warnings: [
        'the wallet that holds the tokens must send this: a Safe as a transaction of its own',
        ...lossWarning(body, resolved),
      ],
    },
  )
}

/** As at https://docs.bnbchain.org/bnb-smart-chain/developers/json_rpc/bsc-api-list/: half of 21 validators, eight blocks each in a row. */
export const confirmations = 88

export const sent = sentRedemption({
  venue: 'opinion',
  chainId,
  confirmations,
  contracts: [conditionalTokens],
  readRedemption: readCall,
  conditionIn: (data) => redeemedCondition('opinion', data),
})
