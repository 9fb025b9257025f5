// One pass over a chain: checks that what was read is still there, and reads what was added since. Only confirmed blocks are read. Nothing
// is published or stored here.
//
// head ─► enough confirmed? ─► last block read still the same? ─no, twice─► roll back
//                                        └─yes─► logs of a range ─► their blocks the same? ─► trades
import type { ChainBlock, ChainLog, ChainNode } from '#net/chainNode'
import { initialPosition, type Position, type PublishedTrade, type ReadBlock, readTo, rollBack } from './position.ts'

/**
 * A different hash for a block already read: accepted only when seen again, because one of several nodes may be on a fork of its
 * own.
 */
export interface SuspectReason {
  number: number
  hash: string
}

export interface ScanFrom {
  /** Null: start from what is confirmed now. */
  position: Position | null
  suspect: SuspectReason | null
  /** Maximum blocks per range. */
  span: number
  /** Contracts and events to look for. */
  addresses: readonly string[]
  topics: readonly string[]
  confirmations: number
}

export type Slot<T> =
  /** `reached`: the newest block read. `isAtHead`: nothing confirmed is left to read. */
  | { kind: 'read'; position: Position; trades: T[]; reached: ChainBlock; isAtHead: boolean }
  /** `isLost`: the chain changed deeper than we remember. */
  | { kind: 'rolledBack'; position: Position; withdrawn: PublishedTrade[]; isLost: boolean }
  | { kind: 'doubt'; suspect: SuspectReason }
  /** Nothing new was confirmed. */
  | { kind: 'waiting' }
  /** The node lacks what was read from another, or changed during the read. */
  | { kind: 'behind' }

export async function scan<T extends PublishedTrade>(
  node: ChainNode,
  from: ScanFrom,
  tradeOf: (log: ChainLog, block: ChainBlock) => T | null,
): Promise<Slot<T>> {
  const { position, span, addresses, topics } = from
  const confirmed = (await node.head()) - from.confirmations
  if (position === null) {
    const reached = confirmed < 0 ? null : await node.block(confirmed)
    return reached === null
      ? { kind: 'behind' }
      : { kind: 'read', position: initialPosition(reached), trades: [], reached, isAtHead: true }
  }
  // Fetched before anything else in the range and again after it: everything in between is then of one branch.
  const to = Math.min(confirmed, position.next + span - 1)
  const reached = to < position.next ? null : await node.block(to)
  const last = position.recent.at(-1)
  if (last !== undefined) {
    if (confirmed < last.number) return { kind: 'behind' }
    const seen = await node.block(last.number)
    if (seen === null) return { kind: 'behind' }
    if (seen.hash !== last.hash) {
      const suspect = { number: seen.number, hash: seen.hash }
      const isSeenAgain = from.suspect?.number === suspect.number && from.suspect.hash === suspect.hash
      return isSeenAgain ? undo(node, position) : { kind: 'doubt', suspect }
    }
  }
  if (confirmed < position.next) return { kind: 'waiting' }

  if (reached === null) return { kind: 'behind' }
  const logs = addresses.length === 0 ? [] : await node.logs({ from: position.next, to, addresses, topics })
  const trades: T[] = []
  const traded: ReadBlock[] = []
  const byBlock = [...Map.groupBy(logs, ({ blockNumber }) => blockNumber)]
  const blocks = await node.blocks(byBlock.map(([number]) => number))
  for (const [i, [number, own]] of byBlock.entries()) {
    const block = blocks[i] ?? null
    if (block === null || own.some(({ blockHash }) => blockHash !== block.hash)) return { kind: 'behind' }
    const found = own.flatMap((log) => tradeOf(log, block) ?? [])
    trades.push(...found)
    if (found.length > 0) {
      const published = found.map(({ id, outcomeId }): PublishedTrade => ({ id, outcomeId }))
      traded.push({ number, hash: block.hash, trades: published })
    }
  }
  if (logs.length > 0 && (await node.block(to))?.hash !== reached.hash) return { kind: 'behind' }
  return { kind: 'read', position: readTo(position, reached, traded), trades, reached, isAtHead: to === confirmed }
}

async function undo(node: ChainNode, position: Position): Promise<Slot<never>> {
  for (const { number, hash } of position.recent.toReversed()) {
    const seen = await node.block(number)
    if (seen === null) return { kind: 'behind' }
    if (seen.hash === hash) return { kind: 'rolledBack', ...rollBack(position, number) }
  }
  return { kind: 'rolledBack', ...rollBack(position, null) }
}
