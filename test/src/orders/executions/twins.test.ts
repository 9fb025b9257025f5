// Identical orders at a venue without client order ids: none is lost or reported twice, and no resolution ends one that rests.
import { expect, it } from 'vitest'
import { posterOf } from '#test/support/execution/labTable'
import { executionSuite, refused } from '#test/support/execution/suite'
import { createLaneLab } from '#test/support/laneLab'
import { polymarketUsLane as lane } from '#venues/polymarket_us/exec/index'

const { pg, worldOf } = executionSuite()
const minute = 60_000

async function atTheVenue(play: (table: Awaited<ReturnType<typeof open>>) => Promise<void>): Promise<void> {
  const table = await open()
  try {
    await play(table)
  } finally {
    await table.here.close()
  }
}

async function open() {
  const here = await createLaneLab('polymarket_us')
  const { lab, facts, bid } = here
  const world = await worldOf({
    lanes: [lane],
    clock: here.world.clock,
    contextOf: (signal) => ({ ...here.world.context, signal }),
  })
  const post = posterOf(world, 'polymarket_us')
  const [outcomeId] = facts.outcomeIds
  const order = {
    marketId: facts.marketId,
    outcomeId,
    side: 'buy',
    type: 'limit',
    amount: 10,
    price: String(bid / 1e6),
  }
  let keys = 0
  const place = async (fault?: 'drop' | 'vanish'): Promise<string> => {
    const id: string = (await post('build', order, `b${keys++}`)).json.data.executionId
    if (fault !== undefined) lab.faults.order({ fault })
    const sent = await post(`${id}/submit`, lab.key, `s${id}`)
    lab.faults.recover()
    expect(sent.json.data.status, sent.text).toBe(fault === undefined ? 'acked' : 'submitted')
    return id
  }
  return {
    here,
    world,
    place,
    look: async (id: string) => (await post(`${id}/refresh`, lab.key)).json.data,
    /** As soon as the order can no longer be on its way. */
    resolve: (id: string, credentials: object = lab.key, outcome = 'failed') => {
      here.world.clock.advance(105_000)
      return post(`${id}/resolve`, { outcome, reason: 'audit', ...credentials }, `r${keys++}`)
    },
    restingCount: () => lab.engine.orderManager.ordersOf(lab.key.keyId).length,
  }
}

it('finds a lost order next to a known twin, and rejects a resolution before', () =>
  atTheVenue(async ({ place, look, resolve }) => {
    const known = await place()
    for (let again = 0; again < 3; again++) {
      const id = await place('drop')
      expect(refused(await resolve(id))).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
      expect(await look(id)).toMatchObject({ status: 'acked', venueRef: expect.any(String) })
    }
    expect((await look(known)).status).toBe('acked')
  }))

it('assigns each of several lost orders its own venue order', () =>
  atTheVenue(async ({ place, look, resolve }) => {
    const ids = [await place('drop'), await place('drop'), await place('drop')]
    for (const id of ids) expect(refused(await resolve(id))).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
    const seen = []
    for (const id of ids) seen.push(await look(id))
    expect(seen.map(({ status }) => status)).toEqual(['acked', 'acked', 'acked'])
    expect(new Set(seen.map(({ venueRef }) => venueRef)).size).toBe(3)
  }))

it('does not confuse an order that never arrived with its twin, and allows to resolve it', () =>
  atTheVenue(async ({ place, look, resolve }) => {
    await place()
    const id = await place('vanish')
    const seen = await look(id)
    expect(seen).toMatchObject({ status: 'submitted', venueRef: null, observation: { reason: expect.any(String) } })
    expect(seen.observation).not.toHaveProperty('state')
    expect((await resolve(id)).json.data.status).toBe('failed')
  }))

it('claims nothing when a foreign order matches as well, and rejects a resolution with the key', () =>
  atTheVenue(async ({ place, look, resolve }) => {
    const [lost, foreign] = [await place('drop'), await place('drop')]
    await pg.pool.query("UPDATE executions SET status = 'failed', last_event = 'rejected' WHERE id = $1", [foreign])
    expect(await look(lost)).toMatchObject({
      status: 'submitted',
      observation: { reason: expect.stringContaining('2 open orders') },
    })
    expect(refused(await resolve(lost))).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
    expect(refused(await resolve(lost, undefined, 'filled'))).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
  }))

it('keeps the reserved spend of an order that its owner resolved as failed, and acks it when it is found', () =>
  atTheVenue(async ({ here, world, place, look, resolve }) => {
    await pg.pool.query('INSERT INTO spend_caps VALUES ($1, 1000)', [world.accountId])
    const reserved = async () =>
      (await pg.pool.query('SELECT reserved::float AS n FROM spend_reserved WHERE scope_id = $1', [world.accountId]))
        .rows[0].n
    const known = await place()
    const id = await place('drop')
    const held = await reserved()
    expect((await resolve(id, {})).json.data.status).toBe('failed')
    expect(await reserved()).toBe(held)
    here.world.clock.advance(2 * minute)
    expect(await look(id)).toMatchObject({ status: 'acked', error: null, venueRef: expect.any(String) })
    expect((await look(known)).venueRef).not.toBe((await look(id)).venueRef)
    expect(await reserved()).toBe(held)
  }))

it('rejects a resolution as failed when the key traded at that time', () =>
  atTheVenue(async ({ here, place, look, resolve }) => {
    const id = await place('drop')
    here.world.clock.advance(1_000)
    here.trade('sell', here.bid, 10)
    expect((await look(id)).status).toBe('submitted')
    expect(refused(await resolve(id))).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
    expect((await resolve(id, undefined, 'filled')).json.data.status).toBe('filled')
  }))
