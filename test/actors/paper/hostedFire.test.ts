// Conditional orders of paper accounts: hosted at a venue whose live orders need credentials, and fired without any.
import { randomUUID } from 'node:crypto'
import { expect, it, vi } from 'vitest'
import { spawnFiring } from '#actors/firing/conditionalSubmitActor'
import { start, stop } from '#actors/system'
import { systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { createFiredExecutions } from '#orders/executions/index'
import { createAccountWorld } from '#test/support/paper/accountWorld'
import { withPostgres } from '#test/support/postgres'

const postgres = withPostgres()
const waiting = { timeout: 20_000, interval: 20 }

it('arms a hosted order without a signature, and fires it into the paper exchange', async () => {
  const here = await createAccountWorld(postgres.pool)
  const { store, seal } = here.conditional
  const executionId = await here.build({ price: '0.60', size: 10 })
  const armed = await here.world.post(
    '/v1/exec/conditional',
    {
      executionId,
      trigger: { when: 'at_or_below', price: 0.5 },
      fireMode: 'hosted',
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
      // What a bot gives live is dropped.
      signedArtifact: { apiKeyId: 'canary-id', privateKeyPem: 'canary-pem' },
    },
    { headers: { 'idempotency-key': randomUUID() } },
  )
  expect(armed.status, armed.text).toBe(200)
  const { id: conditionalId } = armed.json.data
  await store.trigger([{ id: conditionalId, evidence: { book: 1 } }], new Date())

  const system = start()
  const fired = { blocks: () => false, signal: new AbortController().signal }
  const firing = spawnFiring(system, {
    executions: createFiredExecutions(here.deps, fired),
    store,
    seal,
    random: Math.random,
    clock: systemClock,
    log: silentLog,
  })
  try {
    firing.wake()
    await vi.waitFor(async () => {
      const { json } = await here.world.get(`/v1/exec/conditional/${conditionalId}`)
      expect(json.data.status).toBe('fired')
    }, waiting)
  } finally {
    await firing.stop()
    stop(system)
  }
  expect((await here.execution(executionId)).status).toBe('acked')
  expect((await here.account()).workingOrders).toBe(1)
})
