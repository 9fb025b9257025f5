import { getHeapSpaceStatistics } from 'node:v8'
import type pg from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { LeanClient } from '#storage/postgres/pgClient'
import { withPostgres } from '#test/support/postgres'

const postgres = withPostgres()
const open: LeanClient[] = []
afterEach(async () => {
  for (const client of open.splice(0)) await (client as unknown as pg.Client).end()
})

async function connected(config: pg.ClientConfig = {}): Promise<LeanClient> {
  const client = new LeanClient({ connectionString: postgres.url, ...config })
  await (client as unknown as pg.Client).connect()
  open.push(client)
  return client
}

describe('a lean connection', () => {
  test('runs texts and statement objects, with and without values, with a callback or a promise', async () => {
    const client = await connected()
    const rows = async (answer: ReturnType<LeanClient['query']>) => (await answer)?.rows
    expect(await rows(client.query('SELECT 1 AS n'))).toEqual([{ n: 1 }])
    expect(await rows(client.query('SELECT $1::int AS n', [2]))).toEqual([{ n: 2 }])
    expect(await rows(client.query({ text: 'SELECT $1::int AS n', values: [3] }))).toEqual([{ n: 3 }])
    expect(await rows(client.query({ text: 'SELECT $1::int AS n' }, [4]))).toEqual([{ n: 4 }])
    const callbackRows = (start: (done: (error: unknown, result?: pg.QueryResult) => void) => void) =>
      new Promise((resolve, reject) => start((error, result) => (error ? reject(error) : resolve(result?.rows))))
    expect(await callbackRows((done) => client.query('SELECT 5 AS n', done))).toEqual([{ n: 5 }])
    expect(await callbackRows((done) => client.query('SELECT $1::int AS n', [6], done))).toEqual([{ n: 6 }])
    await expect(callbackRows((done) => client.query('SELECT nothing', done))).rejects.toMatchObject({ code: '42703' })
  })

  test('fails with the SQLSTATE of the server and a stack trace that leads to the caller', async () => {
    const client = await connected()
    async function whoAsked() {
      await client.query('SELECT nothing')
    }
    const error = await whoAsked().catch((reason: Error) => reason)
    expect(error).toMatchObject({ code: '42703', message: 'column "nothing" does not exist' })
    expect((error as Error).stack).toContain('whoAsked')
  })

  test('times out by its own limit or by that of the statement, and continues afterwards', async () => {
    const client = await connected({ query_timeout: 100 })
    await expect(client.query('SELECT pg_sleep(0.3)')).rejects.toThrow('Query read timeout')
    await expect(client.query({ text: 'SELECT pg_sleep(0.3)', query_timeout: 50 })).rejects.toThrow(
      'Query read timeout',
    )
    expect(await client.query({ text: 'SELECT 1 AS n FROM pg_sleep(0.2)', query_timeout: 60_000 })).toMatchObject({
      rows: [{ n: 1 }],
    })
  })
})

const oldBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')!.space_used_size

test('does not promote rows that were read to the old generation', async () => {
  const { pool } = postgres
  const rows = `SELECT i AS id, repeat('x', 200) || i AS text, jsonb_build_object('a', i, 'b', repeat('y', 300)) AS doc
                FROM generate_series(1, 100) i WHERE i > $1`
  let promoted = 0
  for (let i = 0, before = oldBytes(); i < 600; i++) {
    await pool.query(rows, [0])
    const now = oldBytes()
    promoted += Math.max(0, now - before)
    before = now
  }
  // Some 90 MB were read. With the driver's own promises about 40 of them would be promoted.
  expect(promoted).toBeLessThan(8e6)
})
