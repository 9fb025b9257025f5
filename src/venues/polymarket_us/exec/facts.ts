// What a build needs to know: the market and the outcome, from the catalog. The venue's own reads would want a key.
import { Fault } from '#lib/fault'
import type { LaneContext } from '../../lane.ts'
import type { OrderBody } from './body.ts'
import { type CatalogFacts, readCatalogFacts } from './catalogFacts.ts'

export interface Facts {
  catalog: CatalogFacts
}

export async function gatherFacts({ catalog }: LaneContext, { marketId, outcomeId }: OrderBody): Promise<Facts> {
  const facts = readCatalogFacts(await catalog.outcome(outcomeId, marketId))
  if (facts.slug !== marketId || facts.outcomeId !== outcomeId) {
    throw new Fault('CATALOG_UNAVAILABLE', 'the catalog resolved another outcome than was asked for', {
      exchange: 'polymarket_us',
      detail: `${outcomeId} became ${facts.outcomeId}`,
    })
  }
  return { catalog: facts }
}
