// Limit orders that rest until they are filled or cancelled, without further options.
import type { OrderOptions } from '../../lane.ts'

export const restingOrders: OrderOptions = {
  timeInForce: ['good-til-cancel'],
  postOnly: false,
  reduceOnly: false,
  marketOrder: null,
  clientOrderId: false,
  expiresAt: false,
}
