// A signed transaction with an unknown outcome is sent again: the same bytes are one transaction on the chain, from any sender.
import { expect, it } from 'vitest'
import { tableOf } from '#test/support/execution/labTable'
import { executionSuite, refused } from '#test/support/execution/suite'

const suite = executionSuite()
const { pg } = suite
const atTheTable = tableOf(suite)
type Play = Parameters<typeof atTheTable<'rain'>>[1]
type Table = Parameters<Play>[0]

/** An order whose transaction never reached the node, without its owner knowing. */
async function lost({ here, trader, post }: Table) {
  const { executionId: id, unsigned } = (await post('build', trader.order, 'b')).json.data
  const body = await trader.send(unsigned)
  here.lab.faults.order({ fault: 'vanish' })
  const sent = await post(`${id}/submit`, body, 's')
  expect(sent.json.data?.status, sent.text).toBe('submitted')
  here.lab.faults.recover()
  return { id, unsigned, body, venueRef: sent.json.data.venueRef }
}

const rowOf = async (id: string) =>
  (await pg.pool.query('SELECT status, venue_ref, submitted_artifact, updated_at FROM executions WHERE id = $1', [id]))
    .rows[0]

it('sends the identical transaction again under a new key, as one order', () =>
  atTheTable('rain', async (table) => {
    const { here, trader, post } = table
    const { id, body, venueRef } = await lost(table)
    expect(trader.orders()).toHaveLength(0)
    here.world.clock.advance(120_000)
    const again = await post(`${id}/submit`, body, 'again')
    expect(again.json.data, again.text).toMatchObject({ status: 'acked', venueRef })
    expect(again.headers['idempotency-replay']).toBeUndefined()
    expect((await post(`${id}/submit`, body, 'again')).headers['idempotency-replay']).toBe('true')
    expect(trader.orders()).toHaveLength(1)
    // Its outcome is known now.
    expect(refused(await post(`${id}/submit`, body, 'third'))).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
    const { rows } = await pg.pool.query('SELECT event FROM execution_audit WHERE execution_id = $1 ORDER BY id', [id])
    expect(rows.map(({ event }) => event)).toEqual(['build', 'submit', 'resubmit', 'accepted'])
  }))

it('rejects other bytes for the same order', () =>
  atTheTable('rain', async (table) => {
    const { trader, post } = table
    const { id, unsigned } = await lost(table)
    const before = await rowOf(id)
    expect(refused(await post(`${id}/submit`, await trader.send(unsigned), 'other'))).toEqual([
      409,
      'IDEMPOTENCY_CONFLICT',
    ])
    expect(await rowOf(id)).toEqual(before)
    expect(trader.orders()).toHaveLength(0)
  }))

it('keeps the execution submitted when the second attempt is refused, because the first copy may have arrived', () =>
  atTheTable('rain', async (table) => {
    const { here, trader, post } = table
    const { id, body, venueRef } = await lost(table)
    const before = await rowOf(id)
    here.world.clock.advance(120_000)
    here.lab.faults.order({ fault: 'reject' })
    const rejected = await post(`${id}/submit`, body, 'rejected')
    expect(rejected.json.data, rejected.text).toMatchObject({ status: 'submitted', venueRef, error: null })
    expect(rejected.json.data.observation.reason).toContain('insufficient funds')
    here.lab.faults.recover()
    here.lab.faults.http({ status: 429, path: 'eth_sendRawTransaction' })
    const limited = await post(`${id}/submit`, body, 'limited')
    expect(refused(limited)).toEqual([503, 'NETWORK_ERROR'])
    expect(limited.json.error.message).toContain('the earlier attempt may still arrive')
    here.lab.faults.recover()
    const after = await rowOf(id)
    expect(after).toMatchObject({ ...before, updated_at: expect.any(Date) })
    // A copy may still be on its way: its owner cannot resolve it as failed yet.
    expect(after.updated_at.getTime()).toBeGreaterThan(before.updated_at.getTime())
    expect(refused(await post(`${id}/resolve`, { outcome: 'failed', reason: 'test' }, 'r'))).toEqual([
      409,
      'IDEMPOTENCY_CONFLICT',
    ])
    expect((await post(`${id}/submit`, body, 'limited')).json.data.status).toBe('acked')
    expect(trader.orders()).toHaveLength(1)
  }))

it('sends nothing again during a halt', () =>
  atTheTable('rain', async (table) => {
    const { world, trader, post } = table
    const { id, body } = await lost(table)
    await world.world.post('/v1/exec/halt', { scope: 'account', reason: 'testing' })
    expect(refused(await post(`${id}/submit`, body, 'halted'))).toEqual([403, 'PERMISSION_DENIED'])
    expect(trader.orders()).toHaveLength(0)
  }))

it('never sends an order of a book again', () =>
  atTheTable('myriad', async ({ here, trader, post }) => {
    const { executionId: id, unsigned } = (await post('build', trader.order, 'b')).json.data
    const body = await trader.send(unsigned)
    here.lab.faults.order({ fault: 'vanish' })
    await post(`${id}/submit`, body, 's')
    here.lab.faults.recover()
    expect(refused(await post(`${id}/submit`, body, 'again'))).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
    expect(trader.orders()).toHaveLength(0)
  }))
