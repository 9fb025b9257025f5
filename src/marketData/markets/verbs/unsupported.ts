// Verbs that clients of the family know and this surface does not serve: 501 with a hint where to go, never a 404.

const execution = 'orders and accounts are served under /v1/exec; see GET /v1/exec/venues'
const stream = 'subscribe on the WebSocket /v1/stream'

export const unsupportedMethods: Readonly<Record<string, string>> = {
  createOrder: execution,
  buildOrder: execution,
  submitOrder: execution,
  editOrder: execution,
  cancelOrder: execution,
  fetchOrder: execution,
  fetchOpenOrders: execution,
  fetchMyTrades: execution,
  fetchClosedOrders: execution,
  fetchAllOrders: execution,
  fetchPositions: execution,
  fetchBalance: execution,
  watchOrderBook: stream,
  watchOrderBooks: stream,
  watchAllOrderBooks: stream,
  unwatchOrderBook: stream,
  watchTrades: stream,
  watchAddress: stream,
  unwatchAddress: stream,
  fetchEventMetadata: 'event metadata is part of fetchEvent (sourceMetadata)',
}
