// Builds: what is stored, what is only returned, what a spend cap allows.
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { JsonObject } from '#schemas/executions'
import { testBuildVersion, testLane } from '#test/support/execution/lane'
import { executionSuite, idOf, refused } from '#test/support/execution/suite'
import type { ExecutionAdapter } from '#venues/lane'

const { pg, worldOf, count } = executionSuite()

const lanesWith = (more: object): ExecutionAdapter[] => {
  const lane = testLane()
  const build: ExecutionAdapter['order']['build'] = (...given) => ({ ...lane.order.build(...given), ...more })
  return [{ ...lane, order: { ...lane.order, build } }]
}

describe('a build', () => {
  it('has the integer buildVersion of its venue, and null for unknown values', async () => {
    const world = await worldOf()
    expect((await world.build('k')).json.data).toMatchObject({
      buildVersion: testBuildVersion,
      status: 'built',
      intent: 'order',
      submittedArtifact: null,
      venueRef: null,
      feeEstimate: null,
      error: null,
    })
  })

  it('has warnings in the response and in the row, when built, replayed and previewed; without warnings the field is missing', async () => {
    const warnings = ['hosted submit is refused in some regions']
    const world = await worldOf({ lanes: lanesWith({ warnings }) })
    for (const reply of [
      await world.build('k'),
      await world.build('k'),
      await world.build('k', { size: 5, dryRun: true }),
    ]) {
      expect(reply.json.warnings).toEqual(warnings)
      expect(reply.json.data.warnings).toEqual(warnings)
    }
    const quiet = await (await worldOf()).build('k')
    expect(quiet.json).not.toHaveProperty('warnings')
    expect(quiet.json.data).not.toHaveProperty('warnings')
  })

  it('has collateral and the legacy echo where the venue provides them, and omits the fields otherwise', async () => {
    const collateral = { ledger: 'spot', destinationDex: null }
    const world = await worldOf({ lanes: lanesWith({ collateral, buildResult: { legacy: 1 } }) })
    expect((await world.build('k')).json.data).toMatchObject({ collateral, buildResult: { legacy: 1 } })
    const plain = (await (await worldOf()).build('k')).json.data
    expect(plain).not.toHaveProperty('collateral')
    expect(plain).not.toHaveProperty('buildResult')
  })

  it('accepts ids with and without the venue prefix', async () => {
    const ids = ['asset', 'outcome', 'marketId', 'outcomeId'] as const
    const body = z.strictObject({ size: z.number(), ...Object.fromEntries(ids.map((name) => [name, z.string()])) })
    const lane = testLane()
    const build: ExecutionAdapter['order']['build'] = (context, order, facts) => {
      const made = lane.order.build(context, order, facts)
      return { ...made, unsigned: { ...made.unsigned, ...(order as object) } }
    }
    const world = await worldOf({ lanes: [{ ...lane, order: { ...lane.order, body, build } }] })
    const given = { asset: 'novig:a', outcome: 'b', marketId: 'NOVIG:c:d', outcomeId: 'kalshi:e' }
    const { unsigned } = (await world.build('k', { size: 5, ...given })).json.data as { unsigned: object }
    expect(unsigned).toMatchObject({ asset: 'a', outcome: 'b', marketId: 'c:d', outcomeId: 'kalshi:e' })
  })

  it('with an option that its venue does not take is refused with those that it takes, which the list of venues has too', async () => {
    const orderOptions = { timeInForce: ['good-til-cancel'], postOnly: true } as const
    const world = await worldOf({ lanes: [{ ...testLane(), orderOptions }] })
    const reply = await world.build('k', { size: 5, reduceOnly: true })
    expect(refused(reply)).toEqual([400, 'VALIDATION_ERROR'])
    expect(reply.json.error.message).toBe(
      'reduceOnly: novig does not take it; it takes timeInForce (good-til-cancel); postOnly',
    )
    expect((await world.get('/v1/exec/venues')).json.data).toMatchObject([
      { orderOptions: { timeInForce: ['good-til-cancel'], postOnly: true, reduceOnly: false, clientOrderId: null } },
    ])
    expect(await count('executions WHERE account_id = $1', [world.accountId])).toBe(0)
  })

  it('out of bounds is rejected with and without dryRun, and writes nothing', async () => {
    const world = await worldOf()
    for (const dryRun of [false, true])
      expect(refused(await world.build('k', { size: 5_000, dryRun }))).toEqual([400, 'ARTIFACT_BOUNDS_VIOLATION'])
    expect(await count('execution_keys WHERE account_id = $1', [world.accountId])).toBe(0)
  })

  it.each([
    ['an empty object', {}],
    ['only the common switches', { intent: 'order', dryRun: false }],
    ['a non-boolean dryRun', { size: 5, dryRun: 'true' }],
    ['an intent that is not an order', { size: 5, intent: 'cancel' }],
    ['an unknown intent', { size: 5, intent: 'gift' }],
    ['a field that the venue does not know', { size: 5, apiSecret: 'x' }],
  ])('rejects %s', async (_, body) => {
    const world = await worldOf()
    expect(refused(await world.build('k', body))).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('returns 409 under a key whose artifact has an older version, and builds again under a new key', async () => {
    const world = await worldOf()
    const id = idOf(await world.build('k'))
    await pg.pool.query('UPDATE executions SET build_version = 0 WHERE id = $1', [id])
    expect(refused(await world.build('k'))).toEqual([409, 'ARTIFACT_VERSION_CONFLICT'])
    expect((await world.build('fresh')).status).toBe(200)
  })

  it('returns the sent order of a key, whatever its version', async () => {
    const world = await worldOf()
    const id = idOf(await world.build('k'))
    await world.submit(id, 's')
    await pg.pool.query('UPDATE executions SET build_version = 0 WHERE id = $1', [id])
    const again = await world.build('k')
    expect([again.status, idOf(again), again.headers['idempotency-replay']]).toEqual([200, id, 'true'])
  })
})

describe('a redemption, at a venue that settles on chain', () => {
  const settling = (): ExecutionAdapter => ({
    ...testLane(),
    redeem: {
      body: z.strictObject({ owner: z.string() }),
      build: async (_context, body) => ({
        unsigned: { to: (body as { owner: string }).owner },
        terms: null,
        notionalUsd: null,
        feeEstimate: null,
        bounds: { sizeMax: 1 },
        clientRef: null,
        warnings: [],
        owner: (body as { owner: string }).owner,
      }),
    },
  })

  it('is built, previewed and replayed like an order, uses no spend cap, and has no cancel', async () => {
    const world = await worldOf({ lanes: [settling()] })
    await pg.pool.query('INSERT INTO spend_caps VALUES ($1, 0)', [world.accountId])
    const body = { intent: 'redeem', owner: 'o' }
    expect((await world.build('k', { ...body, dryRun: true })).json.data).toMatchObject({ intent: 'redeem' })
    expect(await count('executions WHERE account_id = $1', [world.accountId])).toBe(0)
    const made = await world.build('k', body)
    expect(made.json.data).toMatchObject({
      intent: 'redeem',
      status: 'built',
      unsigned: { to: 'o' },
      notionalUsd: null,
    })
    const again = await world.build('k', body)
    expect([again.text, again.headers['idempotency-replay']]).toEqual([made.text, 'true'])
    for (const verb of ['cancel', 'modify'] as const)
      expect(refused(await world[verb](idOf(made), 'c'))).toEqual([400, 'VALIDATION_ERROR'])
    expect((await world.get('/v1/exec/venues')).json.data[0]).toMatchObject({ intents: ['order', 'redeem'] })
  })

  it('is another request than an order with the same fields', async () => {
    const world = await worldOf({ lanes: [settling()] })
    await world.build('k', { intent: 'redeem', owner: 'o' })
    expect(refused(await world.build('k', { size: 5, owner: 'o' }))).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
  })
})

describe('a split', () => {
  const shares = ['y', 'n'].map((outcomeId) => ({ marketId: 'm', outcomeId, size: '5' }))
  const splitting = (described = '5') => {
    const lane = testLane()
    return {
      ...lane,
      describe: (unsigned: JsonObject) =>
        unsigned.sets === undefined
          ? lane.describe(unsigned)
          : ({ intent: 'split', instrument: 'm', size: described } as const),
      split: {
        body: z.strictObject({ amount: z.literal('5') }),
        build: async () => ({
          unsigned: { sets: 5 },
          terms: null,
          notionalUsd: null,
          feeEstimate: null,
          bounds: { sizeMax: 1 },
          clientRef: null,
          warnings: [],
          owner: null,
          exchange: { size: '5', gives: [], receives: shares, cash: '-5' },
        }),
      },
    } satisfies ExecutionAdapter
  }
  const body = { intent: 'split', amount: '5' }

  it('is stored with what it exchanges, uses no spend cap, and has no cancel', async () => {
    const world = await worldOf({ lanes: [splitting()] })
    await pg.pool.query('INSERT INTO spend_caps VALUES ($1, 0)', [world.accountId])
    const made = await world.build('k', body)
    expect(made.json.data, made.text).toMatchObject({
      intent: 'split',
      notionalUsd: null,
      summary: {
        intent: 'split',
        size: '5',
        costMax: '5',
        bringsMin: null,
        exchange: { receives: shares, cash: '-5' },
      },
    })
    expect(refused(await world.cancel(idOf(made), 'c'))).toEqual([400, 'VALIDATION_ERROR'])
    expect(refused(await world.build('w', { ...body, amount: '6' }))).toEqual([400, 'VALIDATION_ERROR'])
    const [listed] = (await world.get('/v1/exec/venues')).json.data
    expect(listed).toMatchObject({ intents: ['order', 'split'], verbs: { split: true, merge: false, convert: false } })
  })

  it('is not stored when its artifact is for another amount', async () => {
    const world = await worldOf({ lanes: [splitting('6')] })
    expect(refused(await world.build('k', body))[1]).toBe('ARTIFACT_BOUNDS_VIOLATION')
    expect(await count('executions WHERE account_id = $1', [world.accountId])).toBe(0)
  })
})

describe('spend caps', () => {
  it('reject what exceeds them without writing, and get back what ended unfilled', async () => {
    const world = await worldOf()
    await pg.pool.query('INSERT INTO spend_caps VALUES ($1, 10)', [world.accountId])
    const id = idOf(await world.build('a', { size: 8 }))
    expect(refused(await world.build('b', { size: 5 }))).toEqual([402, 'SPEND_CAP_EXCEEDED'])
    expect(await count('execution_keys WHERE account_id = $1', [world.accountId])).toBe(1)
    world.venue.mode = 'reject'
    await world.submit(id, 's')
    expect((await world.build('b', { size: 5 })).status).toBe(200)
  })

  it('apply to the account and to the key, and a dry run reserves nothing', async () => {
    const world = await worldOf()
    await pg.pool.query('INSERT INTO spend_caps VALUES ($1, 10)', [world.accountId])
    for (let i = 0; i < 3; i++) expect((await world.build('k', { size: 9, dryRun: true })).status).toBe(200)
    expect((await world.build('k', { size: 9 })).status).toBe(200)
    expect((await world.build('k', { size: 9 })).headers['idempotency-replay']).toBe('true')
    expect(await count('spend_reserved WHERE scope_id = $1 AND reserved = 9', [world.accountId])).toBe(1)
  })

  it('keep what was filled, and let no more of 30 concurrent builds through than fit', async () => {
    const world = await worldOf()
    await pg.pool.query('INSERT INTO spend_caps VALUES ($1, 20)', [world.accountId])
    const replies = await Promise.all(Array.from({ length: 30 }, (_, i) => world.build(`k${i}`, { size: 3 })))
    const made = replies.filter(({ status }) => status === 200)
    expect(made).toHaveLength(6)
    for (const reply of replies.filter(({ status }) => status !== 200))
      expect(refused(reply)).toEqual([402, 'SPEND_CAP_EXCEEDED'])
    const order = made[0]!.json.data.unsigned.id
    await world.submit(idOf(made[0]!), 's')
    world.venue.status.set(order, 'canceled')
    world.venue.fills.set(order, ['part'])
    await world.refresh(idOf(made[0]!))
    expect(refused(await world.build('more', { size: 3 }))).toEqual([402, 'SPEND_CAP_EXCEEDED'])
  })
})
