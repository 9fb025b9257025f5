// What a build must know of a market. Its id says whether it is an order book or a pool, and on which network; the catalog's row has its
// collateral. The data half must write:
//
//   market.marketId                              56:ob:730, or 2741:amm:549
//   market.sourceMetadata.collateral             the token's symbol
//   market.sourceMetadata.collateralDecimals     of the token, and so of the shares
import { z } from 'zod'
import type { ResolvedOutcome } from '../../lane.ts'
import { incomplete, readFact } from '../../shared/exec/catalogFacts.ts'
import { type Model, outcomeOf } from '../ids.ts'

export interface CatalogFacts {
  marketId: string
  outcomeId: string
  side: 'YES' | 'NO'
  model: Model
  networkId: number
  /** As the contracts number them. */
  venueMarketId: string
  venueOutcomeId: number
  collateral: string
  decimals: number
}

const Metadata = z.object({ collateral: z.string(), collateralDecimals: z.int().min(0).max(18) })

export function readCatalogFacts({ market, outcome, side }: ResolvedOutcome): CatalogFacts {
  const { marketId, sourceMetadata } = market
  const { outcomeId } = outcome
  const place = outcomeOf(outcomeId)
  if (place === null || place.marketId !== marketId) {
    throw incomplete('myriad', marketId, 'an outcome that is not named by its market')
  }
  const { collateral, collateralDecimals: decimals } = readFact('myriad', market, Metadata, sourceMetadata)
  const { model, networkId, id, outcome: venueOutcomeId } = place
  return {
    marketId,
    outcomeId,
    side,
    model,
    networkId: Number(networkId),
    venueMarketId: id,
    venueOutcomeId: Number(venueOutcomeId),
    collateral,
    decimals,
  }
}
