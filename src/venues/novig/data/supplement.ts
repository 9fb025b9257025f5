// Reads from the GraphQL what the public catalog lacks: volume, quotes and last prices. They are optional: after some failures the rest of
// the walk does not read them.
import { readRows, shapeReader } from '../../shared/data/rows.ts'
import type { VenueContext } from '../../venueContext.ts'
import { NovigEvent, type NovigMarket } from '../wire.ts'
import { getEvents } from './endpoints.ts'
import { readMarkets } from './normalize.ts'

const failuresMax = 3

export class Supplement {
  private readonly context: VenueContext
  private readonly byId = new Map<string, NovigMarket>()
  private failures = 0

  constructor(context: VenueContext) {
    this.context = context
  }

  async read(eventIds: readonly string[]): Promise<void> {
    this.byId.clear()
    if (this.failures >= failuresMax) return
    let rows: unknown[]
    try {
      rows = await getEvents(this.context, eventIds)
    } catch (error) {
      if (this.context.signal.aborted) throw error
      this.failures++
      this.context.log.warn({ err: error }, 'could not read volumes, quotes and last prices of some markets')
      return
    }
    const events = readRows(this.context, rows, { what: 'event', name: 'id', read: shapeReader(NovigEvent) })
    for (const event of events) {
      for (const market of readMarkets(this.context, event)) this.byId.set(market.id, market)
    }
  }

  market(marketId: string): NovigMarket | undefined {
    return this.byId.get(marketId)
  }
}
