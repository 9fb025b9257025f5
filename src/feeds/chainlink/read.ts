// Reads of price feeds at the operator's nodes: the newest rounds of many proxies in one call, the history of one in another. What a proxy says of
// itself is read with every newest round: one that is of another pair, or says nothing, is not believed.
import { Fault } from '#lib/fault'
import type { ChainNode } from '#net/chainNode'
import type { OracleRound } from '#schemas/feeds'
import { readContracts } from '#venues/shared/evm'
import { aggregatorAbi, type RoundData } from './abi.ts'
import type { ChainlinkChain } from './directory.ts'
import { type SequencerState, sequencerOf } from './proof.ts'
import { idsBelow } from './roundIds.ts'
import { describes, roundOf } from './rounds.ts'

export interface Newest {
  symbol: string
  /** As the chain has it; null where it has none that is answered. */
  round: OracleRound | null
  roundId: bigint
  decimals: number
}

const call = (address: `0x${string}`, functionName: string, args?: readonly unknown[]) => ({
  address,
  abi: aggregatorAbi,
  functionName,
  ...(args && { args }),
})

/** In the order asked; a fault for a proxy that is not what it is listed as. Throws NETWORK_ERROR for nodes that do not answer. */
export async function readNewest(
  node: ChainNode,
  { proxies, sequencer }: ChainlinkChain,
  symbols: readonly string[],
): Promise<{ newest: (Newest | Fault)[]; sequencer: SequencerState }> {
  const calls = symbols.flatMap((symbol) => callsOf.map((name) => call(proxies[symbol]!, name)))
  if (sequencer !== null) calls.push(call(sequencer, 'latestRoundData'))
  const values = await readContracts(node, calls, 'latest')
  const newest = symbols.map((symbol, n) => newestOf(symbol, values.slice(n * callsOf.length)))
  const said = sequencer === null ? null : sequencerOf(values.at(-1) as RoundData | null)
  return { newest, sequencer: said }
}

const callsOf = ['latestRoundData', 'decimals', 'description'] as const

function newestOf(symbol: string, values: readonly unknown[]): Newest | Fault {
  const [data, decimals, description] = values as [RoundData | null, number | null, string | null]
  if (data === null) return strange(symbol, 'it has no newest round')
  if (decimals === null || description === null || !describes(description, symbol))
    return strange(symbol, `it calls itself ${String(description).slice(0, 100)}`)
  return { symbol, round: roundOf(symbol, data, decimals), roundId: data[0], decimals }
}

/** Those before the newest, in one call, newest first; what is not recorded is left out. */
export async function readBefore(
  node: ChainNode,
  { proxies }: ChainlinkChain,
  { symbol, roundId, decimals }: Newest,
  count: number,
): Promise<OracleRound[]> {
  const ids = idsBelow(roundId, count)
  const proxy = proxies[symbol]!
  const values = await readContracts(
    node,
    ids.map((id) => call(proxy, 'getRoundData', [id])),
    'latest',
  )
  return ids.flatMap((id, n) => {
    const data = values[n] as RoundData | null
    const round = data === null ? null : roundOf(symbol, data, decimals, id)
    return round === null ? [] : [round]
  })
}

const strange = (symbol: string, detail: string): Fault =>
  new Fault('FEED_UPSTREAM', `the proxy listed for ${symbol} is no such feed`, { detail })
