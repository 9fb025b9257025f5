// How the venue treats the expiry of an order. https://docs.polymarket.com/developers/CLOB/orders/create-order

/** An order dies this long before the expiry it was given. */
export const expirySafetyMs = 60_000

/** An expiry nearer than this is refused. */
export const expiryAheadMs = 180_000
