import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { createGeofence } from '#platform/geofence/geofence'
import { evening, noon } from '#test/support/conditional/book'
import { type ConditionalWorld, openConditionalWorld, signature } from '#test/support/conditional/world'
import { refused } from '#test/support/execution/suite'
import { withPostgres } from '#test/support/postgres'

const pg = withPostgres()
const open: ConditionalWorld[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((world) => world.close()))
})
async function worldOf(options?: Parameters<typeof openConditionalWorld>[1]): Promise<ConditionalWorld> {
  const world = await openConditionalWorld(pg.pool, options)
  open.push(world)
  return world
}
const idIn = (reply: { json: { data: { id: string } } }): string => reply.json.data.id
const hosted = { fireMode: 'hosted', signedArtifact: { signature } }

describe('arming', () => {
  it('returns and stores the order with every default filled in', async () => {
    const world = await worldOf()
    const executionId = await world.built()
    const reply = await world.arm({ executionId })
    expect(reply.status, reply.text).toBe(200)
    const { id, ...order } = reply.json.data
    expect(order).toEqual({
      executionId,
      venue: 'limitless',
      marketId: 'm1',
      outcomeId: 'o1',
      status: 'armed',
      fireMode: 'client',
      trigger: {
        when: 'at_or_above',
        price: 0.6,
        reference: 'mark',
        confirmations: 2,
        dwellMs: 2000,
        maxSpread: 0.1,
        minSize: 1,
      },
      triggerEvidence: null,
      triggeredAt: null,
      expiresAt: evening.toISOString(),
      fireAttempts: 0,
      lastError: null,
      ocoGroupId: null,
      armCountry: null,
      createdAt: noon.toISOString(),
      updatedAt: noon.toISOString(),
    })
    const { events, ...read } = (await world.one(id)).json.data
    expect(read).toEqual({ id, ...order })
    expect(events).toEqual([
      {
        id: expect.any(Number),
        ts: noon.toISOString(),
        actor: 'api',
        fromStatus: null,
        toStatus: 'armed',
        evidence: null,
      },
    ])
  })

  it('derives the direction of tpsl from the side of the order, and echoes tpsl', async () => {
    const world = await worldOf()
    for (const [tpsl, sell, when, against] of [
      ['tp', false, 'at_or_below', 'at_or_above'],
      ['tp', true, 'at_or_above', 'at_or_below'],
      ['sl', false, 'at_or_above', 'at_or_below'],
      ['sl', true, 'at_or_below', 'at_or_above'],
    ] as const) {
      const executionId = await world.built('limitless', { sell })
      const trigger = { tpsl, price: 0.4 }
      expect(refused(await world.arm({ executionId, trigger: { ...trigger, when: against } }))).toEqual([
        400,
        'VALIDATION_ERROR',
      ])
      expect((await world.arm({ executionId, trigger })).json.data.trigger).toMatchObject({ tpsl, when })
    }
  })

  it('takes a distance from the best price, in the direction that limits a loss', async () => {
    const world = await worldOf()
    const trail = { by: 'percent', distance: 5 }
    for (const [sell, when, against] of [
      [true, 'at_or_below', 'at_or_above'],
      [false, 'at_or_above', 'at_or_below'],
    ] as const) {
      const executionId = await world.built('limitless', { sell })
      for (const wrong of [{}, { when: against }, { tpsl: 'tp' }, { tpsl: 'sl', when: against }, { when, price: 0.4 }])
        expect(refused(await world.arm({ executionId, trigger: { trail, ...wrong } })), JSON.stringify(wrong)).toEqual([
          400,
          'VALIDATION_ERROR',
        ])
      for (const right of [{ tpsl: 'sl' }, { when }]) {
        const reply = await world.arm({ executionId, trigger: { trail, ...right } })
        expect(reply.status, reply.text).toBe(200)
        expect(reply.json.data.trigger).toEqual({
          when,
          trail,
          reference: 'mark',
          confirmations: 2,
          dwellMs: 2000,
          maxSpread: 0.1,
          minSize: 1,
          ...('tpsl' in right ? right : {}),
        })
      }
    }
  })

  it('takes a time before expiresAt, for which nothing is counted', async () => {
    const world = await worldOf()
    const executionId = await world.built()
    const at = new Date(noon.getTime() + 60_000).toISOString()
    const wrong: object[] = [
      { at: noon.toISOString() },
      { at: evening.toISOString() },
      { at: 'tomorrow' },
      { at, price: 0.5 },
      { at, trail: { by: 'price', distance: 0.1 } },
      { at, when: 'at_or_above' },
      { at, tpsl: 'sl' },
      { at, confirmations: 2 },
      { at, dwellMs: 1 },
      { at, minSize: 0 },
    ]
    for (const trigger of wrong)
      expect(refused(await world.arm({ executionId, trigger })), JSON.stringify(trigger)).toEqual([
        400,
        'VALIDATION_ERROR',
      ])
    const timed = { at, reference: 'mark', confirmations: 1, dwellMs: 0, maxSpread: 1, minSize: 0 }
    expect((await world.arm({ executionId, trigger: { at } })).json.data.trigger).toEqual(timed)
    const limited = { at: '2026-06-01T14:01:00+02:00', reference: 'bid', maxSpread: 0.05, minSize: 3 }
    const reply = await world.arm({ executionId, trigger: limited })
    expect(reply.status, reply.text).toBe(200)
    expect(reply.json.data.trigger).toEqual({ ...timed, ...limited, at })
  })

  it('rejects a trigger with missing, extra or unreachable values', async () => {
    const world = await worldOf()
    const executionId = await world.built()
    const cases: [string, object][] = [
      ['no direction', { price: 0.5 }],
      ['a price of zero', { when: 'at_or_above', price: 0 }],
      ['a price of one', { when: 'at_or_above', price: 1 }],
      ['a price as a string', { when: 'at_or_above', price: '0.5' }],
      ['zero confirmations', { when: 'at_or_above', price: 0.5, confirmations: 0 }],
      ['half a confirmation', { when: 'at_or_above', price: 0.5, confirmations: 1.5 }],
      ['too many confirmations', { when: 'at_or_above', price: 0.5, confirmations: 1e9 }],
      ['zero dwell', { when: 'at_or_above', price: 0.5, dwellMs: 0 }],
      ['a dwell that is too long', { when: 'at_or_above', price: 0.5, dwellMs: 1e12 }],
      ['zero spread', { when: 'at_or_above', price: 0.5, maxSpread: 0 }],
      ['a spread above one', { when: 'at_or_above', price: 0.5, maxSpread: 1.01 }],
      ['zero size', { when: 'at_or_above', price: 0.5, minSize: 0 }],
      ['another reference', { when: 'at_or_above', price: 0.5, reference: 'last' }],
      ['no price, distance or time', { when: 'at_or_above' }],
      ['a distance of zero', { when: 'at_or_above', trail: { by: 'price', distance: 0 } }],
      ['a distance of one', { when: 'at_or_above', trail: { by: 'price', distance: 1 } }],
      ['a distance of all', { when: 'at_or_above', trail: { by: 'percent', distance: 100 } }],
      ['a distance in ticks', { when: 'at_or_above', trail: { by: 'ticks', distance: 1 } }],
      ['an unknown field', { when: 'at_or_above', price: 0.5, spread: 0.1 }],
    ]
    for (const [name, trigger] of cases)
      expect(refused(await world.arm({ executionId, trigger })), name).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('returns the first order for a repeated key, and rejects another request under that key', async () => {
    const world = await worldOf()
    const executionId = await world.built()
    const replies = await Promise.all([1, 2, 3].map(() => world.arm({ executionId }, 'k')))
    expect(new Set(replies.map(idIn)).size).toBe(1)
    expect(replies.filter(({ headers }) => headers['idempotency-replay'] === 'true')).toHaveLength(2)
    expect(refused(await world.arm({ executionId, trigger: { when: 'at_or_above', price: 0.7 } }, 'k'))).toEqual([
      409,
      'IDEMPOTENCY_CONFLICT',
    ])
  })

  it('supersedes the order that waited for the same execution', async () => {
    const world = await worldOf()
    const executionId = await world.built()
    const first = idIn(await world.arm({ executionId, ...hosted }))
    const second = idIn(await world.arm({ executionId }))
    expect((await world.one(first)).json.data).toMatchObject({
      status: 'superseded',
      events: [{}, { actor: 'api', fromStatus: 'armed', toStatus: 'superseded', evidence: { replacedBy: second } }],
    })
    expect((await world.one(second)).json.data.status).toBe('armed')
  })

  it('requires an own, built, unsent and unexpired order', async () => {
    const world = await worldOf()
    expect(refused(await world.arm({ executionId: randomUUID() }))).toEqual([404, 'EXECUTION_NOT_FOUND'])
    const foreign = await world.built()
    world.actAs(await world.newAccount())
    expect(refused(await world.arm({ executionId: foreign }))).toEqual([404, 'EXECUTION_NOT_FOUND'])
    const sent = await world.built()
    await world.submitTo('limitless', sent, { signature })
    expect(refused(await world.arm({ executionId: sent }))).toEqual([409, 'CONDITIONAL_ATTEMPT_CONFLICT'])
    const gone = await world.built()
    await world.world.call('DELETE', `/v1/exec/limitless/orders/${gone}`)
    expect(refused(await world.arm({ executionId: gone }))).toEqual([409, 'EXECUTION_TERMINAL'])
    const held = await world.built()
    await world.reserve('limitless', held)
    expect(refused(await world.arm({ executionId: held }))).toEqual([409, 'CONDITIONAL_ATTEMPT_CONFLICT'])
    const until = noon.getTime() + 60_000
    const short = await world.built('limitless', { until })
    expect(refused(await world.arm({ executionId: short }))).toEqual([400, 'VALIDATION_ERROR'])
    expect((await world.arm({ executionId: short, expiresAt: new Date(until).toISOString() })).status).toBe(200)
    world.clock.advance(60_000)
    expect(refused(await world.arm({ executionId: short }))).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('ends before its venue stops taking the artifact', async () => {
    const world = await worldOf()
    const executionId = await world.built('pascal')
    const at = (ms: number) => world.arm({ executionId, expiresAt: new Date(noon.getTime() + ms).toISOString() })
    const reply = await at(60_001)
    expect(refused(reply)).toEqual([400, 'VALIDATION_ERROR'])
    expect(reply.json.error.message).toContain('the built order is valid only until')
    expect((await at(60_000)).status).toBe(200)
  })

  it('must expire within ninety days and not in the past', async () => {
    const world = await worldOf()
    const executionId = await world.built()
    const at = (ms: number) => world.arm({ executionId, expiresAt: new Date(noon.getTime() + ms).toISOString() })
    expect(refused(await at(0))).toEqual([400, 'VALIDATION_ERROR'])
    expect(refused(await at(90 * 86_400_000 + 1))).toEqual([400, 'VALIDATION_ERROR'])
    expect((await at(90 * 86_400_000)).status).toBe(200)
  })

  it('requires a live book of the market', async () => {
    const world = await worldOf()
    const executionId = await world.built()
    world.standing.next = 'none'
    expect(refused(await world.arm({ executionId }))).toEqual([501, 'NOT_SUPPORTED'])
    world.standing.next = 'silent'
    const silent = await world.arm({ executionId })
    expect(refused(silent)).toEqual([503, 'EXEC_UNAVAILABLE'])
    expect(silent.headers['retry-after']).toBe('5')
  })

  it('stores the country that the trusted proxy reports', async () => {
    const geofence = createGeofence({
      countryHeader: 'x-country',
      trustedProxies: ['127.0.0.1'],
      blockedCountries: ['KP'],
    })
    const world = await worldOf({ geofence })
    const executionId = await world.built()
    const body = { executionId, trigger: { when: 'at_or_above', price: 0.6 }, fireMode: 'client', expiresAt: evening }
    const armIn = (country: string) =>
      world.world.post('/v1/exec/conditional', body, {
        headers: { 'idempotency-key': randomUUID(), 'x-country': country },
      })
    expect(refused(await armIn('US'))).toEqual([451, 'VENUE_REGION_BLOCKED'])
    expect(refused(await armIn('KP'))).toEqual([451, 'GEO_BLOCKED'])
    const armed = await armIn('DE')
    expect(armed.json.data.armCountry).toBe('DE')
    const away = { headers: { 'idempotency-key': randomUUID(), 'x-country': 'KP' } }
    expect((await world.world.post(`/v1/exec/conditional/${idIn(armed)}/cancel`, {}, away)).status).toBe(200)
  })
})

describe('hosted mode', () => {
  it('validates the signed artifact as a submit does, and stores it encrypted for its order', async () => {
    const world = await worldOf()
    const executionId = await world.built()
    const armed = await world.arm({ executionId, ...hosted })
    expect(armed.json.data.fireMode).toBe('hosted')
    expect(armed.text).not.toContain('canary')
    const { rows } = await pg.pool.query(
      'SELECT sealed, seal_key_id AS "keyId", artifact_sha256 AS sha256 FROM conditional_orders WHERE id = $1',
      [idIn(armed)],
    )
    expect(world.seal.open({ id: idIn(armed), executionId }, rows[0])).toEqual({ signature })
    for (const other of [
      { id: randomUUID(), executionId },
      { id: idIn(armed), executionId: randomUUID() },
    ])
      expect(() => world.seal.open(other, rows[0])).toThrow('unable to authenticate data')
  })

  it('requires an artifact in the shape of the venue, signed by its owner; client mode takes none', async () => {
    const world = await worldOf()
    const executionId = await world.built()
    const forged = await world.arm({ executionId, fireMode: 'hosted', signedArtifact: { signature: 'forged' } })
    expect(refused(forged)).toEqual([400, 'INVALID_SIGNATURE'])
    for (const signedArtifact of [undefined, {}, { signature, apiSecret: 's' }]) {
      const reply = await world.arm({ executionId, fireMode: 'hosted', signedArtifact })
      expect(refused(reply), JSON.stringify(signedArtifact)?.slice(0, 80)).toEqual([400, 'VALIDATION_ERROR'])
    }
    expect(refused(await world.arm({ executionId, signedArtifact: { signature } }))).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('is only for venues that need no credentials: HOSTED_FIRE_NOT_ELIGIBLE', async () => {
    const world = await worldOf()
    const executionId = await world.built('novig')
    const reply = await world.arm({ executionId, fireMode: 'hosted', signedArtifact: { apiSecret: 'canary' } })
    expect(refused(reply)).toEqual([400, 'HOSTED_FIRE_NOT_ELIGIBLE'])
    expect((await world.arm({ executionId })).status).toBe(200)
  })

  it('is rejected where the deployment submits nothing: HOSTED_FIRE_UNAVAILABLE', async () => {
    const world = await worldOf({ hosted: false })
    const executionId = await world.built()
    expect(refused(await world.arm({ executionId, ...hosted }))).toEqual([503, 'HOSTED_FIRE_UNAVAILABLE'])
    expect((await world.arm({ executionId })).status).toBe(200)
  })
})

describe('a cancel', () => {
  it('ends a waiting order, has the same result with another key, and returns 404 to another account', async () => {
    const world = await worldOf()
    const id = idIn(await world.arm({ executionId: await world.built(), ...hosted }))
    for (const body of [{ x: 1 }, [], null, 'x']) {
      const reply = await world.world.post(`/v1/exec/conditional/${id}/cancel`, body, {
        headers: { 'idempotency-key': 'b' },
      })
      expect(refused(reply), JSON.stringify(body)).toEqual([400, 'VALIDATION_ERROR'])
    }
    const first = await world.cancelOrder(id, 'c')
    expect(first.json.data.status).toBe('canceled')
    const replay = await world.cancelOrder(id, 'c')
    expect([replay.json.data.status, replay.headers['idempotency-replay']]).toEqual(['canceled', 'true'])
    expect((await world.cancelOrder(id)).json.data.status).toBe('canceled')
    const other = idIn(await world.arm({ executionId: await world.built() }))
    expect(refused(await world.cancelOrder(other, 'c'))).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
    expect(refused(await world.cancelOrder(randomUUID()))).toEqual([404, 'CONDITIONAL_NOT_FOUND'])
    world.actAs(await world.newAccount())
    expect(refused(await world.cancelOrder(other))).toEqual([404, 'CONDITIONAL_NOT_FOUND'])
    expect(refused(await world.one(other))).toEqual([404, 'CONDITIONAL_NOT_FOUND'])
    expect(refused(await world.report(other, { outcome: 'fired' }))).toEqual([404, 'CONDITIONAL_NOT_FOUND'])
  })

  it('is rejected for a triggered order that a caller may already be submitting', async () => {
    const world = await worldOf()
    const triggered = async (before?: (executionId: string) => Promise<unknown>) => {
      const executionId = await world.built()
      await before?.(executionId)
      const id = idIn(await world.arm({ executionId }))
      await world.triggered(id)
      return { id, executionId }
    }
    const plain = await triggered()
    expect((await world.cancelOrder(plain.id)).json.data.status).toBe('canceled')

    // A reservation that expired before the order was armed no longer counts.
    const lapsed = await triggered(async (executionId) => {
      await world.reserve('limitless', executionId)
      world.clock.advance(61_000)
    })
    expect((await world.cancelOrder(lapsed.id)).json.data.status).toBe('canceled')

    const live = await triggered()
    await world.reserve('limitless', live.executionId)
    expect(refused(await world.cancelOrder(live.id))).toEqual([409, 'CONDITIONAL_NOT_ARMED'])
    // A reservation made after the order was armed counts for ever, however it ended.
    world.clock.advance(61_000)
    expect(refused(await world.cancelOrder(live.id))).toEqual([409, 'CONDITIONAL_NOT_ARMED'])

    const released = await triggered()
    const { reservationId } = (await world.reserve('limitless', released.executionId)).json.data
    await world.world.call('DELETE', `/v1/exec/limitless/orders/${released.executionId}/reservations/${reservationId}`)
    expect(refused(await world.cancelOrder(released.id))).toEqual([409, 'CONDITIONAL_NOT_ARMED'])

    // Used by a failed submit before the order was armed.
    const used = await triggered(async (executionId) => {
      const held = (await world.reserve('limitless', executionId)).json.data.reservationId
      await pg.pool.query(`UPDATE execution_reservations SET state = 'consumed' WHERE id = $1`, [held])
    })
    expect(refused(await world.cancelOrder(used.id))).toEqual([409, 'CONDITIONAL_NOT_ARMED'])
    expect((await world.one(used.id)).json.data.status).toBe('triggered')
  })
})

it('a reservation expires with its conditional order: nothing is submitted after that', async () => {
  const world = await worldOf()
  const executionId = await world.built()
  const expiresAt = new Date(world.clock.now() + 30_000).toISOString()
  const id = idIn(await world.arm({ executionId, expiresAt }))
  await world.triggered(id)
  const { reservationId, expiresAt: until } = (await world.reserve('limitless', executionId)).json.data
  expect(until).toBe(expiresAt)
  world.clock.advance(30_000)
  expect(refused(await world.submitTo('limitless', executionId, { signature, reservationId }))).toEqual([
    409,
    'RESERVATION_EXPIRED',
  ])
  const { ended } = await world.conditionals.expireDue({ limit: 1_000, at: new Date(world.clock.now()) })
  expect(ended.map((row) => row.id)).toContain(id)
  expect(refused(await world.reserve('limitless', executionId))).toEqual([409, 'CONDITIONAL_CLOSED_NOT_SUBMITTED'])
})

describe('a report', () => {
  const triggered = async (world: ConditionalWorld, more: object = {}) => {
    const executionId = await world.built()
    const id = idIn(await world.arm({ executionId, ...more }))
    await world.triggered(id)
    return { id, executionId }
  }

  it('closes an order that its caller submitted as fired, and repeats that', async () => {
    const world = await worldOf()
    const ocoGroupId = randomUUID()
    const { id, executionId } = await triggered(world, { ocoGroupId })
    const other = idIn(await world.arm({ executionId: await world.built(), ocoGroupId, ...hosted }))
    const { reservationId } = (await world.reserve('limitless', executionId)).json.data
    expect((await world.submitTo('limitless', executionId, { signature, reservationId })).json.data.status).toBe(
      'acked',
    )
    expect(refused(await world.cancelOrder(id))).toEqual([409, 'CONDITIONAL_NOT_ARMED'])
    expect(refused(await world.report(id, { outcome: 'not_submitted' }))).toEqual([409, 'CONDITIONAL_ATTEMPT_CONFLICT'])
    for (let i = 0; i < 2; i++) expect((await world.report(id, { outcome: 'fired' })).json.data.status).toBe('fired')
    expect((await world.one(other)).json.data.status).toBe('superseded')
    expect(refused(await world.arm({ executionId: await world.built(), ocoGroupId }))).toEqual([
      409,
      'OCO_GROUP_CLOSED',
    ])
    expect(refused(await world.cancelOrder(id))).toEqual([409, 'CONDITIONAL_NOT_ARMED'])
  })

  it('closes an order that was never sent; its execution can no longer be submitted', async () => {
    const world = await worldOf()
    const { id, executionId } = await triggered(world)
    const reply = await world.report(id, { outcome: 'not_submitted', reason: 'changed my mind' })
    expect(reply.json.data).toMatchObject({
      status: 'fire_failed',
      lastError: 'reported as not submitted: changed my mind',
    })
    expect(refused(await world.submitTo('limitless', executionId, { signature }))).toEqual([
      409,
      'CONDITIONAL_CLOSED_NOT_SUBMITTED',
    ])
    expect(refused(await world.report(id, { outcome: 'fired', venueRef: 'v' }))).toEqual([409, 'CONDITIONAL_NOT_ARMED'])
  })

  it('must name the venue order while the outcome of a submit is unknown', async () => {
    const world = await worldOf()
    const { id, executionId } = await triggered(world)
    await pg.pool.query(`UPDATE executions SET status = 'submitted', venue_ref = 'foretold' WHERE id = $1`, [
      executionId,
    ])
    expect(refused(await world.report(id, { outcome: 'fired' }))).toEqual([400, 'VALIDATION_ERROR'])
    expect((await world.one(id)).json.data.status).toBe('triggered')
    expect((await world.report(id, { outcome: 'fired', venueRef: 'v-1' })).json.data.status).toBe('fired')
    expect((await world.one(id)).json.data.events.at(-1).evidence).toEqual({
      executionStatus: 'submitted',
      venueRef: 'v-1',
    })
  })

  it('must name the venue order for an order that was sent elsewhere', async () => {
    const world = await worldOf()
    const { id, executionId } = await triggered(world)
    expect(refused(await world.report(id, { outcome: 'fired' }))).toEqual([400, 'VALIDATION_ERROR'])
    expect((await world.report(id, { outcome: 'fired', venueRef: 'v-1' })).json.data.status).toBe('fired')
    // The venue has it, though the execution was never sent from here.
    expect(refused(await world.arm({ executionId }))).toEqual([409, 'CONDITIONAL_ATTEMPT_CONFLICT'])
  })

  it('waits for a reservation of the order or of another order of its group', async () => {
    const world = await worldOf()
    const ocoGroupId = randomUUID()
    const [a, b] = [await triggered(world, { ocoGroupId }), await triggered(world, { ocoGroupId })]
    await world.reserve('limitless', b.executionId)
    for (const { id } of [a, b])
      expect(refused(await world.report(id, { outcome: 'not_submitted' }))).toEqual([
        409,
        'CONDITIONAL_ATTEMPT_CONFLICT',
      ])
    world.clock.advance(61_000)
    expect((await world.report(a.id, { outcome: 'not_submitted' })).json.data.status).toBe('fire_failed')
  })

  it('of a venue order waits for no reservation, and invalidates all of them', async () => {
    const world = await worldOf()
    const ocoGroupId = randomUUID()
    const [a, b] = [await triggered(world, { ocoGroupId }), await triggered(world, { ocoGroupId })]
    const { reservationId } = (await world.reserve('limitless', b.executionId)).json.data
    expect((await world.report(a.id, { outcome: 'fired', venueRef: 'v-1' })).json.data.status).toBe('fired')
    expect((await world.one(b.id)).json.data.status).toBe('superseded')
    expect(refused(await world.submitTo('limitless', b.executionId, { signature, reservationId }))).toEqual([
      409,
      'OCO_GROUP_CLOSED',
    ])
    const own = await triggered(world)
    const held = (await world.reserve('limitless', own.executionId)).json.data.reservationId
    expect((await world.report(own.id, { outcome: 'fired', venueRef: 'v-2' })).json.data.status).toBe('fired')
    expect(refused(await world.submitTo('limitless', own.executionId, { signature, reservationId: held }))).toEqual([
      409,
      'IDEMPOTENCY_CONFLICT',
    ])
  })

  it('is rejected in hosted mode and before the trigger', async () => {
    const world = await worldOf()
    const armed = idIn(await world.arm({ executionId: await world.built() }))
    expect(refused(await world.report(armed, { outcome: 'fired' }))).toEqual([409, 'CONDITIONAL_ARMED'])
    const { id } = await triggered(world, hosted)
    expect(refused(await world.report(id, { outcome: 'fired' }))).toEqual([409, 'CONDITIONAL_NOT_ARMED'])
    expect(refused(await world.cancelOrder(id))).toEqual([409, 'CONDITIONAL_NOT_ARMED'])
  })
})

describe('the list', () => {
  it('returns orders newest first, across venues, filtered and paged', async () => {
    const world = await worldOf()
    const ids: string[] = []
    for (const [venue, more] of [
      ['limitless', {}],
      ['limitless', hosted],
      ['novig', {}],
      ['limitless', {}],
    ] as const)
      ids.unshift(idIn(await world.arm({ executionId: await world.built(venue), ...more })))
    await world.triggered(ids[0]!)
    const listed = async (query = '') => (await world.list(query)).json.data.map(({ id }: { id: string }) => id)
    expect(await listed()).toEqual(ids)
    expect(await listed('status=all&fireMode=all')).toEqual(ids)
    expect(await listed('status=triggered&fireMode=client')).toEqual([ids[0]])
    expect(await listed('status=armed,triggered')).toEqual(ids)
    expect(await listed('venue=NOVIG')).toEqual([ids[1]])
    expect(await listed('fireMode=hosted')).toEqual([ids[2]])
    expect(refused(await world.list('venue=nope'))).toEqual([400, 'VALIDATION_ERROR'])
    const first = await world.list('limit=3')
    expect(first.json.meta).toEqual({ nextCursor: ids[2] })
    const last = await world.list(`limit=3&cursor=${ids[2]}`)
    expect(last.json.data.map(({ id }: { id: string }) => id)).toEqual([ids[3]])
    expect(last.json.meta).toEqual({ nextCursor: null })
    expect((await world.list('limit=100000')).json.data).toHaveLength(4)
    expect(first.json.data[0]).not.toHaveProperty('events')
  })

  it('rejects invalid parameters', async () => {
    const world = await worldOf()
    for (const query of [
      'fireMode=both',
      'status=waiting',
      'status=armed,',
      'limit=0',
      'limit=x',
      'cursor=x',
      'cursor=',
    ])
      expect(refused(await world.list(query)), query).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('rejects a cursor that was changed or belongs to another account', async () => {
    const world = await worldOf()
    const id = idIn(await world.arm({ executionId: await world.built() }))
    const changed = id.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
    expect(refused(await world.list(`cursor=${changed}`))).toEqual([400, 'VALIDATION_ERROR'])
    expect((await world.list(`cursor=${id}`)).json.data).toEqual([])
    world.actAs(await world.newAccount())
    expect(refused(await world.list(`cursor=${id}`))).toEqual([400, 'VALIDATION_ERROR'])
  })
})

it('returns 404 on every route while the family is disabled', async () => {
  const world = await worldOf({ lit: false })
  for (const reply of [
    await world.list(),
    await world.one(randomUUID()),
    await world.arm({}),
    await world.cancelOrder(randomUUID()),
  ])
    expect(refused(reply)).toEqual([404, 'ROUTE_NOT_FOUND'])
})
