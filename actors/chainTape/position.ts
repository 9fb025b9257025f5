// How far a chain has been read, and which part of that could still be reverted. Pure.
import type { ChainBlock } from '#net/chainNode'

/** A published trade, for as long as its block may still leave the chain. */
export interface PublishedTrade {
  id: string
  outcomeId: string
}

/** A block that was read: one with trades, or the last of a range. */
export interface ReadBlock {
  number: number
  hash: string
  trades: PublishedTrade[]
}

export interface Position {
  /** The block after which reading began. */
  begun: number
  /** Blocks up to this one are considered final and no longer remembered. */
  settled: number
  /** The first block to read. */
  next: number
  /** By number. After a restart some may not be older than `next`: their trades may have been published. */
  recent: ReadBlock[]
}

/** Maximum number of remembered blocks, and their maximum depth: no chain we read was ever reorganized that deep. */
const recentMax = 512
const recentDepth = 5_000

export const initialPosition = (block: ChainBlock): Position => ({
  begun: block.number,
  settled: block.number - 1,
  next: block.number + 1,
  recent: [{ number: block.number, hash: block.hash, trades: [] }],
})

/**
 * Stored before the trades of `reached` are published: a restart from it publishes them again, under the same ids, or withdraws them if the chain
 * has dropped them by then.
 */
export const beforePublish = (before: Position | null, reached: Position): Position => ({
  ...reached,
  next: before?.next ?? reached.next,
})

/**
 * Blocks up to `end` were read; `traded` are those of them with trades. Remembered blocks stay: after a restart, other markets may be watched
 * than those whose trades were published.
 */
export function readTo({ begun, settled, recent }: Position, end: ChainBlock, traded: readonly ReadBlock[]): Position {
  const blocks = new Map(recent.map((block) => [block.number, block]))
  for (const { number, hash, trades } of [...traded, { ...end, trades: [] }]) {
    const known = blocks.get(number)?.trades ?? []
    const fresh = trades.filter(({ id }) => !known.some((published) => published.id === id))
    blocks.set(number, { number, hash, trades: [...known, ...fresh] })
  }
  const all = [...blocks.values()].sort((a, b) => a.number - b.number)
  const kept = all.filter(({ number }) => number > end.number - recentDepth).slice(-recentMax)
  return {
    begun,
    settled: all[all.length - kept.length - 1]?.number ?? settled,
    next: end.number + 1,
    recent: kept,
  }
}

/**
 * Back to after `fork`, the newest remembered block that is still on the chain; null: none is. `isLost`: trades published before them may be void
 * too.
 */
export function rollBack(
  { begun, settled, next, recent }: Position,
  fork: number | null,
): { position: Position; withdrawn: PublishedTrade[]; isLost: boolean } {
  const isGone = ({ number }: ReadBlock) => fork === null || number > fork
  const from = Math.max(fork ?? settled, begun) + 1
  return {
    position: { begun, settled, next: Math.min(next, from), recent: recent.filter((block) => !isGone(block)) },
    withdrawn: recent.filter(isGone).flatMap(({ trades }) => trades),
    isLost: fork === null && settled >= begun,
  }
}
