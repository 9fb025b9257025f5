// Gamma's objects: market, event, tag, series, as recorded in 2026.
import type { Engine } from '../engine/engine.ts'
import type { EngineMarket } from '../engine/market.ts'
import { feeRate, type PolyEvent, type PolyMarket } from './marketGenerator.ts'

export function createGammaRows(engine: Engine) {
  function market(poly: PolyMarket, live: EngineMarket, withEvent: boolean): Record<string, unknown> {
    const { catalog, event } = poly
    const isV2 = poly.protocol === 'v2'
    const closed = live.status !== 'open'
    const yes = live.result === null ? live.midMicros() / 1_000_000 : live.result === 'yes' ? 1 : 0
    const volume = live.volumeHundredths / 200
    const liquidity = bookValue(live)
    const rate = feeRate(event)
    const bid = live.book.bestBidMicros()
    const ask = live.book.bestAskMicros()
    return {
      id: poly.id,
      question: catalog.question,
      conditionId: isV2 ? poly.conditionId.slice(0, -2) : poly.conditionId,
      version: poly.protocol,
      slug: poly.slug,
      resolutionSource: '',
      endDate: iso(event.catalog.endMs),
      liquidity: String(liquidity),
      startDate: iso(event.catalog.createdMs),
      image: '',
      icon: '',
      description: event.catalog.rules,
      outcomes: JSON.stringify(poly.outcomes),
      outcomePrices: JSON.stringify([String(round(yes)), String(round(1 - yes))]),
      volume: String(volume),
      active: true,
      closed,
      marketMakerAddress: '',
      createdAt: iso(event.catalog.createdMs),
      // At the venue it may move with the price; this is not documented.
      updatedAt: iso(live.statusAtMs),
      ...(closed ? { closedTime: `${iso(live.statusAtMs).slice(0, 19).replace('T', ' ')}+00` } : {}),
      new: false,
      featured: false,
      archived: false,
      restricted: true,
      groupItemTitle: event.markets.length > 1 ? catalog.label : '',
      groupItemThreshold: String(poly.groupIndex),
      questionID: poly.questionId,
      enableOrderBook: !closed,
      orderPriceMinTickSize: live.book.grid.stepMicros / 1_000_000,
      orderMinSize: 5,
      ...(isV2 ? { resolutionStatus: live.status === 'resolved' ? 'resolved' : 'active' } : {}),
      ...(!isV2 && live.status === 'resolved' ? { umaResolutionStatus: 'resolved' } : {}),
      volumeNum: volume,
      liquidityNum: liquidity,
      endDateIso: iso(event.catalog.endMs).slice(0, 10),
      startDateIso: iso(event.catalog.createdMs).slice(0, 10),
      hasReviewedDates: true,
      volume24hr: round(volume / 12),
      volume1wk: round(volume / 3),
      volume1mo: round(volume / 1.5),
      volume1yr: volume,
      ...(isV2 ? { clobTokenIds: null, positionIds: poly.tokens } : { clobTokenIds: JSON.stringify(poly.tokens) }),
      volume24hrClob: round(volume / 12),
      volume1wkClob: round(volume / 3),
      volume1moClob: round(volume / 1.5),
      volume1yrClob: volume,
      volumeClob: volume,
      liquidityClob: liquidity,
      ...(rate > 0 ? { makerBaseFee: 1000, takerBaseFee: 1000 } : {}),
      acceptingOrders: !closed,
      negRisk: event.negRisk,
      ...(event.negRisk ? { negRiskMarketID: event.negRiskMarketId, negRiskRequestID: poly.questionId } : {}),
      negRiskOther: false,
      ready: false,
      funded: false,
      acceptingOrdersTimestamp: iso(event.catalog.createdMs),
      cyom: false,
      competitive: round(1 - Math.abs(0.5 - yes)),
      approved: true,
      rewardsMinSize: 50,
      rewardsMaxSpread: 4.5,
      spread: bid === null || ask === null ? 1 : round((ask - bid) / 1_000_000),
      oneHourPriceChange: changeSince(live, 3_600_000),
      oneDayPriceChange: changeSince(live, 86_400_000),
      oneWeekPriceChange: changeSince(live, 7 * 86_400_000),
      oneMonthPriceChange: changeSince(live, 30 * 86_400_000),
      lastTradePrice: (live.lastTrade?.priceMicros ?? 0) / 1_000_000,
      ...(bid === null ? {} : { bestBid: bid / 1_000_000 }),
      ...(ask === null ? {} : { bestAsk: ask / 1_000_000 }),
      automaticallyActive: true,
      clearBookOnStart: true,
      manualActivation: false,
      umaResolutionStatuses: '[]',
      pendingDeployment: false,
      deploying: false,
      rfqEnabled: false,
      holdingRewardsEnabled: false,
      feesEnabled: rate > 0,
      feeType: rate > 0 ? 'crypto_fees' : null,
      ...(rate > 0 ? { feeSchedule: { exponent: 1, rate, takerOnly: true, rebateRate: 0.2 } } : {}),
      requiresTranslation: false,
      ...(event.catalog.startMs === null
        ? {}
        : {
            gameStartTime: `${iso(event.catalog.startMs).slice(0, 19).replace('T', ' ')}+00`,
            sportsMarketType: 'moneyline',
          }),
      ...(withEvent ? { events: [eventHead(event, [])] } : {}),
    }
  }

  function eventHead(event: PolyEvent, lives: readonly EngineMarket[]): Record<string, unknown> {
    const { catalog } = event
    const volume = lives.reduce((sum, live) => sum + live.volumeHundredths / 200, 0)
    const liquidity = lives.reduce((sum, live) => sum + bookValue(live), 0)
    return {
      id: event.id,
      ticker: event.slug,
      slug: event.slug,
      title: catalog.title,
      description: catalog.rules,
      resolutionSource: '',
      startDate: iso(catalog.createdMs),
      creationDate: iso(catalog.createdMs),
      endDate: iso(catalog.endMs),
      image: '',
      icon: '',
      active: true,
      closed: event.markets.every((poly) => engine.statusOf(poly.key) !== 'open'),
      archived: false,
      new: false,
      featured: false,
      restricted: true,
      liquidity: round(liquidity),
      volume: round(volume),
      openInterest: round(volume / 5),
      createdAt: iso(catalog.createdMs),
      updatedAt: iso(lives.reduce((latest, live) => Math.max(latest, live.statusAtMs), catalog.createdMs)),
      competitive: 0.9,
      volume24hr: round(volume / 12),
      volume1wk: round(volume / 3),
      volume1mo: round(volume / 1.5),
      volume1yr: round(volume),
      enableOrderBook: true,
      liquidityClob: round(liquidity),
      negRisk: event.negRisk,
      ...(event.negRisk ? { negRiskMarketID: event.negRiskMarketId } : {}),
      commentCount: 0,
      cyom: false,
      showAllOutcomes: true,
      showMarketImages: false,
      enableNegRisk: event.negRisk,
      automaticallyActive: true,
      negRiskAugmented: false,
      pendingDeployment: false,
      deploying: false,
      requiresTranslation: false,
    }
  }

  return {
    /** One standalone market, with its event inside. */
    market: (poly: PolyMarket) => market(poly, engine.glance(poly.key)!, true),
    event(event: PolyEvent): Record<string, unknown> {
      const lives = event.markets.map(({ key }) => engine.glance(key)!)
      return {
        ...eventHead(event, lives),
        markets: event.markets.map((poly, i) => market(poly, lives[i]!, false)),
        ...(event.series === null ? {} : { series: [seriesRow(event.series)], seriesSlug: event.series.slug }),
        tags: event.tags.map(tagRow),
      }
    },
  }
}

export const tagRow = (tag: { id: string; label: string; slug: string }) => ({
  ...tag,
  forceShow: false,
  createdAt: '2023-12-07T19:16:45.993Z',
  updatedAt: '2026-02-06T20:01:39.282804Z',
  requiresTranslation: false,
})

export const seriesRow = (series: { id: string; slug: string; title: string }) => ({
  id: series.id,
  ticker: series.slug,
  slug: series.slug,
  title: series.title,
  seriesType: 'single',
  recurrence: 'daily',
  image: '',
  icon: '',
  active: true,
  closed: false,
  archived: false,
  featured: false,
  restricted: true,
})

function bookValue(live: EngineMarket): number {
  const { bids, asks } = live.truth()
  const sum = (levels: readonly (readonly [number, number])[]) =>
    levels.reduce((total, [p, s]) => total + (p / 1e6) * s, 0)
  return round(sum(bids) + sum(asks))
}

const changeSince = (live: EngineMarket, ms: number): number =>
  round((live.midMicros() - live.priceAt(live.eventTs - ms)) / 1_000_000)

const round = (value: number): number => Math.round(value * 10_000) / 10_000
const iso = (ms: number): string => new Date(ms).toISOString()
