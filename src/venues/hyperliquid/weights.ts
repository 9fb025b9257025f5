// What a read costs of the 1,200 that the venue allows an address each minute.
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
  // Twenty, and one more for each twenty rows: the most there are.
  recentTrades: 25,
  userFills: 120,
  userRole: 60,
}

/** Of what is counted by its rows, what an answer cost. */
export const costOf = ({ body }: { body: unknown }): number =>
  usualWeight + (Array.isArray(body) ? Math.ceil(body.length / rowsPerUnit) : 0)

/** By the `type` of an info request. */
export const weightOf = (type: string): number => weights[type] ?? usualWeight
