// Fixtures in memory behind the real HTTP layer: built by the engine, served by the routes, priced by the books of a test.

import { ManualClock } from '#core/clock'
import { Fault } from '#core/fault'
import { FixtureIndex } from '#sports/fixtureIndex'
import type { FixtureEntry, FixtureSnapshot, Quote, SportsAnswer, SportsInput } from '#sports/index'
import { SportsEngine } from '#sports/index'
import { createWorld, type World } from '#test/src/server/http/world'

export interface SportsWorld extends World {
  /** The mirror's snapshot; null: nothing was built yet. */
  mirror: { snapshot: FixtureSnapshot | null; entriesFail: boolean }
  /** `<venue>:<outcomeId>` */
  quotes: Map<string, Quote>
  heldOutcomes: string[]
  /** Venues whose catalogs are read. */
  catalogs: string[]
  idOf(title: string): string
}

export const live = (bid: number | null, ask: number | null, more: Partial<Quote> = {}): Quote => ({
  bid,
  bidSize: bid === null ? null : 100,
  ask,
  askSize: ask === null ? null : 50,
  state: 'live',
  asOf: Date.parse('2026-05-10T11:59:58Z'),
  ...more,
})

/** Equal markets are built once. */
const answers = new WeakMap<readonly SportsInput[], SportsAnswer>()
function built(inputs: readonly SportsInput[], today: number): SportsAnswer {
  const known = answers.get(inputs)
  if (known !== undefined) return known
  const engine = new SportsEngine()
  engine.upsert(inputs)
  const answer = engine.run(today)
  answers.set(inputs, answer)
  return answer
}

export function createSportsWorld(inputs: readonly SportsInput[], at = '2026-05-10T12:00:00Z'): SportsWorld {
  const now = Date.parse(at)
  const { changed, totals } = built(inputs, Math.floor(now / 86_400_000))
  const index = new FixtureIndex()
  index.apply(changed.map(({ head }) => ({ fixtureId: head.fixtureId, head, builtAt: now - 60_000 })))
  const entries = new Map<string, FixtureEntry[]>(changed.map(({ head, entries: all }) => [head.fixtureId, all]))
  const walked = new Map(inputs.map(({ venue }) => [venue, now - 3_000]))
  const catalogs = [...walked.keys()]
  const mirror: SportsWorld['mirror'] = {
    snapshot: {
      index,
      refreshedAt: now - 1_000,
      engine: { heartbeatAt: now - 2_000, readAt: now - 3_000, walked, totals },
    },
    entriesFail: false,
  }
  const quotes = new Map<string, Quote>()
  const heldOutcomes: string[] = []
  const clock = new ManualClock(now)
  const world = createWorld({
    families: { sports: true },
    sports: {
      clock,
      catalogs,
      mirror: {
        snapshot: () => mirror.snapshot,
        entries: async (ids) => {
          if (mirror.entriesFail) throw new Fault('SPORTS_SCREEN_UNAVAILABLE', 'the markets cannot be read right now')
          return new Map(ids.flatMap((id) => (entries.has(id) ? [[id, entries.get(id)!] as const] : [])))
        },
      },
      quotes: {
        read: (venue, _, outcomeId) => quotes.get(`${venue}:${outcomeId}`) ?? null,
        hold: (venue, _, outcomeId) => heldOutcomes.push(`${venue}:${outcomeId}`),
      },
    },
  })
  return {
    ...world,
    clock,
    mirror,
    quotes,
    heldOutcomes,
    catalogs,
    idOf: (title) =>
      changed.find(({ head }) => head.teams.map(({ name }) => name).join(' v ') === title)!.head.fixtureId,
  }
}
