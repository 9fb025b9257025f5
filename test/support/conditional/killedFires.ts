// Orders whose processes are killed: how they are armed, how other processes recover them, and what must be true of each then.
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { fire } from '#orders/conditional/submitTriggered'
import { conditionalSteps, isTransition } from '#orders/conditional/transitions'
import { isStorageUnavailable, withRetry } from '#orders/executions/retryWrite'
import type { ConditionalStatus } from '#schemas/conditional'
import type { ConditionalRow } from '#storage/postgres/conditional/conditionalRow'
import { armConditional, type NewConditional } from '#storage/postgres/conditional/insertArmed'
import { asUnavailable, inTransaction } from '#storage/postgres/pool'
import { type ConditionalOrders, limits } from './book.ts'
import type { SubmitFixture } from './submitFixture.ts'

/** At most as many as the pool has connections. */
export async function inBatches<Item, Made>(
  items: readonly Item[],
  work: (item: Item) => Promise<Made>,
): Promise<Made[]> {
  const made: Made[] = []
  for (let i = 0; i < items.length; i += 8) made.push(...(await Promise.all(items.slice(i, i + 8).map(work))))
  return made
}

/** Directly in the database, which may be slow here; the tested work comes later. Returns the id. */
export async function armDirectly(book: ConditionalOrders, over: Partial<NewConditional>): Promise<string> {
  const wanted = await book.wanted(over)
  const { kind } = await inTransaction(book.pool, (client) => armConditional(client, conditionalSteps, wanted, limits))
  if (kind !== 'armed') throw new Error(`not armed: ${kind}`)
  return wanted.id
}

/** For a busy machine's database, which may be unavailable for a moment. */
const retryLong = <T>(work: () => Promise<T>): Promise<T> =>
  withRetry(() => asUnavailable('EXEC_UNAVAILABLE', work(), { withinMs: 60_000 }))

export const ignoreUnavailable = (error: unknown): void => {
  if (!isStorageUnavailable(error)) throw error
}

/** Ends leases and pauses, which use the clock of the database. */
export async function expireLeases(
  { book }: Pick<SubmitFixture, 'book'>,
  batch: readonly { id: string }[],
): Promise<void> {
  await retryLong(() =>
    book.pool.query('UPDATE conditional_orders SET retry_at = NULL, leased_until = NULL WHERE id = ANY ($1::uuid[])', [
      batch.map(({ id }) => id),
    ]),
  )
}

const ends = ['fired', 'fire_failed', 'superseded']
const publishedSteps = new Set(['triggered', 'fired', 'fire_failed'].map((status) => `conditional.${status}`))

/** One pass of a live process, after every lease and pause. True: all orders had ended before. */
export async function recoverOnce({ book, deps }: SubmitFixture, batch: readonly { id: string }[]): Promise<boolean> {
  const { rows } = await retryLong(() =>
    book.pool.query<{ id: string; status: string }>(
      'SELECT id, status FROM conditional_orders WHERE id = ANY ($1::uuid[]) AND status <> ALL ($2)',
      [batch.map(({ id }) => id), ends],
    ),
  )
  if (rows.length === 0) return true
  const at = new Date(deps.clock.now())
  const old = await withRetry(() => book.store.rearmStale({ limit: 1_000, at }))
  const rearmed = new Set(old.map(({ id }) => id))
  const armed = rows.filter(({ id, status }) => status === 'armed' || rearmed.has(id))
  const decisions = armed.map(({ id }) => ({ id, evidence: { book: 2 } }))
  await withRetry(() => book.store.trigger(decisions, at))
  await expireLeases({ book }, rows)
  const claim = { owner: randomUUID(), leaseMs: 60_000, limit: 1_000, at }
  const held = await withRetry(() => book.store.claimFiring(claim))
  // If the storage was too busy it is retried, as after the end of its lease.
  await inBatches(held, (row) => fire(deps, row).catch(ignoreUnavailable))
  return false
}

/** For an ended order: each transition follows the previous one, each has one event, and nothing is left to be sent. */
export async function verifyHistory({ book, find }: SubmitFixture, id: string): Promise<ConditionalRow> {
  const row = await withRetry(() => find(id))
  if (row.status === 'fired') expect(row.fire_attempts).toBeGreaterThan(0)
  expect(ends, `last: ${row.last_error}`).toContain(row.status)
  expect(await book.isSealed(id)).toBe(false)
  let at: string | null = null
  const steps: string[] = []
  for (const { from_status, to_status } of await withRetry(() => book.store.listEvents(id))) {
    expect(from_status).toBe(at)
    if (at !== null) expect(isTransition(at as ConditionalStatus, to_status as ConditionalStatus)).toBe(true)
    at = to_status
    steps.push(`conditional.${to_status}`)
  }
  expect(at).toBe(row.status)
  // Each published transition once: a re-armed order has triggered again.
  expect(await book.publishedEvents(id), 'events').toEqual(steps.filter((step) => publishedSteps.has(step)))
  if (row.status !== 'superseded') expect(steps).toContain('conditional.triggered')
  return row
}
