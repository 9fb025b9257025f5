import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { conditionalStatuses } from '#schemas/conditional'
import { cancelAfterLapsed } from '#schemas/webhookEvents/cancelAfterLapsed'
import {
  type ChangedOrder,
  conditionalOutcomeUnknown,
  conditionalStatusChanged,
} from '#schemas/webhookEvents/conditionalStatusChanged'
import { executionBuilt } from '#schemas/webhookEvents/executionBuilt'
import { executionStatusChanged } from '#schemas/webhookEvents/executionStatusChanged'
import { runCompleted } from '#schemas/webhookEvents/runCompleted'
import { webhookTest } from '#schemas/webhookEvents/webhookTest'
import {
  CancelAfterLapsed,
  ConditionalStatusChanged,
  ExecutionBuilt,
  ExecutionStatusChanged,
  RunCompleted,
  testEvent,
  WebhookTest,
  webhookEvents,
} from '#schemas/webhooks'

const executionId = randomUUID()
const at = new Date('2026-01-02T03:04:05.006Z')
const occurredAt = '2026-01-02T03:04:05.006Z'

const conditionalId = randomUUID()
/** What the order and the payload show under the same names. */
const shown = {
  executionId,
  venue: 'kalshi',
  marketId: 'm1',
  outcomeId: 'o1',
  fireMode: 'hosted',
  ocoGroupId: null,
  status: 'firing',
  fireAttempts: 2,
  lastError: 'no answer',
  triggerEvidence: { book: 1 },
} as const
const order: ChangedOrder = { ...shown, id: conditionalId, updatedAt: occurredAt }

const run = { id: '7', startedAt: at.getTime(), finishedAt: at.getTime() + 1, ok: true, counts: { markets: 3 } }

it('execution.built has its schema', () => {
  const { event, payload } = executionBuilt({ executionId, venue: 'kalshi' })
  expect(event).toBe('execution.built')
  expect(ExecutionBuilt.strict().parse(payload)).toEqual({ executionId, venue: 'kalshi', status: 'built' })
})

it('execution.status.changed has its published schema', () => {
  const change = { executionId, venue: 'kalshi', status: 'acked', previousStatus: 'submitted' } as const
  const { event, payload } = executionStatusChanged({ ...change, at })
  expect(event).toBe('execution.status.changed')
  expect(ExecutionStatusChanged.strict().parse(payload)).toEqual({ ...change, occurredAt })
})

it('execution.cancel_after.lapsed has its published schema', () => {
  const counts = { cancelAfterId: randomUUID(), built: 3, refused: 1, remaining: 0 }
  const { event, payload } = cancelAfterLapsed({ ...counts, deadline: at, at })
  expect(event).toBe('execution.cancel_after.lapsed')
  expect(CancelAfterLapsed.strict().parse(payload)).toEqual({ ...counts, deadline: occurredAt, occurredAt })
})

it.each(['triggered', 'fired', 'fire_failed', 'expired'] as const)(
  'conditional.%s has its published schema',
  (status) => {
    const { event, payload } = conditionalStatusChanged({ ...order, status }, 'armed')!
    expect(event).toBe(`conditional.${status}`)
    const expected = { ...shown, conditionalId, status, previousStatus: 'armed', occurredAt }
    expect(ConditionalStatusChanged.strict().parse(payload)).toEqual(expected)
  },
)

it('an unknown outcome is reported as conditional.triggered with the status firing', () => {
  const { event, payload } = conditionalOutcomeUnknown(order)
  expect(event).toBe('conditional.triggered')
  const expected = { ...shown, conditionalId, previousStatus: 'triggered', occurredAt }
  expect(ConditionalStatusChanged.strict().parse(payload)).toEqual(expected)
})

it.each([
  ['ingest', 'ingest.run.completed'],
  ['matcher.run', 'matcher.run.completed'],
])('a run of %s has the published schema of %s', (job, name) => {
  const { event, payload } = runCompleted({ ...run, job })!
  expect(event).toBe(name)
  expect(RunCompleted.strict().parse(payload)).toEqual({
    id: '7',
    job,
    started_at: occurredAt,
    finished_at: '2026-01-02T03:04:05.007Z',
    ok: true,
    counts: { markets: 3 },
  })
})

it('webhook.test has its published schema', () => {
  const webhookId = randomUUID()
  const { event, payload } = webhookTest({ webhookId, at })
  expect(event).toBe(testEvent)
  expect(WebhookTest.strict().parse(payload)).toEqual({ test: true, webhookId, occurredAt })
})

it('every event for which an endpoint can register has a builder, and other changes have none', () => {
  const built = [
    ...['ingest', 'matcher.run', 'catalog', 'toString'].map((job) => runCompleted({ ...run, job })),
    executionStatusChanged({ executionId, venue: 'kalshi', status: 'acked', previousStatus: 'submitted', at }),
    cancelAfterLapsed({ cancelAfterId: randomUUID(), deadline: at, at, built: 0, refused: 0, remaining: 0 }),
    ...conditionalStatuses.map((status) => conditionalStatusChanged({ ...order, status }, 'armed')),
  ]
  const names = built.flatMap((one) => one?.event ?? [])
  expect(names.toSorted()).toEqual(webhookEvents.toSorted())
})
