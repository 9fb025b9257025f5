import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { Fault } from '#core/fault'
import { isFinal } from '#core/refusals'
import { attemptsMax, type FireDeps, fire, isAccepted } from '#orders/conditional/submitTriggered'
import { type ErrorCode, errorCodes } from '#schemas/errors'
import type { ExecutionRow } from '#storage/postgres/executions/executionRow'
import { evening, noon } from '#test/support/conditional/book'
import { signedLane } from '#test/support/conditional/signedLane'
import { beginWith, openSubmitFixture, signature } from '#test/support/conditional/submitFixture'
import { executionSuite } from '#test/support/execution/suite'
import type { ExecutionStore } from '#test/support/execution/world'
import type { ExecutionAdapter } from '#venues/lane'

const { pg, worldOf, count } = executionSuite()

async function scene({
  lane,
  wrap,
}: {
  lane?: Partial<ExecutionAdapter>
  wrap?: (store: ExecutionStore) => ExecutionStore
} = {}) {
  const clock = new ManualClock(noon.getTime())
  const world = await worldOf({ clock, lanes: [signedLane(lane)], wrap })
  const fixture = await openSubmitFixture(pg.pool, world)
  const turn = async (id: string, more: Partial<FireDeps> = {}) =>
    fire({ ...fixture.deps, ...more }, await fixture.hold(id))
  return { ...fixture, clock, world, venue: world.venue, turn }
}

describe('an order that has triggered', () => {
  it('is sent once under its own key and fires; its artifact is deleted and its owner notified', async () => {
    const { triggered, turn, find, book, venue } = await scene()
    const { id, order } = await triggered()
    expect(await turn(id)).toBe('fired')
    expect(venue.placed).toEqual([order])
    expect(await find(id)).toMatchObject({ status: 'fired', fire_attempts: 1, last_error: null })
    expect(await book.isSealed(id)).toBe(false)
    expect(await count(`executions WHERE submitted_artifact->>'id' = '${order}'`)).toBe(1)
    expect(await count(`executions e WHERE e::text LIKE '%${signature}%'`)).toBe(0)
    expect(await book.publishedEvents(id)).toEqual(['conditional.triggered', 'conditional.fired'])
    expect((await book.history(id)).slice(-2)).toEqual(['triggered>firing exec_fire', 'firing>fired exec_fire'])
    const events = await book.store.listEvents(id)
    expect(events.at(-1)?.evidence).toEqual({ executionStatus: 'acked', venueRef: order })
    expect(await count(`execution_keys WHERE key = 'cond:${id}:1'`)).toBe(1)
  })

  it('is canceled with its signature, which is not stored either', async () => {
    const { triggered, turn, world } = await scene()
    const { id, executionId } = await triggered()
    expect(await turn(id)).toBe('fired')
    const cancelId = (await world.cancel(executionId, 'c')).json.data.executionId
    const canceled = await world.post(`${cancelId}/submit`, { signature }, 's')
    expect([canceled.status, canceled.json.data?.status], canceled.text).toEqual([200, 'acked'])
    expect(canceled.text).not.toContain(signature)
    expect(await count(`executions e WHERE e::text LIKE '%${signature}%'`)).toBe(0)
  })

  it('supersedes the others of its group when it fires', async () => {
    const { triggered, turn, book } = await scene()
    const ocoGroupId = randomUUID()
    const [first, second] = [await triggered({ ocoGroupId }), await triggered({ ocoGroupId })]
    expect(await turn(first.id)).toBe('fired')
    expect(await book.statusOf(second.id)).toBe('superseded')
    expect(await book.isSealed(second.id)).toBe(false)
  })

  it('fails with a readable reason when the venue rejects it, and its siblings continue', async () => {
    const { triggered, turn, find, book, venue } = await scene()
    const ocoGroupId = randomUUID()
    const [first, second] = [await triggered({ ocoGroupId }), await triggered({ ocoGroupId })]
    venue.orderModes.set(first.order, 'reject')
    expect(await turn(first.id)).toBe('fire_failed')
    expect(await find(first.id)).toMatchObject({ status: 'fire_failed', last_error: 'market is closed' })
    expect(await book.isSealed(first.id)).toBe(false)
    expect(await turn(second.id)).toBe('fired')
    expect(venue.placed).toEqual([second.order])
  })

  it('is not sent if it expires between the check and the claim', async () => {
    const { triggered, turn, hold, deps, dueNow, find, venue, clock } = await scene()
    const { id } = await triggered({ expiresAt: evening })
    const begin: typeof deps.executions.begin = (attempt) => {
      clock.advance(evening.getTime() - clock.now())
      return deps.executions.begin(attempt)
    }
    expect(await fire({ ...deps, executions: { ...deps.executions, begin } }, await hold(id))).toBe('postponed')
    await dueNow(id)
    expect(await turn(id)).toBe('fire_failed')
    expect((await find(id)).last_error).toMatch(/^expired before it was sent/)
    expect(venue.placed).toEqual([])
  })

  it('is not sent after it has expired, nor after too many attempts', async () => {
    const { triggered, turn, hold, deps, find, venue, clock } = await scene()
    const [late, tired] = [await triggered({ expiresAt: evening }), await triggered({ expiresAt: evening })]
    const held = await hold(late.id)
    clock.advance(evening.getTime() - noon.getTime())
    expect(await fire(deps, held)).toBe('fire_failed')
    expect((await find(late.id)).last_error).toBe('expired before it was sent')
    clock.step(noon.getTime() - evening.getTime())
    await pg.pool.query(
      `UPDATE conditional_orders SET leased_until = NULL, fire_attempts = $2, last_error = 'busy' WHERE id = $1`,
      [tired.id, attemptsMax],
    )
    expect(await turn(tired.id)).toBe('fire_failed')
    expect((await find(tired.id)).last_error).toBe(`given up after ${attemptsMax} attempts; last: busy`)
    expect(venue.calls).toBe(0)
  })
})

describe('an attempt that was refused before anything was sent', () => {
  const away: Parameters<typeof scene>[0] = {
    wrap: (store) => ({
      ...store,
      claim: () => Promise.reject(new Fault('EXEC_UNAVAILABLE', 'storage is unavailable')),
    }),
  }
  type Scene = Awaited<ReturnType<typeof scene>>
  const again: readonly [why: string, code: ErrorCode, set: (given: Scene) => unknown, options?: typeof away][] = [
    ['a venue that limits requests', 'NETWORK_ERROR', ({ venue }) => (venue.mode = 'limit')],
    ['unavailable storage', 'EXEC_UNAVAILABLE', () => undefined, away],
    [
      'a spend cap without headroom',
      'SPEND_CAP_EXCEEDED',
      async ({ world }) => {
        await pg.pool.query(`UPDATE executions SET held_usd = 0 WHERE account_id = $1`, [world.accountId])
        await pg.pool.query('INSERT INTO spend_caps VALUES ($1, 1)', [world.accountId])
      },
    ],
    ['a disabled adapter', 'VENUE_NOT_SUPPORTED', ({ world }) => world.lanes.clear()],
  ]
  it.each(again)('is repeated later after %s', async (_why, code, set, options) => {
    const given = await scene(options)
    const { triggered, turn, find, book, venue } = given
    const { id } = await triggered()
    await set(given)
    expect(await turn(id)).toBe('postponed')
    expect(await find(id)).toMatchObject({ status: 'firing', fire_attempts: 1, lease_owner: null })
    expect((await find(id)).last_error).toMatch(new RegExp(`^${code}: `))
    expect(await book.isSealed(id)).toBe(true)
    expect(venue.placed).toEqual([])
    await expect(turn(id)).rejects.toThrow('not due')
  })

  it('is repeated under another key, and fires', async () => {
    const { triggered, turn, dueNow, find, venue } = await scene()
    const { id, order } = await triggered()
    venue.mode = 'limit'
    await turn(id)
    venue.mode = 'accept'
    await dueNow(id)
    expect(await turn(id)).toBe('fired')
    expect(venue.placed).toEqual([order])
    expect((await find(id)).fire_attempts).toBe(2)
    expect(await count(`execution_keys WHERE key = 'cond:${id}:2'`)).toBe(1)
  })

  it('waits longer after each attempt, at most a minute', async () => {
    const { triggered, hold, deps } = await scene()
    const { id } = await triggered()
    const held = await hold(id)
    const pauses: number[] = []
    const store = { ...deps.store, postpone: async ({ afterMs }: { afterMs: number }) => pauses.push(afterMs) > 0 }
    const begin = beginWith(() => Promise.reject(new Fault('NETWORK_ERROR', 'busy')))
    const busy = { ...deps, store, executions: { ...deps.executions, begin }, random: () => 1 }
    for (let made = 0; made < attemptsMax; made++) await fire(busy, { ...held, fire_attempts: made })
    expect(pauses.slice(0, 4)).toEqual([500, 1_000, 2_000, 4_000])
    expect(Math.max(...pauses)).toBe(60_000)
  })

  const final: readonly [why: string, code: ErrorCode, set: (given: Scene) => unknown, country?: string][] = [
    ['the venue’s region', 'VENUE_REGION_BLOCKED', () => undefined, 'US'],
    ['an unserved country', 'GEO_BLOCKED', () => undefined, 'CU'],
    ['a signature that the venue rejects', 'VENUE_CREDENTIAL_REJECTED', ({ venue }) => (venue.mode = 'refuse')],
    [
      'an artifact of another version',
      'ARTIFACT_VERSION_CONFLICT',
      () => pg.pool.query('UPDATE executions SET build_version = 7'),
    ],
    [
      'a changed artifact',
      'ARTIFACT_INTEGRITY_MISMATCH',
      () => pg.pool.query(`UPDATE executions SET unsigned_sha256 = sha256('x')`),
    ],
    [
      'an artifact out of bounds',
      'ARTIFACT_BOUNDS_VIOLATION',
      () => pg.pool.query(`UPDATE executions SET bounds = '{"sizeMax": 1}'`),
    ],
  ]
  it.each(final)('is final after %s', async (_why, code, set, country) => {
    const given = await scene()
    const { triggered, turn, find, book, venue } = given
    const { id } = await triggered({ armCountry: country ?? null })
    await set(given)
    expect(await turn(id)).toBe('fire_failed')
    expect((await find(id)).last_error).toMatch(new RegExp(`^${code}: `))
    expect(await book.isSealed(id)).toBe(false)
    expect(await book.publishedEvents(id)).toContain('conditional.fire_failed')
    expect(venue.placed).toEqual([])
  })

  it('is not repeated after the order has expired, and the owner is notified', async () => {
    const { triggered, turn, find, deps, clock, book } = await scene()
    clock.advance(evening.getTime() - noon.getTime() - 40)
    const { id } = await triggered()
    const pauses: number[] = []
    const store: FireDeps['store'] = {
      ...deps.store,
      postpone(pause) {
        pauses.push(pause.afterMs)
        return deps.store.postpone({ ...pause, afterMs: 0 })
      },
    }
    const begin = beginWith(() => Promise.reject(new Fault('SPEND_CAP_EXCEEDED', 'no headroom')))
    expect(await turn(id, { store, executions: { ...deps.executions, begin } })).toBe('postponed')
    expect(pauses).toEqual([40])
    clock.advance(40)
    expect(await turn(id)).toBe('fire_failed')
    expect(await book.statusOf(id)).toBe('fire_failed')
    expect((await find(id)).last_error).toBe('expired before it was sent; last: SPEND_CAP_EXCEEDED: no headroom')
  })

  it('classifies every error code as final or not', () => {
    const codes = Object.keys(errorCodes) as ErrorCode[]
    const goOn = codes.filter((code) => !isFinal(new Fault(code, 'no')) && !errorCodes[code][1])
    expect(goOn.toSorted()).toEqual([
      'CONDITIONAL_ATTEMPT_CONFLICT',
      'IDEMPOTENCY_CONFLICT',
      'NOT_IMPLEMENTED',
      'SPEND_CAP_EXCEEDED',
      'VENUE_NOT_SUPPORTED',
    ])
    expect(codes.filter((code) => isFinal(new Fault(code, 'no')) && errorCodes[code][1])).toEqual([])
    expect(isFinal(new Error('a bug'))).toBe(false)
  })

  it('is repeated when the artifact cannot be decrypted, and after a bug, whose text is not shown', async () => {
    const { triggered, turn, dueNow, find, deps } = await scene()
    const { id } = await triggered()
    const fails = () => {
      throw new Error('canary-secret')
    }
    expect(await turn(id, { seal: { open: fails } })).toBe('postponed')
    expect((await find(id)).last_error).toBe(
      'HOSTED_FIRE_UNAVAILABLE: the signed artifact cannot be opened with the configured keys',
    )
    await dueNow(id)
    expect(await turn(id, { executions: { ...deps.executions, begin: beginWith(async () => fails()) } })).toBe(
      'postponed',
    )
    expect((await find(id)).last_error).toBe('internal error')
  })
})

describe('an attempt with an unknown outcome', () => {
  it('is queried and never repeated: an order that the venue accepted has fired', async () => {
    const { triggered, turn, dueNow, find, venue } = await scene()
    const { id, order } = await triggered()
    venue.mode = 'drop'
    expect(await turn(id)).toBe('postponed')
    expect(await find(id)).toMatchObject({ status: 'firing', lease_owner: null })
    expect((await find(id)).last_error).toBe('sent, outcome unknown: the venue did not answer')
    await dueNow(id)
    expect(await turn(id)).toBe('fired')
    expect(venue.placed).toEqual([order])
    expect(await find(id)).toMatchObject({ fire_attempts: 1, last_error: null })
  })

  it('waits while the order may still arrive, states why, and fails when the rules of the venue allow it', async () => {
    const { triggered, turn, dueNow, find, book, venue, clock } = await scene()
    const ocoGroupId = randomUUID()
    const [first, second] = [await triggered({ ocoGroupId }), await triggered({ ocoGroupId })]
    venue.mode = 'forget'
    expect(await turn(first.id)).toBe('postponed')
    for (const ms of [0, 1_000, 60_000]) {
      clock.advance(ms)
      await dueNow(first.id)
      expect(await turn(first.id)).toBe('postponed')
      expect((await find(first.id)).last_error).toContain('signatures older than 30 s are refused')
    }
    // It may have arrived: no other order of the group fires.
    await expect(turn(second.id)).rejects.toThrow('not due')
    const calls = venue.calls
    clock.advance(5 * 60_000)
    await dueNow(first.id)
    expect(await turn(first.id)).toBe('fire_failed')
    expect((await find(first.id)).last_error).toContain('the venue does not show it and no longer accepts it')
    expect(venue.calls).toBe(calls + 1)
    expect(venue.placed).toEqual([])
    // Its trigger is too old: it is re-armed, and fires when the trigger is met again.
    venue.mode = 'accept'
    await expect(turn(second.id)).rejects.toThrow('not due')
    const at = new Date(clock.now())
    expect((await book.store.rearmStale({ limit: 100, at })).map(({ id }) => id)).toContain(second.id)
    expect(await book.trigger(second.id, at)).toBe(true)
    expect(await turn(second.id)).toBe('fired')
  })

  it('waits for a refresh by the owner where only the owner can query the venue, even after the order has expired', async () => {
    const { triggered, turn, dueNow, find, world, venue, clock } = await scene({
      lane: { refresh: { ...signedLane().refresh!, credentialFree: false } },
    })
    const { id, executionId } = await triggered()
    venue.mode = 'drop'
    await turn(id)
    clock.advance(evening.getTime() - noon.getTime() + 1)
    await dueNow(id)
    expect(await turn(id)).toBe('postponed')
    expect((await find(id)).last_error).toMatch(
      /^it may have been sent, outcome unknown: the venue did not answer; only its owner can ask/,
    )
    expect((await world.refresh(executionId)).json.data.status).toBe('acked')
    // The outcome is known now, so it no longer waits.
    expect(await turn(id)).toBe('fired')
  })

  it.each([
    ['unclear', 'sent, outcome unknown: the venue answered with status 500: matching engine is warming up'],
    ['forget', 'sent, outcome unknown: the venue did not answer'],
  ] as const)('notifies its owner at once, and once for the attempt, when the venue is %s', async (mode, lastError) => {
    const { triggered, turn, dueNow, book, venue, find } = await scene()
    const { id } = await triggered()
    venue.mode = mode
    venue.reason = 'matching engine is warming up'
    expect(await turn(id)).toBe('postponed')
    expect((await find(id)).last_error).toBe(lastError)
    await dueNow(id)
    expect(await turn(id)).toBe('postponed')
    expect(await book.unknownOutcomes(id)).toMatchObject([
      { previousStatus: 'triggered', fireMode: 'hosted', fireAttempts: 1, lastError },
    ])
  })

  it('notifies its owner when the process that claimed it died before the answer', async () => {
    const { promise: claimed, resolve } = Promise.withResolvers<string>()
    const { triggered, turn, hold, deps, dueNow, book } = await scene({
      lane: { refresh: { ...signedLane().refresh!, credentialFree: false } },
      wrap: (store) => ({
        ...store,
        async claim(given) {
          resolve((await store.claim(given)).kind)
          // The process goes no further.
          return new Promise<never>(() => undefined)
        },
      }),
    })
    const { id } = await triggered()
    void fire(deps, await hold(id, 0))
    expect(await claimed).toBe('claimed')
    await dueNow(id)
    expect(await turn(id)).toBe('postponed')
    expect(await book.unknownOutcomes(id)).toMatchObject([{ previousStatus: 'triggered', fireAttempts: 1 }])
  })

  it('is queried again when the venue cannot be reached', async () => {
    const { triggered, turn, dueNow, find, venue, deps } = await scene()
    const { id } = await triggered()
    venue.mode = 'drop'
    await turn(id)
    await dueNow(id)
    const look = () => Promise.reject(new Fault('NETWORK_ERROR', 'the venue is unavailable'))
    expect(await turn(id, { executions: { ...deps.executions, look } })).toBe('postponed')
    expect((await find(id)).last_error).toContain('could not be queried: NETWORK_ERROR: the venue is unavailable')
  })
})

describe('a process whose lease another one took', () => {
  it('sends nothing, and writes nothing', async () => {
    const { triggered, hold, deps, find, venue } = await scene()
    const { id } = await triggered()
    const mine = await hold(id, 0)
    // Its successor takes over between its first look and its claim.
    const executions = {
      ...deps.executions,
      find: async (accountId: string, executionId: string) => deps.executions.find(accountId, executionId),
      begin: beginWith(async (attempt) => {
        await hold(id)
        return deps.executions.begin(attempt).submit(null)
      }),
    }
    expect(await fire({ ...deps, executions }, mine)).toBe('lost')
    expect(await fire(deps, mine)).toBe('lost')
    expect(venue.calls).toBe(0)
    expect(await find(id)).toMatchObject({ status: 'firing', fire_attempts: 0, last_error: null })
  })

  it('leaves the outcome to its successor if it lost the lease during the relay, and the successor finds the order sent', async () => {
    const { triggered, hold, dueNow, deps, find, turn, venue } = await scene()
    const { id, order } = await triggered()
    const mine = await hold(id, 0)
    let seen = ''
    const executions = {
      ...deps.executions,
      begin: beginWith(async (attempt) => {
        const row = await deps.executions.begin(attempt).submit(null)
        seen = await fire(deps, await hold(id))
        return row
      }),
    }
    expect(await fire({ ...deps, executions }, mine)).toBe('lost')
    expect(seen).toBe('fired')
    await dueNow(id)
    await expect(turn(id)).rejects.toThrow('not due')
    expect(venue.placed).toEqual([order])
    expect(await find(id)).toMatchObject({ status: 'fired', fire_attempts: 1 })
  })
})

it('an order counts as fired if the venue accepted it, and not if it never arrived, even with a venue reference known in advance', () => {
  const row = (status: string, last_event: string, venue_ref: string | null = null) =>
    isAccepted({ status, last_event, venue_ref } as ExecutionRow)
  expect(row('acked', 'accepted')).toBe(true)
  expect(row('filled', 'seenFilled')).toBe(true)
  expect(row('canceled', 'acceptedCanceled')).toBe(true)
  expect(row('expired', 'seenExpired', 'v')).toBe(true)
  expect(row('failed', 'seenFailed', 'v')).toBe(true)
  expect(row('failed', 'seenFailed')).toBe(false)
  expect(row('failed', 'rejected')).toBe(false)
  expect(row('failed', 'provedUndone', 'foretold')).toBe(false)
  expect(row('failed', 'resolvedFailed', 'foretold')).toBe(false)
  expect(row('canceled', 'discard')).toBe(false)
})
