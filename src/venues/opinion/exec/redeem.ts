// A redemption goes to the contract that holds the shares, and pays in the market's token.
import type { Built, LaneContext } from '../../lane.ts'
import {
  lossWarning,
  type RedeemBody,
  redeemPositions,
  redemption,
  resolveRedeemed,
} from '../../shared/exec/redemption.ts'
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
