// One book: live by default, one archived book for a moment, a list of archived books for a range. On the router the live books of one
// question are merged.
import { z } from 'zod'
import { Fault } from '#core/fault'
import { OrderBook } from '#schemas/marketData'
import { hasEmulatedBooks } from '#schemas/venues'
import type { EncodedBook } from '../bookBytes.ts'
import type { Leg } from '../crossVenue/crossBooks.ts'
import { matchesOf } from '../crossVenue/requireMatches.ts'
import { defineVerb, type VerbAnswer } from '../defineVerb.ts'
import type { Exchange } from '../exchange.ts'
import { Id, Limit, Time } from '../fields.ts'
import type { Markets } from '../markets.ts'
import { outcomeOfMarket, sideOfOutcome } from '../outcomes.ts'
import type { VenueReads } from '../ports.ts'
import { locate } from '../qualifiedIds.ts'
import { historicalBooks, limitBook } from '../snapshotBook.ts'

/** Levels per side of a live read. */
const levelsMax = 10_000
/** Snapshots of a range read. */
const snapshotsDefault = 100
const snapshotsMax = 1_000

const Side = z.enum(['yes', 'no'])

const Query = z
  .object({
    outcomeId: Id,
    /** Levels per side; for a range the number of snapshots. Older clients send the side here. */
    limit: z.union([Limit.max(levelsMax), Side]).optional(),
    side: Side.optional(),
    /** `yes`, `no` or an outcome id: then the first argument is a market id. */
    outcome: Id.optional(),
    since: Time.optional(),
    until: Time.optional(),
    /** On the router: false reads only the named venue's own book. */
    merged: z.boolean().default(true),
  })
  .meta({ examples: [{ outcomeId: 'KXBTC-26', limit: 5 }] })

/** On the router, in place of an outcome id: the question itself, its YES unless `side` or `outcome` says no. */
const clusterIds = /^c_[0-9a-f]{20}$/

export const fetchOrderBook = defineVerb({
  name: 'fetchOrderBook',
  summary:
    'The book of an outcome: live, otherwise from the venue, otherwise archived; on router, merged with its equals on other venues. since and until: archived snapshots, on plans with replay',
  args: [
    { name: 'outcomeId', kind: 'string', aliases: ['id'] },
    { name: 'limit', kind: 'number' },
    { name: 'params', kind: 'object' },
  ],
  query: Query,
  data: z.union([OrderBook, z.array(OrderBook)]),
  has: ({ slug }) => (hasEmulatedBooks(slug) ? 'emulated' : true),
  router: 'byId',
  // Books of the tape, up to a thousand of them. A live book is a read of memory.
  heavy: ({ since, until }) => since !== undefined || until !== undefined,
  rowsPerCredit: 100,
  errors: [
    'OUTCOME_NOT_FOUND',
    'MARKET_NOT_FOUND',
    'SNAPSHOT_NOT_FOUND',
    'NETWORK_ERROR',
    'HISTORY_UNAVAILABLE',
    'CLUSTER_NOT_FOUND',
    'MATCHES_UNAVAILABLE',
    'PLAN_REQUIRED',
  ],
  handle({ query, exchange, mayReadArchive }, markets) {
    const moment = query.since ?? query.until
    const archived = moment !== undefined
    if (query.since !== undefined && query.until !== undefined && query.until < query.since)
      throw new Fault('VALIDATION_ERROR', 'until: is before since')
    if (moment !== undefined) mayReadArchive(moment)
    if (exchange.router && !archived && clusterIds.test(query.outcomeId)) return readCluster(markets, exchange, query)
    const { venue, id } = locate(exchange, query.outcomeId)
    const limit = typeof query.limit === 'number' ? query.limit : undefined
    const side = query.side ?? (typeof query.limit === 'string' ? query.limit : undefined)
    const read = (outcomeId: string) =>
      exchange.router && query.merged && !archived
        ? readMerged(markets, exchange, venue, outcomeId, limit)
        : readBook(markets, venue, outcomeId, { since: query.since, until: query.until, limit })
    if (query.outcome !== undefined) return outcomeOfMarket(markets.catalog, venue, id, query.outcome).then(read)
    if (side !== undefined) return sideOfOutcome(markets.catalog, venue, id, side).then(read)
    return read(id)
  },
})

type BookQuery = z.output<typeof Query>

async function readCluster(markets: Markets, exchange: Exchange, query: BookQuery): Promise<VerbAnswer> {
  const side = query.side ?? Side.safeParse(query.outcome ?? query.limit).data ?? 'yes'
  const cluster = await matchesOf(markets).findCluster(query.outcomeId)
  if (cluster === null) throw new Fault('CLUSTER_NOT_FOUND', 'no such cluster')
  const [own, ...others] = await markets.crossBooks.legsOfCluster(cluster, side, exchange.venues)
  if (own === undefined) throw new Fault('OUTCOME_NOT_FOUND', 'no venue of this cluster has a book here')
  return mergedAnswer(markets, [own, ...others], typeof query.limit === 'number' ? query.limit : undefined)
}

function readMerged(
  markets: Markets,
  exchange: Exchange,
  venue: VenueReads,
  outcomeId: string,
  limit: number | undefined,
): VerbAnswer | Promise<VerbAnswer> {
  const equals = markets.crossBooks.equalsOf(venue, outcomeId, exchange.venues)
  const merge = (legs: readonly Leg[]): VerbAnswer | Promise<VerbAnswer> =>
    legs.length === 0
      ? readBook(markets, venue, outcomeId, { since: undefined, until: undefined, limit })
      : mergedAnswer(markets, [{ venue, outcomeId }, ...legs], limit)
  return equals instanceof Promise ? equals.then(merge) : merge(equals)
}

async function mergedAnswer(markets: Markets, legs: [Leg, ...Leg[]], limit: number | undefined): Promise<VerbAnswer> {
  const { book, merged, failed } = await markets.crossBooks.read(legs, limit)
  return { data: book, asOf: book.asOf, source: book.provenance.source, meta: { merged, failed } }
}

interface Wanted {
  since: number | undefined
  until: number | undefined
  limit: number | undefined
}

function readBook(
  markets: Markets,
  venue: VenueReads,
  outcomeId: string,
  wanted: Wanted,
): VerbAnswer | Promise<VerbAnswer> {
  if (wanted.since !== undefined || wanted.until !== undefined) return readArchived(markets, venue, outcomeId, wanted)
  const book = markets.bookReads.read(venue, outcomeId, { levelsMax: wanted.limit })
  return book instanceof Promise ? book.then(answer) : answer(book)
}

const answer = (book: EncodedBook): VerbAnswer => ({ encoded: book.bytes, siblings: book.siblings })

async function readArchived(
  { bookReads, tape, clock }: Markets,
  venue: VenueReads,
  outcomeId: string,
  { since, until, limit }: Wanted,
): Promise<VerbAnswer> {
  const { marketId, isSynthetic } = (await bookReads.know(venue, outcomeId)).fact
  const shownAs = historicalBooks(venue.slug, isSynthetic)
  if (tape === null) throw new Fault('HISTORY_UNAVAILABLE', 'this deployment keeps no tape')

  if (since !== undefined && until !== undefined) {
    const count = Math.min(limit ?? snapshotsDefault, snapshotsMax)
    const books = await tape.findBooks(
      venue.slug,
      outcomeId,
      { sinceMs: since, untilMs: until, limit: count },
      marketId,
    )
    const newest = books.at(-1)
    const asOf = newest === undefined ? new Date(clock.now()).toISOString() : shownAs(newest).asOf
    return { data: books.map(shownAs), asOf, source: 'archive', meta: { limit: count } }
  }
  const book = await tape.findBook(venue.slug, outcomeId, since ?? until!, marketId)
  if (book === null)
    throw new Fault('SNAPSHOT_NOT_FOUND', 'the tape has no book of this outcome at that time', { exchange: venue.slug })
  const shown = limitBook(shownAs(book), limit)
  return { data: shown, asOf: shown.asOf, source: 'archive' }
}
