import { describe, expect, it } from 'vitest'
import { callOf } from '#test/src/server/http/world'
import { testLane } from '#test/support/execution/lane'
import { executionSuite, idOf, refused } from '#test/support/execution/suite'
import type { ExecutionAdapter } from '#venues/lane'

const { pg, worldOf, events, setStatus } = executionSuite()

describe('submit', () => {
  it('an order that was accepted before the socket broke is submitted, is never sent again, and refresh finds it', async () => {
    const world = await worldOf()
    const id = idOf(await world.build('b'))
    world.venue.mode = 'drop'
    expect((await world.submit(id, 's')).json.data.status).toBe('submitted')
    const again = await world.submit(id, 's')
    expect([again.json.data.status, again.headers['idempotency-replay']]).toEqual(['submitted', 'true'])
    expect(refused(await world.submit(id, 'other'))).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
    expect(world.venue.placed).toHaveLength(1)
    expect((await world.refresh(id)).json.data.status).toBe('acked')
    expect((await world.refresh(id)).json.data.status).toBe('acked')
    // built → submitted → acked: one event for each real transition.
    expect(await events(id)).toBe(2)
  })

  it('shows the venue’s answer to the owner while the outcome is unknown, and no longer once it is known', async () => {
    const world = await worldOf()
    const id = idOf(await world.build('b'))
    world.venue.mode = 'unclear'
    world.venue.reason = 'matching engine is warming up'
    const reason = 'the venue answered with status 500: matching engine is warming up'
    const submitted = await world.submit(id, 's')
    for (const { json } of [submitted, await world.submit(id, 's'), await world.get(`/v1/exec/executions/${id}`)])
      expect(json.data).toMatchObject({
        status: 'submitted',
        error: null,
        observation: { reason: `outcome unknown: ${reason}` },
      })
    expect((await world.refresh(id)).json.data.observation.reason).toMatch(new RegExp(`; to the submit ${reason}$`))
    world.venue.status.set(submitted.json.data.unsigned.id, 'filled')
    await world.refresh(id)
    const { data } = (await world.get(`/v1/exec/executions/${id}`)).json
    expect([data.status, data.observation]).toEqual(['filled', undefined])
  })

  it('rejects the second of two executions with the same signed bytes, and names the first', async () => {
    const lane = testLane()
    const prepare: NonNullable<ExecutionAdapter['submit']>['prepare'] = async (_context, { unsigned }) => ({
      submittedArtifact: unsigned,
      venueRef: 'the-same-bytes',
    })
    const world = await worldOf({ lanes: [{ ...lane, submit: { ...lane.submit!, prepare } }] })
    const [first, second] = [idOf(await world.build('a')), idOf(await world.build('b'))]
    world.venue.mode = 'drop'
    expect((await world.submit(first, 'sa')).json.data.status).toBe('submitted')
    const twin = await world.submit(second, 'sb')
    expect(refused(twin)).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
    expect(twin.json.error.message).toContain(`execution ${first} `)
    expect(world.venue.placed).toHaveLength(1)
  })

  it('an order that never arrived stays submitted, however often it is queried or retried', async () => {
    const world = await worldOf()
    const id = idOf(await world.build('b'))
    world.venue.mode = 'forget'
    await world.submit(id, 's')
    world.venue.mode = 'accept'
    for (const reply of [await world.refresh(id), await world.submit(id, 's'), await world.refresh(id)])
      expect(reply.json.data.status).toBe('submitted')
    expect(world.venue.placed).toEqual([])
    expect(await events(id)).toBe(1)
  })

  it('a caller who disconnects does not stop the relay, and finds its outcome under the same key', async () => {
    const world = await worldOf()
    const id = idOf(await world.build('b'))
    const call = callOf('POST', `/v1/exec/novig/orders/${id}/submit`, {
      body: '{"apiSecret":"x"}',
      headers: { 'idempotency-key': 's' },
    })
    await world.world.handler({ ...call, signal: AbortSignal.abort() })
    expect(world.venue.placed).toHaveLength(1)
    const again = await world.submit(id, 's')
    expect([again.json.data.status, again.headers['idempotency-replay']]).toEqual(['acked', 'true'])
    expect(world.venue.placed).toHaveLength(1)
  })

  it('sends one of 50 concurrent submits with different keys', async () => {
    const world = await worldOf()
    const id = idOf(await world.build('b'))
    const replies = await Promise.all(Array.from({ length: 50 }, (_, i) => world.submit(id, `s${i}`)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(world.venue.placed).toHaveLength(1)
  })

  it('sends one of 50 concurrent submits with one key, and all return the same execution', async () => {
    const world = await worldOf()
    const id = idOf(await world.build('b'))
    const replies = await Promise.all(Array.from({ length: 50 }, () => world.submit(id, 's')))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    expect(replies.filter(({ headers }) => headers['idempotency-replay'] === 'true')).toHaveLength(49)
    expect(new Set(replies.map(idOf))).toEqual(new Set([id]))
    expect(world.venue.placed).toHaveLength(1)
  })

  it.each([
    ['is at the venue', 'accept', false, 'acked'],
    ['was rejected', 'reject', false, 'failed'],
    ['used the reservation', 'accept', true, 'acked'],
  ] as const)(
    'a submit overtaken by another one with its key, which %s, returns the result of that one',
    async (_, mode, reserved, status) => {
      let overtake: (() => Promise<unknown>) | null = null
      const world = await worldOf({
        wrap: (store) => ({
          ...store,
          async find(...args) {
            // After the key was looked up; with a reservation, after the order was read, too.
            const before = overtake
            overtake = null
            const row = reserved ? await store.find(...args) : null
            await before?.()
            return row ?? store.find(...args)
          },
        }),
      })
      const id = idOf(await world.build('b'))
      world.venue.mode = mode
      const body = reserved
        ? { reservationId: (await world.post(`${id}/reservations`, {})).json.data.reservationId }
        : undefined
      overtake = () => world.submit(id, 's', body)
      const reply = await world.submit(id, 's', body)
      expect([reply.status, reply.json.data?.status, reply.headers['idempotency-replay']]).toEqual([
        200,
        status,
        'true',
      ])
      overtake = () => world.submit(id, 's', body)
      expect((await world.submit(id, 'other', body)).status).toBe(409)
    },
  )

  it('a rejection fails the execution with a safe reason, without a venue order to query', async () => {
    const world = await worldOf()
    world.venue.mode = 'reject'
    const id = idOf(await world.build('b'))
    expect((await world.submit(id, 's')).json.data).toMatchObject({
      status: 'failed',
      error: 'market is closed',
      venueRef: null,
    })
    const { calls } = world.venue
    expect(refused(await world.refresh(id))).toEqual([400, 'VALIDATION_ERROR'])
    expect(world.venue.calls).toBe(calls)
    expect(refused(await world.cancel(id, 'c'))).toEqual([409, 'EXECUTION_TERMINAL'])
  })

  it.each([
    ['INSUFFICIENT_FUNDS: need 12 USDC', 'venue rejected: INSUFFICIENT_FUNDS (need 12 USDC)'],
    ['order accepted, then the gateway timed out', 'venue request timed out'],
    ['order accepted', 'rejected by venue'],
    ['<html>no</html>', 'rejected by venue'],
  ])('a rejection with the text %s is stored as %s', async (reason, error) => {
    const world = await worldOf()
    world.venue.mode = 'reject'
    world.venue.reason = reason
    const id = idOf(await world.build('b'))
    expect((await world.submit(id, 's')).json.data.error).toBe(error)
    expect((await world.get(`/v1/exec/executions/${id}`)).json.data.error).toBe(error)
  })

  it('returns a recorded rejection again for the same key, with 200 and the failed row', async () => {
    const world = await worldOf()
    world.venue.mode = 'reject'
    const id = idOf(await world.build('b'))
    await world.submit(id, 's')
    const again = await world.submit(id, 's')
    expect([again.status, again.headers['idempotency-replay'], again.json.data.status]).toEqual([200, 'true', 'failed'])
    expect(refused(await world.submit(id, 'other'))).toEqual([409, 'EXECUTION_TERMINAL'])
  })

  it('refused credentials leave it built for a new key, are repeated under the old one, and open the breaker', async () => {
    const world = await worldOf()
    world.venue.mode = 'refuse'
    const id = idOf(await world.build('b'))
    for (const key of ['s0', 's0', 's1', 's2', 's3', 's4'])
      expect(refused(await world.submit(id, key))).toEqual([401, 'VENUE_CREDENTIAL_REJECTED'])
    const stopped = await world.submit(id, 's5')
    expect(refused(stopped)).toEqual([429, 'VENUE_CREDENTIAL_BREAKER_OPEN'])
    expect(Number(stopped.headers['retry-after'])).toBeGreaterThan(0)
    const { calls } = world.venue
    expect(refused(await world.refresh(id))).toEqual([400, 'VALIDATION_ERROR'])
    expect(world.venue.calls).toBe(calls)
    expect((await world.get(`/v1/exec/executions/${id}`)).json.data).toMatchObject({
      status: 'built',
      submittedArtifact: null,
    })
  })

  it('an open breaker binds no key: the same key works after it has closed', async () => {
    const world = await worldOf()
    const id = idOf(await world.build('b'))
    for (let i = 0; i < 5; i++) world.circuit().refused()
    expect(refused(await world.submit(id, 's'))).toEqual([429, 'VENUE_CREDENTIAL_BREAKER_OPEN'])
    world.circuit().accepted()
    expect((await world.submit(id, 's')).json.data.status).toBe('acked')
  })

  it('a venue that was never reached leaves it built, returns a retryable 503, and does not count against the credentials', async () => {
    const world = await worldOf()
    const id = idOf(await world.build('b'))
    await world.venue.close()
    for (const key of ['s0', 's1', 's2', 's3', 's4', 's5', 's0']) {
      const answer = await world.submit(id, key)
      expect(refused(answer)).toEqual([503, 'NETWORK_ERROR'])
      expect(answer.json.error).toMatchObject({ retryable: true, message: 'nothing was sent' })
    }
    expect((await world.get(`/v1/exec/executions/${id}`)).json.data).toMatchObject({ status: 'built' })
  })

  it('the same key places the order once when the venue accepts orders again', async () => {
    const world = await worldOf()
    const id = idOf(await world.build('b'))
    world.venue.mode = 'limit'
    for (let again = 0; again < 3; again++) {
      const answer = await world.submit(id, 'same')
      expect(refused(answer)).toEqual([503, 'NETWORK_ERROR'])
      expect(answer.json.error.retryable).toBe(true)
    }
    world.venue.mode = 'accept'
    const placed = await Promise.all([world.submit(id, 'same'), world.submit(id, 'same')])
    for (const { status } of placed) expect(status).toBe(200)
    const again = await world.submit(id, 'same')
    expect([again.status, again.headers['idempotency-replay'], again.json.data.status]).toEqual([200, 'true', 'acked'])
    expect(world.venue.placed).toHaveLength(1)
    const other = idOf(await world.build('c'))
    expect(refused(await world.submit(other, 'same'))).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
  })

  it('rejects a changed, an outdated and an out-of-bounds artifact, binds no key, and sends nothing', async () => {
    const world = await worldOf()
    const [hash, version, bounds] = await Promise.all(['1', '2', '3'].map(async (key) => idOf(await world.build(key))))
    await pg.pool.query(`UPDATE executions SET unsigned = '{"size":999}' WHERE id = $1`, [hash])
    await pg.pool.query('UPDATE executions SET build_version = 0 WHERE id = $1', [version])
    await pg.pool.query(`UPDATE executions SET bounds = '{"sizeMax":1}' WHERE id = $1`, [bounds])
    expect(refused(await world.submit(hash!, 'same'))).toEqual([409, 'ARTIFACT_INTEGRITY_MISMATCH'])
    expect(refused(await world.submit(version!, 'same'))).toEqual([409, 'ARTIFACT_VERSION_CONFLICT'])
    expect(refused(await world.submit(bounds!, 'same'))).toEqual([400, 'ARTIFACT_BOUNDS_VIOLATION'])
    expect(world.venue.calls).toBe(0)
    expect((await world.submit(idOf(await world.build('4')), 'same')).status).toBe(200)
  })

  it('a submit key cannot be bound to another execution', async () => {
    const world = await worldOf()
    const [a, b] = [idOf(await world.build('a')), idOf(await world.build('b'))]
    await world.submit(a, 's')
    expect(refused(await world.submit(b, 's'))).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
  })

  it.each(['filled', 'failed', 'expired', 'canceled'])(
    'does not send an execution that ended as %s',
    async (status) => {
      const world = await worldOf()
      const id = idOf(await world.build('b'))
      await setStatus(id, status)
      expect(refused(await world.submit(id, 's'))).toEqual([409, 'EXECUTION_TERMINAL'])
      expect(world.venue.calls).toBe(0)
    },
  )

  it('rejects missing credentials and unknown fields before any key is bound', async () => {
    const world = await worldOf()
    const id = idOf(await world.build('b'))
    for (const body of [{}, { apiSecret: 1 }, { apiSecret: 'x', more: 1 }])
      expect(refused(await world.post(`${id}/submit`, body, 's'))).toEqual([400, 'VALIDATION_ERROR'])
    expect((await world.submit(id, 's')).status).toBe(200)
  })
})

it('stores the matched size that the venue reports with the acceptance', async () => {
  const lane = testLane()
  const relay: NonNullable<typeof lane.submit>['relay'] = async (...given) => {
    const outcome = await lane.submit!.relay(...given)
    return outcome.kind === 'accepted' ? { ...outcome, matchedSize: '2.5' } : outcome
  }
  const world = await worldOf({ lanes: [{ ...lane, submit: { ...lane.submit!, relay } }] })
  const id = idOf(await world.build('b'))
  expect((await world.submit(id, 's')).json.data.status).toBe('acked')
  const { rows } = await pg.pool.query('SELECT matched_size::float AS n FROM executions WHERE id = $1', [id])
  expect(rows).toEqual([{ n: 2.5 }])
})
