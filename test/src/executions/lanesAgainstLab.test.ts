// Every lane through the whole core against the lab of its venue, when the venue takes the order and drops the socket.
import { expect, it } from 'vitest'
import type { DeskOrder } from '#lab/engine/desk'
import type { LabVenueName } from '#lab/lab'
import type { JsonObject } from '#schemas/executions'
import type { Reply } from '#test/src/http/world'
import { owner, sign } from '#test/src/venues/hyperliquid/exec/world'
import { account, l1Headers } from '#test/src/venues/polymarket/exec/world'
import { executionSuite, refused } from '#test/support/execution/suite'
import { createLaneLab, type LaneLab } from '#test/support/laneLab'
import { geminiLane } from '#venues/gemini/exec/index'
import { hyperliquidLane } from '#venues/hyperliquid/exec/index'
import { kalshiLane } from '#venues/kalshi/exec/index'
import type { Lane } from '#venues/lane'
import { polymarketLane } from '#venues/polymarket/exec/index'
import { polymarketUsLane } from '#venues/polymarket_us/exec/index'

interface Trader {
  order: object
  /** Body of submit, for what was built. */
  send(unsigned: JsonObject): Promise<object> | object
  /** Of the submit of a cancellation, where that wants another. */
  sendCancel?(unsigned: JsonObject): object
  /** Body of refresh. */
  read: object
  orders(): readonly DeskOrder[]
}

const { pg, worldOf, count, events } = executionSuite()
/** Kalshi takes whole cents alone, on whatever grid the market is quoted. */
const cent = 10_000
const size = 10
const dollars = (micros: number): string => (micros / 1e6).toFixed(2)

const traders: { [V in LabVenueName]: [lane: Lane, trader: (here: LaneLab<V>) => Promise<Trader> | Trader] } = {
  kalshi: [
    kalshiLane,
    ({ lab, facts, bid }) => {
      const { API_KEY_ID: apiKeyId, PRIVATE_KEY_PEM: privateKeyPem } = lab.credentials
      return {
        order: { outcome: facts.marketId, outcomeSide: 'YES', isBuy: true, price: dollars(bid), size },
        send: () => ({ apiKeyId, privateKeyPem }),
        read: { apiKeyId, privateKeyPem },
        orders: () => lab.engine.desk.ordersOf(apiKeyId),
      }
    },
  ],
  gemini: [
    geminiLane,
    ({ lab, facts, bid }) => ({
      order: { outcome: facts.outcomeIds[0], outcomeSide: 'YES', isBuy: true, price: dollars(bid), size },
      send: () => lab.credentials,
      read: lab.credentials,
      orders: () => lab.engine.desk.ordersOf(lab.credentials.apiKey),
    }),
  ],
  polymarket_us: [
    polymarketUsLane,
    ({ lab, facts, bid }) => ({
      order: {
        marketId: facts.marketId,
        outcomeId: facts.outcomeIds[0],
        side: 'buy',
        type: 'limit',
        amount: size,
        price: String(bid / 1e6),
      },
      send: () => lab.credentials,
      read: lab.credentials,
      orders: () => lab.engine.desk.ordersOf(lab.credentials.keyId),
    }),
  ],
  hyperliquid: [
    hyperliquidLane,
    ({ lab, facts, bid }) => ({
      order: {
        outcome: facts.marketId,
        outcomeSide: 'YES',
        isBuy: true,
        price: String(bid / 1e6),
        // The venue has a smallest order, in dollars.
        size: size * 5,
        owner: owner.address,
      },
      send: async (unsigned) => ({ signature: await sign({ unsigned }) }),
      read: {},
      orders: () => lab.engine.desk.ordersOf(owner.address.toLowerCase()),
    }),
  ],
  polymarket: [
    polymarketLane,
    async ({ lab, world, facts, bid }) => {
      const headers = await l1Headers(account, world.clock.now())
      const key = (await (await fetch(`${lab.urls.CLOB}/auth/derive-api-key`, { headers })).json()) as object
      return {
        order: {
          outcome: facts.marketId,
          outcomeSide: 'YES',
          isBuy: true,
          price: String(bid / 1e6),
          size,
          owner: account.address,
        },
        send: async (unsigned) => ({ ...key, signature: await account.signTypedData(unsigned as never) }),
        sendCancel: () => key,
        read: key,
        orders: () => lab.engine.desk.ordersOf(account.address),
      }
    },
  ],
}

interface Table<V extends LabVenueName> {
  here: LaneLab<V>
  trader: Trader
  post(path: string, body: object, key?: string): Promise<Reply>
  /** Dollars held of the account's cap. */
  reserved(): Promise<number>
}

async function atTheTable<V extends LabVenueName>(venue: V, play: (table: Table<V>) => Promise<void>): Promise<void> {
  const [lane, traderOf] = traders[venue]
  const here = await createLaneLab(venue, (_, { bids }) => venue !== 'kalshi' || bids[0]![0] % cent === 0)
  try {
    const world = await worldOf({
      lanes: [lane],
      clock: here.world.clock,
      contextOf: (signal) => ({ ...here.world.context, signal }),
    })
    const post = (path: string, body: object, key?: string): Promise<Reply> =>
      world.world.post(
        `/v1/exec/${venue}/orders/${path}`,
        body,
        key === undefined ? {} : { headers: { 'idempotency-key': key } },
      )
    await pg.pool.query('INSERT INTO spend_caps VALUES ($1, 100000)', [world.accountId])
    const reserved = async () => {
      const { rows } = await pg.pool.query('SELECT sum(reserved) AS usd FROM spend_reserved WHERE scope_id = $1', [
        world.accountId,
      ])
      return Number(rows[0].usd)
    }
    await play({ here, trader: await traderOf(here), post, reserved })
  } finally {
    await here.close()
  }
}

const dropAndRetry = (venue: LabVenueName) =>
  atTheTable(venue, async ({ here, trader, post }) => {
    const { clock } = here.world
    const built = await post('build', trader.order, 'b')
    expect(built.status, built.text).toBe(200)
    const preview = await post('build', { ...trader.order, dryRun: true }, 'p')
    // “Hosted-relay egress block”: before anything is signed, previews included, at the top and in the row.
    for (const { json } of [built, preview]) {
      const warned = venue === 'polymarket' ? [expect.stringMatching(/region/i)] : undefined
      expect([json.warnings, json.data.warnings]).toEqual([warned, warned])
    }
    const { executionId: id, unsigned } = built.json.data
    const body = await trader.send(unsigned)

    here.lab.faults.order({ fate: 'drop' })
    const sent = await post(`${id}/submit`, body, 's')
    expect(sent.json.data?.status, sent.text).toBe('submitted')
    expect(trader.orders()).toHaveLength(1)

    here.lab.faults.recover()
    const again = await post(`${id}/submit`, body, 's')
    expect([again.json.data.status, again.headers['idempotency-replay']]).toEqual(['submitted', 'true'])
    expect(refused(await post(`${id}/submit`, body, 'another'))).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
    expect(trader.orders()).toHaveLength(1)
    expect(await events(id)).toBe(1)

    const found = await post(`${id}/refresh`, trader.read)
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
    const { rows } = await pg.pool.query<{ told: string }>(
      `SELECT payload->>'previousStatus' || ' ' || (payload->>'status') AS told FROM outbox
       WHERE event = 'execution.status.changed' AND payload->>'executionId' = $1 ORDER BY id`,
      [id],
    )
    expect(rows.map(({ told }) => told)).toEqual(['built submitted', 'submitted acked', 'acked filled'])
  })

/** The order is cancelled under an id of its own, and the venue's word is folded into both. */
const placeAndCancel = (venue: LabVenueName) =>
  atTheTable(venue, async ({ here, trader, post }) => {
    const built = await post('build', trader.order, 'b')
    const { executionId: id, unsigned } = built.json.data
    const sent = await post(`${id}/submit`, await trader.send(unsigned), 's')
    expect(sent.json.data?.status, sent.text).toBe('acked')
    const cancel = await post(`${id}/cancel`, {}, 'c')
    expect(cancel.json.data, cancel.text).toMatchObject({ intent: 'cancel', status: 'built', targetExecutionId: id })
    const cancelId = cancel.json.data.executionId
    const send = trader.sendCancel ?? trader.send
    const body = await send(cancel.json.data.unsigned)
    const canceled = await post(`${cancelId}/submit`, body, 'sc')
    expect(canceled.json.data?.status, canceled.text).toBe('acked')
    const again = await post(`${cancelId}/submit`, body, 'sc')
    expect([again.json.data.status, again.headers['idempotency-replay']]).toEqual(['acked', 'true'])
    expect(trader.orders().map(({ status }) => status)).toEqual(['canceled'])
    await post(`${id}/refresh`, trader.read)
    here.world.clock.advance(60_000)
    expect((await post(`${id}/refresh`, trader.read)).json.data.status).toBe('canceled')
    expect((await post(`${cancelId}/refresh`, trader.read)).json.data.status).toBe('acked')
    expect(refused(await post(`${id}/cancel`, {}, 'more'))).toEqual([409, 'EXECUTION_TERMINAL'])
  })

/** Fault 41: the order is gone from one read, and what it traded is not in the other yet. */
const contradict = (venue: LabVenueName) =>
  atTheTable(venue, async ({ here, trader, post }) => {
    const { clock } = here.world
    const { executionId: id, unsigned } = (await post('build', trader.order, 'b')).json.data
    await post(`${id}/submit`, await trader.send(unsigned), 's')
    const look = async () => (await post(`${id}/refresh`, trader.read)).json.data
    clock.advance(120_000)
    expect((await look()).status).toBe('acked')
    here.trade('sell', here.bid, trader.orders()[0]!.hundredths / 100)
    here.lab.faults.hide({ what: 'fills' })
    // Whatever is said in between: while neither read tells of fills, nobody may call it canceled at the first look.
    const early = await look()
    expect(early.status).not.toBe('canceled')
    here.lab.faults.hide({ what: 'orders' })
    expect((await look()).status).toBe(early.status)
    for (let minutes = 0; minutes < 3; minutes++) {
      clock.advance(61_000)
      await look()
    }
    const [believed, told] = [(await look()).status, await events(id)]
    // Only the lane whose finished orders are shown nowhere has anything to believe meanwhile.
    expect([early.status, venue === 'polymarket' ? 'canceled' : null]).toContain(believed)
    here.lab.faults.recover()
    clock.advance(61_000)
    const end = await look()
    expect(end.status).toBe('filled')
    expect(end.fills.length).toBeGreaterThan(0)
    expect(await events(id)).toBe(believed === 'filled' ? told : told + 1)
    expect((await look()).fills).toEqual(end.fills)
    const { rows } = await pg.pool.query<{ event: string }>(
      'SELECT event FROM execution_audit WHERE execution_id = $1 ORDER BY id DESC LIMIT 1',
      [id],
    )
    if (believed === 'canceled') expect(rows).toEqual([{ event: 'correctedFilled' }])
  })

it.each(Object.keys(traders) as LabVenueName[])(
  '%s: a filled order is never lost as canceled, however its reads lag behind each other',
  (venue) => contradict(venue),
  60_000,
)

it('polymarket: a clock that is set forward does not end an order that was missing at one look', () =>
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
  'polymarket: what is matched is a fill once it is confirmed; one that fails takes it back by a row of its own',
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

it.each(Object.keys(traders) as LabVenueName[])(
  '%s: taken and dropped is `submitted`, a blind retry places nothing, refresh finds the order, each transition is told once',
  (venue) => dropAndRetry(venue),
  60_000,
)

it.each(Object.keys(traders) as LabVenueName[])(
  '%s: a cancel is submitted under its own id, once; refresh ends its order',
  (venue) => placeAndCancel(venue),
  60_000,
)

/** Changes of one order, each on top of the last one that the venue took. */
const modifying: readonly LabVenueName[] = ['kalshi', 'hyperliquid']

const change = (venue: LabVenueName) =>
  atTheTable(venue, async ({ here, trader, post }) => {
    const { faults } = here.lab
    // A change must cost enough for the venue to take it, whatever is left of it.
    const { executionId: id, unsigned } = (await post('build', { ...trader.order, size: 100 }, 'b')).json.data
    await post(`${id}/submit`, await trader.send(unsigned), 's')
    const resting = () => {
      const order = trader.orders().findLast(({ status }) => status === 'open')!
      return { price: order.priceMicros, left: (order.hundredths - order.filledHundredths) / 100 }
    }
    let made = 0
    const build = (of: string, body: object) => post(`${of}/modify`, body, `m${made++}`)
    const sendOff = async ({ executionId, unsigned: artifact }: { executionId: string; unsigned: JsonObject }) =>
      post(`${executionId}/submit`, await trader.send(artifact), `sm${made++}`)
    const modify = async (of: string, body: object) => {
      const built = await build(of, body)
      expect(built.status, built.text).toBe(200)
      const sent = await sendOff(built.json.data)
      return { id: built.json.data.executionId as string, sent }
    }
    const lower = String((here.bid - cent) / 1e6)

    here.world.clock.advance(1_000)
    here.trade('sell', here.bid, 30)
    // The price alone: what is filled does not rest again.
    const first = await modify(id, { price: lower })
    expect(first.sent.json.data?.status, first.sent.text).toBe('acked')
    expect(resting()).toEqual({ price: here.bid - cent, left: 70 })
    // The size alone, of the order as it was placed, twice in a row: the first change’s price stays.
    await modify(id, { size: 90 })
    expect(resting()).toEqual({ price: here.bid - cent, left: 60 })
    await modify(first.id, { size: 80 })
    expect(resting()).toEqual({ price: here.bid - cent, left: 50 })

    // One that the venue refused changed nothing.
    faults.order({ fate: 'reject' })
    if (venue === 'hyperliquid') {
      expect((await modify(id, { size: 200 })).sent.json.data.status).toBe('failed')
    }
    faults.recover()
    await modify(id, { price: String((here.bid - 2 * cent) / 1e6) })
    expect(resting()).toEqual({ price: here.bid - 2 * cent, left: 50 })

    // One that was built on what is no more is not sent; nor is any while another is in doubt.
    const stale = (await build(id, { size: 70 })).json.data
    const early = (await build(id, { size: 75 })).json.data
    faults.http({ status: 502, count: 1, path: venue === 'kalshi' ? '/amend' : '/exchange' })
    expect((await sendOff(early)).json.data.status).toBe('submitted')
    expect(refused(await build(id, { size: 60 }))).toEqual([409, 'CLAIM_GENERATION_UNDETERMINED'])
    expect(refused(await sendOff(stale))).toEqual([409, 'CLAIM_GENERATION_UNDETERMINED'])
    expect(resting().left).toBe(50)
    here.world.clock.advance(105_000)
    const support = { ...trader.read, outcome: 'failed', reason: 'the venue shows the old terms' }
    expect((await post(`${early.executionId}/resolve`, support, 'r')).json.data.status).toBe('failed')
    const last = await modify(id, { size: 70 })
    expect(resting().left).toBe(40)
    expect(refused(await sendOff(stale))).toEqual([409, 'ARTIFACT_VERSION_CONFLICT'])

    // Calling the order back calls back what has taken its place.
    const cancel = (await post(`${id}/cancel`, {}, 'c')).json.data
    expect((await sendOff(cancel)).json.data.status).toBe('acked')
    expect(trader.orders().every(({ status }) => status === 'canceled')).toBe(true)
    const filled = trader.orders().reduce((sum, order) => sum + order.filledHundredths, 0)
    expect(filled).toBe(3_000)
    expect((await post(`${last.id}/refresh`, trader.read)).json.data.status).toBe('canceled')
    expect(refused(await build(last.id, { size: 90 }))).toEqual([409, 'EXECUTION_TERMINAL'])
    expect(refused(await build(id, { size: 90 }))).toEqual([409, 'EXECUTION_TERMINAL'])
  })

it.each(modifying)(
  '%s: changes follow the last one that the venue took and what is filled; none is sent on a guess',
  (venue) => change(venue),
  60_000,
)

it(
  'hyperliquid: what is filled between a change’s build and its submit is not let rest again',
  () =>
    atTheTable('hyperliquid', async ({ here, trader, post }) => {
      const { executionId: id, unsigned } = (await post('build', { ...trader.order, size: 100 }, 'b')).json.data
      await post(`${id}/submit`, await trader.send(unsigned), 's')
      const built = (await post(`${id}/modify`, { size: 90 }, 'm')).json.data
      here.trade('sell', here.bid, 10)
      const sent = await post(`${built.executionId}/submit`, await trader.send(built.unsigned), 'sm')
      expect(refused(sent)).toEqual([400, 'ARTIFACT_BOUNDS_VIOLATION'])
      expect(trader.orders().filter(({ status }) => status === 'open')).toHaveLength(1)
      here.trade('sell', here.bid, 85)
      expect(refused(await post(`${id}/modify`, { size: 95 }, 'too small'))).toEqual([400, 'VALIDATION_ERROR'])
    }),
  60_000,
)

const standTogether = (venue: LabVenueName) =>
  atTheTable(venue, async ({ here, trader, post, reserved }) => {
    const { executionId: id, unsigned } = (await post('build', { ...trader.order, size: 100 }, 'b')).json.data
    await post(`${id}/submit`, await trader.send(unsigned), 's')
    const open = () => trader.orders().filter(({ status }) => status === 'open')
    const look = async (of: string) => (await post(`${of}/refresh`, trader.read)).json.data.status
    const change = async (of: string, contracts: number) => {
      const built = await post(`${of}/modify`, { size: contracts }, `m${contracts}`)
      expect(built.status, built.text).toBe(200)
      const { executionId, unsigned: artifact } = built.json.data
      const sent = await post(`${executionId}/submit`, await trader.send(artifact), `sm${contracts}`)
      expect(sent.json.data?.status, sent.text).toBe('acked')
      return executionId as string
    }
    const whole = await reserved()
    const members = [id, await change(id, 90)]
    // Whether anybody has looked meanwhile or not, every member stands for the order, and a change of any is one of the last.
    expect([await look(id), await look(members[1]!)]).toEqual(['acked', 'acked'])
    members.push(await change(id, 80))
    members.push(await change(members[1]!, 70))
    for (const member of members) expect(await look(member)).toBe('acked')
    expect(open().map(({ hundredths }) => hundredths)).toEqual([7_000])
    const fewer = venue === 'kalshi' ? 0.7 : 1
    expect(await reserved()).toBeCloseTo(whole * fewer, 6)

    const cancel = await post(`${id}/cancel`, {}, 'c')
    expect(cancel.status, cancel.text).toBe(200)
    const { executionId: canceling, unsigned: artifact } = cancel.json.data
    await post(`${canceling}/submit`, await (trader.sendCancel ?? trader.send)(artifact), 'sc')
    expect(open()).toEqual([])
    here.world.clock.advance(60_000)
    for (const member of members) expect(await look(member)).toBe('canceled')
    expect(await reserved()).toBe(0)
    for (const member of members) {
      expect(refused(await post(`${member}/cancel`, {}, `c${member}`))).toEqual([409, 'EXECUTION_TERMINAL'])
    }
  })

it.each(modifying)(
  '%s: an order and its changes stand and end together, whoever looked at which, and give their room back',
  (venue) => standTogether(venue),
  60_000,
)

it.each(modifying)('%s: a filled order takes no change', (venue) =>
  atTheTable(venue, async ({ here, trader, post }) => {
    const { executionId: id, unsigned } = (await post('build', trader.order, 'b')).json.data
    await post(`${id}/submit`, await trader.send(unsigned), 's')
    here.world.clock.advance(1_000)
    here.trade('sell', here.bid, trader.orders()[0]!.hundredths / 100)
    here.world.clock.advance(60_000)
    expect((await post(`${id}/refresh`, trader.read)).json.data.status).toBe('filled')
    expect(refused(await post(`${id}/modify`, { size: 500 }, 'm'))).toEqual([409, 'EXECUTION_TERMINAL'])
  }),
)
