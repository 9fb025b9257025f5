// Shared by the execution suites: one database per file, worlds that are closed after each test, and row counts.
import { afterEach, expect } from 'vitest'
import type { Reply } from '#test/src/server/http/world'
import { withPostgres } from '#test/support/postgres'
import { createExecutionWorld, type ExecutionWorld } from './world.ts'

export const refused = (reply: Reply) => [reply.status, reply.json.error?.code]
export const idOf = (reply: Reply): string => reply.json.data.executionId

/** How often a caller repeats a request that the store could not answer in time: a busy machine takes some seconds for hundreds of them. */
const repeatsMax = 50

/** Like a careful caller: repeats a retryable 503 under the same key. */
export async function untilAnswered(request: () => Promise<Reply>): Promise<{ reply: Reply; repeats: number }> {
  for (let repeats = 0; ; repeats++) {
    const reply = await request()
    if (reply.status !== 503 || repeats === repeatsMax) return { reply, repeats }
    expect(reply.json.error).toMatchObject({ retryable: true })
  }
}

export function executionSuite() {
  const pg = withPostgres()
  const open: ExecutionWorld[] = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map((world) => world.close()))
  })
  const count = async (sql: string, values: unknown[] = []): Promise<number> =>
    Number((await pg.pool.query<{ n: string }>(`SELECT count(*) AS n FROM ${sql}`, values)).rows[0]!.n)
  return {
    pg,
    count,
    async worldOf(options?: Parameters<typeof createExecutionWorld>[1]): Promise<ExecutionWorld> {
      const made = await createExecutionWorld(pg.pool, options)
      open.push(made)
      return made
    },
    /** Number of status change events. */
    events: (id: string) =>
      count(`outbox WHERE event = 'execution.status.changed' AND payload->>'executionId' = $1`, [id]),
    setStatus: (id: string, status: string) =>
      pg.pool.query('UPDATE executions SET status = $2 WHERE id = $1', [id, status]),
  }
}
