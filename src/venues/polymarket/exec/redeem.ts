// A redemption goes to the collateral adapter of the market's kind, which takes the tokens and pays pUSD.
import type { Built, LaneContext } from '../../lane.ts'
import {
  lossWarning,
  type RedeemBody,
  redeemPositions,
  redemption,
  resolveRedeemed,
} from '../../shared/exec/redemption.ts'
import { readCatalogFacts } from './facts.ts'
import { chainId, pusd, redeemAdapters } from './typedData.ts'

export async function buildRedeem({ catalog }: LaneContext, body: RedeemBody): Promise<Built> {
  const resolved = await resolveRedeemed(catalog, body)
  const { conditionId, negRisk } = readCatalogFacts(resolved)
  const to = negRisk ? redeemAdapters.negRisk : redeemAdapters.normal
  return redemption(
    { to, data: redeemPositions(pusd, conditionId), chainId },
    {
      owner: body.owner,
      warnings: [
        `the wallet that holds the tokens must send this, and must first have approved ${to} for them (setApprovalForAll)`,
        ...lossWarning(body, resolved),
      ],
    },
  )
}
