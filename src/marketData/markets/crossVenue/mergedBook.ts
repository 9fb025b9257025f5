// One book of one question on several venues: equal prices summed. A bid above an ask is not an error here: they are on different
// venues.
import { ONE, toProbability } from '#core/price'
import type { Level, OrderBook, ProvenanceSource } from '#schemas/marketData'

const freshness: readonly ProvenanceSource[] = ['service-live', 'venue-rest', 'fixture', 'archive']

/** Times are those of the oldest book, the source is the least fresh one. At least one book. */
export function mergeBooks(books: readonly OrderBook[], levelsMax?: number): OrderBook {
  const oldest = books.reduce((a, b) => (b.timestamp < a.timestamp ? b : a))
  const worst = Math.max(...books.map(({ provenance }) => freshness.indexOf(provenance.source)))
  const negRisk = new Set(books.map(({ isNegRisk }) => isNegRisk))
  const synthetic = books.some((book) => book.synthetic)
  return {
    bids: sum(books.map(({ bids }) => bids))
      .reverse()
      .slice(0, levelsMax),
    asks: sum(books.map(({ asks }) => asks)).slice(0, levelsMax),
    timestamp: oldest.timestamp,
    datetime: oldest.datetime,
    isNegRisk: negRisk.size === 1 ? oldest.isNegRisk : null,
    // It would be unclear of which venue.
    lastTradePrice: null,
    asOf: books.map(({ asOf }) => asOf).sort()[0]!,
    provenance: { source: freshness[worst]! },
    synthetic,
    cached: books.some((book) => book.cached),
    sourceMetadata: { synthetic },
  }
}

/** Ascending. Prices are compared as integers: 0.07 of one venue equals 0.07 of the other. */
function sum(sides: readonly (readonly Level[])[]): Level[] {
  const sizes = new Map<number, number>()
  for (const { price, size } of sides.flat()) {
    const micros = Math.round(price * ONE)
    // Venues send at most six decimals; without rounding, 0.1 and 0.2 would produce more.
    sizes.set(micros, Math.round(((sizes.get(micros) ?? 0) + size) * 1e6) / 1e6)
  }
  return [...sizes].sort(([a], [b]) => a - b).map(([micros, size]) => ({ price: toProbability(micros), size }))
}
