// How far each feed of a chain was seen to be, and in which decimals it writes. Rounds are never taken back: a node that knows less than was shown before
// lags behind the chain, and what it calls the newest is none; nor is anything that a node says whose newest block is old. Decimals make a price of an
// answer: others than those it had are a feed's own only where something besides one node says so.
import type { Clock } from '#lib/clock'
import { Fault } from '#lib/fault'
import { isBlockOld, isDatedAhead } from './proof.ts'
import type { Doubt, Newest, NewestOfAll } from './read.ts'
import { Scales } from './scales.ts'

/** What no node has confirmed for so long was perhaps never so. */
const believedMs = 3_600_000

export class SeenRounds {
  private readonly clock: Clock
  /** By symbol; `at`: when it was last confirmed, on the monotonic clock. */
  private readonly marks = new Map<string, { roundId: bigint; at: number }>()
  private readonly scales = new Scales()

  constructor(clock: Clock) {
    this.clock = clock
  }

  /** No other node could say it better. `heard`: what each node says, this one too. */
  isGood(all: NewestOfAll, heard: readonly NewestOfAll[]): boolean {
    if (isBlockOld(all.blockAt, this.clock)) return false
    return [...all.bySymbol].every(([symbol, found]) =>
      found instanceof Fault ? this.shownOf(symbol) === 0n : this.doubtOf(found, all, heard) === null,
    )
  }

  /** Keeps what is new, and marks what is no newest round. */
  take(all: NewestOfAll, heard: readonly NewestOfAll[]): NewestOfAll {
    const taken = [...all.bySymbol].map(([symbol, found]): [string, Newest | Fault] => {
      if (found instanceof Fault) return [symbol, found]
      const doubt = this.doubtOf(found, all, heard)
      if (doubt !== null) return [symbol, { ...found, doubt }]
      // Only what was shown: neither what nobody has answered, nor what is dated as nothing can be.
      if (found.round !== null && !isDatedAhead(found.round, this.clock)) {
        this.marks.set(symbol, { roundId: found.roundId, at: this.clock.monotonic() })
        this.scales.keep(found, found.round.answer)
      }
      return [symbol, found]
    })
    return { ...all, bySymbol: new Map(taken) }
  }

  private doubtOf(found: Newest, { blockAt }: NewestOfAll, heard: readonly NewestOfAll[]): Doubt | null {
    if (isBlockOld(blockAt, this.clock) || found.roundId < this.shownOf(found.symbol)) return 'node behind'
    return this.scales.isProven(found, heard) ? null : 'decimals in doubt'
  }

  /** The newest id that is still believed; 0: none. */
  private shownOf(symbol: string): bigint {
    const mark = this.marks.get(symbol)
    return mark !== undefined && this.clock.monotonic() - mark.at <= believedMs ? mark.roundId : 0n
  }
}
