// What a build must know of a market; all of it is in the catalog:
//
//   market.sourceMetadata.executionModel   clob; a pool takes no orders
//   market.sourceMetadata.exchange         the contract an order is signed for
//   market.sourceMetadata.feeModule, feeModuleType   where takers pay their fee in USDC
//   market.sourceMetadata.conditionId, negRisk, feesEnabled, collateral, collateralDecimals
//   outcome.metadata.tokenId
import { z } from 'zod'
import { Fault } from '#core/fault'
import type { LaneContext, ResolvedOutcome } from '../../lane.ts'
import { checkTakesOrders, incomplete, readFact, TickSize } from '../../shared/exec/catalogFacts.ts'
import { hexText, Uint } from '../../shared/exec/typedOrder.ts'
import { Address } from '../../shared/exec/walletBody.ts'
import { resolveSelector } from '../../shared/selector.ts'
import type { OrderBody } from './body.ts'

const Metadata = z.object({
  exchange: Address,
  conditionId: hexText(64),
  /** In another token an order's cash has a different scale. */
  collateral: z.literal('USDC'),
  /** Null: the venue does not say. Markets stored by earlier versions have none. */
  collateralDecimals: z.literal(6).nullish(),
  negRisk: z.boolean().optional(),
  /** Absent: the venue does not say. */
  feesEnabled: z.boolean().nullish(),
  feeModule: z.string().nullish(),
  feeModuleType: z.string().nullish(),
})

const Token = z.object({ tokenId: Uint })

export interface Facts extends z.infer<typeof Metadata> {
  slug: string
  outcomeId: string
  side: 'YES' | 'NO'
  tokenId: string
  /** Decimal string. */
  tick: string
}

export const gatherFacts = async ({ catalog }: LaneContext, body: OrderBody): Promise<Facts> => {
  const resolved = await resolveSelector(catalog, body)
  checkTakesOrders('outcome', resolved.market)
  return readFacts(resolved)
}

export function readFacts({ market, outcome, side }: ResolvedOutcome): Facts {
  if (market.sourceMetadata?.executionModel === 'amm') {
    throw new Fault('VALIDATION_ERROR', 'outcome: a pool trades this market; there are no orders for it', {
      exchange: 'limitless',
    })
  }
  if (market.outcomes.length !== 2) {
    throw incomplete('limitless', market.marketId, `${market.outcomes.length} outcomes where a market has YES and NO`)
  }
  return {
    ...readFact('limitless', market, Metadata, market.sourceMetadata),
    ...readFact('limitless', market, Token, outcome.metadata),
    slug: market.marketId,
    outcomeId: outcome.outcomeId,
    side,
    tick: readFact('limitless', market, TickSize, market.tickSize),
  }
}
