// A fixture as users read it, and how far the answer containing it can be trusted.
import { z } from 'zod'
import { Fault } from '#core/fault'
import { competitionOf } from '#matching/read/games/competitions'
import type { FixtureRow } from '#schemas/sports'
import { type IndexedFixture, statusOf } from './fixtureIndex.ts'
import type { FixtureSnapshot, SportsDeps } from './ports.ts'
import type { FixtureHead } from './records.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** How old the catalogs behind a fixture may be, by how near its kickoff is. Catalogs are read every five minutes, unless configured otherwise. */
export const freshness = { live: 600_000, day: 1_800_000, week: 2 * hourMs } as const
/** The mirror asks the store every few seconds, and the engine reports as often that it is alive. */
const refreshLateMs = 15_000
const heartbeatLateMs = 45_000

export function requireSnapshot({ mirror }: SportsDeps): FixtureSnapshot {
  const snapshot = mirror.snapshot()
  if (snapshot !== null) return snapshot
  throw new Fault('SPORTS_SCREEN_UNAVAILABLE', 'no fixtures have been built yet', { retryAfterSeconds: 5 })
}

/** Why nothing of a snapshot is fresh; null when that depends on the fixture. */
function reasonOf({ refreshedAt, engine }: FixtureSnapshot, now: number): string | null {
  if (now - refreshedAt > refreshLateMs) return 'index_not_refreshed'
  return now - engine.heartbeatAt > heartbeatLateMs ? 'engine_silent' : null
}

const horizonOf = (head: FixtureHead, sortAt: number, now: number): keyof typeof freshness => {
  if (statusOf(head, now) === 'live') return 'live'
  return Math.abs(sortAt - now) <= dayMs ? 'day' : 'week'
}

export interface Reliability {
  degradedReason: string | null
  /** Age of the oldest data in the answer. */
  lagMs: number
  isStale(fixture: IndexedFixture): boolean
}

/** For an answer with these fixtures. `catalogs`: venues that may have more of what was requested; empty for a single fixture. */
export function reliabilityOf(
  snapshot: FixtureSnapshot,
  served: readonly IndexedFixture[],
  now: number,
  catalogs: readonly string[],
): Reliability {
  const { engine } = snapshot
  const limitOf = ({ head, sortAt }: IndexedFixture): number => freshness[horizonOf(head, sortAt, now)]
  const isEngineBehind = (fixture: IndexedFixture): boolean => now - engine.readAt > limitOf(fixture)
  const isCatalogBehind = (fixture: IndexedFixture): boolean => now - walkedOf(engine, fixture) > limitOf(fixture)
  const lagMs =
    now - Math.min(engine.readAt, ...served.map((fixture) => walkedOf(engine, fixture)).filter(Number.isFinite))
  const reason = reasonOf(snapshot, now)
  if (reason !== null) return { degradedReason: reason, lagMs, isStale: () => true }
  // The absence of a venue's games is unknown, too, while its catalog was not read.
  const isCatalogUnread = catalogs.some(
    (venue) => now - (engine.walked.get(venue) ?? Number.NEGATIVE_INFINITY) > freshness.week,
  )
  return {
    degradedReason: served.some(isEngineBehind)
      ? 'engine_behind'
      : isCatalogUnread || served.some(isCatalogBehind)
        ? 'catalog_behind'
        : null,
    lagMs,
    isStale: (fixture) => isEngineBehind(fixture) || isCatalogBehind(fixture),
  }
}

/** Venues whose games a list with this filter may contain. */
export const catalogsOf = ({ catalogs }: SportsDeps, { venue }: { venue?: string | undefined }): readonly string[] =>
  venue === undefined ? catalogs : catalogs.filter((each) => each === venue)

/** Of the least recently read venue; -Infinity: one of them was not read recently. */
const walkedOf = ({ walked }: FixtureSnapshot['engine'], { head }: IndexedFixture): number =>
  Math.min(...head.venues.map((venue) => walked.get(venue) ?? Number.NEGATIVE_INFINITY))

export function rowOf(fixture: IndexedFixture, now: number, { degradedReason, isStale }: Reliability): FixtureRow {
  const { head } = fixture
  const { home, teams } = head
  const competition = head.competitionId === null ? null : competitionOf(head.competitionId)
  return {
    fixtureId: head.fixtureId,
    sport: head.sport,
    competition: competition && { id: competition.id, name: competition.name, timeZone: competition.timeZone },
    home: home === null ? null : teams[home],
    away: home === null ? null : teams[home === 0 ? 1 : 0],
    teams,
    kickoffAt: head.kickoffAt === null ? null : new Date(head.kickoffAt).toISOString(),
    kickoffPrecision: head.kickoffAt === null ? 'date' : 'exact',
    eventDate: head.eventDate,
    status: statusOf(head, now),
    venues: head.venues,
    market: null,
    markets: head.markets,
    unplaced: head.unplaced as Record<string, number>,
    ...(degradedReason === null ? {} : { stale: isStale(fixture) }),
  }
}

/** The shape of `metaOf`. */
export const Meta = z
  .object({
    asOf: z.iso.datetime().describe('of the oldest block served; of the mirror where none is'),
    degraded: z.boolean(),
    degradedReason: z.string().nullable(),
    engine: z.object({
      heartbeatAt: z.iso.datetime(),
      lagMs: z.number(),
      fixtures: z.number().int(),
      blocks: z.number().int(),
    }),
    index: z.object({ refreshedAt: z.iso.datetime(), fixtures: z.number().int() }),
    freshness: z.object({ live: z.number(), day: z.number(), week: z.number() }).describe('ms'),
    unplaced: z.record(z.string(), z.number().int()),
  })
  .meta({ id: 'SportsMeta' })

/** `asOf`: of the oldest block served; null when there is none: then the mirror's own time is used. */
export function metaOf(snapshot: FixtureSnapshot, { degradedReason, lagMs }: Reliability, asOf: number | null) {
  const { engine, index, refreshedAt } = snapshot
  const iso = (at: number): string => new Date(at).toISOString()
  return {
    asOf: iso(asOf ?? refreshedAt),
    degraded: degradedReason !== null,
    degradedReason,
    engine: {
      heartbeatAt: iso(engine.heartbeatAt),
      lagMs: Math.max(0, lagMs),
      fixtures: engine.totals.fixtures,
      blocks: engine.totals.blocks,
    },
    index: { refreshedAt: iso(refreshedAt), fixtures: index.size },
    freshness,
    unplaced: engine.totals.unplaced,
  }
}
