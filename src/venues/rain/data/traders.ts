// Trades from the logs of a pool, at the operator's node: from the newest confirmed block backwards.
import { decodeEventLog, type Hex, toEventSelector } from 'viem'
import type { ChainLog, ChainNode } from '#net/chainNode'
import { bisectBlockRange } from '#net/rpc'
import type { Market } from '#schemas/market'
import type { TraderTrade } from '#schemas/traders'
import { evmWallet } from '../../shared/data/wallets.ts'
import { chainOf, hasNodes } from '../../shared/evm.ts'
import type { TradersPage, TradersPageOf, TradersPlace, VenueTraders } from '../../traderData.ts'
import type { ChainTrade } from '../../venue.ts'
import type { VenueContext } from '../../venueContext.ts'
import { chainId, confirmations } from '../ids.ts'
import { chainTrades } from './chainTrades.ts'

/** Blocks per request at first, which many nodes accept; doubled with each answer, up to some forty minutes, until one is refused. */
const spanAtFirst = 2_000
const spanMax = 10_000
/** Requests per page: enough to narrow down to a single block. */
const questionsMax = 12

/** The last log returned; without one, the block below which to continue. */
interface Place {
  block: number
  log: number
}

const topics = chainTrades.events.map((event) => toEventSelector(event))

async function fetchTrades(
  context: VenueContext,
  market: Market,
  { limit, after }: TradersPage,
): Promise<TradersPageOf<TraderTrade>> {
  const addresses = chainTrades.contractsOf(market)
  if (addresses.length === 0) return { rows: [], next: null }
  const node = chainOf(context, context.venue, chainId)
  const from = after === null ? null : placeOf(after)
  let to = from?.block ?? Math.max(0, (await node.head()) - confirmations)
  const found: { log: ChainLog; trade: ChainTrade }[] = []
  let [span, isRefused] = [spanAtFirst, false]
  for (let questions = 0; questions < questionsMax && to >= 0 && found.length <= limit; questions++) {
    const first = Math.max(0, to - span + 1)
    let logs: ChainLog[]
    try {
      logs = await node.logs({ from: first, to, addresses, topics })
    } catch (error) {
      span = bisectBlockRange(to - first + 1, error)
      isRefused = true
      continue
    }
    if (!isRefused) span = Math.min(spanMax, span * 2)
    const behind = logs.filter(
      ({ blockNumber, logIndex }) =>
        from === null || blockNumber < from.block || (blockNumber === from.block && logIndex < from.log),
    )
    behind.sort((a, b) => b.blockNumber - a.blockNumber || b.logIndex - a.logIndex)
    found.push(...behind.flatMap((log) => tradesIn(context, market, log)))
    to = first - 1
  }
  const shown = found.slice(0, limit)
  const last = shown.at(-1)?.log
  const next: Place | null =
    found.length > limit && last !== undefined
      ? { block: last.blockNumber, log: last.logIndex }
      : to < 0
        ? null
        : { block: to, log: Number.MAX_SAFE_INTEGER }
  return { rows: await rowsOf(node, market, shown), next: next === null ? null : { ...next } }
}

/** Written by this file; cursors are signed. */
const placeOf = (place: TradersPlace): Place => place as unknown as Place

/** A log that does not match its topic is skipped and logged. */
function tradesIn(context: VenueContext, market: Market, log: ChainLog): { log: ChainLog; trade: ChainTrade }[] {
  try {
    const { eventName, args } = decodeEventLog({
      abi: chainTrades.events,
      data: log.data as Hex,
      topics: log.topics as [Hex, ...Hex[]],
      strict: true,
    })
    const trade = chainTrades.tradeOf(market, { name: eventName, args: (args ?? {}) as Record<string, unknown> })
    return trade === null ? [] : [{ log, trade }]
  } catch (error) {
    context.log.warn({ transaction: log.transactionHash, err: error }, 'a log does not match its topic')
    return []
  }
}

async function rowsOf(
  node: ChainNode,
  { marketId, outcomes, sourceMetadata }: Market,
  trades: readonly { log: ChainLog; trade: ChainTrade }[],
): Promise<TraderTrade[]> {
  const numbers = [...new Set(trades.map(({ log }) => log.blockNumber))]
  const blocks = await node.blocks(numbers)
  const times = new Map(numbers.map((number, index) => [number, blocks[index]?.timestampMs]))
  const isDollars = /^USD[TC]$/.test(String(sourceMetadata.collateral ?? ''))
  return trades.flatMap(({ log, trade }) => {
    const ts = times.get(log.blockNumber)
    if (ts === undefined) return []
    return {
      venue: 'rain',
      marketId,
      // On the scale of Yes.
      outcomeId: outcomes[0]?.outcomeId ?? null,
      // The same id as on the tape.
      tradeId: `${log.blockHash}:${log.logIndex}`,
      ts,
      wallet: trade.wallet === null ? null : evmWallet(trade.wallet),
      side: trade.type === 'Buy' ? 'buy' : trade.type === 'Sell' ? 'sell' : null,
      price: trade.priceMicros === null ? null : trade.priceMicros / 1_000_000,
      amount: trade.shares,
      usdSize: isDollars ? (trade.usd ?? null) : null,
    }
  })
}

export const traders: VenueTraders = {
  walletOf: evmWallet,
  notes: [
    'Rain: trades are read from its chain at the operator’s node, from the newest confirmed block backwards; a page may have few rows, or none, and still continue.',
  ],
  missing: (context) =>
    hasNodes(context) ? null : 'trades of rain are read from its chain, and no node is configured',
  fetchTrades,
}
