// Which logs of a chain are new, and which have disappeared: the newest blocks are checked again each time, until they are final. Pure.
import type { ChainLog } from '#net/chainNode'

/** Further back nobody looks: who was away for longer begins anew. */
const spanMax = 1_000

export interface Range {
  from: number
  to: number
  /** Blocks before it were never looked at, or too long ago: what stood on them is to be read again. */
  isAnew: boolean
}

export interface Changes {
  fresh: ChainLog[]
  /** Seen before, and not there: no longer on the chain, or, where the range begins anew, out of its sight. */
  gone: ChainLog[]
}

/** In another block it is another log, also of the same transaction. */
const idOf = ({ blockHash, logIndex }: ChainLog): string => `${blockHash}:${logIndex}`

export class ChainLogs {
  private readonly confirmations: number
  private last: number | null = null
  /** Of blocks that may still leave the chain. */
  private seen = new Map<string, ChainLog>()

  constructor(confirmations: number) {
    this.confirmations = confirmations
  }

  /** Null: the node is behind what was read. */
  range(head: number): Range | null {
    const { last } = this
    if (last !== null && head < last) return null
    const isAnew = last === null || head - last > spanMax
    // What could still leave the chain when it was read may have left it since.
    const from = (isAnew ? head : last) - this.confirmations + 1
    return { from: Math.max(0, from), to: head, isAnew }
  }

  /** Of all logs of a range. `contracts`: those that were asked for. */
  changes(logs: readonly ChainLog[], contracts: readonly string[]): Changes {
    const there = new Set(logs.map(idOf))
    return {
      fresh: logs.filter((log) => !this.seen.has(idOf(log))),
      gone: [...this.seen.values()].filter((log) => contracts.includes(log.address) && !there.has(idOf(log))),
    }
  }

  /** What followed from them is done. */
  keep({ to }: Range, logs: readonly ChainLog[]): void {
    this.last = to
    this.seen = new Map(
      logs.filter(({ blockNumber }) => blockNumber > to - this.confirmations).map((log) => [idOf(log), log]),
    )
  }

  /** The next range begins anew; what was seen is still looked for. */
  forget(): void {
    this.last = null
  }
}
