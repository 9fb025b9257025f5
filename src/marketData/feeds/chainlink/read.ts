// Reads of price feeds at the operator's nodes: the newest rounds of all proxies in one call, those before one of them in another. A proxy's
// description is read with every newest round: a proxy for another pair, or without one, is rejected.
import { Fault } from '#core/fault'
import { CallReverted, type ChainNode } from '#net/chainNode'
import type { OracleRound } from '#schemas/feeds'
import { type BatchCall, decodeBatch, encodeBatch, getCurrentBlockTimestamp, multicall } from './batch.ts'
import {
  decimalsOf,
  descriptionOf,
  getRoundData,
  type RoundData,
  roundDataOf,
  selectors,
  timestampOf,
} from './calls.ts'
import type { ChainlinkChain } from './feedRegistry.ts'
import { type SequencerState, sequencerOf } from './freshness.ts'
import { earlierRounds } from './roundIds.ts'
import { describes, roundOf } from './rounds.ts'

/** `node behind`: a newer one was shown before, or the node does not have the chain's current state. */
export type RejectionReason = 'node behind' | 'decimals in doubt'

export interface Newest {
  symbol: string
  /** As the chain has it; null without an answered one. */
  round: OracleRound | null
  roundId: bigint
  decimals: number
  /** Why it does not count as the newest round. */
  rejection?: RejectionReason
}

export interface NewestOfAll {
  /** A fault for a proxy that does not match its listing. */
  bySymbol: ReadonlyMap<string, Newest | Fault>
  sequencer: SequencerState
  /** Time of the block at which everything is read, epoch s; null: the node does not report it. */
  blockAt: number | null
}

const callsOfFeed = ['latestRoundData', 'decimals', 'description'] as const

/** Throws NETWORK_ERROR when no node answers. */
export async function readNewest(node: ChainNode, { proxies, sequencer }: ChainlinkChain): Promise<NewestOfAll> {
  const calls: BatchCall[] = Object.values(proxies).flatMap((target) =>
    callsOfFeed.map((name) => ({ target, data: selectors[name] })),
  )
  calls.push({ target: multicall, data: getCurrentBlockTimestamp })
  if (sequencer !== null) calls.push({ target: sequencer, data: selectors.latestRoundData })
  const returned = await readBatch(node, calls)
  const bySymbol = new Map(
    Object.keys(proxies).map((symbol, n) => [symbol, newestOf(symbol, returned.slice(n * callsOfFeed.length))]),
  )
  return {
    bySymbol,
    sequencer: sequencer === null ? null : sequencerOf(roundDataOf(returned.at(-1)!)),
    blockAt: timestampOf(returned[bySymbol.size * callsOfFeed.length]!),
  }
}

function newestOf(symbol: string, [latest, scale, name]: readonly (string | null)[]): Newest | Fault {
  const data: RoundData | null = roundDataOf(latest ?? null)
  const [decimals, description] = [decimalsOf(scale ?? null), descriptionOf(name ?? null)]
  if (data === null) return strange(symbol, 'it has no newest round')
  if (decimals === null || description === null || !describes(description, symbol))
    return strange(symbol, `it identifies itself as ${String(description).slice(0, 100)}`)
  return { symbol, round: roundOf(symbol, data, decimals), roundId: data[0], decimals }
}

/**
 * Those of the `count` ids before the newest that are recorded and answered, newest first, in one call. Null: the node does not have the
 * newest, so their absence is inconclusive.
 */
export async function readBefore(
  node: ChainNode,
  { proxies }: ChainlinkChain,
  { symbol, round, roundId, decimals }: Newest,
  count: number,
): Promise<OracleRound[] | null> {
  const ids = [roundId, ...earlierRounds(roundId, count)]
  const target = proxies[symbol]!
  const returned = await readBatch(
    node,
    ids.map((id) => ({ target, data: getRoundData(id) })),
  )
  const rounds = ids.map((id, n) => {
    const data = roundDataOf(returned[n]!)
    return data === null ? null : roundOf(symbol, data, decimals, id)
  })
  if (round !== null && rounds[0] === null) return null
  return rounds.slice(1).filter((each) => each !== null)
}

async function readBatch(node: ChainNode, calls: readonly BatchCall[]): Promise<(string | null)[]> {
  if (calls.length === 0) return []
  const returned = await node.call({ to: multicall, data: encodeBatch(calls) }, 'latest').catch((error: unknown) => {
    // Multicall itself never reverts: it reports the reverts of others.
    throw error instanceof CallReverted ? unreadable(node, 'reverted') : error
  })
  const results = decodeBatch(returned, calls.length)
  if (results === null) throw unreadable(node, `no answer to ${calls.length} calls`)
  return results
}

const unreadable = ({ exchange }: ChainNode, detail: string): Fault =>
  new Fault('NETWORK_ERROR', 'the node sent an impossible answer', { exchange, detail })

const strange = (symbol: string, detail: string): Fault =>
  new Fault('FEED_UPSTREAM', `the proxy listed for ${symbol} is not that feed`, { detail })
