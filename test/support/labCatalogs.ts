// The catalogs of the two lab venues, read through the real adapters into a real database.

import { readConfig } from '#config'
import { systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { startLab } from '#lab/lab'
import { createPostgresCatalog } from '#marketData/catalog/postgresCatalog'
import { openVenues } from '#roles/venues'
import type { Pool } from '#storage/postgres/pool'

export async function walkLabCatalogs(pool: Pool): Promise<void> {
  const lab = await startLab({ seed: 'matcher', ratePerSecond: 0 })
  const venues = openVenues(
    readConfig({
      VENUES: 'polymarket,kalshi',
      CROSSBOOK_POLYMARKET_GAMMA_URL: lab.polymarket.urls.GAMMA,
      CROSSBOOK_KALSHI_REST_URL: lab.kalshi.urls.REST,
      CROSSBOOK_KALSHI_API_KEY_ID: lab.kalshi.credentials.API_KEY_ID,
      CROSSBOOK_KALSHI_PRIVATE_KEY_PEM: lab.kalshi.credentials.PRIVATE_KEY_PEM,
    }),
    { clock: systemClock, log: silentLog },
  )
  try {
    const catalog = createPostgresCatalog(pool, { clock: systemClock })
    for (const { manifest, context } of venues.list) {
      for await (const page of manifest.data.walkCatalog(context, { updatedSinceMs: null }))
        await catalog.upsertEvents(manifest.slug, page.events, page.series, systemClock.now())
    }
  } finally {
    await venues.close()
    await lab.stop()
  }
}
