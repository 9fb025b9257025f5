// What a build needs to know: the instrument and its leg, from the catalog.
import type { LaneContext } from '../../lane.ts'
import { resolveSelector } from '../../shared/selector.ts'
import type { OrderBody } from './body.ts'
import { type CatalogFacts, readCatalogFacts } from './catalogFacts.ts'

export interface Facts {
  catalog: CatalogFacts
}

export async function gatherFacts({ catalog }: LaneContext, body: OrderBody): Promise<Facts> {
  return { catalog: readCatalogFacts(await resolveSelector(catalog, body)) }
}
