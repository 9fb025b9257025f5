// Predictfun's objects: categories with their markets, books, matches.

import type { EngineMarket, LabTrade, MarketTruth } from '../engine/market.ts'
import { digestHex, stableUuid } from '../prng.ts'
import { SyntheticTraders } from '../syntheticTraders.ts'
import type { PredictCategory, PredictMarket } from './marketGenerator.ts'

type Live = (market: PredictMarket) => EngineMarket

const iso = (ms: number): string => new Date(ms).toISOString()
const probability = (micros: number): number => micros / 1_000_000
/** 10^-18 of a millionth, and of a hundredth. */
const weiOfMicros = (micros: number): string => String(BigInt(micros) * 10n ** 12n)
const weiOfShares = (size: number): string => String(BigInt(Math.round(size * 100)) * 10n ** 16n)

const statsOf = (hundredths: number) => ({
  totalLiquidityUsd: Math.round(hundredths / 500) / 100,
  volumeTotalUsd: hundredths / 100,
  volume24hUsd: Math.round(hundredths / 12) / 100,
})

export function marketRow(market: PredictMarket, live: EngineMarket, includesStats: boolean) {
  const { catalog, category, key, grid } = market
  const { status, result } = live
  const [bid, ask] = status === 'open' ? [live.book.bestBidMicros(), live.book.bestAskMicros()] : [null, null]
  const quote = (micros: number | null) => (micros === null ? null : { price: probability(micros), size: 100 })
  const other = (micros: number | null) => (micros === null ? null : 1_000_000 - micros)
  const isNamed = catalog.opposite !== 'No'
  const outcome = (n: 0 | 1) => ({
    bestAsk: quote(n === 0 ? ask : other(bid)),
    bestBid: quote(n === 0 ? bid : other(ask)),
    indexSet: n + 1,
    name: isNamed ? [catalog.label, catalog.opposite][n] : ['Yes', 'No'][n],
    onChainId: market.tokens[n],
    status: result === null ? null : (result === 'yes') === (n === 0) ? 'WON' : 'LOST',
    team: null,
    variantData: null,
  })
  return {
    boostEndsAt: null,
    boostStartsAt: null,
    categorySlug: category.slug,
    conditionId: `0x${digestHex(`predictfun/${key}/condition`)}`,
    createdAt: iso(category.catalog.createdMs),
    decimalPrecision: grid === 'cent' ? 2 : 3,
    description: category.catalog.rules,
    feeRateBps: 200,
    id: market.id,
    imageUrl: 'https://static.predict.fun/lab',
    isBoosted: false,
    isNegRisk: category.catalog.exclusive,
    isVisible: true,
    isYieldBearing: false,
    kalshiMarketTicker: null,
    marketType: null,
    marketVariant: 'DEFAULT',
    oracleQuestionId: `0x${digestHex(`predictfun/${key}/question`)}`,
    outcomes: [outcome(0), outcome(1)],
    polymarketConditionIds: [],
    question: catalog.question,
    questionIndex: null,
    resolution: result === null ? null : outcome(result === 'yes' ? 0 : 1),
    resolverAddress: '0x77620FAb2969dF2D5696F1f081940E416Cf17cA5',
    rewards: { current: null, schedule: [] },
    shareThreshold: 100,
    spreadThreshold: 0.06,
    ...(includesStats ? { stats: statsOf(live.volumeHundredths) } : {}),
    status: status === 'resolved' ? 'RESOLVED' : 'REGISTERED',
    team: null,
    title: catalog.label,
    tradingStatus: status === 'open' ? 'OPEN' : 'CLOSED',
    variantData: null,
  }
}

export const isResolved = ({ markets }: PredictCategory, live: Live): boolean =>
  markets.every((market) => live(market).status === 'resolved')

export function categoryRow(category: PredictCategory, live: Live, includesStats: boolean) {
  const { catalog, markets } = category
  const hundredths = markets.reduce((sum, market) => sum + live(market).volumeHundredths, 0)
  return {
    createdAt: iso(catalog.createdMs),
    description: catalog.rules,
    endsAt: iso(catalog.endMs),
    id: category.id,
    imageUrl: 'https://static.predict.fun/lab',
    isNegRisk: catalog.exclusive,
    isVisible: true,
    isYieldBearing: false,
    marketVariant: 'DEFAULT',
    markets: markets.map((market) => marketRow(market, live(market), includesStats)),
    negRiskOnChainId: null,
    parentSlug: null,
    publishedAt: iso(catalog.createdMs + 20_000),
    resolutionProvider: 'UMA',
    shortTitle: catalog.title,
    slug: category.slug,
    startsAt: iso(catalog.createdMs),
    stats: includesStats ? statsOf(hundredths) : null,
    status: isResolved(category, live) ? 'RESOLVED' : 'OPEN',
    tags: [catalog.category, ...catalog.tags].map((name, n) => ({
      id: String(n + 1),
      level: n === 0 ? 1 : 2,
      makerRebateBps: 0,
      name,
      parentId: n === 0 ? null : '1',
    })),
    teams: null,
    title: catalog.title,
    variantData: null,
    variantDetails: {},
  }
}

/** Best first, in the prices of the first outcome. */
export function bookRow(market: PredictMarket, { bids, asks, eventTs }: MarketTruth) {
  const rows = (levels: MarketTruth['bids']) => levels.map(([price, size]) => [probability(price), size])
  return {
    asks: rows(asks),
    bids: rows(bids),
    lastOrderSettled: null,
    marketId: market.id,
    updateTimestampMs: eventTs,
  }
}

/** The first outcome is sold in one of two ways: an ask for it, or a bid for the other one. */
export const syntheticTraders = new SyntheticTraders('predictfun')

export function matchRow(market: PredictMarket, trade: LabTrade) {
  const { ordinal, priceMicros, takerBuysYes, size } = trade
  const bidsOther = !takerBuysYes && ordinal % 2 === 1
  const party = (n: 0 | 1, micros: number, quoteType: 'Bid' | 'Ask', name: string) => ({
    amount: weiOfShares(size),
    fee: { amount: '0', type: quoteType === 'Bid' ? 'SHARES' : 'COLLATERAL' },
    hash: `0x${digestHex(`predictfun/${market.key}/${ordinal}/${name}`)}`,
    outcome: { indexSet: n + 1, name: ['Yes', 'No'][n], onChainId: market.tokens[n] },
    price: weiOfMicros(micros),
    quoteType,
    signer: (name === 'taker'
      ? syntheticTraders.takerOf(market.key, trade)
      : syntheticTraders.makerOf(market.key, trade)
    ).wallet,
  })
  const own = bidsOther ? 1_000_000 - priceMicros : priceMicros
  return {
    amountFilled: weiOfShares(size),
    executedAt: iso(Math.floor(trade.atMs / 1_000) * 1_000),
    makers: [party(0, priceMicros, takerBuysYes ? 'Ask' : 'Bid', 'maker')],
    market: { id: market.id },
    priceExecuted: weiOfMicros(own),
    settlementId: stableUuid(`predictfun/${market.key}/match/${ordinal}`),
    taker: party(bidsOther ? 1 : 0, own, takerBuysYes || bidsOther ? 'Bid' : 'Ask', 'taker'),
    transactionHash: `0x${digestHex(`predictfun/${market.key}/${ordinal}/transaction`)}`,
  }
}
