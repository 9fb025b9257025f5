// The cost of an order does not grow with the number of orders: none of its statements scans a large table sequentially.
import { randomUUID } from 'node:crypto'
import { expect, it, vi } from 'vitest'
import { ManualClock } from '#core/clock'
import { fire } from '#orders/conditional/submitTriggered'
import { LeanClient } from '#storage/postgres/pgClient'
import { noon, openConditionalOrders } from '#test/support/conditional/book'
import { armMany, plan } from '#test/support/conditional/manyOrders'
import { signedLane } from '#test/support/conditional/signedLane'
import { openSubmitFixture } from '#test/support/conditional/submitFixture'
import { buildAll, cancelEverything, idsOf, novigOrders, submitAll } from '#test/support/execution/batch'
import { limitedOrders } from '#test/support/execution/limitedOrders'
import { executionSuite, idOf } from '#test/support/execution/suite'

const { pg, worldOf } = executionSuite()
const groups = 2_000
const large = [
  'executions',
  'execution_keys',
  'execution_audit',
  'conditional_orders',
  'conditional_events',
  'oco_groups',
  'outbox',
]

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  Plans?: PlanNode[]
}
const scansIn = ({ 'Node Type': type, 'Relation Name': relation, Plans = [] }: PlanNode): string[] => [
  ...(type === 'Seq Scan' && relation !== undefined && large.includes(relation) ? [relation] : []),
  ...Plans.flatMap(scansIn),
]

interface RecordedStatement {
  values: unknown[]
  /** A prepared statement, which may get a plan for any values. */
  isPrepared: boolean
}

/** Each statement text that `work` runs, with its last values. */
async function statementsOf(work: () => Promise<void>): Promise<Map<string, RecordedStatement>> {
  const query = vi.spyOn(LeanClient.prototype, 'query')
  try {
    await work()
    return new Map(
      query.mock.calls.flatMap(([statement, given]): [string, RecordedStatement][] => {
        const { text, values, name } = typeof statement === 'string' ? { text: statement } : statement
        const bound = {
          values: (Array.isArray(given) ? given : (values ?? [])) as unknown[],
          isPrepared: name !== undefined,
        }
        return /^\s*(SELECT|WITH|INSERT|UPDATE|DELETE)\b/.test(text!) ? [[text!, bound]] : []
      }),
    )
  } finally {
    query.mockRestore()
  }
}

/** Orders of other accounts, most of them terminal. */
async function fill(): Promise<void> {
  const pairs = Array.from({ length: groups }, () => {
    const ocoGroupId = randomUUID()
    return [plan({ ocoGroupId }), plan({ ocoGroupId })]
  })
  await armMany(pg.pool, await openConditionalOrders(pg.pool), pairs.flat())
  for (const text of [
    `UPDATE executions SET status = 'filled' WHERE random() < 0.5`,
    `INSERT INTO execution_keys (account_id, kind, key, body_sha256, execution_id, created_at)
     SELECT account_id, 'submit', id::text, sha256('{}'), id, created_at FROM executions`,
    `INSERT INTO execution_audit (execution_id, from_status, to_status, event, at)
     SELECT id, 'built', 'submitted', 'submit', created_at FROM executions`,
    `INSERT INTO outbox (event, account_id, payload, created_at, taken_at)
     SELECT 'x', account_id, '{}', created_at, created_at FROM executions`,
    'ANALYZE',
  ])
    await pg.pool.query(text)
}

it('uses an index for every statement from building an order to its end, and from arming to firing', async () => {
  await fill()
  const clock = new ManualClock(noon.getTime())
  const world = await worldOf({ clock })
  const signed = await worldOf({ clock, lanes: [signedLane()] })
  const { book, deps, triggered, hold } = await openSubmitFixture(pg.pool, signed)
  const submitted = async (id: string) => expect((await world.submit(id, randomUUID())).status).toBe(200)

  const orders = limitedOrders(world)

  const statements = await statementsOf(async () => {
    await orders.set('openNotional', '1000000')
    await orders.set('orderRate', '1000')
    const id = idOf(await world.build('b'))
    await submitted(id)
    await submitted(idOf(await world.modify(id, 'm')))
    await world.refresh(id)
    await submitted(idOf(await world.cancel(id, 'c')))
    world.venue.mode = 'reject'
    await submitted(idOf(await world.build('b2')))
    await world.get('/v1/exec/risk-limits')
    await world.get('/v1/exec/executions')
    await world.get(`/v1/exec/executions/${id}`)
    for (const query of ['', '?open=true', '?status=filled,acked&marketId=m', `?group=${randomUUID()}`, '/in-doubt'])
      await world.get(`/v1/exec/orders${query}`)
    world.venue.mode = 'accept'
    await submitAll(world, 'many', idsOf(await buildAll(world, 'many', novigOrders(3))) as string[])
    for (const key of ['all', 'all']) expect((await cancelEverything(world, key)).status).toBe(200)

    const ocoGroupId = randomUUID()
    const [won, lost] = [await triggered({ ocoGroupId }), await triggered({ ocoGroupId })]
    expect(await fire(deps, await hold(won.id))).toBe('fired')
    expect(await book.statusOf(lost.id)).toBe('superseded')
    const { id: failing, order } = await triggered()
    signed.venue.orderModes.set(order, 'reject')
    expect(await fire(deps, await hold(failing))).toBe('fire_failed')
    await book.store.expireDue({ limit: 10, at: noon })
  })
  expect(statements.size).toBeGreaterThan(30)
  const planOf = async (how: string, text: string, values: unknown[]): Promise<PlanNode> => {
    const { rows } = await pg.pool.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`EXPLAIN (${how}) ${text}`, values)
    return rows[0]!['QUERY PLAN'][0].Plan
  }
  expect([...statements.values()].filter(({ isPrepared }) => isPrepared).length).toBeGreaterThan(8)
  for (const [text, { values, isPrepared }] of statements) {
    expect(scansIn(await planOf('FORMAT JSON', text, values)), text).toEqual([])
    if (isPrepared) expect(scansIn(await planOf('GENERIC_PLAN, FORMAT JSON', text, [])), text).toEqual([])
  }
})
