// Option prices: what the choices of a market cost that no order book prices, told on the stream.
export { priceChannel } from './channel.ts'
export { createFindPool, type PricedVenue } from './findPool.ts'
