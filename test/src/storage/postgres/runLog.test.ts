import { expect, test } from 'vitest'
import { findRuns, finishRun, insertRun } from '#storage/postgres/runLog'
import { withPostgres } from '#test/support/postgres'

const postgres = withPostgres()

test('a run is there while it runs, ends once, and keeps its first end', async () => {
  const id = await insertRun(postgres.pool, 'catalog', 1_790_000_000_123)
  expect(await findRuns(postgres.pool, 'catalog', 5)).toMatchObject([{ id, finished_at: null, ok: null, counts: {} }])
  const end = { finishedAt: 1_790_000_001_000, ok: true, counts: { markets: 12, events: 3 } }
  expect(await finishRun(postgres.pool, id, end)).toEqual({
    id,
    job: 'catalog',
    started_at: new Date(1_790_000_000_123),
    finished_at: new Date(1_790_000_001_000),
    ok: true,
    counts: { markets: 12, events: 3 },
  })
  expect(await finishRun(postgres.pool, id, { ...end, ok: false })).toBeNull()

  const failed = await insertRun(postgres.pool, 'catalog', 1_790_000_002_000)
  await finishRun(postgres.pool, failed, {
    finishedAt: 1_790_000_003_000,
    ok: false,
    counts: { error: 'venue is down' },
  })
  await insertRun(postgres.pool, 'other', 1)
  expect((await findRuns(postgres.pool, 'catalog', 5)).map((run) => [run.id, run.ok, run.counts])).toEqual([
    [failed, false, { error: 'venue is down' }],
    [id, true, { markets: 12, events: 3 }],
  ])
})
