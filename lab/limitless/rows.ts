// Limitless' objects: markets and groups, books, trades. Shapes: rows recorded in May and June 2026, the types of the official client.

import type { EngineMarket, LabTrade, MarketTruth } from '../engine/market.ts'
import { digestHex } from '../prng.ts'
import { SyntheticTraders } from '../syntheticTraders.ts'
import type { LimitlessEvent, LimitlessMarket } from './marketGenerator.ts'

export type Live = (market: LimitlessMarket) => EngineMarket

export const syntheticTraders = new SyntheticTraders('limitless')

const stepMicros = 1_000
const one = 1_000_000
export const usdc = { address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', decimals: 6, symbol: 'USDC' }
export const exchange = '0x05c748E2f4DcDe0ec9Fa8DDc40DE6b867f923fa5'
const adapter = '0xb9E2DFc91A4E7Db5e9d31ef4C1Ee0BFe10A90b95'
const logo = 'https://limitless.exchange/assets/images/logo.svg'
const creator = { name: 'Limitless', imageURI: logo, link: 'https://x.com/trylimitless' }
const settings = {
  minSize: '100000000',
  maxSpread: 0.035,
  dailyReward: '500',
  rewardsEpoch: '0.3472222222222222',
  c: '3',
  rebateRate: '1',
  takerDelayMs: 0,
  creatorFeePct: 0,
}
const statuses = { open: 'FUNDED', closed: 'LOCKED', resolved: 'RESOLVED' } as const

/** Six decimals, as tokens are counted. */
const units = (hundredths: number): string => String(hundredths * 10_000)
const formatted = (hundredths: number): string => (hundredths / 100).toFixed(6)

/** A pool's reported price: whole steps. */
export const spotMicros = (live: EngineMarket): number => Math.round(live.midMicros() / stepMicros) * stepMicros

const dates = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' })

function common({ catalog }: LimitlessEvent, volumeHundredths: number) {
  return {
    collateralToken: usdc,
    expirationDate: dates.format(catalog.endMs),
    expirationTimestamp: catalog.endMs,
    expired: false,
    hidden: false,
    createdAt: new Date(catalog.createdMs).toISOString(),
    updatedAt: new Date(catalog.createdMs).toISOString(),
    startAt: null,
    categories: [catalog.category],
    tags: catalog.tags,
    creator,
    automationType: 'manual',
    proxyTitle: null,
    priorityIndex: 0,
    imageUrl: null,
    logo: null,
    volume: units(volumeHundredths),
    volumeFormatted: formatted(volumeHundredths),
  }
}

/** In a group, the distinguishing part; a two-team game is a market about the first team. */
function titleOf({ event, catalog: { label, opposite } }: LimitlessMarket): string {
  if (event.isGroup) return label
  return opposite === 'No' ? event.catalog.title : `${label} to beat ${opposite}?`
}

/** Standalone, or among the markets of a group. */
export function marketRow(market: LimitlessMarket, live: EngineMarket) {
  const { event, pool } = market
  const { result } = live
  const spot = spotMicros(live)
  const quotedPrices =
    pool === null || result !== null ? [spot / one, (one - spot) / one] : [spot / 10_000, (one - spot) / 10_000]
  return {
    id: market.id,
    slug: market.slug,
    title: titleOf(market),
    description: `<p>${event.catalog.rules}</p>`,
    conditionId: market.conditionId,
    status: statuses[live.status],
    ...common(event, live.volumeHundredths),
    marketType: 'single',
    prices: quotedPrices,
    winningOutcomeIndex: result === null ? null : result === 'yes' ? 0 : 1,
    payoutNumerators: result === null ? null : result === 'yes' ? ['1', '0'] : ['0', '1'],
    ...(pool === null ? clobFields(market, live) : poolFields(market, pool, live)),
  }
}

function clobFields({ event, tokens, feeModule }: LimitlessMarket, live: EngineMarket) {
  // Without quotes, the ends of the scale are shown.
  const bid = live.book.bestBidMicros() ?? stepMicros
  const ask = live.book.bestAskMicros() ?? one - stepMicros
  const pair = (yes: number, no: number) => [yes / one, no / one]
  const taken = { market: pair(ask, one - bid), limit: pair(bid, one - ask) }
  const given = { market: pair(bid, one - ask), limit: pair(ask, one - bid) }
  return {
    negRiskRequestId: event.isGroup ? `0x${digestHex(`limitless/request/${live.id}`).slice(0, 64)}` : null,
    groupId: event.isGroup ? event.id : null,
    tokens,
    tradePrices: { buy: taken, sell: given },
    tradeType: 'clob',
    isRewardable: true,
    isOther: false,
    settings,
    venue: {
      exchange,
      adapter: event.isGroup ? adapter : null,
      ...(feeModule !== null && { feeModule, feeModuleType: 'COLLATERAL' }),
    },
    metadata: { fee: true, isBannered: false, isPolyArbitrage: false, shouldMarketMake: true },
    priceOracleMetadata: null,
  }
}

const poolHundredths = 500_000

function poolFields({ conditionId }: LimitlessMarket, address: string, live: EngineMarket) {
  return {
    address,
    groupId: null,
    negRiskRequestId: null,
    tradeType: 'amm',
    positionIds: ['0', '1'].map((n) => BigInt(`0x7${digestHex(`${conditionId}/${n}`).slice(0, 63)}`).toString()),
    liquidity: units(poolHundredths),
    liquidityFormatted: formatted(poolHundredths),
    openInterest: units(live.volumeHundredths),
    openInterestFormatted: formatted(live.volumeHundredths),
    metadata: { fee: false, isBannered: false },
  }
}

/** List entries: a group with its markets, or a standalone market. */
export function listedRow(event: LimitlessEvent, live: Live) {
  const [only] = event.markets
  if (!event.isGroup) return marketRow(only!, live(only!))
  const markets = event.markets.map((market) => live(market))
  const isOpen = markets.some(({ status }) => status === 'open')
  return {
    id: event.id,
    slug: event.slug,
    title: event.catalog.title,
    description: `<p>${event.catalog.rules}</p>`,
    status: isOpen ? 'FUNDED' : statuses[markets[0]!.status],
    ...common(
      event,
      markets.reduce((sum, { volumeHundredths }) => sum + volumeHundredths, 0),
    ),
    marketType: 'group',
    tradeType: 'group',
    negRiskMarketId: `0x${digestHex(`limitless/group/${event.slug}`).slice(0, 64)}`,
    outcomeTokens: event.markets.map(({ catalog }) => catalog.label),
    metadata: { fee: true },
    settings,
    markets: event.markets.map((market, n) => ({ ...marketRow(market, markets[n]!), orderInGroup: n })),
  }
}

/** Of YES; bids for NO appear among its asks. */
export function bookRow(market: LimitlessMarket, { bids, asks }: MarketTruth, lastTrade: LabTrade | null) {
  const side = (levels: MarketTruth['bids'], word: string) =>
    levels.map(([price, size]) => ({ price: price / one, size: Math.round(size * one), side: word }))
  const [bid, ask] = [bids[0]?.[0], asks[0]?.[0]]
  const midpoint = bid === undefined || ask === undefined ? 0.5 : (bid + ask) / 2 / one
  return {
    bids: side(bids, 'BUY'),
    asks: side(asks, 'SELL'),
    tokenId: market.tokens.yes,
    adjustedMidpoint: midpoint,
    midpoint,
    maxSpread: '0.035',
    minSize: '100000000',
    lastTradePrice: lastTrade === null ? null : lastTrade.priceMicros / one,
  }
}

/** Every third taker named NO; every fifth trade was settled by the transaction of the one before. */
export function tradeRow(market: LimitlessMarket, { ordinal, priceMicros, size, takerBuysYes, atMs }: LabTrade) {
  const isNo = ordinal % 3 === 0
  const micros = isNo ? one - priceMicros : priceMicros
  const transaction = ordinal % 5 === 0 ? ordinal - 1 : ordinal
  const cash = String(Math.round(size * micros))
  const taker = syntheticTraders.takerOf(market.key, { ordinal })
  return {
    createdAt: new Date(atMs).toISOString(),
    title: '',
    tokenId: isNo ? market.tokens.no : market.tokens.yes,
    side: takerBuysYes === isNo ? 1 : 0,
    price: micros / one,
    matchedSize: String(Math.round(size * one)),
    makerAmount: cash,
    takerAmount: cash,
    txHash: `0x${digestHex(`limitless/transaction/${market.key}/${transaction}`).slice(0, 64)}`,
    profile: {
      id: 1,
      account: taker.wallet,
      username: taker.name,
      displayName: taker.name,
      pfpUrl: null,
      socialUrl: null,
      rankName: 'Bronze',
    },
  }
}
