// What a read costs of the 1,200 that the venue allows an address each minute.
// https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/rate-limits-and-user-limits

const weights: Readonly<Record<string, number>> = {
  l2Book: 2,
  allMids: 2,
  clearinghouseState: 2,
  orderStatus: 2,
  spotClearinghouseState: 2,
  exchangeStatus: 2,
  // One more for each twenty rows, of which there are not many.
  recentTrades: 25,
  // The same, of two thousand rows.
  userFills: 120,
  userRole: 60,
}

/** By the `type` of an info request. */
export const weightOf = (type: string): number => weights[type] ?? 20
