// What a book response needs to know about its market beyond the book and the outcome id. Read from the catalog once, then cached.
import { Cache } from '#core/cache'
import type { Clock } from '#core/clock'
import { SingleFlight } from '#core/singleFlight'
import type { Catalog } from './ports.ts'

const entriesMax = 50_000
/**
 * Neither an outcome's market nor its row's data on the book ever changes; an hour only bounds the life of a wrong row.
 */
const knownForMs = 3_600_000
/** How long a failed or empty lookup is not repeated. */
const unknownForMs = 5_000
/** A live read never waits longer than this for the catalog. */
const lookUpMs = 250

/** As reported by the venue; null when unknown. */
export type NegRisk = boolean | null

/** A book's facts about its market. */
export interface BookFact {
  isNegRisk: NegRisk
  /** True when the market says that its book is derived from something else: a pool, a spot price, odds. */
  isSynthetic: boolean
}

export interface MarketFact extends BookFact {
  /** The outcome's market; undefined when the catalog does not know the outcome. */
  marketId: string | undefined
  /** False when the catalog has no such outcome; null when it did not answer in time, or could not. */
  isListed: boolean | null
}

const unknown: MarketFact = { marketId: undefined, isNegRisk: null, isSynthetic: false, isListed: null }
const unlisted: MarketFact = { ...unknown, isListed: false }

export class MarketFacts {
  private readonly cached: Cache<MarketFact>
  private readonly inFlight = new SingleFlight<MarketFact>()
  private readonly catalog: Catalog
  private readonly clock: Clock

  constructor({ catalog, clock }: { catalog: Catalog; clock: Clock }) {
    this.catalog = catalog
    this.clock = clock
    this.cached = new Cache(entriesMax, { clock })
  }

  /** Synchronous when cached. Never rejects: without the catalog the market is unknown, and the book is still served. */
  of(venue: string, outcomeId: string): MarketFact | Promise<MarketFact> {
    const key = `${venue}:${outcomeId}`
    return (
      this.cached.get(key) ??
      this.inFlight.run(key, async () => {
        const fact = await this.lookUp(venue, outcomeId)
        this.cached.set(key, fact, fact.isListed === true ? knownForMs : unknownForMs)
        return fact
      })
    )
  }

  private lookUp(venue: string, outcomeId: string): Promise<MarketFact> {
    return new Promise((resolve) => {
      const timer = this.clock.after(lookUpMs, () => resolve(unknown))
      const settle = (fact: MarketFact): void => {
        timer.cancel()
        resolve(fact)
      }
      this.catalog.findOutcomes(venue, outcomeId).then(
        ([row]) => {
          if (row === undefined) return settle(unlisted)
          const { negRisk, synthetic } = row.market.sourceMetadata
          const isNegRisk = typeof negRisk === 'boolean' ? negRisk : null
          settle({ marketId: row.market.marketId, isNegRisk, isSynthetic: synthetic === true, isListed: true })
        },
        // The catalog's own failure is reported to requests for catalog rows; here it only means "unknown".
        () => settle(unknown),
      )
    })
  }
}
