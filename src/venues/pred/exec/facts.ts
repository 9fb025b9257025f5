// What a build must know of a market; all of it is in the catalog, so the data half must write there:
//
//   market.sourceMetadata.parentMarketId     the path of every order
//   market.sourceMetadata.childMarketId      what is signed as questionId
//   market.sourceMetadata.contractAddress    of the parent: the contract the signature is for
//   market.tickSize
import { z } from 'zod'
import type { LaneContext, ResolvedOutcome } from '../../lane.ts'
import { checkTakesOrders, incomplete, readFact, TickSize } from '../../shared/exec/catalogFacts.ts'
import { type Hex, hexText } from '../../shared/exec/typedOrder.ts'
import { resolveSelector } from '../../shared/selector.ts'
import type { OrderBody } from './body.ts'

export interface Facts {
  marketId: string
  outcomeId: string
  side: 'YES' | 'NO'
  parentMarketId: Hex
  questionId: Hex
  exchange: Hex
  /** Decimal string of dollars. */
  tick: string
}

export const gatherFacts = async ({ catalog }: LaneContext, body: OrderBody): Promise<Facts> =>
  readCatalogFacts(await resolveSelector(catalog, body))

const Metadata = z.object({
  parentMarketId: hexText(64),
  childMarketId: hexText(64),
  contractAddress: hexText(40).refine((text) => BigInt(text) !== 0n),
})

export function readCatalogFacts({ market, outcome, side }: ResolvedOutcome): Facts {
  const { marketId, outcomes } = market
  checkTakesOrders('outcome', market)
  const metadata = readFact('pred', market, Metadata, market.sourceMetadata)
  const tick = readFact('pred', market, TickSize, market.tickSize)
  if (outcomes.length !== 2) throw incomplete('pred', marketId, `${outcomes.length} outcomes where a market has two`)
  const { parentMarketId, childMarketId: questionId, contractAddress: exchange } = metadata
  return { marketId, outcomeId: outcome.outcomeId, side, parentMarketId, questionId, exchange, tick }
}
