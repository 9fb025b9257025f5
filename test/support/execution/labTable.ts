// A trader at each venue's lab, and our routes for that venue.
import type { SimulatedOrder } from '#lab/engine/orderManager'
import type { JsonObject } from '#schemas/executions'
import type { Reply } from '#test/src/server/http/world'
import { openLane, type Trading } from '#test/support/laneCases'
import { type LaneLab, readBody } from '#test/support/laneLab'
import { type LaneVenue, lanes } from '#venues/registry'
import type { executionSuite } from './suite.ts'
import type { ExecutionWorld } from './world.ts'

interface Trader {
  /** Body of a build: rests at the best bid. */
  order: JsonObject
  /** Body of submit for a build. */
  send(unsigned: JsonObject): Promise<object>
  /** Body of submit for a cancellation. */
  sendCancel(unsigned: JsonObject): Promise<object>
  /** Body of refresh. */
  read: object
  orders(): readonly SimulatedOrder[]
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
  /** The execution routes. */
  world: ExecutionWorld
  trader: Trader
  /** Another trader, where one can send only one thing at a time; else the same. */
  another(n: number): Promise<Trader>
  post(path: string, body: object, key?: string): Promise<Reply>
  accountId: string
  /** Dollars reserved under the account's cap. */
  reserved(): Promise<number>
}

/** For the suite of a test file. */
export const tableOf =
  ({ pg, worldOf }: Pick<ReturnType<typeof executionSuite>, 'pg' | 'worldOf'>) =>
  async <V extends LaneVenue>(venue: V, play: (table: Table<V>) => Promise<void>): Promise<void> => {
    const { here, another, ...customer } = await openLane(venue)
    const traderOf = ({ order, credentials, signed, orders }: Trading): Trader => {
      const given = (intent: 'order' | 'cancel') => async (unsigned: JsonObject) => ({
        ...credentials,
        ...(await signed(unsigned, intent)),
      })
      const read = readBody(lanes[venue], credentials)
      return { order, send: given('order'), sendCancel: given('cancel'), read, orders }
    }
    const trader = traderOf(customer)
    try {
      const world = await worldOf({
        lanes: [lanes[venue]],
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
      await play({
        here,
        world,
        trader,
        another: async (n) => traderOf(await another(n)),
        accountId: world.accountId,
        post: posterOf(world, venue),
        reserved,
      })
    } finally {
      await here.close()
    }
  }
