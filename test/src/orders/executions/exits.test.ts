// Every status of an execution against every action of its owner, written out by hand; every status that is not final can be ended.
import { describe, expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { isTerminal } from '#orders/executions/transitions'
import { type ExecutionStatus, executionStatuses, type Intent, intents } from '#schemas/executions'
import { testLane } from '#test/support/execution/lane'
import { executionSuite, idOf } from '#test/support/execution/suite'
import type { ExecutionAdapter } from '#venues/lane'

const { pg, worldOf } = executionSuite()

/** A venue that shows no order and has no rule that ends one, so only the owner can decide. */
const silent = (): ExecutionAdapter => {
  const lane = testLane()
  const { lateBound: _, ...submit } = lane.submit!
  const read: NonNullable<ExecutionAdapter['refresh']>['read'] = async (_context, { venueRef }) => ({
    status: null,
    shown: false,
    undone: false,
    venueRef,
    fills: [],
    observation: { reason: 'not among the open orders' },
  })
  return { ...lane, submit, refresh: { ...lane.refresh!, read } }
}

/** An execution an hour after it reached its status; an accepted one has its venue order id. */
async function executionIn(status: ExecutionStatus, intent: Intent = 'order') {
  const clock = new ManualClock(Date.now())
  const world = await worldOf({ clock, lanes: [silent()] })
  const id = idOf(await world.build('b'))
  const target = intent === 'cancel' || intent === 'modify' ? idOf(await world.build('target')) : null
  const venueRef = ['acked', 'filled', 'expired', 'canceled'].includes(status) ? 'v-1' : null
  await pg.pool.query('UPDATE executions SET status = $2, intent = $3, venue_ref = $4, target_id = $5 WHERE id = $1', [
    id,
    status,
    intent,
    venueRef,
    target,
  ])
  clock.advance(60 * 60_000)
  const resolve = (outcome: string) => world.post(`${id}/resolve`, { outcome, reason: 'by mail' }, `r-${outcome}`)
  const actions = {
    refresh: () => world.refresh(id),
    cancel: () => world.cancel(id, 'c'),
    modify: () => world.modify(id, 'm'),
    submit: () => world.submit(id, 's'),
    discard: () => world.world.call('DELETE', `/v1/exec/novig/orders/${id}`),
    'resolve failed': () => resolve('failed'),
    'resolve canceled': () => resolve('canceled'),
    'resolve filled': () => resolve('filled'),
  }
  const now = async (): Promise<ExecutionStatus> => (await world.get(`/v1/exec/executions/${id}`)).json.data.status
  return { actions, now }
}

type Action = keyof Awaited<ReturnType<typeof executionIn>>['actions']
const actions = [
  'refresh',
  'cancel',
  'modify',
  'submit',
  'discard',
  'resolve failed',
  'resolve canceled',
  'resolve filled',
] as const satisfies readonly Action[]

const terminal = 'EXECUTION_TERMINAL'
const invalid = 'VALIDATION_ERROR'
const conflict = 'IDEMPOTENCY_CONFLICT'
/** Of an order: the status after the action, or the error code, in the order of `actions`. */
const table: Readonly<Record<ExecutionStatus, readonly string[]>> = {
  built: [invalid, invalid, invalid, 'acked', 'canceled', conflict, conflict, conflict],
  signed: [invalid, invalid, invalid, 'acked', 'canceled', conflict, conflict, conflict],
  submitted: ['submitted', invalid, invalid, conflict, conflict, 'failed', 'canceled', 'filled'],
  acked: ['acked', 'acked', 'acked', conflict, conflict, conflict, 'canceled', 'filled'],
  filled: ['filled', 'filled', terminal, terminal, terminal, terminal, terminal, terminal],
  failed: [invalid, terminal, terminal, terminal, terminal, terminal, terminal, terminal],
  expired: ['expired', terminal, terminal, terminal, terminal, terminal, terminal, terminal],
  canceled: ['canceled', terminal, terminal, terminal, terminal, terminal, terminal, terminal],
}

describe('an order that its venue does not show', () => {
  const cells = executionStatuses.flatMap((status) =>
    actions.map((action, i) => [status, action, table[status][i]!] as const),
  )
  it.each(cells)('%s, on %s: %s', async (status, action, expected) => {
    const { actions: act, now } = await executionIn(status)
    const reply = await act[action]()
    expect(reply.status === 200 ? await now() : reply.json.error.code, reply.text).toBe(expected)
  })
})

describe('no dead end', () => {
  const living = executionStatuses.filter((status) => !isTerminal(status))
  const states = intents.flatMap((intent) => living.map((status) => [intent, status] as const))
  it.each(states)('a %s that is %s can be ended by its owner', async (intent, status) => {
    const ends: Action[] = []
    for (const action of ['discard', 'resolve failed', 'resolve canceled', 'resolve filled'] as const) {
      const { actions: act, now } = await executionIn(status, intent)
      if ((await act[action]()).status === 200 && isTerminal(await now())) ends.push(action)
    }
    expect(ends).not.toEqual([])
  })
})
