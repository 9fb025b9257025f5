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
        read: key,
        orders: () => lab.engine.desk.ordersOf(account.address),
      }
    },
  ],
}

async function dropAndRetry<V extends LabVenueName>(venue: V): Promise<void> {
  const [lane, traderOf] = traders[venue]
  const here = await createLaneLab(venue, (_, { bids }) => venue !== 'kalshi' || bids[0]![0] % cent === 0)
  try {
    const trader = await traderOf(here)
    const { clock } = here.world
    const world = await worldOf({
      lanes: [lane],
      clock,
      contextOf: (signal) => ({ ...here.world.context, signal }),
    })
    const post = (path: string, body: object, key?: string): Promise<Reply> =>
      world.world.post(
        `/v1/exec/${venue}/orders/${path}`,
        body,
        key === undefined ? {} : { headers: { 'idempotency-key': key } },
      )
    const built = await post('build', trader.order, 'b')
    expect(built.status, built.text).toBe(200)
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
  } finally {
    await here.close()
  }
}

it.each(Object.keys(traders) as LabVenueName[])(
  '%s: taken and dropped is `submitted`, a blind retry places nothing, refresh finds the order, each transition is told once',
  (venue) => dropAndRetry(venue),
  60_000,
)
