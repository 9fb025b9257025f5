// A trader at each venue's lab, and our routes in front of it.
import type { DeskOrder } from '#lab/engine/desk'
import type { JsonObject } from '#schemas/executions'
import type { Reply } from '#test/src/http/world'
import { owner, sign } from '#test/src/venues/hyperliquid/exec/world'
import { account, l1Headers } from '#test/src/venues/polymarket/exec/world'
import { createLaneLab, type LaneLab } from '#test/support/laneLab'
import { geminiLane } from '#venues/gemini/exec/index'
import { hyperliquidLane } from '#venues/hyperliquid/exec/index'
import { kalshiLane } from '#venues/kalshi/exec/index'
import type { Lane } from '#venues/lane'
import { polymarketLane } from '#venues/polymarket/exec/index'
import { polymarketUsLane } from '#venues/polymarket_us/exec/index'
import type { LaneVenue } from '#venues/registry'
import type { executionSuite } from './suite.ts'
import type { ExecutionWorld } from './world.ts'

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

/** Kalshi takes whole cents alone, on whatever grid the market is quoted. */
export const cent = 10_000
const size = 10
const dollars = (micros: number): string => (micros / 1e6).toFixed(2)

export const traders: { [V in LaneVenue]: [lane: Lane, trader: (here: LaneLab<V>) => Promise<Trader> | Trader] } = {
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

/** Posts to an order's routes of one venue. */
export const posterOf =
  ({ world }: ExecutionWorld, venue: string) =>
  (path: string, body: object, key?: string): Promise<Reply> =>
    world.post(
      `/v1/exec/${venue}/orders/${path}`,
      body,
      key === undefined ? {} : { headers: { 'idempotency-key': key } },
    )

export interface Table<V extends LaneVenue> {
  here: LaneLab<V>
  trader: Trader
  post(path: string, body: object, key?: string): Promise<Reply>
  /** Dollars held of the account's cap. */
  reserved(): Promise<number>
}

/** Of a test file's own suite. */
export const tableOf =
  ({ pg, worldOf }: Pick<ReturnType<typeof executionSuite>, 'pg' | 'worldOf'>) =>
  async <V extends LaneVenue>(venue: V, play: (table: Table<V>) => Promise<void>): Promise<void> => {
    const [lane, traderOf] = traders[venue]
    const here = await createLaneLab(venue, (_, { bids }) => venue !== 'kalshi' || bids[0]![0] % cent === 0)
    try {
      const world = await worldOf({
        lanes: [lane],
        clock: here.world.clock,
        contextOf: (signal) => ({ ...here.world.context, signal }),
      })
      await pg.pool.query('INSERT INTO spend_caps VALUES ($1, 100000)', [world.accountId])
      const reserved = async () => {
        const { rows } = await pg.pool.query('SELECT sum(reserved) AS usd FROM spend_reserved WHERE scope_id = $1', [
          world.accountId,
        ])
        return Number(rows[0].usd)
      }
      await play({ here, trader: await traderOf(here), post: posterOf(world, venue), reserved })
    } finally {
      await here.close()
    }
  }
