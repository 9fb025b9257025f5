// Live books for plans. One that is not proven to be current is never returned.
import type { Offer } from '#arbitrage/structures/input'
import { unitsPerContract } from '#arbitrage/structures/position'
import type { Clock } from '#core/clock'
import { microsOf } from '#core/price'
import type { LiveBooks } from '#marketData/markets/index'
import { createBookWait } from '#portfolio/bookWait'
import type { Level } from '#schemas/marketData'
import type { BookUpdate } from '#schemas/topics'
import type { RouterBooks } from './ports.ts'

/** How long a plan waits for books that were not watched before. */
const waitMs = 1_000
/** Per side, the best ones. */
const levelsMax = 2_000

export interface RouterBookOptions {
  books: Pick<LiveBooks, 'get' | 'complement'>
  /** Keeps the book fed for a while. */
  hold(venue: string, bookId: string): void
  clock: Clock
}

export function createRouterBooks({ books, hold, clock }: RouterBookOptions): RouterBooks {
  const comeAlive = createBookWait({ books, hold, clock, waitMs })
  return {
    async read(wanted) {
      await comeAlive(wanted)
      return wanted.map(({ venue, bookId, complement }) => {
        const update = books.get(venue, bookId)
        if (update?.state !== 'live') return null
        const { bids, asks } = levelsOf(complement ? books.complement(update.core) : update.core)
        return {
          bids: offersOf(bids, (a, b) => b.micros - a.micros),
          asks: offersOf(asks, (a, b) => a.micros - b.micros),
          confirmedAt: confirmedAt(update),
        }
      })
    },
  }
}

const levelsOf = (core: Buffer): { bids: Level[]; asks: Level[] } =>
  JSON.parse(`${core.toString('latin1')}}`) as { bids: Level[]; asks: Level[] }

const confirmedAt = ({ recvTs, provenAt }: BookUpdate): number => Math.max(recvTs, provenAt ?? 0)

function offersOf(levels: readonly Level[], bestFirst: (a: Offer, b: Offer) => number): Offer[] {
  const offers = levels.flatMap(({ price, size }): Offer[] => {
    const micros = microsOf(price)
    // Never more than is offered.
    const units = Math.floor(size * unitsPerContract + 1e-6)
    return micros === null || units <= 0 ? [] : [{ micros, units }]
  })
  // Levels come in any order, those of a complement with the worst first.
  return offers.sort(bestFirst).slice(0, levelsMax)
}
