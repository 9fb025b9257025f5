// Option prices: prices of a market's choices without an order book, on the stream.
export { priceChannel } from './channel.ts'
export { createFindPool, type PricedVenue } from './findPool.ts'
