// Maps Opinion's rows to our types: a binary market is its own event, a categorical one an event of its children. Pure. Unknown values stay
// unknown.
import { ONE } from '#core/price'
import type { Event, Market, MarketStatus } from '#schemas/market'
import { dailyVolume, ownDailyVolume } from '../../shared/dailyVolume.ts'
import { binaryOutcomes } from '../../shared/data/binary.ts'
import { levelsOf, snapshotOf } from '../../shared/data/levels.ts'
import { amountOf, isoOfTime, known, microsOf, omitUndefined, textOf, timeOfEpoch } from '../../shared/data/parsers.ts'
import { resolutionDateOf } from '../../shared/settlement.ts'
import { storedFees } from '../fees.ts'
import { categoricalId, isToken, outcomeIdOf } from '../ids.ts'
import type { OpinionBook, OpinionMarket } from '../wire.ts'

const sourceExchange = 'opinion'
const volumeUnit = 'USD'
/** At most four decimals are documented. */
const tickMicros = 100
/** Figures are in units of the quote token: for any other token they are not known to be dollars. */
const usdt = '0x55d398326f99059ff775485246999027b3197955'

/** The payout of a failed market is undocumented: unknown. */
const statuses: ReadonlyMap<number, MarketStatus> = new Map([
  [1, 'inactive'],
  [2, 'active'],
  [3, 'closed'],
  [4, 'resolved'],
  [6, 'archived'],
])

export const isCategorical = ({ marketType, childMarkets }: OpinionMarket): boolean =>
  marketType === 1 || (childMarkets ?? []).length > 0

/** The venue's own word, or its number. */
const wordOf = ({ status, statusEnum }: OpinionMarket): string | undefined => textOf(statusEnum) ?? status?.toString()

/** A market not yet on the chain has no tradable outcomes. */
export const hasTokens = ({ yesTokenId, noTokenId }: OpinionMarket): boolean =>
  isToken(yesTokenId ?? '') && isToken(noTokenId ?? '')

const isoOfSeconds = (seconds: number | null | undefined) => isoOfTime(timeOfEpoch(seconds, 's'))

const dollarsOf = (figure: string | null | undefined, { quoteToken }: OpinionMarket): number | null =>
  quoteToken?.toLowerCase() === usdt ? amountOf(figure) : null

/** Payout of YES for a resolved market, micros. */
function settledMicros({ status, resultTokenId, yesTokenId, noTokenId }: OpinionMarket): number | null {
  if (statuses.get(status ?? 0) !== 'resolved') return null
  return resultTokenId === yesTokenId ? ONE : resultTokenId === noTokenId ? 0 : null
}

/** Rows carry no prices: an unsettled one has none until its book is read. `head`: the categorical market it is a child of. */
export function normalizeMarket(raw: OpinionMarket, head: OpinionMarket | null): Market {
  const marketId = String(raw.marketId)
  const tokens = [raw.yesTokenId ?? '', raw.noTokenId ?? ''] as const
  const status = statuses.get(raw.status ?? 0) ?? 'unknown'
  const closeTime = isoOfSeconds(raw.cutoffAt) ?? isoOfSeconds(head?.cutoffAt)
  return {
    marketId,
    eventId: head === null ? marketId : categoricalId(head.marketId),
    title: head === null ? raw.marketTitle : `${head.marketTitle}: ${raw.marketTitle}`,
    description: textOf(raw.rules) ?? textOf(head?.rules) ?? '',
    outcomes: binaryOutcomes(
      marketId,
      [outcomeIdOf(marketId, tokens[0]), outcomeIdOf(marketId, tokens[1])],
      { price: settledMicros(raw), bid: null, ask: null },
      [textOf(raw.yesLabel) ?? 'Yes', textOf(raw.noLabel) ?? 'No'],
    ),
    ...ownDailyVolume(dollarsOf(raw.volume24h, raw)),
    volume: dollarsOf(raw.volume, raw),
    liquidity: null,
    openInterest: null,
    url: urlOf(head ?? raw),
    ...omitUndefined({
      slug: textOf(raw.slug),
      resolutionDate: resolutionDateOf(status, { resolved: isoOfSeconds(raw.resolvedAt), closed: closeTime }),
      ...shown(raw, head),
    }),
    tickSize: tickMicros / ONE,
    status,
    sourceExchange,
    sourceMetadata: known({
      marketType: 'binary',
      executionModel: 'clob',
      collateral: raw.quoteToken?.toLowerCase() === usdt ? 'USDT' : raw.quoteToken,
      volumeUnit,
      chainId: raw.chainId,
      conditionId: raw.conditionId,
      questionId: raw.questionId,
      quoteToken: raw.quoteToken,
      tokenIds: tokens,
      categoricalId: head?.marketId,
      yesSubTitle: head === null ? undefined : raw.marketTitle,
      venueStatus: wordOf(raw),
      result: textOf(raw.resultTokenId),
      fees: storedFees,
      makerRebate: raw.rebate?.maker,
      ...noted(raw),
      createdTime: isoOfSeconds(raw.createdAt),
      closeTime,
      settlementTime: isoOfSeconds(raw.resolvedAt),
    }),
  }
}

/** Fields of the event itself; a child has none of them. */
const shown = (raw: OpinionMarket, head: OpinionMarket | null) => ({
  image: [raw.coverUrl, raw.thumbnailUrl, head?.coverUrl, head?.thumbnailUrl].map(textOf).find(Boolean),
  category: textOf((raw.labels ?? head?.labels)?.[0]),
  tags: raw.labels ?? head?.labels ?? undefined,
})

const noted = (raw: OpinionMarket) => ({
  volume7d: dollarsOf(raw.volume7d, raw),
  labelIds: raw.labelIds,
  incentiveFactor: raw.incentiveFactor,
  collection: raw.collection,
  isResolvableByAI: raw.isResolvableByAI,
})

/** Of a categorical market with its readable children, or of a binary one with itself. */
export function normalizeEvent(raw: OpinionMarket, markets: Market[]): Event {
  const categorical = isCategorical(raw)
  return {
    id: categorical ? categoricalId(raw.marketId) : String(raw.marketId),
    title: raw.marketTitle,
    description: textOf(raw.rules) ?? '',
    slug: textOf(raw.slug) ?? String(raw.marketId),
    markets,
    ...dailyVolume(markets, dollarsOf(raw.volume24h, raw)),
    volume: dollarsOf(raw.volume, raw),
    url: urlOf(raw),
    ...omitUndefined(shown(raw, null)),
    seriesId: null,
    sourceExchange,
    sourceMetadata: known({
      eventType: categorical ? 'categorical' : 'binary',
      // The head of a categorical market stays "Created" while its children trade.
      venueStatus: wordOf(raw),
      chainId: raw.chainId,
      questionId: raw.questionId,
      quoteToken: raw.quoteToken,
      makerRebate: raw.rebate?.maker,
      ...noted(raw),
      createdTime: isoOfSeconds(raw.createdAt),
      closeTime: isoOfSeconds(raw.cutoffAt),
      settlementTime: isoOfSeconds(raw.resolvedAt),
      volumeUnit,
    }),
  }
}

const urlOf = (raw: OpinionMarket): string =>
  `https://app.opinion.trade/detail?topicId=${raw.marketId}${isCategorical(raw) ? '&type=multi' : ''}`

/** The token's own book, null when a level cannot be read. */
export const normalizeBook = (bookId: string, { bids, asks, timestamp }: OpinionBook, recvTs: number) => {
  const side = (rows: OpinionBook['bids']) => levelsOf(rows, ({ price, size }) => [microsOf(price), amountOf(size)])
  const eventTs = timeOfEpoch(timestamp, 'ms')
  return snapshotOf(bookId, { bids: side(bids), asks: side(asks) }, recvTs, { eventTs, tickMicros })
}
