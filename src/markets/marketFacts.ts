// What a book answer needs to know about its market and neither the book nor the outcome id says. Asked of the catalog once, then from memory.
import type { Clock } from '#lib/clock'
import { Coalesce } from '#lib/coalesce'
import { Memory } from './memory.ts'
import type { Catalog } from './ports.ts'

const entriesMax = 50_000
/** Neither an outcome's market nor what its row says of its book ever changes; an hour only bounds a wrong row's life. */
const knownForMs = 3_600_000
/** How long a failed or empty look-up is not repeated. */
const unknownForMs = 5_000
/** A live read never waits longer than this for the catalog. */
const lookUpMs = 250

/** True or false as the venue says; null when unknown. */
export type NegRisk = boolean | null

/** What a book says of its market. */
export interface BookFact {
  isNegRisk: NegRisk
  /** True where the market says that its book is rebuilt from something else: a pool, a spot price, odds. */
  isSynthetic: boolean
}

export interface MarketFact extends BookFact {
  /** The outcome's market; undefined where the catalog does not know the outcome. */
  marketId: string | undefined
  /** False where the catalog has said that it has no such outcome; null where it did not say in time, or could not. */
  isListed: boolean | null
}

const unknown: MarketFact = { marketId: undefined, isNegRisk: null, isSynthetic: false, isListed: null }
const unlisted: MarketFact = { ...unknown, isListed: false }

export class MarketFacts {
  private readonly remembered: Memory<MarketFact>
  private readonly asking = new Coalesce<MarketFact>()
  private readonly catalog: Catalog
  private readonly clock: Clock

  constructor({ catalog, clock }: { catalog: Catalog; clock: Clock }) {
    this.catalog = catalog
    this.clock = clock
    this.remembered = new Memory(entriesMax, clock)
  }

  /** At once when remembered. Never rejects: without the catalog the market is unknown, and the book is still served. */
  of(venue: string, outcomeId: string): MarketFact | Promise<MarketFact> {
    const key = `${venue}:${outcomeId}`
    return (
      this.remembered.get(key) ??
      this.asking.run(key, async () => {
        const fact = await this.lookUp(venue, outcomeId)
        this.remembered.set(key, fact, fact.isListed === true ? knownForMs : unknownForMs)
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
        // The catalog's own failure is told to those who ask for catalog rows; here it only means "unknown".
        () => settle(unknown),
      )
    })
  }
}
