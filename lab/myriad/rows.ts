// Myriad's objects: markets, events, books, trades of order books, actions of pools. Figures in rows are text, as in recorded answers.

import type { EngineMarket, LabTrade, MarketTruth } from '../engine/market.ts'
import { digestHex } from '../prng.ts'
import { SyntheticTraders } from '../syntheticTraders.ts'
import type { MyriadEvent, MyriadMarket } from './marketGenerator.ts'

const micro = 1_000_000
const iso = (ms: number): string => new Date(ms).toISOString()
const text = (number: number, digits = 8): string => String(Number(number.toFixed(digits)))

const depth = 1_000
const buyFees = { fee: '0.01', treasury_fee: '0.01', distributor_fee: '0.01' }
const noFees = { fee: '0', treasury_fee: '0', distributor_fee: '0' }

/** The payout token of a network's markets. */
const tokens = {
  2741: { address: '0x84A71ccD554Cc1b02749b35d22F684CC8ec987e1', symbol: 'USDC.e', decimals: 6 },
  56: { address: '0x8d0D000Ee44948FC98c9B98A4FA4921476f08B0d', symbol: 'USD1', decimals: 18 },
} as const
export const decimalsOf = ({ networkId }: Pick<MyriadMarket, 'networkId'>): number => tokens[networkId].decimals

/** A pool counts to the millionth, whatever its token's decimals. */
const digits = 6

/** A pool's holdings of each outcome at this price, base units: their product is the square of its depth. */
export function reservesOf(live: EngineMarket, decimals: number): [bigint, bigint] {
  // An ended market's book is at 0 or 1, which no pool reaches.
  const price = Math.min(0.99, Math.max(0.01, live.midMicros() / micro))
  const units = (held: number) => BigInt(Math.round(held * 10 ** digits)) * 10n ** BigInt(decimals - digits)
  return [units(depth * Math.sqrt((1 - price) / price)), units(depth * Math.sqrt(price / (1 - price)))]
}

/** What a value buys of an outcome, at a 3 % fee, and what is sold for it, without one. Base units; null when the pool cannot. */
export function tradedWith(live: EngineMarket, side: 0 | 1, decimals: number) {
  const reserves = reservesOf(live, decimals)
  const [own, other] = side === 0 ? reserves : [reserves[1], reserves[0]]
  const scale = 10n ** 18n
  const rest = (by: bigint) => {
    const folded = (own * scale * other + other + by - 1n) / (other + by)
    return (folded + scale - 1n) / scale
  }
  return {
    bought(value: bigint): bigint {
      const net = value - (value * 3n) / 100n
      return own + net - rest(net)
    },
    sold: (value: bigint): bigint | null => (value >= other ? null : value + rest(-value) - own),
  }
}

/** The levels made by trading one token. Micros. */
export function poolState(live: EngineMarket, side: 0 | 1, decimals: number): MarketTruth {
  const unit = 10n ** BigInt(decimals)
  const trade = tradedWith(live, side, decimals)
  const [bought, sold] = [trade.bought(unit), trade.sold(unit)!]
  const shares = (units: bigint) => Number(units) / 10 ** decimals
  const bid = Number((unit * BigInt(micro)) / sold)
  const ask = Number((unit * BigInt(micro) + bought - 1n) / bought)
  return {
    bids: bid > 0 ? [[bid, shares(sold)]] : [],
    asks: ask < micro ? [[ask, shares(bought)]] : [],
    eventTs: live.eventTs,
  }
}

/** `isVoid`: it refunds its shares and has no winner. */
export function marketRow(market: MyriadMarket, live: EngineMarket, isVoid = false) {
  const { catalog, event, model, outcomeIndex } = market
  const isPool = model === 'amm'
  const resolved = live.status === 'resolved'
  const token = tokens[market.networkId]
  const reserves = isPool ? reservesOf(live, digits).map((units) => text(Number(units) / 10 ** digits, digits)) : null
  const open = live.status === 'open' && !isPool
  const [bid, ask] = open ? [live.book.bestBidMicros(), live.book.bestAskMicros()] : [null, null]
  const mid = live.midMicros()
  const price = (micros: number | null) => (micros === null ? null : text(micros / micro))
  const other = (micros: number | null) => (micros === null ? null : micro - micros)
  const volume = (live.volumeHundredths / 100) * (mid / micro)
  const sides = [
    { title: event.uuid === null && catalog.opposite !== 'No' ? catalog.label : 'Yes', at: mid, bid, ask },
    { title: catalog.opposite, at: micro - mid, bid: other(ask), ask: other(bid) },
  ]
  return {
    id: String(market.id),
    networkId: String(market.networkId),
    slug: market.slug,
    title: event.uuid === null ? catalog.question : catalog.label,
    shortName: null,
    description: event.catalog.rules,
    publishedAt: iso(event.catalog.createdMs),
    expiresAt: iso(event.catalog.endMs),
    resolvesAt: resolved ? iso(live.statusAtMs) : null,
    // Whether an order-book market's row also has the members of a pool's row is not known.
    fees: {
      ...{ buy: isPool ? buyFees : noFees, sell: noFees, treasury: null, distributor: null },
      ...(isPool ? {} : { taker_fee_bps: 150 }),
    },
    state: live.status,
    voided: resolved && isVoid,
    resolvedOutcomeId: resolved && !isVoid ? (live.result === 'yes' ? '0' : '1') : '-1',
    topics: event.catalog.tags,
    tags: [],
    resolutionSource: 'https://example.com',
    resolutionTitle: 'Announcement',
    token: { ...token, decimals: String(token.decimals) },
    imageUrl: null,
    liquidity: text(isPool ? depth : 0),
    liquidityPrice: null,
    volume: text(volume, 6),
    volume24h: text(volume / 12, 6),
    volumeNotional: text(live.volumeHundredths / 100, 6),
    volumeNotional24h: text(live.volumeHundredths / 1_200, 6),
    users: '12',
    shares: '0',
    featured: false,
    inPlay: false,
    inPlayStartsAt: null,
    perpetual: false,
    moneyline: false,
    executionMode: isPool ? '0' : '1',
    tradingModel: model,
    topHolders: [],
    outcomes: sides.map((side, n) => ({
      id: String(n),
      title: side.title,
      shares: reserves?.[n] ?? null,
      sharesHeld: '0',
      price: resolved ? ((live.result === 'yes') === (n === 0) ? '1' : '0') : text(side.at / micro),
      closingPrice: null,
      priceChange24h: '0',
      bestBid: price(side.bid),
      bestAsk: price(side.ask),
      imageUrl: null,
      holders: '3',
      tokenId: String(market.id * 2 + n),
    })),
    eventId: event.uuid,
    outcomeIndex: event.uuid === null ? null : String(outcomeIndex),
    negRisk: event.catalog.exclusive,
    externalSources: [],
  }
}

export function eventRow(event: MyriadEvent, rowOf: (market: MyriadMarket) => ReturnType<typeof marketRow>) {
  const markets = event.markets.map(rowOf)
  const sum = (of: 'volume' | 'volume24h' | 'volumeNotional' | 'volumeNotional24h' | 'liquidity') =>
    markets.reduce((total, row) => total + Number(row[of]), 0)
  return {
    type: 'event',
    id: event.uuid,
    networkId: 56,
    slug: event.slug,
    title: event.catalog.title,
    description: event.catalog.rules,
    imageUrl: null,
    bannerImageUrl: null,
    state: markets.some(({ state }) => state === 'open') ? 'open' : markets[0]!.state,
    resolvedOutcomeIndex: null,
    expiresAt: iso(event.catalog.endMs),
    publishedAt: iso(event.catalog.createdMs),
    negRisk: event.catalog.exclusive,
    negRiskId: `0x${digestHex(`myriad/${event.catalog.key}`)}`,
    volume: sum('volume'),
    volume24h: sum('volume24h'),
    volumeNotional: sum('volumeNotional'),
    volumeNotional24h: sum('volumeNotional24h'),
    liquidity: sum('liquidity'),
    users: 12,
    featured: false,
    featuredAt: null,
    externalSources: [],
    markets,
  }
}

export const wei = (hundredths: number): string => String(BigInt(hundredths) * 10n ** 16n)
export const priceWei = (micros: number): string => String(BigInt(micros) * 10n ** 12n)

/** The book of the other outcome: its bids are 1 − the asks. */
export function sideOf(truth: MarketTruth, side: 0 | 1): MarketTruth {
  if (side === 0) return truth
  const turned = (levels: MarketTruth['bids']) => levels.map(([price, size]): [number, number] => [micro - price, size])
  return { ...truth, bids: turned(truth.asks), asks: turned(truth.bids) }
}

export const syntheticTraders = new SyntheticTraders('myriad')

export function bookRow({ bids, asks }: MarketTruth) {
  const levels = (rows: MarketTruth['bids']) =>
    rows.map(([price, size]) => [priceWei(price), wei(Math.round(size * 100))])
  return { bids: levels(bids), asks: levels(asks) }
}

/** A taker of YES at the ask bought outcome 0; a taker of the bid, outcome 1. */
export const filledOf = ({ takerBuysYes, priceMicros }: LabTrade): { outcome: 0 | 1; micros: number } =>
  takerBuysYes ? { outcome: 0, micros: priceMicros } : { outcome: 1, micros: micro - priceMicros }

const hashOf = (market: MyriadMarket, { ordinal }: LabTrade): string =>
  `0x${digestHex(`myriad/${market.networkId}/${market.model}/${market.id}/${ordinal}`)}`

export function tradeRow(market: MyriadMarket, trade: LabTrade) {
  const { outcome, micros } = filledOf(trade)
  return {
    price: text(micros / micro),
    priceAfterFees: text((micros / micro) * 1.01),
    amount: wei(Math.round(trade.size * 100)),
    side: 'buy',
    outcome,
    txHash: hashOf(market, trade),
    timestamp: Math.floor(trade.atMs / 1_000),
    fees: { total: '0', lp: '0', treasury: '0', distributor: '0' },
  }
}

export function actionRow(market: MyriadMarket, trade: LabTrade) {
  const { outcome, micros } = filledOf(trade)
  const { catalog, event } = market
  return {
    user: syntheticTraders.takerOf(market.key, trade).wallet,
    action: 'buy',
    marketTitle: catalog.question,
    marketSlug: market.slug,
    marketId: market.id,
    networkId: market.networkId,
    outcomeTitle: outcome === 0 ? 'Yes' : catalog.opposite,
    outcomeId: outcome,
    imageUrl: null,
    shares: trade.size,
    value: Number(((trade.size * micros) / micro).toFixed(6)),
    timestamp: Math.floor(trade.atMs / 1_000),
    blockNumber: 60_000_000 + trade.ordinal + event.catalog.ordinal,
    token: tokens[market.networkId].address,
    txId: hashOf(market, trade),
  }
}
