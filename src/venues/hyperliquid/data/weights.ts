// Cost of each read against the 1,200 that the venue allows an address per minute.
// https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/rate-limits-and-user-limits

const usualWeight = 20
const rowsPerUnit = 20

const weights: Readonly<Record<string, number>> = {
  l2Book: 2,
  allMids: 2,
  clearinghouseState: 2,
  orderStatus: 2,
  spotClearinghouseState: 2,
  exchangeStatus: 2,
  // Twenty, and one more per twenty rows: the maximum.
  recentTrades: 25,
  userFills: 120,
  userRole: 60,
}

/** For reads charged by rows: the cost of a response. */
export const costOf = ({ body }: { body: unknown }): number =>
  usualWeight + (Array.isArray(body) ? Math.ceil(body.length / rowsPerUnit) : 0)

/** By the `type` of an info request. */
export const weightOf = (type: string): number => weights[type] ?? usualWeight
