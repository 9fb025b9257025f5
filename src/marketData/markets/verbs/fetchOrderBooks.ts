// Many books in one answer: the good ones by the caller's exact id, the others named in meta.failed.
import { z } from 'zod'
import { Fault } from '#core/fault'
import { withTimeout } from '#core/withTimeout'
import type { ErrorCode } from '#schemas/errors'
import { OrderBook, type ProvenanceSource } from '#schemas/marketData'
import { hasEmulatedBooks } from '#schemas/venues'
import type { BookSnapshot } from '#venues/venue'
import type { EncodedBook } from '../bookBytes.ts'
import type { KnownOutcome } from '../bookReads.ts'
import { defineVerb } from '../defineVerb.ts'
import type { Exchange } from '../exchange.ts'
import { Id } from '../fields.ts'
import type { Markets } from '../markets.ts'
import type { VenueReads } from '../ports.ts'
import { type Located, locate } from '../qualifiedIds.ts'
import { readFromVenue } from '../readDeadline.ts'

/** Ids per call. */
export const outcomeIdsMax = 100
/** Concurrent reads per call. */
const concurrency = 16
/** Time limit for everything not in memory, venue and tape together, milliseconds; the rest of the call fails. */
const coldBooksMs = 4_000

interface Failed {
  outcomeId: string
  code: ErrorCode
}

interface Placed extends Located {
  /** As the caller wrote it. */
  requestedId: string
}

interface Wanted extends Placed {
  outcome: KnownOutcome
}

export const fetchOrderBooks = defineVerb({
  name: 'fetchOrderBooks',
  summary: `Books of up to ${outcomeIdsMax} outcomes by outcome id; ids without a book are named in meta.failed`,
  args: [{ name: 'outcomeIds', kind: 'strings', aliases: ['ids'] }],
  query: z
    .object({
      outcomeIds: z
        .array(Id)
        .min(1)
        .max(outcomeIdsMax)
        .transform((ids) => [...new Set(ids)]),
    })
    .meta({ examples: [{ outcomeIds: ['KXBTC-26'] }] }),
  data: z.record(z.string(), OrderBook),
  has: ({ slug }) => (hasEmulatedBooks(slug) ? 'emulated' : true),
  router: 'byId',
  credits: 5,
  errors: ['NETWORK_ERROR'],
  async handle({ query: { outcomeIds }, exchange }, markets) {
    const books = new Map<string, EncodedBook>()
    const failed = new Map<string, ErrorCode>()
    const cold: Wanted[] = []
    for (const wanted of await knowAll(markets, locateAll(exchange, outcomeIds, failed), failed)) {
      const live = markets.bookReads.readLive(wanted.venue, wanted.outcome)
      if (live === null) cold.push(wanted)
      else books.set(wanted.requestedId, live)
    }
    const venues = [...Map.groupBy(cold, (wanted) => wanted.venue)]
    await Promise.all(venues.map(([venue, group]) => readCold(markets, venue, group, books, failed)))
    return answer(outcomeIds, books, failed, markets.clock.now())
  },
})

/** An id the router cannot place fails alone. */
function locateAll(exchange: Exchange, ids: readonly string[], failed: Map<string, ErrorCode>): Placed[] {
  return ids.flatMap((requestedId) => {
    try {
      return [{ ...locate(exchange, requestedId), requestedId }]
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      failed.set(requestedId, 'OUTCOME_NOT_FOUND')
      return []
    }
  })
}

/** Synchronous when all of them were read recently. */
async function knowAll(
  { bookReads }: Markets,
  placed: readonly Placed[],
  failed: Map<string, ErrorCode>,
): Promise<Wanted[]> {
  const known = placed.map(async (one): Promise<Wanted[]> => {
    try {
      return [{ ...one, outcome: await bookReads.know(one.venue, one.id) }]
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      failed.set(one.requestedId, error.code)
      return []
    }
  })
  return (await Promise.all(known)).flat()
}

async function readCold(
  markets: Markets,
  venue: VenueReads,
  group: readonly Wanted[],
  books: Map<string, EncodedBook>,
  failed: Map<string, ErrorCode>,
): Promise<void> {
  const { clock } = markets
  const endsAt = clock.monotonic() + coldBooksMs
  const batch = await fetchBatch(markets, venue, group)
  let venueFailure = batch.failure
  const waiting = [...group]
  const worker = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      try {
        const read = markets.bookReads.readKnown(venue, next.outcome, { fetched: batch.fetched, venueFailure })
        const book = await withTimeout(clock, endsAt - clock.monotonic(), Promise.resolve(read))
        if (book === null) {
          for (const { requestedId } of [next, ...waiting.splice(0)]) failed.set(requestedId, 'NETWORK_ERROR')
          return
        }
        books.set(next.requestedId, book)
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        failed.set(next.requestedId, error.code)
        // One timeout is enough: the rest of this call goes straight to the tape.
        if (error.code === 'NETWORK_ERROR') venueFailure = error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, group.length) }, worker))
}

interface Batch {
  fetched: Map<string, BookSnapshot | null> | undefined
  failure: unknown
}

async function fetchBatch({ clock }: Markets, venue: VenueReads, group: readonly Wanted[]): Promise<Batch> {
  const { fetchOrderBooks: fetchMany } = venue.data
  if (fetchMany === undefined || group.length < 2) return { fetched: undefined, failure: undefined }
  const bookIds = [...new Set(group.map((wanted) => wanted.outcome.ref.bookId))]
  try {
    const found = await readFromVenue(venue, clock, (context) => fetchMany(context, bookIds))
    return { fetched: new Map(bookIds.map((bookId) => [bookId, found.get(bookId) ?? null])), failure: undefined }
  } catch (failure) {
    return { fetched: undefined, failure }
  }
}

const freshness: readonly ProvenanceSource[] = ['service-live', 'venue-rest', 'fixture', 'archive']

/** `asOf` is the oldest book's, `provenance.source` the least fresh source of any book. */
function answer(
  ids: readonly string[],
  books: ReadonlyMap<string, EncodedBook>,
  failures: ReadonlyMap<string, ErrorCode>,
  nowMs: number,
) {
  const parts: Buffer[] = []
  const failed: Failed[] = []
  let asOf: string | null = null
  let worst = 0
  for (const outcomeId of ids) {
    const book = books.get(outcomeId)
    if (book === undefined) {
      failed.push({ outcomeId, code: failures.get(outcomeId) ?? 'INTERNAL' })
      continue
    }
    parts.push(Buffer.from(`${parts.length === 0 ? '{' : ','}${JSON.stringify(outcomeId)}:`), book.bytes)
    if (asOf === null || book.asOf < asOf) asOf = book.asOf
    worst = Math.max(worst, freshness.indexOf(book.source))
  }
  parts.push(Buffer.from(parts.length === 0 ? '{}' : '}'))
  return {
    encoded: Buffer.concat(parts),
    siblings: {
      asOf: asOf ?? new Date(nowMs).toISOString(),
      provenance: { source: freshness[worst]! },
      meta: { failed },
    },
  }
}
