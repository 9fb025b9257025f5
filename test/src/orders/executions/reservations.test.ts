import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { executionSuite, idOf, refused } from '#test/support/execution/suite'

const { worldOf, count } = executionSuite()

describe('a reservation', () => {
  it('is held by one attempt, is used once, and blocks others', async () => {
    const world = await worldOf()
    const id = idOf(await world.build('b'))
    const tries = await Promise.all(Array.from({ length: 20 }, () => world.post(`${id}/reservations`, {})))
    const made = tries.filter(({ status }) => status === 200)
    expect(made).toHaveLength(1)
    for (const reply of tries.filter(({ status }) => status !== 200))
      expect(refused(reply)).toEqual([409, 'CONDITIONAL_ATTEMPT_CONFLICT'])
    expect(refused(await world.submit(id, 's'))).toEqual([409, 'CONDITIONAL_ATTEMPT_CONFLICT'])
    expect(refused(await world.submit(id, 's', { reservationId: randomUUID() }))).toEqual([409, 'RESERVATION_MISMATCH'])
    expect(refused(await world.submit(id, 's', { reservationId: 'x' }))).toEqual([400, 'VALIDATION_ERROR'])
    expect(world.venue.calls).toBe(0)
    const { reservationId } = made[0]!.json.data
    expect((await world.submit(id, 's', { reservationId })).json.data.status).toBe('acked')
    expect(await count(`execution_reservations WHERE id = $1 AND state = 'consumed'`, [reservationId])).toBe(1)
  })

  it('expires after 60 s: it submits nothing any more, and another may be made', async () => {
    const clock = new ManualClock(1_790_000_000_000)
    const world = await worldOf({ clock })
    const id = idOf(await world.build('b'))
    const { reservationId, expiresAt } = (await world.post(`${id}/reservations`, {})).json.data
    expect(Date.parse(expiresAt) - clock.now()).toBe(60_000)
    clock.advance(59_999)
    expect(refused(await world.post(`${id}/reservations`, {}))).toEqual([409, 'CONDITIONAL_ATTEMPT_CONFLICT'])
    clock.advance(1)
    expect(refused(await world.submit(id, 's', { reservationId }))).toEqual([409, 'RESERVATION_EXPIRED'])
    expect(world.venue.calls).toBe(0)
    const next = (await world.post(`${id}/reservations`, {})).json.data
    expect(next.reservationId).not.toBe(reservationId)
    expect((await world.submit(id, 's', { reservationId: next.reservationId })).json.data.status).toBe('acked')
  })

  it('does not block others after it expired', async () => {
    const clock = new ManualClock(1_790_000_000_000)
    const world = await worldOf({ clock })
    const id = idOf(await world.build('b'))
    await world.post(`${id}/reservations`, {})
    clock.advance(60_000)
    expect((await world.submit(id, 's')).json.data.status).toBe('acked')
  })

  it('submits nothing after its release, can be released again, and frees the execution', async () => {
    const world = await worldOf()
    const id = idOf(await world.build('b'))
    const { reservationId } = (await world.post(`${id}/reservations`, {})).json.data
    const path = `/v1/exec/novig/orders/${id}/reservations/${reservationId}`
    for (let i = 0; i < 2; i++) expect((await world.world.call('DELETE', path)).status).toBe(200)
    expect(refused(await world.submit(id, 's', { reservationId }))).toEqual([409, 'RESERVATION_RELEASED'])
    expect(world.venue.calls).toBe(0)
    expect((await world.submit(id, 's')).json.data.status).toBe('acked')
  })

  it('cannot be released after use, nor used for a submit under another key', async () => {
    const world = await worldOf()
    const id = idOf(await world.build('b'))
    const { reservationId } = (await world.post(`${id}/reservations`, {})).json.data
    world.venue.mode = 'refuse'
    expect(refused(await world.submit(id, 's', { reservationId }))).toEqual([401, 'VENUE_CREDENTIAL_REJECTED'])
    expect(refused(await world.submit(id, 't', { reservationId }))).toEqual([409, 'RESERVATION_CONSUMED'])
    const path = `/v1/exec/novig/orders/${id}/reservations/${reservationId}`
    expect(refused(await world.world.call('DELETE', path))).toEqual([409, 'RESERVATION_CONSUMED'])
  })

  it('of another execution or another account is a mismatch', async () => {
    const world = await worldOf()
    const [a, b] = [idOf(await world.build('a')), idOf(await world.build('b'))]
    const { reservationId } = (await world.post(`${a}/reservations`, {})).json.data
    expect(refused(await world.submit(b, 's', { reservationId }))).toEqual([409, 'RESERVATION_MISMATCH'])
    const gone = (id: string) => world.world.call('DELETE', `/v1/exec/novig/orders/${id}/reservations/${reservationId}`)
    expect(refused(await gone(b))).toEqual([409, 'RESERVATION_MISMATCH'])
    world.actAs(await world.newAccount())
    expect(refused(await gone(a))).toEqual([404, 'EXECUTION_NOT_FOUND'])
    const own = idOf(await world.build('c'))
    expect(refused(await world.submit(own, 's', { reservationId }))).toEqual([409, 'RESERVATION_MISMATCH'])
  })

  it('is not made for a sent execution', async () => {
    const world = await worldOf()
    const id = idOf(await world.build('b'))
    await world.submit(id, 's')
    expect((await world.post(`${id}/reservations`, {})).status).toBe(409)
  })
})
