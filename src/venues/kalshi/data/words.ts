// The venue's terms on the socket in ours: lifecycle events and error codes. https://docs.kalshi.com/websockets
import type { MarketStatus } from '#schemas/market'

/** Opening and closing by the clock send no event; the catalog walk sees those. `close_date_updated` is told apart by its time. */
export const lifecycleStatus: ReadonlyMap<string, MarketStatus> = new Map([
  ['created', 'inactive'],
  ['activated', 'active'],
  ['deactivated', 'inactive'],
  ['determined', 'closed'],
  ['settled', 'resolved'],
])

/** Codes that we treat apart; every other one ends the connection. 6 is retired. */
export const errorCodes = { alreadySubscribed: 6, authRequired: 9, marketNotFound: 16, bufferOverflow: 25 } as const
