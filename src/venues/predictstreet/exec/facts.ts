// What a build must know of a market; all of it is in the catalog:
//
//   outcome.outcomeId                      the market's symbol and the outcome's number
//   outcome.metadata.tokenId               of markets with two outcomes
//   market.sourceMetadata.negRisk          false or absent means the binary exchange
import { z } from 'zod'
import type { LaneContext, ResolvedOutcome } from '../../lane.ts'
import { checkTakesOrders, incomplete, readFact } from '../../shared/exec/catalogFacts.ts'
import { Uint } from '../../shared/exec/typedOrder.ts'
import { resolveSelector } from '../../shared/selector.ts'
import { partsOf } from '../ids.ts'
import type { OrderBody } from './body.ts'

const Metadata = z.object({ negRisk: z.boolean().nullish() })
const Token = z.object({ tokenId: Uint })

export interface Facts {
  marketId: string
  outcomeId: string
  side: 'YES' | 'NO'
  symbol: string
  /** Its number in the market. */
  index: number
  tokenId: string
  negRisk: boolean
}

export const gatherFacts = async ({ catalog }: LaneContext, body: OrderBody): Promise<Facts> => {
  const resolved = await resolveSelector(catalog, body)
  checkTakesOrders('outcome', resolved.market)
  return readFacts(resolved)
}

function readFacts({ market, outcome, side }: ResolvedOutcome): Facts {
  const parts = partsOf(outcome.outcomeId)
  if (parts === null) throw incomplete('predictstreet', market.marketId, 'an outcome id without its symbol')
  const { negRisk } = readFact('predictstreet', market, Metadata, market.sourceMetadata)
  return {
    marketId: market.marketId,
    outcomeId: outcome.outcomeId,
    side,
    ...parts,
    ...readFact('predictstreet', market, Token, outcome.metadata),
    negRisk: negRisk === true,
  }
}
