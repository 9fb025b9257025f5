// One market for each lane that takes a caller's credentials, and an order that its build accepts.
import { binaryMarket } from '#test/support/laneWorld'
import type { ResolvedOutcome } from '#venues/lane'

export const keeperOrders = {
  kalshi: { outcome: 'KXTEST-26-A', outcomeSide: 'YES', isBuy: true, price: '0.62', size: 4 },
  gemini: { outcome: 'GEMI-TESTEV26-AAA', outcomeSide: 'YES', isBuy: true, price: '0.20', size: 10 },
  polymarket_us: {
    marketId: 'demo-a',
    outcomeId: 'demo-a:short',
    side: 'buy',
    type: 'limit',
    amount: 3,
    price: 0.83,
  },
  /** `owner` is whoever signs. */
  polymarket: { outcome: '512345', outcomeSide: 'YES', isBuy: true, price: '0.56', size: '21' },
} as const
export type KeeperVenue = keyof typeof keeperOrders

/** What the CLOB says of the market when an order is built. */
export const polymarketReads = {
  c: `0x${'ab'.repeat(32)}`,
  t: [
    { t: '71321045679252212594626385532706912750332728571942532289631379312455583992563', o: 'Yes' },
    { t: '52114319501245915516055106046884209969926127482827954674443846427813813222426', o: 'No' },
  ],
  mts: 0.01,
  mos: 5,
  fd: { r: 0.05, e: 1, to: true },
} as const

export function keeperMarkets(venue: string): ResolvedOutcome[] {
  switch (venue) {
    case 'kalshi': {
      const fees = { feeType: 'quadratic', multiplier: 1, takerRate: 0.07, makerRate: 0 }
      const id = keeperOrders.kalshi.outcome
      return binaryMarket(venue, id, [id, `${id}-NO`], { sourceMetadata: { marketType: 'binary', fees } })
    }
    case 'gemini': {
      const id = keeperOrders.gemini.outcome
      return binaryMarket(venue, id, [id, `${id}-NO`], { tickSize: 0.01, sourceMetadata: { instrumentSymbol: id } })
    }
    case 'polymarket_us': {
      const id = keeperOrders.polymarket_us.marketId
      return binaryMarket(venue, id, [`${id}:long`, `${id}:short`], {
        tickSize: 0.001,
        sourceMetadata: { minimumTradeQty: 1, feeCoefficient: 0.0695 },
      })
    }
    case 'polymarket':
      return binaryMarket(venue, keeperOrders.polymarket.outcome, [polymarketReads.t[0].t, polymarketReads.t[1].t], {
        tickSize: polymarketReads.mts,
        sourceMetadata: { conditionId: polymarketReads.c, negRisk: false },
      })
    default:
      return []
  }
}
