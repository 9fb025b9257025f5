// How far each feed of a chain was seen, and its decimals. Rounds are never taken back: a node that knows less than was shown before lags, and its
// newest round does not count; nor does anything from a node whose newest block is old. Decimals turn an answer into a price: different ones are
// accepted only if something besides a single node confirms them.
import type { Clock } from '#core/clock'
import { Fault } from '#core/fault'
import { Scales } from './decimals.ts'
import { isBlockOld, isDatedAhead } from './freshness.ts'
import type { Newest, NewestOfAll, RejectionReason } from './read.ts'

/** A round that no node has confirmed for this long may never have been valid. */
const unconfirmedMaxMs = 3_600_000

export class RoundHighWater {
  private readonly clock: Clock
  /** By symbol; `at`: when it was last confirmed, on the monotonic clock. */
  private readonly marks = new Map<string, { roundId: bigint; at: number }>()
  private readonly scales = new Scales()

  constructor(clock: Clock) {
    this.clock = clock
  }

  /** No other node could return better data. `answers`: each node's answer, including this one's. */
  isGood(all: NewestOfAll, answers: readonly NewestOfAll[]): boolean {
    if (isBlockOld(all.blockAt, this.clock)) return false
    return [...all.bySymbol].every(([symbol, found]) =>
      found instanceof Fault ? this.shownOf(symbol) === 0n : this.rejectionOf(found, all, answers) === null,
    )
  }

  /** Records what is new, and marks what is not a newest round. */
  take(all: NewestOfAll, answers: readonly NewestOfAll[]): NewestOfAll {
    const taken = [...all.bySymbol].map(([symbol, found]): [string, Newest | Fault] => {
      if (found instanceof Fault) return [symbol, found]
      const rejection = this.rejectionOf(found, all, answers)
      if (rejection !== null) return [symbol, { ...found, rejection }]
      // Only what was shown: neither unanswered rounds, nor those with an impossible date.
      if (found.round !== null && !isDatedAhead(found.round, this.clock)) {
        this.marks.set(symbol, { roundId: found.roundId, at: this.clock.monotonic() })
        this.scales.keep(found, found.round.answer)
      }
      return [symbol, found]
    })
    return { ...all, bySymbol: new Map(taken) }
  }

  private rejectionOf(
    found: Newest,
    { blockAt }: NewestOfAll,
    answers: readonly NewestOfAll[],
  ): RejectionReason | null {
    if (isBlockOld(blockAt, this.clock) || found.roundId < this.shownOf(found.symbol)) return 'node behind'
    return this.scales.isProven(found, answers) ? null : 'decimals in doubt'
  }

  /** The newest id that is still trusted; 0: none. */
  private shownOf(symbol: string): bigint {
    const mark = this.marks.get(symbol)
    return mark !== undefined && this.clock.monotonic() - mark.at <= unconfirmedMaxMs ? mark.roundId : 0n
  }
}
