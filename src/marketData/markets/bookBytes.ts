// Books as the JSON text of `data`. A live core only gets its tail appended: the levels are never parsed on the way to a reader.
import { ONE } from '#core/price'
import type { OrderBook, ProvenanceSource } from '#schemas/marketData'
import type { BookUpdate } from '#schemas/topics'
import { hasSyntheticBooks, type VenueCapabilities, venueCapabilities } from '#schemas/venues'
import { toIso } from './fields.ts'
import type { BookFact } from './marketFacts.ts'

/** The finished JSON of one book, with its envelope fields. One object per book state: readers share it. */
export interface EncodedBook {
  bytes: Buffer
  asOf: string
  source: ProvenanceSource
  siblings: { asOf: string; provenance: { source: ProvenanceSource } }
}

export interface BookProvenance {
  /** Derived from a spot price, a pool or odds. */
  synthetic: boolean
  /** The venue itself serves cached books. */
  cached: boolean
}

const capabilities: Readonly<Record<string, VenueCapabilities | undefined>> = venueCapabilities

/** `madeUp`: the market itself says that its book is derived. */
export function provenanceOf(venue: string, madeUp: boolean): BookProvenance {
  return { synthetic: madeUp || hasSyntheticBooks(venue), cached: capabilities[venue]?.stalenessMs !== undefined }
}

export function encodeLive(update: BookUpdate, core: Buffer, complement: boolean, fact: BookFact): EncodedBook {
  const eventMs = update.eventTs ?? update.recvTs
  const asOf = toIso(eventMs)!
  const { synthetic, cached } = provenanceOf(update.venue, fact.isSynthetic)
  const lastMicros = update.lastTradeMicros
  const last = lastMicros === null ? null : (complement ? ONE - lastMicros : lastMicros) / ONE
  const tail =
    `,"datetime":"${asOf}","isNegRisk":${fact.isNegRisk},"lastTradePrice":${last},"asOf":"${asOf}"` +
    `,"provenance":{"source":"service-live"},"synthetic":${synthetic},"cached":${cached}` +
    `,"sourceMetadata":{"synthetic":${synthetic}}}`
  return encoded(Buffer.concat([core, Buffer.from(tail, 'latin1')]), asOf, 'service-live')
}

export const encodeBook = (book: OrderBook): EncodedBook =>
  encoded(Buffer.from(JSON.stringify(book)), book.asOf, book.provenance.source)

const encoded = (bytes: Buffer, asOf: string, source: ProvenanceSource): EncodedBook => ({
  bytes,
  asOf,
  source,
  siblings: { asOf, provenance: { source } },
})
