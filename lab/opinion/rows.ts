// Opinion's objects: heads with their children, standalone markets, books of a token.

import type { EngineMarket, LabTrade, MarketTruth } from '../engine/market.ts'
import { digestHex } from '../prng.ts'
import { SyntheticTraders } from '../syntheticTraders.ts'
import type { OpinionEvent, OpinionMarket } from './marketGenerator.ts'

export const quoteToken = '0x55d398326f99059fF775485246999027B3197955'
const statuses = { open: [2, 'Activated'], closed: [3, 'Resolving'], resolved: [4, 'Resolved'] } as const

type Live = (market: OpinionMarket) => EngineMarket

const seconds = (ms: number): number => Math.floor(ms / 1_000)
const volumeText = (live: EngineMarket): string => (live.volumeHundredths / 100).toFixed(2)
export const priceText = (micros: number): string => String(micros / 1_000_000)

function ownRow(market: OpinionMarket, live: EngineMarket) {
  const { catalog, event, key, tokens } = market
  const [status, statusEnum] = statuses[live.status]
  const named = catalog.opposite !== 'No'
  return {
    chainId: '56',
    conditionId: digestHex(`opinion/${key}/condition`),
    createdAt: seconds(event.catalog.createdMs),
    cutoffAt: event.isCategorical ? 0 : seconds(event.catalog.endMs),
    incentiveFactor: {},
    isResolvableByAI: false,
    marketId: market.id,
    marketTitle: event.isCategorical ? catalog.label : event.catalog.title,
    noLabel: named ? catalog.opposite : 'NO',
    noTokenId: tokens[1],
    questionId: digestHex(`opinion/${event.catalog.key}/question`),
    quoteToken,
    rebate: { maker: 0.5 },
    resolvedAt: live.status === 'resolved' ? seconds(live.statusAtMs) : 0,
    resultTokenId: live.result === null ? '' : tokens[live.result === 'yes' ? 0 : 1],
    rules: event.isCategorical ? '' : event.catalog.rules,
    slug: market.slug,
    status,
    statusEnum,
    volume: volumeText(live),
    yesLabel: named ? catalog.label : 'YES',
    yesTokenId: tokens[0],
  }
}

/** Fields that only list rows and their details have. */
function outerFields({ catalog }: OpinionEvent, markets: readonly EngineMarket[]) {
  const hundredths = markets.reduce((sum, { volumeHundredths }) => sum + volumeHundredths, 0)
  const text = (part: number) => (hundredths / 100 / part).toFixed(2)
  return {
    coverUrl: '',
    labelIds: [1],
    labels: [catalog.category],
    thumbnailUrl: 'https://images.opinion.trade/lab',
    volume: text(1),
    volume24h: text(12),
    volume7d: text(2),
  }
}

/** A list row: a head with its children, or a standalone market. */
export function eventRow(event: OpinionEvent, live: Live) {
  const lives = event.markets.map(live)
  const outer = outerFields(event, lives)
  if (!event.isCategorical) return { ...ownRow(event.markets[0]!, lives[0]!), ...outer, marketType: 0 }
  const { catalog } = event
  return {
    chainId: '56',
    childMarkets: event.markets.map((market, n) => ownRow(market, lives[n]!)),
    conditionId: '',
    createdAt: seconds(catalog.createdMs),
    cutoffAt: seconds(catalog.endMs),
    incentiveFactor: {},
    isResolvableByAI: false,
    marketId: event.id,
    marketTitle: catalog.title,
    marketType: 1,
    noLabel: '',
    noTokenId: '',
    questionId: digestHex(`opinion/${catalog.key}/question`),
    quoteToken,
    rebate: { maker: 0.5 },
    resolvedAt: 0,
    resultTokenId: '',
    rules: catalog.rules,
    slug: event.slug,
    // Heads keep this status while their children trade.
    status: 1,
    statusEnum: 'Created',
    yesLabel: '',
    yesTokenId: '',
    ...outer,
  }
}

/** One market by its number. A child is returned without its head. */
export const marketRow = (market: OpinionMarket, live: Live) =>
  market.event.isCategorical ? ownRow(market, live(market)) : eventRow(market.event, live)

/** Of one side: a bid for YES at p is an ask for NO at 1 − p, in a book of its own. */
export const sideOf = ({ bids, asks, eventTs }: MarketTruth, side: 0 | 1): MarketTruth => {
  const turned = (levels: MarketTruth['bids']): MarketTruth['bids'] => levels.map(([p, size]) => [1_000_000 - p, size])
  return side === 0 ? { bids, asks, eventTs } : { bids: turned(asks), asks: turned(bids), eventTs }
}

export function bookRow(market: OpinionMarket, side: 0 | 1, truth: MarketTruth) {
  const { bids, asks, eventTs } = sideOf(truth, side)
  const rows = (levels: MarketTruth['bids']) =>
    levels.map(([price, size]) => ({ price: priceText(price), size: String(size) }))
  return {
    asks: rows(asks),
    bids: rows(bids),
    market: digestHex(`opinion/${market.key}/condition`),
    timestamp: eventTs,
    tokenId: market.tokens[side],
  }
}

export const syntheticTraders = new SyntheticTraders('opinion')

/** A wallet's trade: it names a side of the market and no token. */
export function walletTradeRow(market: OpinionMarket, trade: LabTrade) {
  const micros = trade.takerBuysYes ? trade.priceMicros : 1_000_000 - trade.priceMicros
  const amount = ((micros * trade.size) / 1_000_000).toFixed(6)
  const name = `opinion/${market.key}/${trade.ordinal}`
  return {
    orderNo: digestHex(`${name}/order`).slice(0, 32),
    tradeNo: digestHex(name).slice(0, 32),
    txHash: `0x${digestHex(`${name}/transaction`)}`,
    marketId: market.id,
    marketTitle: market.catalog.question,
    side: 'Buy',
    outcome: trade.takerBuysYes ? 'YES' : 'NO',
    outcomeSide: trade.takerBuysYes ? 1 : 2,
    outcomeSideEnum: trade.takerBuysYes ? 'Yes' : 'No',
    price: priceText(micros),
    shares: String(trade.size),
    amount,
    fee: '0',
    feeFormatted: '0',
    profit: '0',
    quoteToken,
    quoteTokenUsdPrice: '1',
    usdAmount: amount,
    status: 2,
    statusEnum: 'Finished',
    chainId: '56',
    createdAt: seconds(trade.atMs),
  }
}
