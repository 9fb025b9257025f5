// Every active market by id. Written to the socket page by page: memory use does not grow with their number. Tape data (price changes,
// coverage) is left null here: it would be requested for every outcome of the venue at once. The lists carry it.
import { z } from 'zod'
import type { Market } from '#schemas/market'
import { defineVerb } from '../defineVerb.ts'
import type { Exchange } from '../exchange.ts'
import { toIso } from '../fields.ts'
import type { Markets } from '../markets.ts'
import type { CatalogPageOf, CatalogPosition } from '../ports.ts'
import { presentMarket } from '../qualifiedIds.ts'
import { oldest } from '../readList.ts'
import { MarketRow } from './shapes.ts'

const pageRows = 500

export const loadMarkets = defineVerb({
  name: 'loadMarkets',
  summary:
    'Every active market, as one object by market id. `reload` is accepted: the catalog is always current as of asOf. Price changes and coverage are null here; the lists carry them',
  args: [{ name: 'reload', kind: 'boolean' }],
  query: z.object({ reload: z.boolean().optional() }).meta({ examples: [{ reload: true }] }),
  data: z.record(z.string(), MarketRow),
  router: 'union',
  heavy: true,
  credits: 10,
  rowsPerCredit: 1_000,
  errors: ['CATALOG_UNAVAILABLE'],
  async handle({ exchange }, markets) {
    // The first page is awaited here, so that a failing catalog is a proper refusal and not a truncated answer.
    const first = await findPage(markets, exchange, undefined)
    // The total as of now: what is listed meanwhile is free.
    return { stream: write(markets, exchange, first), rows: first.total }
  },
})

/** By age, which hardly ever changes: rows need not be searched at their positions as of the walk's start. */
function findPage(
  markets: Markets,
  exchange: Exchange,
  after: CatalogPosition | undefined,
): Promise<CatalogPageOf<Market>> {
  const venues = exchange.venues.map((venue) => venue.slug)
  const filter = { venues, status: 'active' as const }
  return markets.catalog.findMarkets({
    filter,
    sort: 'newest',
    limit: pageRows,
    ...(after === undefined ? {} : { after }),
  })
}

async function* write(markets: Markets, exchange: Exchange, first: CatalogPageOf<Market>): AsyncIterable<Uint8Array> {
  yield Buffer.from('{"success":true,"data":{')
  let separator = ''
  let asOf = first.asOf
  for (let page = first; ; page = await findPage(markets, exchange, page.next)) {
    asOf = oldest(asOf, page.asOf)
    let text = ''
    for (const row of page.rows) {
      const market = presentMarket(exchange, row)
      text += `${separator}${JSON.stringify(market.marketId)}:${JSON.stringify(market)}`
      separator = ','
    }
    if (text !== '') yield Buffer.from(text)
    if (page.next === null) break
  }
  const provenance = JSON.stringify({ source: 'catalog', ...(markets.lab === true && { lab: true }) })
  yield Buffer.from(`},"asOf":${JSON.stringify(toIso(asOf))},"provenance":${provenance}}`)
}
