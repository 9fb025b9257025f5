// Which logs of a chain are new, and which have disappeared: the newest blocks are checked again each time, until they are final. Pure.
import type { ChainLog } from '#net/chainNode'

/** Maximum look-back: after a longer absence reading starts over. */
const spanMax = 1_000

export interface Range {
  from: number
  to: number
  /** Earlier blocks were never read, or too long ago: everything on them must be read again. */
  startsOver: boolean
}

export interface Changes {
  fresh: ChainLog[]
  /** Seen before and now absent: no longer on the chain or, when the range starts over, out of its sight. */
  gone: ChainLog[]
}

/** In another block it is another log, even of the same transaction. */
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
    const startsOver = last === null || head - last > spanMax
    // Blocks that were not final when read may have left the chain since.
    const from = (startsOver ? head : last) - this.confirmations + 1
    return { from: Math.max(0, from), to: head, startsOver }
  }

  /** Of all logs of a range. `contracts`: those that were requested. */
  changes(logs: readonly ChainLog[], contracts: readonly string[]): Changes {
    const there = new Set(logs.map(idOf))
    return {
      fresh: logs.filter((log) => !this.seen.has(idOf(log))),
      gone: [...this.seen.values()].filter((log) => contracts.includes(log.address) && !there.has(idOf(log))),
    }
  }

  /** The changes have been processed. */
  keep({ to }: Range, logs: readonly ChainLog[]): void {
    this.last = to
    this.seen = new Map(
      logs.filter(({ blockNumber }) => blockNumber > to - this.confirmations).map((log) => [idOf(log), log]),
    )
  }

  /** The next range starts over; known logs are still looked for. */
  forget(): void {
    this.last = null
  }
}
