// An order at a simulated venue that accepts it and drops the connection: the caller's requests over HTTP, and the deliveries of its
// webhook.
import { randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ManualClock } from '#core/clock'
import { createCursorCodec } from '#core/cursor'
import { CredentialBreaker } from '#orders/executions/index'
import { sign } from '#platform/webhooks/index'
import { ExecutionStatusChanged } from '#schemas/webhooks'
import { createExecutionStore } from '#storage/postgres/executions/store'
import { createWebhookWorld, type WebhookWorld } from '#test/src/platform/webhooks/world'
import { createLaneLab, type LaneLab } from '#test/support/laneLab'
import { withPostgres } from '#test/support/postgres'
import { geminiLane as lane } from '#venues/gemini/exec/index'

const pg = withPostgres()
let here: LaneLab<'gemini'>
let world: WebhookWorld
let clock: ManualClock
let logged: string
beforeEach(async () => {
  here = await createLaneLab('gemini')
  clock = here.world.clock
  logged = ''
  const log = pino(
    { level: 'trace' },
    new Writable({
      write(chunk, _encoding, done) {
        logged += String(chunk)
        done()
      },
    }),
  )
  world = await createWebhookWorld(pg.pool, {
    clock,
    log,
    executions: {
      breaker: new CredentialBreaker(clock),
      store: createExecutionStore(pg.pool),
      knownLanes: [lane],
      lanes: new Map([['gemini', { lane, context: (signal) => ({ ...here.world.context, signal }) }]]),
      cursors: createCursorCodec(Buffer.alloc(32, 9)),
      clock,
      log,
      newId: () => randomUUID(),
    },
  })
})
afterEach(async () => {
  await world.close()
  await here.close()
})

const post = async (path: string, body: unknown, key: string) =>
  (await world.http.post(`/v1/exec/gemini/orders/${path}`, body, { headers: { 'idempotency-key': key } })).json.data
const deliveriesTo = (path: string) => world.receiver.received.filter((one) => one.path === path)
/** Events are delivered at the next poll. */
async function deliverEvents(): Promise<void> {
  // The simulated venue has timers of its own here, so the manual clock does not show whether all work is done.
  const waiting = async () =>
    (
      await pg.pool.query(
        `SELECT 1 FROM outbox WHERE taken_at IS NULL UNION ALL SELECT 1 FROM webhook_deliveries WHERE status = 'queued'`,
      )
    ).rows.length
  while ((await waiting()) > 0) clock.advance(5)
}

it('submitted, found again, filled: one order, and one delivery for every real transition', async () => {
  const endpoint = await world.endpoint('/mine?token=canary-in-the-query', ['execution.status.changed'])
  world.actAs(await world.newAccount())
  await world.endpoint('/stranger')
  world.actAs(world.accountId)
  world.deliveries()

  const { executionId } = await post(
    'build',
    {
      outcome: here.facts.outcomeIds[0],
      outcomeSide: 'YES',
      isBuy: true,
      price: (here.bid / 1e6).toFixed(2),
      size: 10,
    },
    'build',
  )
  const { credentials } = here.lab
  const resting = () => here.lab.engine.orderManager.ordersOf(credentials.apiKey)
  here.lab.faults.apply('order', { fault: 'drop' })
  expect((await post(`${executionId}/submit`, credentials, 'attempt')).status).toBe('submitted')
  expect(resting()).toHaveLength(1)
  for (let i = 0; i < 3; i++) {
    expect((await post(`${executionId}/submit`, credentials, 'attempt')).status).toBe('submitted')
    expect(resting(), 'a blind retry places nothing').toHaveLength(1)
  }
  await deliverEvents()
  for (let i = 0; i < 3; i++) expect((await post(`${executionId}/refresh`, credentials, 'r')).status).toBe('acked')
  await deliverEvents()
  here.trade('sell', here.bid, 10)
  const ends = await Promise.all(Array.from({ length: 4 }, () => post(`${executionId}/refresh`, credentials, 'r')))
  expect(ends.map(({ status }) => status)).toEqual(['filled', 'filled', 'filled', 'filled'])
  expect((await post(`${executionId}/refresh`, credentials, 'r')).status).toBe('filled')
  await deliverEvents()

  const received = deliveriesTo('/mine?token=canary-in-the-query')
  const { rows: audited } = await pg.pool.query<{ from_status: string; to_status: string; at: Date }>(
    'SELECT from_status, to_status, at FROM execution_audit WHERE execution_id = $1 AND from_status IS NOT NULL ORDER BY id',
    [executionId],
  )
  const bodies = received.map(({ raw }) => ExecutionStatusChanged.strict().parse(JSON.parse(raw.toString())))
  expect(bodies).toEqual(
    audited.map(({ from_status, to_status, at }) => ({
      executionId,
      venue: 'gemini',
      status: to_status,
      previousStatus: from_status,
      occurredAt: at.toISOString(),
    })),
  )
  expect(bodies.map(({ previousStatus, status }) => `${previousStatus} ${status}`)).toEqual([
    'built submitted',
    'submitted acked',
    'acked filled',
  ])
  for (const { headers, raw } of received) {
    const expected = sign(endpoint.secret, Number(headers['x-service-timestamp']), raw.toString())
    expect(headers['x-service-signature']).toBe(expected)
  }
  expect(deliveriesTo('/stranger')).toEqual([])

  const rows = (await world.http.get(`/v1/webhooks/${endpoint.id}/deliveries`)).json.data
  expect(rows.map(({ status, payload }: { status: string; payload: unknown }) => [status, payload])).toEqual(
    bodies.map((body) => ['delivered', body]),
  )

  // None of the caller's secrets appear where they do not belong.
  const tables = await pg.pool.query<{ all: string }>(
    `SELECT (SELECT coalesce(string_agg(t::text, ''), '') FROM webhook_endpoints t) ||
       (SELECT coalesce(string_agg(t::text, ''), '') FROM webhook_deliveries t) || (SELECT coalesce(string_agg(t::text, ''), '') FROM outbox t) AS all`,
  )
  const sinks = { log: logged, tables: tables.rows[0]!.all, sent: received.map(({ raw }) => raw.toString()).join('') }
  const secrets = [endpoint.secret, endpoint.secret.slice(6), credentials.apiSecret, world.accountId]
  for (const [sink, text] of Object.entries(sinks))
    for (const secret of secrets.slice(0, sink === 'tables' ? 3 : 4))
      expect(text.includes(secret), `${sink} holds a secret`).toBe(false)
})

it('a failing receiver is named in the log by its host only', async () => {
  await world.endpoint('/path-canary?token=query-canary', ['execution.status.changed'])
  world.receiver.behavior = 500
  await world.emit('execution.status.changed', { n: 1 }, world.accountId)
  const deliveries = world.deliveries()
  while (deliveries.stats().attempts === 0 || deliveries.stats().working > 0)
    await new Promise((resolve) => setImmediate(resolve))
  expect(logged).toContain(world.receiver.hostPort)
  expect(logged).toContain('status 500')
  expect(logged).not.toMatch(/path-canary|query-canary|whsec_/)
})
