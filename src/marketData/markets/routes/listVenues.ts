// Which venues are served here and what each can do, from their manifests. Dark venues and sandboxes are not listed.

import { z } from 'zod'
import { snapshotFields } from '#schemas/envelope'
import { LeaderboardWindow } from '#schemas/traders'
import { type ServedVenue, servedVenues, venueCapabilities } from '#schemas/venues'
import { defineRoute } from '#server/http/defineRoute'
import type { EnabledFeatures } from '#server/http/enabledRoutes'
import { isEnabled } from '#server/http/featureFlags'
import { traderAbilities } from '#venues/traderData'
import { showsOpenOrders, showsOptionPrices } from '#venues/venue'
import { toIso } from '../fields.ts'
import type { Markets, MarketsDeps } from '../markets.ts'
import type { VenueReads } from '../ports.ts'
import { Flags, flagsOf } from '../verbs/has.ts'
import { verbs } from '../verbs.ts'

const VenueRow = z
  .object({
    venue: z.string(),
    title: z.string(),
    book: z.enum(['clob', 'clob_or_amm', 'offers', 'emulated']).describe('offers: rebuilt from what peers offer'),
    depth: z.enum(['yes', 'no', 'per-market', 'degraded']),
    volume24h: z.union([z.object({ source: z.string(), unit: z.string() }), z.literal(false)]),
    /** How old its reads may be because it caches; null: it does not cache. */
    stalenessMs: z.number().int().nullable(),
    execution: z.boolean().describe('takes orders; GET /v1/exec/venues says which lanes are armed'),
    /** CAIP-2, and the token as the chain writes it; null: unknown, and not reachable by the bridge. */
    deposit: z
      .object({ chain: z.string(), token: z.string(), symbol: z.string(), decimals: z.number().int().nullable() })
      .nullable(),
    traders: z
      .object({
        trades: z.boolean(),
        holders: z.boolean(),
        leaderboard: z
          .partialRecord(z.enum(['profit', 'volume', 'score']), z.array(LeaderboardWindow))
          .nullable()
          .describe('its rankings, with their windows'),
        wallet: z.boolean(),
        walletTrades: z.boolean(),
      })
      .nullable()
      .describe('what /v1/traders serves for it here; null: nothing'),
    openOrders: z.boolean().describe('whether an account’s open orders can be read by anyone here'),
    optionPrices: z.boolean().describe('whether the stream has prices of its pools (subscribePrice)'),
    pendingTrades: z.boolean().describe('whether its trades are seen before their block here (filters.status)'),
    capabilities: Flags.describe('as GET /api/{exchange}/has'),
  })
  .meta({ id: 'Venue' })

export const listVenues = defineRoute({
  operationId: 'listVenues',
  method: 'get',
  path: '/v1/venues',
  access: { scope: 'read', credits: 0 },
  summary: 'The venues served here, with their capabilities',
  tag: 'markets',
  data: z.array(VenueRow),
  topLevelFields: snapshotFields,
  handle(_, { markets, served }: MarketsDeps & { served: EnabledFeatures }) {
    const data = servedVenues.flatMap((slug) => {
      const reads = markets.venues.get(slug)
      return reads === undefined ? [] : [rowOf(markets, served, slug, reads)]
    })
    return { data, siblings: { asOf: toIso(markets.clock.now()), provenance: { source: 'computed' } } }
  },
})

function rowOf(
  markets: Markets,
  { families, pendingTrades }: EnabledFeatures,
  slug: ServedVenue,
  { manifest, data, volume24h, context }: VenueReads,
) {
  const { book, depth, stalenessMs } = venueCapabilities[slug]
  const { chain, token, symbol, decimals } = manifest.deposit ?? {}
  return {
    venue: slug,
    title: manifest.title,
    book,
    depth,
    volume24h,
    stalenessMs: stalenessMs ?? null,
    execution: manifest.exec !== undefined,
    deposit: manifest.deposit === undefined ? null : { chain, token, symbol, decimals },
    traders:
      manifest.traders === undefined || !isEnabled('traders', families) ? null : traderAbilities(manifest.traders),
    openOrders: isEnabled('openOrders', families) && showsOpenOrders(data, context),
    optionPrices: showsOptionPrices(data, context),
    pendingTrades: pendingTrades === slug,
    capabilities: flagsOf(markets.exchangeOf(slug), verbs),
  }
}
