// A redemption goes to the collateral adapter of the market's kind, which takes the tokens and pays pUSD.
import { Fault } from '#core/fault'
import type { Market } from '#schemas/market'
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
import { isPositionId } from '../ids.ts'
import { readCall } from './artifact.ts'
import { readCatalogFacts } from './facts.ts'
import { chainId, conditionalTokens, pusd, redeemAdapters } from './typedData.ts'

export async function buildRedeem({ catalog }: LaneContext, body: RedeemBody): Promise<Built> {
  const resolved = await resolveRedeemed(catalog, body)
  const { conditionId, negRisk, protocol } = readCatalogFacts(resolved)
  if (protocol === 'v2') throw new Fault('NOT_IMPLEMENTED', isProtocol2, { exchange: 'polymarket' })
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

const isProtocol2 = 'positions of polymarket’s protocol 2 are redeemed at its Router, not built here'

export const obstacle = ({ sourceMetadata, outcomes }: Market): string | null =>
  sourceMetadata.protocol === 'v2' || outcomes.some(({ outcomeId }) => isPositionId(outcomeId)) ? isProtocol2 : null

/** Blocks of Polygon: about four minutes. */
export const confirmations = 128

export const sent = sentRedemption({
  venue: 'polymarket',
  chainId,
  confirmations,
  contracts: [conditionalTokens],
  readRedemption: readCall,
  conditionIn: (data) => redeemedCondition('polymarket', data),
  throughAdapter: true,
})
