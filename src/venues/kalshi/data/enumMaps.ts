// The socket's terms mapped to ours: lifecycle events and error codes. https://docs.kalshi.com/websockets
import type { MarketStatus } from '#schemas/market'

/**
 * Scheduled opening and closing send no event; the catalog walk notices those. `close_date_updated` is interpreted by its time.
 */
export const lifecycleStatus: ReadonlyMap<string, MarketStatus> = new Map([
  ['created', 'inactive'],
  ['activated', 'active'],
  ['deactivated', 'inactive'],
  ['determined', 'closed'],
  ['settled', 'resolved'],
])

/** Codes handled individually; any other ends the connection. 6 is retired. */
export const errorCodes = { alreadySubscribed: 6, authRequired: 9, marketNotFound: 16, bufferOverflow: 25 } as const
