// Hyperliquid's objects as text: books, orders, fills, the catalog.

import type { EngineMarket, LabTrade, MarketTruth } from '../engine/market.ts'
import type { SimulatedFill, SimulatedOrder } from '../engine/orderManager.ts'
import { digestHex } from '../prng.ts'
import { SyntheticTraders } from '../syntheticTraders.ts'
import { detailsOf, ownMicros } from './accounts.ts'
import { coinOf, type HyperListing, type HyperOutcome, type HyperSide } from './marketGenerator.ts'

export const quoteToken = 'USDC'
export const deployerFeeScale = '1'
const levelsMax = 20
const firstOid = 480_264_000_000
const firstTid = 110_000_000_000_000
/** Base tier of the spot rates, doubled at a scale of one. */
const rates = { maker: 0.0004 * 2, taker: 0.0007 * 2 }

export const oidOf = (order: SimulatedOrder): number => firstOid + order.ordinal

/** `0.351`: no trailing zeros. */
export const px = (micros: number): string => String(micros / 1_000_000)
/** `50.0`, the venue's format of whole numbers. */
export const sz = (contracts: number): string =>
  Number.isInteger(contracts) ? contracts.toFixed(1) : String(contracts)

export function bookRow(named: HyperSide, { bids, asks, eventTs }: MarketTruth) {
  const levels = (side: MarketTruth['bids']) =>
    side
      .slice(0, levelsMax)
      .map(([price, size]) => ({ px: px(named.side === 0 ? price : 1_000_000 - price), sz: sz(size), n: 1 }))
  const sides = named.side === 0 ? [bids, asks] : [asks, bids]
  return { coin: coinOf(named), time: eventTs, levels: sides.map(levels) }
}

/** In a question's list an outcome appears under its own name alone. */
export const specRow = ({ outcome, catalog, event, sides }: HyperOutcome) => ({
  outcome,
  name: event.exclusive ? catalog.label : catalog.question,
  description: event.rules,
  sideSpecs: sides.map((name) => ({ name })),
  quoteToken,
  deployerFeeScale,
})

export const metaRow = ({ outcomes, questions }: HyperListing, isLive: (outcome: HyperOutcome) => boolean) => ({
  outcomes: [
    ...outcomes.filter(isLive).map(specRow),
    ...questions.map(({ fallback, event }) => ({
      outcome: fallback,
      name: `${event.title}: other`,
      description: event.rules,
      sideSpecs: [{ name: 'Yes' }, { name: 'No' }],
      quoteToken,
      deployerFeeScale,
    })),
  ],
  questions: questions.map((question) => ({
    question: question.question,
    name: question.event.title,
    description: question.event.rules,
    fallbackOutcome: question.fallback,
    namedOutcomes: question.outcomes.map(({ outcome }) => outcome),
    settledNamedOutcomes: question.outcomes.filter((outcome) => !isLive(outcome)).map(({ outcome }) => outcome),
  })),
})

/** One of the venue's templates; no outcome of the lab is built from it. */
export const templateRows = [
  {
    id: 'binaryPrice',
    role: { standaloneOutcome: { sideNames: ['Yes', 'No'] } },
    name: '{perp} above {threshold} at {time}?',
    description: 'The market resolves to Yes if {perp} is above {threshold} at {time}.',
    keywords: [
      ['perp', 'hlPerp'],
      ['threshold', 'uDecimal'],
      ['time', 'dateTime'],
    ],
  },
]

/** Half of a market's all-time volume is reported as each side's day volume. */
export function contextRow(coin: string, midMicros: number, volumeHundredths: number) {
  const contracts = volumeHundredths / 200
  const notional = Number((contracts * (midMicros / 1_000_000)).toFixed(8))
  return {
    coin,
    prevDayPx: px(midMicros),
    markPx: px(midMicros),
    midPx: px(midMicros),
    dayNtlVlm: sz(notional),
    dayBaseVlm: sz(contracts),
    circulatingSupply: sz(contracts),
    totalSupply: sz(contracts),
  }
}

export function openRow(order: SimulatedOrder) {
  const { named, isBuy } = detailsOf(order)
  return {
    coin: coinOf(named),
    side: isBuy ? 'B' : 'A',
    limitPx: px(ownMicros(order, order.priceMicros)),
    sz: sz((order.hundredths - order.filledHundredths) / 100),
    oid: oidOf(order),
    timestamp: order.createdAtMs,
    origSz: sz(order.hundredths / 100),
    ...(order.clientId === null ? {} : { cloid: order.clientId }),
  }
}

export const frontendRow = (order: SimulatedOrder) => ({
  ...openRow(order),
  triggerCondition: 'N/A',
  isTrigger: false,
  triggerPx: '0.0',
  children: [],
  isPositionTpsl: false,
  reduceOnly: false,
  orderType: 'Limit',
  tif: detailsOf(order).tif,
  cloid: order.clientId,
})

export const statusRow = (order: SimulatedOrder, status: string) => ({
  order: frontendRow(order),
  status,
  statusTimestamp: order.updatedAtMs,
})

export function fillRow(order: SimulatedOrder, fill: SimulatedFill) {
  const { named, isBuy } = detailsOf(order)
  const contracts = fill.hundredths / 100
  const micros = ownMicros(order, fill.priceMicros)
  const before = order.fills.filter(({ id }) => id < fill.id).reduce((sum, each) => sum + each.hundredths / 100, 0)
  const fee = isBuy ? 0 : contracts * (micros / 1_000_000) * (fill.maker ? rates.maker : rates.taker)
  return {
    coin: coinOf(named),
    px: px(micros),
    sz: sz(contracts),
    side: isBuy ? 'B' : 'A',
    time: fill.atMs,
    startPosition: sz(before),
    dir: isBuy ? 'Buy' : 'Sell',
    closedPnl: '0.0',
    hash: `0x${digestHex(`hyperliquid/trade/${order.market.id}/${fill.trade}`)}`,
    oid: oidOf(order),
    crossed: !fill.maker,
    fee: fee === 0 ? '0.0' : String(Number(fee.toFixed(8))),
    tid: firstTid + fill.id,
    feeToken: quoteToken,
    twapId: null,
    ...(order.clientId === null ? {} : { cloid: order.clientId }),
  }
}

export const syntheticTraders = new SyntheticTraders('hyperliquid')

export function tradeRow(named: HyperSide, trade: LabTrade) {
  const coin = coinOf(named)
  const { key } = named.outcome
  const [taker, maker] = [syntheticTraders.takerOf(key, trade), syntheticTraders.makerOf(key, trade)]
  const isBuy = trade.takerBuysYes === (named.side === 0)
  return {
    coin,
    side: isBuy ? 'B' : 'A',
    px: px(named.side === 0 ? trade.priceMicros : 1_000_000 - trade.priceMicros),
    sz: sz(trade.size),
    time: trade.atMs,
    hash: `0x${digestHex(`hyperliquid/trade/${named.outcome.key}/${trade.ordinal}`)}`,
    tid: trade.ordinal,
    users: isBuy ? [taker.wallet, maker.wallet] : [maker.wallet, taker.wallet],
  }
}

export const bboText = (market: EngineMarket, { side }: HyperSide): string => {
  const [bid, ask] = [market.book.bestBidMicros() ?? 0, market.book.bestAskMicros() ?? 1_000_000]
  return side === 0 ? `${px(bid)}@${px(ask)}` : `${px(1_000_000 - ask)}@${px(1_000_000 - bid)}`
}
