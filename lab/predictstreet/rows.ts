// Predictstreet's objects: events, markets, books, trades. Figures are decimal text.
import type { EngineMarket, LabStatus, LabTrade, MarketTruth } from '../engine/market.ts'
import { digestHex, stableUuid } from '../prng.ts'
import type { StreetEvent, StreetMarket } from './marketGenerator.ts'

export type Side = 0 | 1

const iso = (ms: number): string => new Date(ms).toISOString()
const priceText = (micros: number): string => (micros / 1_000_000).toFixed(6)
const plain = (number: number): string => String(Math.round(number * 1e6) / 1e6)

const statuses = { open: 'OPEN', closed: 'CLOSED', resolved: 'RESOLVED' } as const satisfies Record<LabStatus, string>

const outcomeLabels = ['YES', 'NO'] as const

/** USDC that changed hands. */
const turnover = (live: EngineMarket): number => (live.volumeHundredths / 100) * (live.midMicros() / 1_000_000)

export function marketRow({ catalog, event, ...market }: StreetMarket, live: EngineMarket) {
  const mid = live.midMicros()
  const resolved = live.status === 'resolved'
  const anchor = catalog.anchorMicros
  return {
    id: market.id,
    eventId: event.id,
    symbol: market.symbol,
    slug: market.slug,
    title: event.markets.length === 1 ? catalog.question : event.catalog.title,
    groupItemTitle: event.markets.length === 1 ? null : catalog.label,
    conditionId: market.conditionId,
    questionId: market.questionId,
    yesTokenId: market.tokens[0],
    noTokenId: market.tokens[1],
    status: statuses[live.status],
    currentReviewRound: 1,
    outcomeCount: 2,
    outcomeLabels,
    initialFairValue: priceText(anchor),
    initialOutcomePrices: [priceText(anchor), priceText(1_000_000 - anchor)],
    feeTakerBps: 200,
    opensAt: iso(event.catalog.createdMs),
    closesAt: iso(event.catalog.endMs),
    kickoff: null,
    resolutionWindowHours: 24,
    pausedAt: null,
    resolvedAt: resolved ? iso(live.statusAtMs) : null,
    payoutNumerators: resolved ? (live.result === 'yes' ? ['1', '0'] : ['0', '1']) : null,
    officialDataSource: 'official announcements',
    sourceMatchId: null,
    resolutionCriteria: event.catalog.rules,
    negRiskEligible: false,
    isNewMarketType: false,
    createdAt: iso(event.catalog.createdMs),
    updatedAt: iso(live.statusAtMs),
    outcomePrices: [priceText(mid), priceText(1_000_000 - mid)],
    volume24h: plain(turnover(live) / 12),
    totalVolume: plain(turnover(live)),
    tags: tagRows(event),
  }
}

const tagRows = ({ catalog: { tags } }: StreetEvent) =>
  tags.map((name) => ({ slug: name.toLowerCase().replaceAll(' ', '-'), name, color: null, iconUrl: null }))

/** With the markets to be shown. */
export function eventRow(event: StreetEvent, markets: readonly (readonly [StreetMarket, EngineMarket])[]) {
  const total = markets.reduce((sum, [, live]) => sum + turnover(live), 0)
  return {
    id: event.id,
    slug: event.slug,
    title: event.catalog.title,
    group: null,
    stage: null,
    teamA: null,
    teamB: null,
    tags: tagRows(event),
    eventStartTime: iso(event.catalog.endMs),
    createdAt: iso(event.catalog.createdMs),
    updatedAt: iso(Math.max(...markets.map(([, live]) => live.statusAtMs))),
    volume24h: plain(total / 12),
    totalVolume: plain(total),
    markets: markets.map(([market, live]) => marketRow(market, live)),
  }
}

/** The NO side: its bids are 1 − the YES asks. */
export function sideOf(truth: MarketTruth, side: Side): MarketTruth {
  if (side === 0) return truth
  const flip = (levels: MarketTruth['bids']) =>
    levels.map(([price, size]): [number, number] => [1_000_000 - price, size])
  return { ...truth, bids: flip(truth.asks), asks: flip(truth.bids) }
}

export function bookRow({ symbol }: StreetMarket, side: Side, truth: MarketTruth, depth: number) {
  const own = sideOf(truth, side)
  const levels = (rows: MarketTruth['bids']) =>
    rows.slice(0, depth).map(([price, size]) => ({ price: priceText(price), quantity: plain(size) }))
  const [bids, asks] = [levels(own.bids), levels(own.asks)]
  const hash = digestHex(JSON.stringify([bids, asks])).slice(0, 16)
  return { marketId: symbol, outcome: String(side), bids, asks, seq: own.eventTs, hash, ts: iso(own.eventTs) }
}

/** Maker and taker are reported, but not who bought: a taker of NO is on its tape, at its price. */
export function tradeRow({ symbol, key }: StreetMarket, { ordinal, priceMicros, size, takerBuysYes, atMs }: LabTrade) {
  const outcomeIndex = takerBuysYes ? 0 : 1
  const wallet = (name: string) => `0x${digestHex(`predictstreet/${key}/${ordinal}/${name}`).slice(0, 40)}`
  return {
    id: stableUuid(`predictstreet/${symbol}/${ordinal}`),
    price: priceText(takerBuysYes ? priceMicros : 1_000_000 - priceMicros),
    quantity: plain(size),
    createdAt: iso(atMs),
    settledAt: iso(atMs),
    maker: wallet('maker'),
    taker: wallet('taker'),
    makerFee: '0',
    takerFee: '0',
    outcomeIndex,
    outcomeLabel: outcomeLabels[outcomeIndex],
  }
}
