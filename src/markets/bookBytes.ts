// Books as the JSON text of `data`. A live core only gets its tail appended: the levels are never parsed on the way to a reader.
import { ONE } from '#lib/price'
import type { OrderBook, ProvenanceSource } from '#schemas/marketData'
import type { BookUpdate } from '#schemas/topics'
import { type VenueCapabilities, venueCapabilities } from '#schemas/venues'
import { toIso } from './fields.ts'
import type { NegRisk } from './marketFacts.ts'

/** The finished JSON of one book, with what stands beside it in the envelope. One object per book state: readers share it. */
export interface EncodedBook {
  bytes: Buffer
  asOf: string
  source: ProvenanceSource
  siblings: { asOf: string; provenance: { source: ProvenanceSource } }
}

export interface BookHonesty {
  /** Rebuilt from a spot price, a pool or odds. */
  synthetic: boolean
  /** The venue itself serves cached books. */
  cached: boolean
}

const capabilities: Readonly<Record<string, VenueCapabilities | undefined>> = venueCapabilities

export function honestyOf(venue: string): BookHonesty {
  const known = capabilities[venue]
  return { synthetic: known?.book === 'emulated', cached: known?.stalenessMs !== undefined }
}

export function encodeLive(update: BookUpdate, core: Buffer, complement: boolean, isNegRisk: NegRisk): EncodedBook {
  const eventMs = update.eventTs ?? update.recvTs
  const asOf = toIso(eventMs)!
  const { synthetic, cached } = honestyOf(update.venue)
  const lastMicros = update.lastTradeMicros
  const last = lastMicros === null ? null : (complement ? ONE - lastMicros : lastMicros) / ONE
  const tail =
    `,"datetime":"${asOf}","isNegRisk":${isNegRisk},"lastTradePrice":${last},"asOf":"${asOf}"` +
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
