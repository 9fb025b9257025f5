// From the catalog to a gateway's mirror: real rows, the real thread, a manual clock.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { CatalogFollower } from '#actors/sports/catalogChangeReader'
import { type Sports, spawnSports } from '#actors/sports/sportsActor'
import { start, stop } from '#actors/system'
import { ManualClock, systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { createPostgresCatalog } from '#marketData/catalog/postgresCatalog'
import { createMetrics } from '#roles/metrics'
import { measureFixtures, measureSports } from '#roles/sports'
import { type RunningMirror, type SportsThread, startFixtureMirror } from '#sports/index'
import type { Pool } from '#storage/postgres/pool'
import { finishRun, insertRun } from '#storage/postgres/runLog'
import { findSportsState } from '#storage/postgres/sports/index'
import { eventOf, marketOf } from '#test/src/server/http/rows'
import { withPostgres } from '#test/support/postgres'
import { FixtureThread } from '#workers/buildFixtures'
import { startSportsThread } from '#workers/sportsThread'

const pg = withPostgres()
const shut: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of shut.splice(0).reverse()) await close()
  await pg.pool.query(
    'TRUNCATE catalog_markets, catalog_events, catalog_marks, catalog_versions, sports_fixtures, sports_state',
  )
})

const now = Date.parse('2026-05-10T12:00:00Z')
const eventually = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 20_000, interval: 10 })

interface Listed {
  venue: 'polymarket' | 'kalshi'
  id: string
  title: string
  at?: string
  price?: number
  status?: 'active' | 'resolved'
}
const game: Listed[] = [
  { venue: 'polymarket', id: '1', title: 'Arsenal vs Chelsea' },
  { venue: 'kalshi', id: 'G1', title: 'Chelsea FC vs Arsenal FC' },
]

async function list(pool: Pool, rows: readonly Listed[]): Promise<void> {
  const catalog = createPostgresCatalog(pool, { clock: systemClock })
  for (const { venue, id, title, at = '2026-05-10T15:00:00.000Z', price = 0.4, status = 'active' } of rows) {
    const labels = title.includes(' vs ') ? title.split(' vs ') : ['Yes', 'No']
    const market = marketOf(venue, id, [`${id}-a`, `${id}-b`], {
      title,
      category: 'Soccer',
      tags: ['Soccer'],
      status,
      sourceMetadata: { gameStartTime: at },
    })
    for (const [n, outcome] of market.outcomes.entries()) Object.assign(outcome, { label: labels[n], price })
    await catalog.upsertEvents(venue, [{ ...eventOf(venue, [market]), title }], [], systemClock.now())
  }
}

/** The thread's engine on this thread: starting a thread costs more than everything it does here. */
function inline(): SportsThread {
  const engine = new FixtureThread()
  const ask = async (message: Parameters<FixtureThread['answer']>[0]) => {
    const reply = engine.answer(message)
    if (reply.kind === 'failed') throw new Error(reply.message)
    return reply
  }
  const done = async (message: Parameters<FixtureThread['answer']>[0]) => void (await ask(message))
  return {
    generation: 1,
    begin: () => done({ kind: 'begin' }),
    remember: (placed) => done({ kind: 'remember', placed }),
    put: (inputs) => done({ kind: 'put', inputs }),
    drop: (keys) => done({ kind: 'drop', keys }),
    run: async (today) => {
      const reply = await ask({ kind: 'run', today })
      if (reply.kind !== 'ran') throw new Error(reply.kind)
      return reply.totals
    },
    pieces: async function* () {
      for (;;) {
        const reply = await ask({ kind: 'next' })
        if (reply.kind !== 'piece' || reply.piece === null) return
        yield reply.piece
      }
    },
    written: () => done({ kind: 'written' }),
    stop: async () => undefined,
  }
}

function job(
  pool: Pool,
  thread = inline(),
): {
  clock: ManualClock
  sports: Sports
  passes(count: number): Promise<void>
  close(): Promise<void>
} {
  const system = start()
  const clock = new ManualClock(now)
  const sports = spawnSports(system, {
    pool,
    thread,
    venues: ['polymarket', 'kalshi'],
    clock,
    log: silentLog,
  })
  const close = async () => {
    await sports.stop()
    stop(system)
    expect(clock.pendingCount).toBe(0)
  }
  shut.push(close)
  return {
    clock,
    sports,
    close,
    // It has two timers: the next pass, and its heartbeat.
    passes: (count) =>
      eventually(async () => {
        expect((await findSportsState(pool))?.pass).toBe(count)
        expect(clock.pendingCount).toBe(2)
      }),
  }
}

function mirror(pool: Pool): { clock: ManualClock; mirror: RunningMirror } {
  const clock = new ManualClock(now)
  const running = startFixtureMirror(pool, { clock, log: silentLog })
  shut.push(() => running.stop())
  return { clock, mirror: running }
}
const idsOf = async (pool: Pool): Promise<string[]> =>
  (await pool.query<{ id: string }>('SELECT id FROM sports_fixtures WHERE head IS NOT NULL ORDER BY id')).rows.map(
    ({ id }) => id,
  )

describe('the sports engine’s job', () => {
  it('builds what the catalog lists, follows it, and keeps its ids across a restart', async () => {
    await list(pg.pool, game)
    const first = job(pg.pool)
    await first.passes(1)
    const [id] = await idsOf(pg.pool)
    const { mirror: seen, clock } = mirror(pg.pool)
    await seen.ready
    const snapshot = seen.snapshot()!
    expect(snapshot.engine).toEqual({
      heartbeatAt: now,
      readAt: now,
      walked: new Map(),
      totals: { fixtures: 1, blocks: 1, placed: 2, unplaced: {} },
    })
    expect(snapshot.index.get(id!)!.head).toMatchObject({ venues: ['kalshi', 'polymarket'], open: true })
    const entries = (await seen.entries([id!])).get(id!)!
    expect(entries.map(({ venue, outcomes }) => [venue, outcomes.map(({ result }) => result)])).toEqual([
      ['kalshi', ['soccer:chelsea', 'soccer:arsenal']],
      ['polymarket', ['soccer:arsenal', 'soccer:chelsea']],
    ])

    // One game ends, another is listed.
    await list(pg.pool, [
      { ...game[0]!, status: 'resolved' },
      { ...game[1]!, status: 'resolved' },
      { venue: 'polymarket', id: '2', title: 'Everton vs Fulham' },
    ])
    first.sports.actor.send({ kind: 'catalogWritten' })
    await eventually(() => expect(first.clock.pendingCount).toBe(2))
    first.clock.advance(30_000)
    await first.passes(2)
    clock.advance(2_000)
    await eventually(() => expect(snapshot.index.size).toBe(2))
    expect(snapshot.index.get(id!)!.head.open).toBe(false)
    await first.close()
    shut.splice(0, 1)

    // The third process has never seen the closed markets trade.
    await list(pg.pool, [{ ...game[0]!, title: 'Arsenal London vs Chelsea London' }])
    const second = job(pg.pool)
    await second.passes(3)
    expect(await idsOf(pg.pool)).toContain(id)
    clock.advance(2_000)
    await eventually(() => expect(snapshot.index.get(id!)!.head.open).toBe(true))
    expect(await idsOf(pg.pool)).toHaveLength(2)
  })

  it('reports a fixture as removed when nothing of it is left', async () => {
    await list(pg.pool, [game[0]!])
    const engine = job(pg.pool, startSportsThread())
    await engine.passes(1)
    const { mirror: seen, clock } = mirror(pg.pool)
    await seen.ready
    expect(seen.snapshot()!.index.size).toBe(1)
    await list(pg.pool, [{ ...game[0]!, title: 'Who wins the league?' }])
    engine.clock.advance(30_000)
    await engine.passes(2)
    expect(await idsOf(pg.pool)).toEqual([])
    clock.advance(2_000)
    await eventually(() => expect(seen.snapshot()!.index.size).toBe(0))
  })

  it('shows operators its totals and their age, and nothing before the first pass', async () => {
    const metrics = createMetrics()
    const { mirror: seen, clock: served } = mirror(pg.pool)
    measureFixtures(metrics, seen, served)
    await seen.ready
    const read = async () => {
      const { text } = await metrics.text()
      return text.split('\n').filter((line) => line.startsWith('crossbook_sports_'))
    }
    expect(await read()).toEqual([])
    await list(pg.pool, [...game, { venue: 'polymarket', id: '3', title: 'Who wins the league?' }])
    const engine = job(pg.pool)
    measureSports(metrics, engine.sports, engine.clock)
    await engine.passes(1)
    engine.clock.advance(5_000)
    served.advance(2_000)
    await eventually(() => expect(seen.snapshot()).not.toBeNull())
    served.advance(1_500)
    expect((await read()).toSorted()).toEqual(
      [
        'crossbook_sports_fixtures 1',
        'crossbook_sports_placed 2',
        ...['no_teams', 'no_date', 'ambiguous_fixture', 'market_type', 'side_unknown', 'line_unknown'].map(
          (reason) => `crossbook_sports_unplaced{reason="${reason}"} ${reason === 'no_teams' ? 1 : 0}`,
        ),
        'crossbook_sports_pass_age_seconds 5',
        'crossbook_sports_failures 0',
        'crossbook_sports_snapshot_age_seconds 1.5',
        'crossbook_sports_lag_seconds 3.5',
      ].toSorted(),
    )
    metrics.stop()
  })

  it('repeats a failed pass without losing anything of it, and reports meanwhile that it is alive', async () => {
    await list(pg.pool, game)
    await pg.pool.query('ALTER TABLE sports_fixtures RENAME TO away')
    const engine = job(pg.pool)
    await eventually(() => expect(engine.clock.pendingCount).toBe(2))
    await pg.pool.query('ALTER TABLE away RENAME TO sports_fixtures')
    engine.clock.advance(2_000)
    await engine.passes(1)
    expect(await idsOf(pg.pool)).toHaveLength(1)
    engine.clock.advance(10_000)
    await eventually(async () => expect((await findSportsState(pg.pool))!.heartbeatAt).toBe(now + 10_000))
  })
})

describe('following the catalog', () => {
  it('reads only venues whose catalog was written', async () => {
    await list(pg.pool, game)
    const put: string[] = []
    const engine = inline()
    const thread: SportsThread = {
      ...engine,
      put: async (inputs) => {
        put.push(...inputs.map(({ marketId }) => marketId))
        await engine.put(inputs)
      },
    }
    const statements: string[] = []
    const counted = new Proxy(pg.pool, {
      get: (pool, name) =>
        name === 'query'
          ? (text: string, values: unknown[]) => {
              statements.push(text)
              return pool.query(text, values)
            }
          : Reflect.get(pool, name),
    })
    const follower = new CatalogFollower(counted, thread, ['polymarket', 'kalshi'])
    await follower.follow()
    expect(put.splice(0).sort()).toEqual(['1', 'G1'])
    statements.length = 0
    await follower.follow()
    // One read of each venue's version number.
    expect([put, statements.length]).toEqual([[], 2])
    await list(pg.pool, [game[0]!])
    await follower.follow()
    expect(put).toEqual([])
    await list(pg.pool, [{ ...game[0]!, price: 0.5 }])
    await follower.follow()
    expect(put).toEqual(['1'])
  })
})

describe('the gateway’s mirror', () => {
  it('serves what it read last while the store is unavailable, with its age', async () => {
    await list(pg.pool, game)
    const engine = job(pg.pool)
    await engine.passes(1)
    const { mirror: seen, clock } = mirror(pg.pool)
    await seen.ready
    const [id] = await idsOf(pg.pool)
    expect((await seen.entries([id!])).size).toBe(1)
    await pg.pool.query('ALTER TABLE sports_fixtures RENAME TO away')
    await pg.pool.query('ALTER TABLE sports_state RENAME TO state_away')
    try {
      clock.advance(20_000)
      expect(seen.snapshot()).toMatchObject({ refreshedAt: now })
      expect((await seen.entries([id!])).get(id!)).toHaveLength(2)
      await expect(seen.entries(['fx_other'])).rejects.toMatchObject({ code: 'SPORTS_SCREEN_UNAVAILABLE' })
    } finally {
      await pg.pool.query('ALTER TABLE away RENAME TO sports_fixtures')
      await pg.pool.query('ALTER TABLE state_away RENAME TO sports_state')
    }
    await eventually(() => {
      clock.advance(2_000)
      expect(seen.snapshot()!.refreshedAt).toBeGreaterThan(now)
    })
  })

  it('knows when each venue’s catalog was last read completely, whatever failed or began since', async () => {
    await list(pg.pool, game)
    await job(pg.pool).passes(1)
    const { mirror: seen, clock } = mirror(pg.pool)
    await seen.ready
    for (const [venue, minute, ok] of [
      ['polymarket', 1, true],
      ['polymarket', 2, true],
      ['polymarket', 3, false],
      ['kalshi', 1, false],
    ] as const) {
      const run = await insertRun(pg.pool, 'ingest', now + minute * 60_000)
      await finishRun(pg.pool, run, { finishedAt: now + minute * 61_000, ok, counts: { venue } })
    }
    await insertRun(pg.pool, 'ingest', now + 240_000)
    clock.advance(2_000)
    await eventually(() => expect(seen.snapshot()!.engine.walked).toEqual(new Map([['polymarket', now + 120_000]])))
    await pg.pool.query('TRUNCATE run_log')
  })

  it('has no snapshot before the engine’s first pass', async () => {
    const { mirror: seen } = mirror(pg.pool)
    await seen.ready
    expect(seen.snapshot()).toBeNull()
  })
})
