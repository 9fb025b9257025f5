// From a contract's log to a trade as on the stream and the tape. viem decodes the log by the manifest's events; the venue interprets
// them.
import { decodeEventLog, type Hex, toEventSelector } from 'viem'
import { usdOf } from '#core/price'
import type { ChainBlock, ChainLog } from '#net/chainNode'
import type { Market } from '#schemas/market'
import type { TradeUpdate } from '#schemas/topics'
import type { ChainTrades } from '#venues/venue'

/** First topics of the events. */
export const topicsOf = ({ events }: Pick<ChainTrades, 'events'>): string[] =>
  events.map((event) => toEventSelector(event))

export interface DecodeOptions {
  venue: string
  chain: Pick<ChainTrades, 'events' | 'tradeOf'>
  recvTs: number
}

/** Null: the venue says that the log is not a trade of these markets. Throws when the log does not match its first topic. */
export function tradeOfLog(
  { venue, chain, recvTs }: DecodeOptions,
  markets: readonly Market[],
  log: ChainLog,
  block: ChainBlock,
): TradeUpdate | null {
  const decoded = decodeEventLog({
    abi: chain.events,
    data: log.data as Hex,
    topics: log.topics as [Hex, ...Hex[]],
    strict: true,
  })
  const event = { name: decoded.eventName, args: (decoded.args ?? {}) as Readonly<Record<string, unknown>> }
  for (const market of markets) {
    const trade = chain.tradeOf(market, event)
    if (trade === null) continue
    const { bookId, priceMicros, shares, type, usd, maker, wallet, counterparty } = trade
    return {
      venue,
      marketId: bookId,
      outcomeId: bookId,
      recvTs,
      provenance: 'chain-scan',
      data: {
        // Identifies a log on a chain: in another block it is another log, even of the same transaction.
        id: `${log.blockHash}:${log.logIndex}`,
        time: new Date(block.timestampMs).toISOString(),
        timestamp: block.timestampMs,
        type,
        usd: usd ?? (priceMicros === null ? null : usdOf(priceMicros, shares)),
        outcome: null,
        outcomeIndex: null,
        shares,
        price: priceMicros === null ? null : priceMicros / 1_000_000,
        maker,
        transactionHash: log.transactionHash,
        wallet,
        counterparty,
      },
    }
  }
  return null
}
