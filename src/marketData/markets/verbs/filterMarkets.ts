// Keeps the caller's markets that match. Pure: no row is fetched.
import { z } from 'zod'
import { MarketCriteria, matchesMarket } from '../criteria.ts'
import { defineVerb } from '../defineVerb.ts'
import { filterBodyBytesMax, filterRows, rowsMax } from './filterRows.ts'

export const filterMarkets = defineVerb({
  name: 'filterMarkets',
  summary: 'The given markets that match a text or criteria',
  args: [
    { name: 'markets', kind: 'json' },
    { name: 'criteria', kind: 'text-or-json' },
  ],
  query: z
    .object({
      markets: z.array(z.looseObject({})).max(rowsMax),
      criteria: z.union([z.string().max(512), MarketCriteria]),
    })
    .meta({ examples: [{ markets: [{ title: 'Yes we can' }], criteria: 'yes' }] }),
  data: z.array(z.looseObject({})),
  router: 'pure',
  bodyBytesMax: filterBodyBytesMax,
  handle: ({ query: { markets: rows, criteria } }, markets) =>
    filterRows(markets, rows, (row) => matchesMarket(row, criteria)),
})
