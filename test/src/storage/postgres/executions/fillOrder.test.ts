import { createHash, randomUUID } from 'node:crypto'
import { expect, it, vi } from 'vitest'
import { listFills } from '#storage/postgres/executions/findExecutions'
import { insertExecutions } from '#storage/postgres/executions/insertExecutions'
import { type Move, moveExecution } from '#storage/postgres/executions/moveExecution'
import { withPostgres } from '#test/support/postgres'

const pg = withPostgres()
const at = new Date('2026-01-02T03:04:05Z')

async function acked(accountId: string): Promise<string> {
  const id = randomUUID()
  const sha = createHash('sha256').update(id).digest()
  await insertExecutions(pg.pool, [
    {
      id,
      accountId,
      keyId: randomUUID(),
      venue: 'kalshi',
      intent: 'order',
      buildVersion: 1,
      unsigned: '{}',
      unsignedSha256: sha,
      bounds: {},
      terms: null,
      owner: null,
      clientRef: null,
      notionalUsd: null,
      roomUsd: null,
      feeEstimate: null,
      warnings: [],
      collateral: null,
      buildResult: null,
      summary: null,
      targetId: null,
      key: { kind: 'build', key: id, bodySha256: sha },
      at,
    },
  ])
  return id
}
const fill = (id: string): Move => ({
  id,
  venue: 'kalshi',
  from: 'built',
  to: 'filled',
  event: 'fill',
  fills: [{ key: 'f', fill: {}, filledAt: at }],
  at,
})

it('a fill committed late appears after the fills that a reader has already read', async () => {
  const { rows } = await pg.pool.query<{ id: string }>('INSERT INTO accounts (name) VALUES ($1) RETURNING id', ['a'])
  const accountId = rows[0]!.id
  const [slow, quick] = [await acked(accountId), await acked(accountId)]
  const read = (after: string | null) => listFills(pg.pool, { accountId, venue: 'kalshi', after, limit: 100 })

  const client = await pg.pool.connect()
  await client.query('BEGIN')
  await moveExecution(client, fill(slow))
  let isDone = false
  const moved = moveExecution(pg.pool, fill(quick)).finally(() => {
    isDone = true
  })
  const waiting = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
  await vi.waitFor(async () => expect(isDone || (await pg.pool.query(waiting)).rows.length > 0).toBe(true))
  const first = await read(null)
  await client.query('COMMIT')
  client.release()
  await moved

  const rest = await read(first.at(-1)?.id ?? null)
  expect([...first, ...rest].map((row) => row.execution_id).toSorted()).toEqual([slow, quick].toSorted())
})
