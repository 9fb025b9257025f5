// Which outcomes of other venues pay on the same answer as an outcome, and their books merged.

import { Cache } from '#core/cache'
import { Fault } from '#core/fault'
import { SingleFlight } from '#core/singleFlight'
import type { ErrorCode } from '#schemas/errors'
import type { Market } from '#schemas/market'
import type { OrderBook } from '#schemas/marketData'
import type { StoredCluster, StoredMatch } from '#schemas/matches'
import type { BookReads } from '../bookReads.ts'
import { outcomeOf } from '../outcomes.ts'
import type { MarketsPorts, VenueReads } from '../ports.ts'
import { mergeBooks } from './mergedBook.ts'

/** A matched market that closes is merged no longer than this. */
const cacheMs = 10_000
const cachedMax = 10_000

export interface Leg {
  venue: VenueReads
  outcomeId: string
}

export interface MergedBook {
  book: OrderBook
  merged: { venue: string; outcomeId: string; asOf: string }[]
  failed: { venue: string; outcomeId: string; code: ErrorCode | 'STALE' }[]
}

export class CrossBooks {
  private readonly ports: MarketsPorts
  private readonly reads: BookReads
  private readonly legs: Cache<readonly Leg[]>
  private readonly inFlight = new SingleFlight<readonly Leg[]>()

  constructor(ports: MarketsPorts, reads: BookReads) {
    this.ports = ports
    this.reads = reads
    this.legs = new Cache(cachedMax, { clock: ports.clock, forMs: cacheMs })
  }

  /** The outcome's equivalents on other venues; empty when nothing is matched or the matches cannot be read now. */
  equalsOf(
    venue: VenueReads,
    outcomeId: string,
    venues: readonly VenueReads[],
  ): readonly Leg[] | Promise<readonly Leg[]> {
    const key = `${venue.slug}:${outcomeId}`
    return (
      this.legs.get(key) ?? this.inFlight.run(key, () => this.remember(key, this.findEquals(venue, outcomeId, venues)))
    )
  }

  /** One leg per member of a cluster; `side` is that of the cluster's question. */
  async legsOfCluster(cluster: StoredCluster, side: 'yes' | 'no', venues: readonly VenueReads[]): Promise<Leg[]> {
    const sure = cluster.members.filter((member, at) => {
      const lead = cluster.members[0]!
      return at === 0 || pairOf(cluster, lead, member)?.band === 'verified'
    })
    return this.findLegs(
      sure.map((member) => ({ ...member, side: member.polarity === 'same' ? side : other(side) })),
      venues,
    )
  }

  /** The first leg's failure is the caller's; other failing legs are left out and named. */
  async read([own, ...others]: readonly [Leg, ...Leg[]], levelsMax?: number): Promise<MergedBook> {
    const first = await this.bookOf(own)
    const books: [Leg, OrderBook][] = [[own, first]]
    const failed: MergedBook['failed'] = []
    await Promise.all(
      others.map(async (leg) => {
        try {
          const book = await this.bookOf(leg)
          // Merging old levels with current ones would show offers that do not exist.
          if (book.provenance.source === 'archive' && first.provenance.source !== 'archive')
            failed.push({ venue: leg.venue.slug, outcomeId: leg.outcomeId, code: 'STALE' })
          else books.push([leg, book])
        } catch (error) {
          if (!(error instanceof Fault)) throw error
          failed.push({ venue: leg.venue.slug, outcomeId: leg.outcomeId, code: error.code })
        }
      }),
    )
    return {
      book: mergeBooks(
        books.map(([, book]) => book),
        levelsMax,
      ),
      merged: books.map(([{ venue, outcomeId }, { asOf }]) => ({ venue: venue.slug, outcomeId, asOf })),
      failed,
    }
  }

  private async bookOf({ venue, outcomeId }: Leg): Promise<OrderBook> {
    const { bytes } = await this.reads.read(venue, outcomeId)
    return JSON.parse(bytes.toString()) as OrderBook
  }

  private async remember(key: string, legs: Promise<readonly Leg[]>): Promise<readonly Leg[]> {
    const found = await legs
    this.legs.set(key, found)
    return found
  }

  private async findEquals(
    venue: VenueReads,
    outcomeId: string,
    venues: readonly VenueReads[],
  ): Promise<readonly Leg[]> {
    const { matches, catalog, log } = this.ports
    if (matches === null) return []
    try {
      const [row] = await catalog.findOutcomes(venue.slug, outcomeId)
      const side = row === undefined ? null : sideOf(row.market, outcomeId)
      if (row === undefined || side === null) return []
      const self = { venue: venue.slug, marketId: row.market.marketId }
      const cluster = await matches.findClusterOf(self.venue, self.marketId)
      if (cluster === null) return []
      const equals = cluster.members.flatMap((member) => {
        const pair = pairOf(cluster, self, member)
        if (pair?.band !== 'verified') return []
        return [{ ...member, side: pair.polarity === 'same' ? side : other(side) }]
      })
      return await this.findLegs(equals, venues)
    } catch (error) {
      // Returning the venue's own book alone is better than failing.
      log.warn({ venue: venue.slug, err: error }, 'could not read matched markets; returning the book unmerged')
      return []
    }
  }

  private async findLegs(
    members: readonly { venue: string; marketId: string; side: 'yes' | 'no' }[],
    venues: readonly VenueReads[],
  ): Promise<Leg[]> {
    const legs = await Promise.all(
      members.map(async ({ venue: slug, marketId, side }): Promise<Leg[]> => {
        const venue = venues.find((candidate) => candidate.slug === slug)
        const market = venue === undefined ? null : await this.ports.catalog.findMarket(slug, marketId)
        const outcome = market === null ? null : outcomeOf(market, side)
        return venue === undefined || outcome === null ? [] : [{ venue, outcomeId: outcome.outcomeId }]
      }),
    )
    return legs.flat()
  }
}

const other = (side: 'yes' | 'no'): 'yes' | 'no' => (side === 'yes' ? 'no' : 'yes')

function sideOf(market: Market, outcomeId: string): 'yes' | 'no' | null {
  if (outcomeOf(market, 'yes')?.outcomeId === outcomeId) return 'yes'
  return outcomeOf(market, 'no')?.outcomeId === outcomeId ? 'no' : null
}

interface Ref {
  venue: string
  marketId: string
}

function pairOf({ pairs }: StoredCluster, one: Ref, two: Ref): StoredMatch | undefined {
  const is = (a: Ref, b: Ref): boolean => a.venue === b.venue && a.marketId === b.marketId
  return pairs.find(({ a, b }) => (is(a, one) && is(b, two)) || (is(a, two) && is(b, one)))
}
