// Execution algorithms with a real store and real executions. The lane of real accounts needs signatures, that of paper accounts does not; the
// book and the fills are the test's.
import { randomUUID } from 'node:crypto'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { type AlgorithmBooks, type AlgorithmDeps, runStep } from '#orders/algorithms/index'
import { createArtifactSeal, newSealKey, parseSealKeys } from '#orders/conditional/index'
import { createAlgorithmOrders, type ExecutionsDeps } from '#orders/executions/index'
import { paperAccountIdOf } from '#schemas/paper'
import { createAlgorithmStore } from '#storage/postgres/algorithms/store'
import type { Pool } from '#storage/postgres/pool'
import type { Reply } from '#test/src/server/http/world'
import { evening, noon } from '#test/support/conditional/book'
import { createExecutionWorld } from '#test/support/execution/world'
import type { RelayOutcome } from '#venues/lane'
import { algorithmLane, signature } from './lane.ts'

export { evening, noon, signature }

type Book = Awaited<ReturnType<AlgorithmBooks['read']>>
const size = 1_000
/** The best level last: books come in any order. */
export const bookAt = (bid: number, ask: number): Book => ({
  bids: [0.01, bid].map((price) => ({ price, size })),
  asks: [0.99, ask].map((price) => ({ price, size })),
})

export interface AlgorithmWorldOptions {
  isPaper?: boolean
  hosted?: boolean
  /** Each relay of a paper order. */
  relayOrder?: (order: { id: string; size: string }) => Promise<RelayOutcome>
}

export async function openAlgorithmWorld(
  pool: Pool,
  { isPaper = false, hosted = true, relayOrder }: AlgorithmWorldOptions = {},
) {
  const clock = new ManualClock(noon.getTime())
  const ring = newSealKey()
  const seal = createArtifactSeal(() => parseSealKeys(ring))
  const book: { next: Book } = { next: bookAt(0.4, 0.44) }
  const algorithmsOf = (executions: ExecutionsDeps): AlgorithmDeps => ({
    store: createAlgorithmStore(pool),
    orders: createAlgorithmOrders(executions),
    books: { read: async () => book.next },
    seal: hosted ? seal : null,
    clock,
    newId: () => randomUUID(),
    log: silentLog,
  })
  const signed = algorithmLane()
  const paper = algorithmLane({ needsSignature: false, ...(relayOrder === undefined ? {} : { relayOrder }) })
  const world = await createExecutionWorld(pool, {
    lanes: [signed],
    clock,
    families: { conditional: true },
    algorithms(executions) {
      const context = executions.lanes.get('limitless')!.context
      executions.paperLanes = new Map([['limitless', { lane: paper, context }]])
      return algorithmsOf(executions)
    },
  })
  /** A new paper account, which the next requests are of. */
  const actAsPaper = async (): Promise<string> => {
    const id = paperAccountIdOf(randomUUID())
    await pool.query('INSERT INTO accounts (id, name) VALUES ($1, $2)', [id, randomUUID()])
    world.actAs(id)
    return id
  }
  const accountId = isPaper ? await actAsPaper() : world.accountId
  const deps = algorithmsOf(world.deps)
  const options = { blocks: () => false, signal: new AbortController().signal }
  const path = '/v1/exec/algorithms'
  const iceberg = {
    venue: 'limitless',
    algorithm: { kind: 'iceberg', displaySize: 2 },
    build: { isBuy: true },
    size: 5,
    limitPrice: 0.5,
    expiresAt: evening.toISOString(),
  }
  const create = (body: object = {}, key: string = randomUUID()): Promise<Reply> =>
    world.world.post(path, { ...iceberg, ...body }, { headers: { 'idempotency-key': key } })
  const read = async (id: string) => (await world.world.call('GET', `${path}/${id}`)).json.data
  /** Steps of every account, until none is due now. */
  async function settleAll(): Promise<void> {
    for (;;) {
      const rows = await deps.store.takeDue({ limit: 10, leaseMs: 60_000, at: new Date(clock.now()) })
      if (rows.length === 0) return
      for (const row of rows) await runStep(deps, row, options)
    }
  }
  /** Those of this account; those of others are postponed indefinitely. */
  async function settle(): Promise<void> {
    await pool.query("UPDATE execution_algorithms SET due_at = 'infinity' WHERE account_id <> $1", [accountId])
    await settleAll()
  }
  return {
    ...world,
    accountId,
    clock,
    book,
    algorithms: deps,
    iceberg,
    create,
    read,
    actAsPaper,
    settle,
    settleAll,
    async created(body: object = {}): Promise<string> {
      const reply = await create(body)
      if (reply.status !== 200) throw new Error(reply.text)
      return reply.json.data.id
    },
    list: (query = ''): Promise<Reply> => world.world.call('GET', `${path}${query}`),
    cancelAlgorithm: (id: string): Promise<Reply> => world.world.call('DELETE', `${path}/${id}`),
    async advance(ms: number): Promise<void> {
      clock.advance(ms)
      await settle()
    },
    sign: (executionId: string): Promise<Reply> =>
      world.world.post(
        `/v1/exec/limitless/orders/${executionId}/submit`,
        { signature },
        { headers: { 'idempotency-key': randomUUID() } },
      ),
    async executionIs(id: string, status: string, matchedSize: string | null = null): Promise<void> {
      await pool.query('UPDATE executions SET status = $2, matched_size = $3, updated_at = $4 WHERE id = $1', [
        id,
        status,
        matchedSize,
        new Date(clock.now()),
      ])
    },
    async executions(): Promise<{ id: string; intent: string; status: string; size: string | null }[]> {
      const { rows } = await pool.query<{ id: string; intent: string; status: string; size: string | null }>(
        "SELECT id, intent, status, terms->>'size' AS size FROM executions WHERE account_id = $1 ORDER BY seq",
        [accountId],
      )
      return rows
    },
  }
}
export type AlgorithmWorld = Awaited<ReturnType<typeof openAlgorithmWorld>>
