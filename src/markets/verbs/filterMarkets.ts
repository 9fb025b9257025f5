// Keeps the caller's markets that fit. Pure: no row is fetched.
import { z } from 'zod'
import { MarketCriteria, matchesMarket } from '../criteria.ts'
import { defineVerb } from '../defineVerb.ts'
import { computed } from './shapes.ts'

/** Rows of one call; a body holds fewer of real ones. */
export const rowsMax = 1_000

export const filterMarkets = defineVerb({
  name: 'filterMarkets',
  summary: 'The given markets that fit a text or criteria',
  args: [
    { name: 'markets', kind: 'json' },
    { name: 'criteria', kind: 'text-or-json' },
  ],
  query: z.object({
    markets: z.array(z.looseObject({})).max(rowsMax),
    criteria: z.union([z.string().max(512), MarketCriteria]),
  }),
  data: z.array(z.looseObject({})),
  router: 'pure',
  handle: ({ query: { markets: rows, criteria } }, markets) =>
    computed(
      markets,
      rows.filter((row) => matchesMarket(row, criteria)),
    ),
})
