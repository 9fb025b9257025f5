import { expect, test } from 'vitest'
import { RunCompleted } from '#schemas/webhooks'
import { inTransaction } from '#storage/postgres/pool'
import { findRuns, finishRun, insertRun } from '#storage/postgres/runLog'
import { withPostgres } from '#test/support/postgres'

const postgres = withPostgres()

test('lists a running run, ends it once, and keeps its first end', async () => {
  const run = await insertRun(postgres.pool, 'catalog', 1_790_000_000_123)
  const { id } = run
  expect(await findRuns(postgres.pool, 'catalog', 5)).toMatchObject([{ id, finished_at: null, ok: null, counts: {} }])
  const end = { finishedAt: 1_790_000_001_000, ok: true, counts: { markets: 12, events: 3 } }
  expect(await finishRun(postgres.pool, run, end)).toEqual({
    id,
    job: 'catalog',
    started_at: new Date(1_790_000_000_123),
    finished_at: new Date(1_790_000_001_000),
    ok: true,
    counts: { markets: 12, events: 3 },
  })
  expect(await finishRun(postgres.pool, run, { ...end, ok: false })).toBeNull()

  const failed = await insertRun(postgres.pool, 'catalog', 1_790_000_002_000)
  await finishRun(postgres.pool, failed, {
    finishedAt: 1_790_000_003_000,
    ok: false,
    counts: { error: 'venue is down' },
  })
  await insertRun(postgres.pool, 'other', 1)
  expect((await findRuns(postgres.pool, 'catalog', 5)).map((run) => [run.id, run.ok, run.counts])).toEqual([
    [failed.id, false, { error: 'venue is down' }],
    [id, true, { markets: 12, events: 3 }],
  ])
})

const outboxEvents = async (): Promise<
  { event: string; account_id: string | null; payload: Record<string, unknown> }[]
> => (await postgres.pool.query('SELECT event, account_id, payload FROM outbox ORDER BY id')).rows

test('emits one event with the row at the end of an ingest or matcher run, and none for other jobs', async () => {
  const at = 1_790_000_000_123
  const ingest = await insertRun(postgres.pool, 'ingest', at)
  const matcher = await insertRun(postgres.pool, 'matcher.run', at + 1)
  const other = await insertRun(postgres.pool, 'other', at)
  expect(await outboxEvents()).toEqual([])
  const failed = { finishedAt: at + 877, ok: false, counts: { venue: 'kalshi', error: 'venue is down' } }
  await finishRun(postgres.pool, ingest, failed)
  await finishRun(postgres.pool, ingest, failed)
  await finishRun(postgres.pool, matcher, { finishedAt: at + 2, ok: true, counts: { pairs: 3 } })
  await finishRun(postgres.pool, other, failed)
  expect(await outboxEvents()).toEqual([
    {
      event: 'ingest.run.completed',
      account_id: null,
      payload: {
        id: ingest.id,
        job: 'ingest',
        started_at: '2026-09-21T14:13:20.123Z',
        finished_at: '2026-09-21T14:13:21.000Z',
        ok: false,
        counts: { venue: 'kalshi', error: 'venue is down' },
      },
    },
    {
      event: 'matcher.run.completed',
      account_id: null,
      payload: {
        id: matcher.id,
        job: 'matcher.run',
        started_at: '2026-09-21T14:13:20.124Z',
        finished_at: '2026-09-21T14:13:20.125Z',
        ok: true,
        counts: { pairs: 3 },
      },
    },
  ])
  for (const { payload } of await outboxEvents()) RunCompleted.parse(payload)
})

test('emits no event for an end that is rolled back', async () => {
  const before = (await outboxEvents()).length
  const run = await insertRun(postgres.pool, 'ingest', 1)
  const work = inTransaction(postgres.pool, async (client) => {
    await finishRun(client, run, { finishedAt: 2, ok: true, counts: {} })
    throw new Error('rolled back')
  })
  await expect(work).rejects.toThrow('rolled back')
  expect(await outboxEvents()).toHaveLength(before)
})
