// Every adapter on the real routes against the lab of its venue, when the venue accepts the order and drops the socket.
import { expect, it } from 'vitest'
import { canFireHosted, withoutSignature } from '#orders/executions/signatures'
import { tableOf } from '#test/support/execution/labTable'
import { executionSuite, refused } from '#test/support/execution/suite'
import { laneCases, laneVenues } from '#test/support/laneCases'
import { type LaneVenue, lanes } from '#venues/registry'

const suite = executionSuite()
const { pg, count, events } = suite
const atTheTable = tableOf(suite)

const textsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(textsIn)

const dropAndRetry = (venue: LaneVenue) =>
  atTheTable(venue, async ({ here, trader, post }) => {
    const { warning, shows } = laneCases[venue]
    const { clock } = here.world
    const built = await post('build', trader.order, 'b')
    expect(built.status, built.text).toBe(200)
    const preview = await post('build', { ...trader.order, dryRun: true }, 'p')
    // “Hosted-relay egress block”: returned before anything is signed, also in previews, in the response and in the row.
    for (const { json } of [built, preview]) {
      const warned = warning && [expect.stringMatching(warning)]
      expect([json.warnings, json.data.warnings]).toEqual([warned, warned])
    }
    const { executionId: id, unsigned } = built.json.data
    const body = await trader.send(unsigned)

    here.lab.faults.order({ fault: 'drop' })
    const sent = await post(`${id}/submit`, body, 's')
    expect(sent.json.data?.status, sent.text).toBe('submitted')
    expect(trader.orders()).toHaveLength(1)
    // Of a venue with hosted submits: it can only be sent again from the stored artifact.
    if (canFireHosted(lanes[venue])) {
      const kept = JSON.stringify(withoutSignature(sent.json.data.submittedArtifact))
      for (const text of textsIn(body)) expect(kept).not.toContain(text)
    }

    here.lab.faults.recover()
    const again = await post(`${id}/submit`, body, 's')
    expect([again.json.data.status, again.headers['idempotency-replay']]).toEqual(['submitted', 'true'])
    const another = await post(`${id}/submit`, body, 'another')
    // The chain accepts a transaction only once, however often it is sent.
    const isTransaction = 'signedTransaction' in body
    if (isTransaction) expect(another.json.data?.status, another.text).toBe('acked')
    else expect(refused(another)).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
    expect(trader.orders()).toHaveLength(1)
    expect(await events(id)).toBe(isTransaction ? 2 : 1)

    const found = await post(`${id}/refresh`, trader.read)
    if (!shows.lost) {
      const unknownOutcome = { status: 'submitted', observation: { reason: expect.any(String) } }
      return void expect(found.json.data, found.text).toMatchObject(unknownOutcome)
    }
    expect(found.json.data, found.text).toMatchObject({ status: 'acked', venueRef: expect.any(String) })
    expect((await post(`${id}/refresh`, trader.read)).json.data.status).toBe('acked')
    expect(await events(id)).toBe(2)

    clock.advance(1_000)
    here.trade('sell', here.bid, trader.orders()[0]!.hundredths / 100)
    clock.advance(60_000)
    const filled = await post(`${id}/refresh`, trader.read)
    expect(filled.json.data, filled.text).toMatchObject({ status: 'filled' })
    await post(`${id}/refresh`, trader.read)
    expect(await count('execution_fills WHERE execution_id = $1', [id])).toBe(filled.json.data.fills.length)
    expect(filled.json.data.fills.length).toBeGreaterThan(0)
    expect(await events(id)).toBe(3)
    const { rows } = await pg.pool.query<{ transition: string }>(
      `SELECT payload->>'previousStatus' || ' ' || (payload->>'status') AS transition FROM outbox
       WHERE event = 'execution.status.changed' AND payload->>'executionId' = $1 ORDER BY id`,
      [id],
    )
    expect(rows.map(({ transition }) => transition)).toEqual(['built submitted', 'submitted acked', 'acked filled'])
  })

/** The order is canceled under its own id, and both executions take the status of the venue. */
const placeAndCancel = (venue: LaneVenue) =>
  atTheTable(venue, async ({ here, trader, post }) => {
    const built = await post('build', trader.order, 'b')
    const { executionId: id, unsigned } = built.json.data
    const sent = await post(`${id}/submit`, await trader.send(unsigned), 's')
    expect(sent.json.data?.status, sent.text).toBe('acked')
    const cancelBody = laneCases[venue].cancelBody(trader.orders().at(-1)!)
    const cancel = await post(`${id}/cancel`, cancelBody, 'c')
    expect(cancel.json.data, cancel.text).toMatchObject({ intent: 'cancel', status: 'built', targetExecutionId: id })
    const cancelId = cancel.json.data.executionId
    const body = await trader.sendCancel(cancel.json.data.unsigned)
    const canceled = await post(`${cancelId}/submit`, body, 'sc')
    expect(canceled.json.data?.status, canceled.text).toBe('acked')
    const again = await post(`${cancelId}/submit`, body, 'sc')
    expect([again.json.data.status, again.headers['idempotency-replay']]).toEqual(['acked', 'true'])
    expect(trader.orders().map(({ status }) => status)).toEqual(['canceled'])
    await post(`${id}/refresh`, trader.read)
    here.world.clock.advance(60_000)
    const { canceled: isShown } = laneCases[venue].shows
    expect((await post(`${id}/refresh`, trader.read)).json.data.status).toBe(isShown ? 'canceled' : 'acked')
    expect((await post(`${cancelId}/refresh`, trader.read)).json.data.status).toBe('acked')
    if (isShown) expect(refused(await post(`${id}/cancel`, cancelBody, 'more'))).toEqual([409, 'EXECUTION_TERMINAL'])
  })

const cancelledByTheVenue = (venue: LaneVenue) =>
  atTheTable(venue, async ({ here, trader, post }) => {
    const { executionId: id, unsigned } = (await post('build', trader.order, 'b')).json.data
    await post(`${id}/submit`, await trader.send(unsigned), 's')
    expect(refused(await post(`${id}/cancel`, {}, 'c'))).toEqual([501, 'NOT_IMPLEMENTED'])
    here.withdraw(trader.orders()[0]!)
    await post(`${id}/refresh`, trader.read)
    here.world.clock.advance(60_000)
    expect((await post(`${id}/refresh`, trader.read)).json.data.status).toBe('canceled')
  })

/** Fault 41: the order is missing from one list, and its trades are not in the other yet. */
const contradict = (venue: LaneVenue) =>
  atTheTable(venue, async ({ here, trader, post }) => {
    const { clock } = here.world
    const { executionId: id, unsigned } = (await post('build', trader.order, 'b')).json.data
    await post(`${id}/submit`, await trader.send(unsigned), 's')
    const look = async () => (await post(`${id}/refresh`, trader.read)).json.data
    clock.advance(120_000)
    expect((await look()).status).toBe('acked')
    here.trade('sell', here.bid, trader.orders()[0]!.hundredths / 100)
    here.lab.faults.hide({ what: 'fills' })
    // While neither list shows fills, the order must not be canceled at the first query.
    const early = await look()
    expect(early.status).not.toBe('canceled')
    here.lab.faults.hide({ what: 'orders' })
    expect((await look()).status).toBe(early.status)
    for (let minutes = 0; minutes < 3; minutes++) {
      clock.advance(61_000)
      await look()
    }
    const [inferredStatus, eventCount] = [(await look()).status, await events(id)]
    // Only adapters whose canceled orders appear nowhere infer an end meanwhile.
    const infers = venue === 'polymarket' || venue === 'pascal'
    expect([early.status, infers ? 'canceled' : null]).toContain(inferredStatus)
    here.lab.faults.recover()
    clock.advance(61_000)
    const end = await look()
    if (!laneCases[venue].shows.filled) return void expect([end.status, end.fills]).toEqual(['acked', []])
    expect(end.status).toBe('filled')
    expect(end.fills.length).toBeGreaterThan(0)
    expect(await events(id)).toBe(inferredStatus === 'filled' ? eventCount : eventCount + 1)
    expect((await look()).fills).toEqual(end.fills)
    const { rows } = await pg.pool.query<{ event: string }>(
      'SELECT event FROM execution_audit WHERE execution_id = $1 ORDER BY id DESC LIMIT 1',
      [id],
    )
    if (inferredStatus === 'canceled') expect(rows).toEqual([{ event: 'correctedFilled' }])
  })

it.each(laneVenues)(
  '%s: a filled order is not reported as canceled for good, however its lists lag behind each other',
  (venue) => contradict(venue),
  60_000,
)

it('polymarket: a clock that is set forward does not end an order that was missing once', () =>
  atTheTable('polymarket', async ({ here, trader, post }) => {
    const { clock } = here.world
    const { executionId: id, unsigned } = (await post('build', trader.order, 'b')).json.data
    await post(`${id}/submit`, await trader.send(unsigned), 's')
    const look = async () => (await post(`${id}/refresh`, trader.read)).json.data.status
    here.lab.faults.hide({ what: 'orders' })
    expect(await look()).toBe('acked')
    clock.step(3_600_000)
    clock.advance(59_999)
    expect(await look()).toBe('acked')
    here.lab.faults.recover()
    expect(await look()).toBe('acked')
  }))

it(
  'polymarket: a match becomes a fill when it is confirmed; a failed one is reverted in its own row',
  () =>
    atTheTable('polymarket', async ({ here, trader, post }) => {
      const { executionId: id, unsigned } = (await post('build', trader.order, 'b')).json.data
      await post(`${id}/submit`, await trader.send(unsigned), 's')
      here.trade('sell', here.bid, trader.orders()[0]!.hundredths / 100)
      for (const status of ['MATCHED', 'MINED', 'RETRYING'] as const) {
        here.lab.faults.tradeStatus({ status })
        here.world.clock.advance(61_000)
        expect((await post(`${id}/refresh`, trader.read)).json.data).toMatchObject({ status: 'acked', fills: [] })
      }
      here.lab.faults.tradeStatus({ status: 'CONFIRMED' })
      const filled = (await post(`${id}/refresh`, trader.read)).json.data
      expect(filled).toMatchObject({ status: 'filled', fills: [{ status: 'CONFIRMED' }] })
      here.lab.faults.tradeStatus({ status: 'FAILED' })
      for (let look = 0; look < 2; look++) {
        const { status, fills } = (await post(`${id}/refresh`, trader.read)).json.data
        expect([status, fills]).toEqual([
          'canceled',
          [
            filled.fills[0],
            expect.objectContaining({ status: 'FAILED', withdrawn: true, withdrawsFillId: expect.any(String) }),
          ],
        ])
      }
      const { rows } = await pg.pool.query<{ event: string }>(
        'SELECT event FROM execution_audit WHERE execution_id = $1 ORDER BY id',
        [id],
      )
      expect(rows.map(({ event }) => event)).toEqual(['build', 'submit', 'accepted', 'seenFilled', 'correctedCanceled'])
      expect(await events(id)).toBe(4)
    }),
  60_000,
)

it.each(laneVenues)(
  '%s: an accepted order without a response is `submitted`, a blind retry places nothing, refresh finds it, with one event per transition',
  (venue) => dropAndRetry(venue),
  60_000,
)

const cancelling = laneVenues.filter((venue) => lanes[venue].cancel !== undefined)

it.each(cancelling)(
  '%s: a cancel is submitted once under its own id; refresh ends its order',
  (venue) => placeAndCancel(venue),
  60_000,
)

it.each(laneVenues.filter((venue) => !cancelling.includes(venue)))(
  '%s: a cancellation by the venue is reported; the adapter has no cancel',
  (venue) => cancelledByTheVenue(venue),
  60_000,
)
