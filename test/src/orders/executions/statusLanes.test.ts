// Executions of a venue at which nothing is built: they are refreshed, and no other route accepts the venue.
import { expect, it } from 'vitest'
import { systemClock } from '#core/clock'
import { executionSuite, idOf, refused } from '#test/support/execution/suite'
import type { LaneContext } from '#venues/lane'
import { sxbetStatus } from '#venues/sxbet/exec/index'

const { pg, worldOf, count, setStatus } = executionSuite()

const apiKey = 'key-throwaway-1f2e3d'
const orderId = 'o-1'

async function imported() {
  const answers: { reply: object } = { reply: {} }
  const http = { request: async () => ({ status: 200, headers: {}, body: answers.reply }) }
  const context = { http, urls: sxbetStatus.urls, clock: systemClock } as unknown as LaneContext
  const statusLanes = new Map([[sxbetStatus.slug as string, { lane: sxbetStatus, context: () => context }]])
  const world = await worldOf({ statusLanes })
  const id = idOf(await world.build('b'))
  await setStatus(id, 'acked')
  await pg.pool.query('UPDATE executions SET venue = $2, venue_ref = $3 WHERE id = $1', [id, sxbetStatus.slug, orderId])
  const post = (path: string, body: object = {}) =>
    world.world.post(`/v1/exec/sxbet/orders/${path}`, body, { headers: { 'idempotency-key': path } })
  const show = (remainingSize: string, status = 'ACTIVE', inactiveReason: string | null = null) => {
    const order = { id: orderId, totalBetSize: '9000000', remainingSize, status, inactiveReason, updatedAt: null }
    answers.reply = { status: 'success', data: { order } }
  }
  return { world, id, post, show, look: async () => (await post(`${id}/refresh`, { apiKey })).json.data }
}

it('appends fills with a transition, and only what exceeds the recorded fills', async () => {
  const { id, show, look } = await imported()
  show('6000000')
  expect(await look()).toMatchObject({ status: 'acked', fills: [] })
  show('5000000', 'INACTIVE', 'USER_REQUESTED')
  const ended = await look()
  expect(ended).toMatchObject({ venue: 'sxbet', status: 'canceled', fills: [{ fillAmount: '4000000' }] })
  expect((await look()).fills).toEqual(ended.fills)
  // The venue counts further: a late fill is reported as the difference.
  show('0', 'INACTIVE', 'USER_REQUESTED')
  expect((await look()).fills.map(({ fillAmount }: { fillAmount: string }) => fillAmount)).toEqual([
    '4000000',
    '5000000',
  ])
  await Promise.all([look(), look()])
  expect(await count('execution_fills WHERE execution_id = $1', [id])).toBe(2)
})

it('rejects a stored fill without its exact amount', async () => {
  const { world, id, post, show } = await imported()
  await pg.pool.query(
    `INSERT INTO execution_fills (account_id, execution_id, venue, venue_key, fill, filled_at)
     VALUES ($1, $2, 'sxbet', 'k', '{"conditional": true}', now())`,
    [world.accountId, id],
  )
  show('0', 'INACTIVE', 'FILLED')
  expect(refused(await post(`${id}/refresh`, { apiKey }))).toEqual([400, 'VALIDATION_ERROR'])
  expect(await count('execution_fills WHERE execution_id = $1', [id])).toBe(1)
})

it('no other route accepts the venue', async () => {
  const { world, id, post } = await imported()
  for (const path of ['build', `${id}/submit`, `${id}/cancel`, `${id}/modify`]) {
    expect([path, ...refused(await post(path, { size: 5 }))]).toEqual([path, 404, 'VENUE_NOT_SUPPORTED'])
  }
  expect(refused(await world.get('/v1/exec/sxbet/trades'))).toEqual([404, 'VENUE_NOT_SUPPORTED'])
  const listed = (await world.get('/v1/exec/venues')).json.data.map(({ venue }: { venue: string }) => venue)
  expect(listed).not.toContain('sxbet')
  expect(refused(await post(`${id}/refresh`, {}))).toEqual([400, 'VALIDATION_ERROR'])
})
