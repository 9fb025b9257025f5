// The catalog as lanes use it: an event with all of its markets, whatever their status.
import { expect, it } from 'vitest'
import { createPostgresCatalog } from '#marketData/catalog/postgresCatalog'
import { createLaneCatalog } from '#orders/executions/index'
import { eventOf, marketOf } from '#test/src/server/http/world'
import { withPostgres } from '#test/support/postgres'

const pg = withPostgres()

it('finds an event with its markets, also those that ended; null for one that is unknown', async () => {
  const catalog = createPostgresCatalog(pg.pool)
  const event = eventOf('polymarket', [
    marketOf('polymarket', 'e-open', ['e-oy', 'e-on']),
    marketOf('polymarket', 'e-ended', ['e-ey', 'e-en'], { status: 'resolved', eventId: 'event-e-open' }),
  ])
  await catalog.upsertEvents('polymarket', [event], [], 1_000)
  const lane = createLaneCatalog(catalog, 'polymarket')
  const found = await lane.event!(event.id)
  expect(found?.markets.map(({ marketId }) => marketId).sort()).toEqual(['e-ended', 'e-open'])
  expect(await lane.event!('no-such-event')).toBeNull()
  expect(await createLaneCatalog(catalog, 'limitless').event!(event.id)).toBeNull()
})

it('has no events where they cannot be read', () => {
  const { findEvents: _none, ...catalog } = createPostgresCatalog(pg.pool)
  expect(createLaneCatalog(catalog, 'polymarket').event).toBeUndefined()
})
