// How far each feed of a chain was seen to be. Rounds are never taken back: a node that knows less than was shown before lags behind the chain, and what
// it calls the newest is none.
import type { Clock } from '#lib/clock'
import { Fault } from '#lib/fault'
import { isDatedAhead } from './proof.ts'
import type { Newest, NewestOfAll } from './read.ts'

/** What no node has confirmed for so long was perhaps never so. */
const believedMs = 3_600_000

export class SeenRounds {
  private readonly clock: Clock
  /** By symbol; `at`: when it was last confirmed, on the monotonic clock. */
  private readonly marks = new Map<string, { roundId: bigint; at: number }>()

  constructor(clock: Clock) {
    this.clock = clock
  }

  isBehind({ symbol, roundId }: Newest): boolean {
    return roundId < this.shownOf(symbol)
  }

  /** The node that said so lags: it knows less of a feed than was shown, or nothing. */
  someBehind({ bySymbol }: NewestOfAll): boolean {
    return [...bySymbol].some(([symbol, found]) =>
      found instanceof Fault ? this.shownOf(symbol) > 0n : this.isBehind(found),
    )
  }

  /** The newest id that is still believed; 0: none. */
  private shownOf(symbol: string): bigint {
    const mark = this.marks.get(symbol)
    return mark !== undefined && this.clock.monotonic() - mark.at <= believedMs ? mark.roundId : 0n
  }

  /** Keeps what is new, and marks what is behind as no newest round. */
  take({ bySymbol, sequencer }: NewestOfAll): NewestOfAll {
    const taken = [...bySymbol].map(([symbol, found]): [string, Newest | Fault] => {
      if (found instanceof Fault) return [symbol, found]
      if (this.isBehind(found)) return [symbol, { ...found, isBehind: true }]
      // Only what was shown: neither what nobody has answered, nor what is dated as nothing can be.
      if (found.round !== null && !isDatedAhead(found.round, this.clock))
        this.marks.set(symbol, { roundId: found.roundId, at: this.clock.monotonic() })
      return [symbol, found]
    })
    return { bySymbol: new Map(taken), sequencer }
  }
}
