// A daily volume covers the day before the venue's last report. If that is too long ago it becomes unknown, whatever happened to the
// market; the time of the venue's report on the row is unchanged.
import type { Event, Market } from '#schemas/market'
import type { Volume24hSource } from '#schemas/venues'
import { findMarketsOfEvents } from '#storage/postgres/catalog/findMarketsOfEvents'
import { findEventDocs, findOldVolumes } from '#storage/postgres/catalog/findOldVolumes'
import { deleteRunningTotals } from '#storage/postgres/catalog/runningTotals'
import { nextVersion } from '#storage/postgres/catalog/versions'
import type { Queryable } from '#storage/postgres/pool'
import { dailyVolume } from '#venues/shared/dailyVolume'
import { withVolume } from './dailyVolumes.ts'
import { eventRecord, marketRecord } from './records.ts'
import { reportGapMaxMs } from './runningTotal.ts'
import { rewriteEvents, rewriteMarkets, walksKeptDefaultMs } from './writeEvents.ts'

/** Markets per run; the rest waits for the next one. */
const marketsMax = 500

/** In its own transaction. Returns how many markets lost their volume. */
export async function expireVolumes(
  db: Queryable,
  venue: string,
  now: number,
  source: Volume24hSource,
  walksKeptMs: number = walksKeptDefaultMs,
): Promise<number> {
  const before = now - reportGapMaxMs
  // Usually there is nothing to do. Otherwise it checks again after taking the venue's version number: from then on there is no other
  // writer.
  const hasOld = (await findOldVolumes(db, venue, before, 1)).length > 0
  const place = hasOld ? { venue, version: await nextVersion(db, venue, walksKeptMs) } : null
  await deleteRunningTotals(db, venue, before)
  if (place === null) return 0
  const old = await findOldVolumes<Market>(db, venue, before, marketsMax)
  await rewriteMarkets(
    db,
    place,
    old.map(({ doc, position }) => marketRecord(withVolume(doc, null, source), position)),
  )
  const eventIds = [...new Set(old.flatMap(({ event_id }) => event_id ?? []))]
  const events = await findEventDocs<Omit<Event, 'markets'>>(db, venue, eventIds)
  const rows = await findMarketsOfEvents<Market>(
    db,
    events.map(({ id }) => ({ venue, id })),
  )
  const members = Map.groupBy(rows, ({ event_id }) => event_id)
  await rewriteEvents(
    db,
    place,
    events.map((event) => {
      const markets = (members.get(event.id) ?? []).map(({ doc }) => doc)
      return eventRecord({ ...event, markets, ...dailyVolume(markets) })
    }),
  )
  return old.length
}
