// The scenarios of an execution whose process is killed, and what must be true after each.
import { expect } from 'vitest'
import { type ExecutionEvent, nextStatus } from '#orders/executions/transitions'
import type { ExecutionStatus } from '#schemas/executions'
import type { Pool } from '#storage/postgres/pool'
import type { Reply } from '#test/src/server/http/world'
import type { DoomedJob } from '#test/support/execution/killedProcess.main'
import type { VenueMode } from '#test/support/execution/venue'
import type { ExecutionWorld } from '#test/support/execution/world'

/** `submit:cancel` is the submit of a cancellation. */
export const plots = [
  'build',
  'cancel',
  'modify',
  'submit:order',
  'submit:cancel',
  'submit:modify',
  'refresh:order',
  'refresh:cancel',
] as const
export type Plot = (typeof plots)[number]

/** These write through one statement that concurrent builds may share, so such a job is killed alone, at its own await. */
export const writesAlone = (plot: Plot): boolean => !plot.includes(':')

export interface Run {
  name: string
  plot: Plot
  mode: VenueMode
  job: Omit<DoomedJob, 'stopAt'>
  /** The blind retry: the same request again, from a process that keeps running. */
  retry(): Promise<Reply>
  /** What is checked after the retry. */
  verify(retried: Reply): Promise<void>
}

const idOf = (reply: Reply): string => reply.json.data.executionId
const venueIdOf = (reply: Reply): string => reply.json.data.unsigned.id

/** `pass` advances the world's clock. */
export function createPlots(world: ExecutionWorld, pool: Pool, pass: (ms: number) => void = () => undefined) {
  const { venue } = world
  let made = 0
  const rows = async <Row extends object>(sql: string, values: unknown[]): Promise<Row[]> =>
    (await pool.query<Row>(sql, values)).rows

  /** The audit follows the transition table and ends at the status of the row, and each real transition has one event. */
  async function verifyHistory(id: string): Promise<void> {
    const steps = await rows<{ from: ExecutionStatus | null; to: ExecutionStatus; event: string }>(
      'SELECT from_status AS "from", to_status AS "to", event FROM execution_audit WHERE execution_id = $1 ORDER BY id',
      [id],
    )
    let at: ExecutionStatus | null = null
    for (const { from, to, event } of steps) {
      expect(from).toBe(at)
      if (from !== null) expect(nextStatus(from, event as ExecutionEvent)).toBe(to)
      at = to
    }
    const eventCounts = await rows<{ event: string; n: number }>(
      `SELECT event, count(*)::int AS n FROM outbox WHERE payload->>'executionId' = $1 GROUP BY event`,
      [id],
    )
    const count = (event: string): number => eventCounts.find((row) => row.event === event)?.n ?? 0
    expect(count('execution.built')).toBe(1)
    expect(count('execution.status.changed')).toBe(steps.filter(({ from, to }) => from !== null && from !== to).length)
    expect((await rows<{ status: string }>('SELECT status FROM executions WHERE id = $1', [id]))[0]?.status).toBe(at)
  }

  const statusAfterRefresh = async (id: string): Promise<string> => {
    const reply = await world.refresh(id)
    // Without a venue order there is nothing to query.
    if (reply.status === 400) return (await world.get(`/v1/exec/executions/${id}`)).json.data.status
    expect(reply.status, reply.text).toBe(200)
    return reply.json.data.status
  }

  const fillsOf = async (id: string): Promise<string[]> =>
    (
      await rows<{ key: string }>('SELECT venue_key AS key FROM execution_fills WHERE execution_id = $1 ORDER BY id', [
        id,
      ])
    ).map(({ key }) => key)

  /** The order is at the venue once or not at all, and one refresh shows which. */
  async function verifyOrder(id: string, order: string): Promise<void> {
    const placed = venue.placed.filter((one) => one === order).length
    expect(placed, 'venue orders').toBeLessThanOrEqual(1)
    if (placed === 1) {
      venue.status.set(order, 'filled')
      venue.fills.set(order, ['f1', 'f2'])
    }
    const status = await statusAfterRefresh(id)
    if (placed === 1) expect(status).toBe('filled')
    else expect(['submitted', 'failed', 'built']).toContain(status)
    await statusAfterRefresh(id)
    if (status === 'submitted') {
      // There will be no answer: the rules of the venue decide once no late copy can be accepted.
      pass(5 * 60_000)
      await statusAfterRefresh(id)
      pass(60_000)
      expect(await statusAfterRefresh(id)).toBe('failed')
    }
    expect(await fillsOf(id)).toEqual(placed === 1 ? ['f1', 'f2'] : [])
    await verifyHistory(id)
  }

  async function verifyKey(kind: string, key: string): Promise<void> {
    const bound = await rows('SELECT 1 FROM execution_keys WHERE account_id = $1 AND kind = $2 AND key = $3', [
      world.accountId,
      kind,
      key,
    ])
    expect(bound, 'uses of the key').toHaveLength(1)
  }

  async function resting(name: string): Promise<{ id: string; order: string }> {
    const built = await world.build(`${name}-build`)
    const [id, order] = [idOf(built), venueIdOf(built)]
    expect((await world.submit(id, `${name}-place`)).json.data.status).toBe('acked')
    return { id, order }
  }

  /** Everything before the request that is killed; the venue's behavior applies to that request only. */
  async function begin(plot: Plot, mode: VenueMode): Promise<Run> {
    const name = `${plot}-${mode}-${made++}`
    const key = `${name}-key`
    const secret = { apiSecret: 'canary-secret-9f2c' }
    const run = (job: Pick<DoomedJob, 'verb' | 'executionId' | 'body'>, more: Pick<Run, 'retry' | 'verify'>): Run => ({
      name,
      plot,
      mode,
      job: { name, key, ...job },
      ...more,
    })

    if (plot === 'build') {
      return run(
        { verb: 'build', executionId: '', body: { size: 5 } },
        {
          retry: () => world.build(key),
          async verify(retried) {
            expect(retried.status).toBe(200)
            await verifyKey('build', key)
            await verifyHistory(idOf(retried))
          },
        },
      )
    }

    if (plot === 'submit:order') {
      const built = await world.build(`${name}-build`)
      const [id, order] = [idOf(built), venueIdOf(built)]
      venue.orderModes.set(order, mode)
      return run(
        { verb: 'submit', executionId: id, body: secret },
        {
          retry: () => world.submit(id, key),
          async verify() {
            await verifyKey('submit', key)
            await verifyOrder(id, order)
          },
        },
      )
    }

    const { id, order } = await resting(name)
    if (plot === 'refresh:order') {
      venue.status.set(order, 'filled')
      venue.fills.set(order, ['f1', 'f2'])
      return run(
        { verb: 'refresh', executionId: id, body: {} },
        {
          retry: () => world.refresh(id),
          async verify(retried) {
            expect(retried.json.data.status).toBe('filled')
            expect(retried.json.data.fills).toHaveLength(2)
            await verifyOrder(id, order)
          },
        },
      )
    }

    if (plot === 'cancel' || plot === 'modify') {
      const body = plot === 'cancel' ? {} : { size: 7 }
      return run(
        { verb: plot, executionId: id, body },
        {
          retry: () => world.post(`${id}/${plot}`, body, key),
          async verify(retried) {
            expect(retried.json.data).toMatchObject({ intent: plot, status: 'built', targetExecutionId: id })
            await verifyKey(plot, key)
            await verifyHistory(idOf(retried))
            await verifyOrder(id, order)
          },
        },
      )
    }

    const derived = plot === 'submit:modify' ? await world.modify(id, `${name}-m`) : await world.cancel(id, `${name}-c`)
    const derivedId = idOf(derived)

    if (plot === 'submit:modify') {
      const replacement = venueIdOf(derived)
      venue.orderModes.set(replacement, mode)
      return run(
        { verb: 'submit', executionId: derivedId, body: secret },
        {
          retry: () => world.submit(derivedId, key),
          async verify() {
            await verifyKey('submit', key)
            // Replaced or not, and with or without a response: the order rests under one of the two ids.
            const replaced = venue.placed.includes(replacement)
            expect(await statusAfterRefresh(id)).toBe('acked')
            await verifyOrder(derivedId, replacement)
            // Its replacement was filled: it ends with that, and has no fill of its own.
            expect(await statusAfterRefresh(id)).toBe(replaced ? 'filled' : 'acked')
            expect(await fillsOf(id)).toEqual([])
            await verifyHistory(id)
          },
        },
      )
    }

    const verifyCancel = async (): Promise<void> => {
      const done = venue.canceled.filter((one) => one === order).length
      expect(done, 'cancellations').toBeLessThanOrEqual(1)
      const status = await statusAfterRefresh(derivedId)
      if (done === 1) expect(status).toBe('acked')
      else expect(['submitted', 'failed', 'built']).toContain(status)
      expect(await statusAfterRefresh(id)).toBe(done === 1 ? 'canceled' : 'acked')
      await verifyHistory(derivedId)
      await verifyHistory(id)
    }
    venue.orderModes.set(order, plot === 'refresh:cancel' ? 'drop' : mode)
    if (plot === 'refresh:cancel') {
      expect((await world.submit(derivedId, `${name}-s`)).json.data.status).toBe('submitted')
      return run(
        { verb: 'refresh', executionId: derivedId, body: {} },
        { retry: () => world.refresh(derivedId), verify: verifyCancel },
      )
    }
    return run(
      { verb: 'submit', executionId: derivedId, body: secret },
      {
        retry: () => world.submit(derivedId, key),
        async verify() {
          await verifyKey('submit', key)
          await verifyCancel()
        },
      },
    )
  }

  return { begin, verifyHistory }
}
