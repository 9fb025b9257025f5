// What a book answer needs to know about its market and the book itself does not say. Asked of the catalog once, then from memory.
import type { Clock } from '#lib/clock'
import { Memory } from './memory.ts'
import type { Catalog } from './ports.ts'

const entriesMax = 50_000
/** A market never changes its negative-risk marker; an hour only bounds a wrong row's life. */
const knownForMs = 3_600_000
/** How long a failed or empty look-up is not repeated. */
const unknownForMs = 5_000
/** A live read never waits longer than this for the catalog. */
const lookUpMs = 250

/** True or false as the venue says; null when nobody knows. */
export type NegRisk = boolean | null

export class MarketFacts {
  private readonly negRisks: Memory<NegRisk>
  private readonly catalog: Catalog
  private readonly clock: Clock

  constructor({ catalog, clock }: { catalog: Catalog; clock: Clock }) {
    this.catalog = catalog
    this.clock = clock
    this.negRisks = new Memory(entriesMax, clock)
  }

  /** At once when remembered. Never rejects: without the catalog the marker is unknown, and the book is still served. */
  isNegRisk(venue: string, outcomeId: string): NegRisk | Promise<NegRisk> {
    const key = `${venue}:${outcomeId}`
    const remembered = this.negRisks.get(key)
    if (remembered !== undefined) return remembered
    return this.lookUp(venue, outcomeId).then((negRisk) => {
      this.negRisks.set(key, negRisk, negRisk === null ? unknownForMs : knownForMs)
      return negRisk
    })
  }

  private lookUp(venue: string, outcomeId: string): Promise<NegRisk> {
    return new Promise((resolve) => {
      const timer = this.clock.after(lookUpMs, () => resolve(null))
      const settle = (negRisk: NegRisk): void => {
        timer.cancel()
        resolve(negRisk)
      }
      this.catalog.findOutcomes(venue, outcomeId).then(
        ([row]) => {
          const negRisk = row?.market.sourceMetadata.negRisk
          settle(typeof negRisk === 'boolean' ? negRisk : null)
        },
        // The catalog's own failure is told to those who ask for catalog rows; here it only means "unknown".
        () => settle(null),
      )
    })
  }
}
