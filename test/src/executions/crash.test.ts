import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { silentLog } from '#lib/log'
import { createPool } from '#storage/postgres/pool'
import { createExecutionWorld } from '#test/support/execution/world'
import { withPostgres } from '#test/support/postgres'

const pg = withPostgres()
const main = fileURLToPath(new URL('../../support/execution/submitter.main.ts', import.meta.url))
const count = async (sql: string, values: unknown[]): Promise<number> =>
  Number((await pg.pool.query<{ n: string }>(`SELECT count(*) AS n FROM ${sql}`, values)).rows[0]!.n)

/** What the venue has, and what a blind retry with the same key then says. */
it.each([
  ['beforeClaim', 0, 'acked', 1],
  ['afterClaim', 0, 'submitted', 0],
  ['beforeRelay', 0, 'submitted', 0],
  ['afterRelay', 1, 'submitted', 1],
  ['beforeRecord', 1, 'submitted', 1],
  ['afterRecord', 1, 'acked', 1],
] as const)(
  'fault 23: killed with -9 at %s, a retry never doubles the order',
  async (stopAt, placedBy, retried, placedAfter) => {
    const world = await createExecutionWorld(pg.pool)
    try {
      const { executionId: id } = (await world.build('b')).json.data
      const child = spawn(process.execPath, [main, pg.url, world.venue.url, world.accountId, id, 's', stopAt], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const [said] = (await once(child.stdout, 'data')) as [Buffer]
      expect(said.toString()).toBe(`at ${stopAt}\n`)
      child.kill('SIGKILL')
      await once(child, 'exit')
      expect(world.venue.placed).toHaveLength(placedBy)
      expect((await world.submit(id, 's')).json.data.status).toBe(retried)
      expect(world.venue.placed).toHaveLength(placedAfter)
      const order = world.venue.placed[0]
      if (order !== undefined) {
        world.venue.status.set(order, 'filled')
        world.venue.fills.set(order, ['f'])
      }
      expect((await world.refresh(id)).json.data.status).toBe(order === undefined ? 'submitted' : 'filled')
      expect(await count('execution_fills WHERE execution_id = $1', [id])).toBe(order === undefined ? 0 : 1)
    } finally {
      await world.close()
    }
  },
  30_000,
)

it('fault 24: an answer cut off after the commit is the original row on retry, with one event', async () => {
  const target = new URL(pg.url)
  let cut = false
  // Takes every byte to the server; once the insert has gone out, nothing comes back any more.
  const proxy = createServer((client) => {
    const server = connect(Number(target.port), target.hostname)
    let armed = false
    client.on('data', (bytes) => {
      if (cut && bytes.includes('INSERT INTO execution_keys')) armed = true
      server.write(bytes)
    })
    server.on('data', (bytes) => {
      if (!armed) return void client.write(bytes)
      cut = false
      client.destroy()
    })
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on('error', () => undefined)
      one.on('close', () => other.end())
    }
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const url = new URL(pg.url)
  url.port = String((proxy.address() as AddressInfo).port)
  url.hostname = '127.0.0.1'
  const pool = createPool({ url: url.href, log: silentLog })
  const world = await createExecutionWorld(pool)
  try {
    cut = true
    const lost = await world.build('k')
    expect([lost.status, lost.json.error.code, lost.json.error.retryable]).toEqual([503, 'EXEC_UNAVAILABLE', true])
    expect(cut).toBe(false)
    const again = await world.build('k')
    expect([again.status, again.headers['idempotency-replay']]).toEqual([200, 'true'])
    expect(await count('executions WHERE account_id = $1', [world.accountId])).toBe(1)
    expect(await count('outbox WHERE account_id = $1', [world.accountId])).toBe(1)
  } finally {
    await world.close()
    await pool.end()
    proxy.close()
  }
}, 30_000)
