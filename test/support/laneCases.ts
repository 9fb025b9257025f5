// Every lane against its lab with everything a test of all of them needs: an order that rests, and who pays for it.
import { randomUUID } from 'node:crypto'
import type { CounterSnapshot } from '#lab/counters'
import type { DeskOrder } from '#lab/engine/desk'
import type { Faults } from '#lab/faults'
import type { JsonObject } from '#schemas/executions'
import { owner as hyperOwner, sign as hyperSign } from '#test/src/venues/hyperliquid/exec/world'
import { account, l1Headers } from '#test/src/venues/polymarket/exec/world'
import { geminiLane } from '#venues/gemini/exec/index'
import { hyperliquidLane } from '#venues/hyperliquid/exec/index'
import { kalshiLane } from '#venues/kalshi/exec/index'
import type { Lane } from '#venues/lane'
import { polymarketLane } from '#venues/polymarket/exec/index'
import { polymarketUsLane } from '#venues/polymarket_us/exec/index'
import type { LaneVenue } from '#venues/registry'
import { createLaneLab, type LaneLab } from './laneLab.ts'

type Credentials = Record<string, string>

export interface OpenCase {
  here: Pick<LaneLab<LaneVenue>, 'world' | 'close' | 'trade' | 'bid' | 'ask' | 'facts' | 'market'> & {
    lab: { faults: Faults; counters(): CounterSnapshot }
  }
  /** Buys ten or more YES at the best bid: it rests. */
  body: JsonObject
  credentials: Credentials
  /** Alike in form, and refused; null where no credentials are sent. */
  wrong: Credentials | null
  /** What submit wants beside the credentials. */
  signed(unsigned: JsonObject, intent: 'order' | 'cancel'): Promise<Credentials>
  /** What the lab keeps of the account, oldest first. */
  orders(): readonly DeskOrder[]
}

export interface LaneCase {
  lane: Lane
  /** Parts of the paths that orders and cancellations go to. */
  orderPath: string
  cancelPath: string
  open(): Promise<OpenCase>
}

const cent = 10_000
const dollars = (micros: number): string => String(micros / 1e6)
const nothing = async (): Promise<Credentials> => ({})

export const laneCases: Record<LaneVenue, LaneCase> = {
  polymarket: {
    lane: polymarketLane,
    orderPath: '/clob/order',
    cancelPath: '/clob/order',
    async open() {
      const here = await createLaneLab('polymarket')
      const headers = await l1Headers(account, here.world.clock.now())
      const answer = await fetch(`${here.lab.urls.CLOB}/auth/derive-api-key`, { headers })
      const credentials = (await answer.json()) as Credentials
      return {
        here,
        body: { ...buyYes(here, here.facts.marketId), owner: account.address },
        credentials,
        wrong: { ...credentials, secret: Buffer.alloc(32, 1).toString('base64') },
        signed: async (unsigned, intent): Promise<Credentials> =>
          intent === 'order' ? { signature: await account.signTypedData(unsigned as never) } : {},
        orders: () => here.lab.engine.desk.ordersOf(account.address),
      }
    },
  },
  kalshi: {
    lane: kalshiLane,
    orderPath: '/portfolio/events/orders',
    cancelPath: '/portfolio/events/orders/',
    async open() {
      // Whole cents alone can be ordered, on whatever grid the market is quoted.
      const here = await createLaneLab('kalshi', (_, { bids }) => bids[0]![0] % cent === 0)
      const { API_KEY_ID, PRIVATE_KEY_PEM } = here.lab.credentials
      const credentials = { apiKeyId: API_KEY_ID, privateKeyPem: PRIVATE_KEY_PEM }
      return {
        here,
        body: buyYes(here, here.facts.marketId),
        credentials,
        wrong: { ...credentials, apiKeyId: randomUUID() },
        signed: nothing,
        orders: () => here.lab.engine.desk.ordersOf(API_KEY_ID),
      }
    },
  },
  polymarket_us: {
    lane: polymarketUsLane,
    orderPath: '/v1/orders',
    cancelPath: '/cancel',
    async open() {
      const here = await createLaneLab('polymarket_us')
      const { marketId, outcomeIds } = here.facts
      const credentials = { ...here.lab.credentials }
      const price = dollars(here.bid)
      return {
        here,
        body: { marketId, outcomeId: outcomeIds[0], side: 'buy', type: 'limit', amount: 50, price },
        credentials,
        wrong: { ...credentials, secretKey: Buffer.alloc(32, 1).toString('base64') },
        signed: nothing,
        orders: () => here.lab.engine.desk.ordersOf(credentials.keyId),
      }
    },
  },
  gemini: {
    lane: geminiLane,
    orderPath: '/v1/prediction-markets/order',
    cancelPath: '/order/cancel',
    async open() {
      const here = await createLaneLab('gemini')
      const credentials = { ...here.lab.credentials }
      return {
        here,
        body: buyYes(here, here.facts.outcomeIds[0]),
        credentials,
        wrong: { ...credentials, apiSecret: 'wrong' },
        signed: nothing,
        orders: () => here.lab.engine.desk.ordersOf(credentials.apiKey),
      }
    },
  },
  hyperliquid: {
    lane: hyperliquidLane,
    orderPath: '/exchange',
    cancelPath: '/exchange',
    async open() {
      const here = await createLaneLab('hyperliquid')
      return {
        here,
        body: { ...buyYes(here, here.facts.marketId), owner: hyperOwner.address },
        credentials: {},
        wrong: null,
        signed: async (unsigned) => ({ signature: await hyperSign({ unsigned }) }),
        orders: () => here.lab.engine.desk.ordersOf(hyperOwner.address.toLowerCase()),
      }
    },
  },
}

const buyYes = ({ bid }: { bid: number }, outcome: string): JsonObject => ({
  outcome,
  outcomeSide: 'YES',
  isBuy: true,
  price: dollars(bid),
  size: 50,
})
