// The engine's fixtures as this process has them: heads of all, updated as they change, and the markets of recently requested ones. If the
// store does not answer, the last read is still served.
import { Cache } from '#core/cache'
import type { Clock } from '#core/clock'
import { Fault } from '#core/fault'
import type { Log } from '#core/log'
import type { Pool } from '#storage/postgres/pool'
import {
  findCatalogWalks,
  findFixtureEntries,
  findFixturesSince,
  findSportsState,
} from '#storage/postgres/sports/index'
import { FixtureIndex } from './fixtureIndex.ts'
import type { FixtureMirror, FixtureSnapshot } from './ports.ts'
import type { FixtureEntry, FixtureHead, SportsTotals } from './records.ts'

const refreshMs = 2_000
const rowsPerRead = 500
/** Fixtures whose markets are cached: many screens of the largest page. */
const keptMax = 2_000

export interface RunningMirror extends FixtureMirror {
  /** Resolves after the first read, whether or not it succeeds. */
  ready: Promise<void>
  stop(): Promise<void>
}

interface Kept {
  builtAt: number
  entries: FixtureEntry[]
}

export function startFixtureMirror(pool: Pool, { clock, log }: { clock: Clock; log: Log }): RunningMirror {
  const index = new FixtureIndex()
  const kept = new Cache<Kept>(keptMax)
  let known: Omit<FixtureSnapshot, 'index'> | null = null
  let position = { pass: 0, id: '' }
  let looking: Promise<void> | null = null
  let failing = false
  let stopped = false

  async function look(): Promise<void> {
    const [state, walked] = await Promise.all([findSportsState(pool), findCatalogWalks(pool)])
    if (state === null) return
    for (let more = state.pass > position.pass; more && !stopped; ) {
      const rows = await findFixturesSince(pool, position, rowsPerRead)
      index.apply(rows.map(({ id, head, builtAt }) => ({ fixtureId: id, head: head as FixtureHead | null, builtAt })))
      const last = rows.at(-1)
      if (last !== undefined) position = { pass: last.pass, id: last.id }
      more = rows.length === rowsPerRead
    }
    const { heartbeatAt, readAt, totals } = state
    known = { refreshedAt: clock.now(), engine: { heartbeatAt, readAt, walked, totals: totals as SportsTotals } }
  }

  function refresh(): Promise<void> {
    looking ??= look()
      .then(
        () => {
          failing = false
        },
        (error: unknown) => {
          if (!failing && !stopped) log.warn({ err: error }, 'fixtures cannot be read; serving the last ones')
          failing = true
        },
      )
      .finally(() => {
        looking = null
      })
    return looking
  }

  async function entries(ids: readonly string[]): Promise<ReadonlyMap<string, FixtureEntry[]>> {
    const found = new Map<string, FixtureEntry[]>()
    const missing: string[] = []
    for (const id of ids) {
      const held = kept.get(id)
      if (held === undefined || held.builtAt !== index.get(id)?.builtAt) missing.push(id)
      else found.set(id, held.entries)
    }
    if (missing.length === 0) return found
    try {
      for (const row of await findFixtureEntries(pool, missing)) {
        const held = { builtAt: row.builtAt, entries: row.entries as FixtureEntry[] }
        kept.set(row.id, held)
        found.set(row.id, held.entries)
      }
    } catch (cause) {
      for (const id of missing) {
        const held = kept.get(id)
        if (held === undefined)
          throw new Fault(
            'SPORTS_SCREEN_UNAVAILABLE',
            'the markets of these fixtures cannot be read from PostgreSQL right now',
            {
              cause,
            },
          )
        found.set(id, held.entries)
      }
    }
    return found
  }

  const timer = clock.every(refreshMs, () => void refresh())
  return {
    ready: refresh(),
    snapshot: () => (known === null ? null : { ...known, index }),
    entries,
    async stop() {
      stopped = true
      timer.cancel()
      await looking
    },
  }
}
