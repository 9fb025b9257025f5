// A redemption goes to the conditional tokens contract itself, which pays USDC.
// https://docs.limitless.exchange/user-guide/market-resolution
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
import { readCall } from './artifact.ts'
import { readFacts } from './facts.ts'
import { chainId, conditionalTokens, usdc } from './typedData.ts'

export async function buildRedeem({ catalog }: LaneContext, body: RedeemBody): Promise<Built> {
  const resolved = await resolveRedeemed(catalog, body)
  const { conditionId, negRisk } = readFacts(resolved)
  // Its tokens are an adapter's, whose calls are undocumented.
  if (negRisk !== false) {
    throw new Fault('NOT_IMPLEMENTED', isNegRisk, { exchange: 'limitless' })
  }
  return redemption(
    { to: conditionalTokens, data: redeemPositions(usdc, conditionId), chainId },
    {
      owner: body.owner,
      warnings: ['the wallet that holds the tokens must send this', ...lossWarning(body, resolved)],
    },
  )
}

const isNegRisk = 'limitless publishes no call that redeems a negative-risk market'

export const obstacle = ({ sourceMetadata }: Market): string | null =>
  sourceMetadata.negRisk === false ? null : isNegRisk

/** Blocks of Base: two minutes. */
export const confirmations = 60

export const sent = sentRedemption({
  venue: 'limitless',
  chainId,
  confirmations,
  contracts: [conditionalTokens],
  readRedemption: readCall,
  conditionIn: (data) => redeemedCondition('limitless', data),
})
