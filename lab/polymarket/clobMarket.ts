// The CLOB's view of a market: the full one, and the compact one that carries V2 fees.
import type { Engine } from '../engine/engine.ts'
import { feeRate, type PolyMarket } from './marketGenerator.ts'

/** Smallest price step, as a number. */
export const stepOf = (engine: Engine, market: PolyMarket): number =>
  engine.glance(market.key)!.book.grid.stepMicros / 1_000_000

export function compactMarket(engine: Engine, market: PolyMarket): Record<string, unknown> {
  const live = engine.glance(market.key)!
  const rate = feeRate(market.event)
  return {
    c: market.conditionId,
    v: market.protocol,
    t: market.tokens.map((t, i) => ({ t, o: market.outcomes[i] })),
    mts: stepOf(engine, market),
    mos: 5,
    ...(market.event.negRisk ? { nr: true } : {}),
    ...(rate > 0 ? { fd: { r: rate, e: 1, to: true }, mbf: 1000, tbf: 1000 } : { mbf: 0, tbf: 0 }),
    r: null,
    ao: live.status === 'open',
    aot: new Date(market.event.catalog.createdMs).toISOString(),
    sd: 0,
    gst: null,
    cbos: true,
    itode: false,
    ibce: false,
    rfqe: false,
    oas: 0,
  }
}

export function clobMarket(engine: Engine, market: PolyMarket): Record<string, unknown> {
  const live = engine.glance(market.key)!
  const open = live.status === 'open'
  const yes = Math.round(live.midMicros() / 100) / 10_000
  const { catalog } = market.event
  const fee = feeRate(market.event) > 0 ? 1000 : 0
  return {
    enable_order_book: open,
    active: true,
    closed: !open,
    archived: false,
    accepting_orders: open,
    accepting_order_timestamp: new Date(catalog.createdMs).toISOString(),
    minimum_order_size: 5,
    minimum_tick_size: stepOf(engine, market),
    condition_id: market.conditionId,
    question_id: market.questionId,
    question: market.catalog.question,
    description: catalog.rules,
    market_slug: market.slug,
    end_date_iso: new Date(catalog.endMs).toISOString(),
    game_start_time: null,
    seconds_delay: 0,
    fpmm: '',
    maker_base_fee: fee,
    taker_base_fee: fee,
    notifications_enabled: true,
    neg_risk: market.event.negRisk,
    neg_risk_market_id: market.event.negRiskMarketId,
    neg_risk_request_id: market.event.negRisk ? market.questionId : '',
    icon: '',
    image: '',
    rewards: { rates: null, min_size: 50, max_spread: 4.5 },
    is_50_50_outcome: false,
    tokens: market.tokens.map((token_id, i) => ({
      token_id,
      outcome: market.outcomes[i],
      price: i === 0 ? yes : Math.round((1 - yes) * 10_000) / 10_000,
      winner: live.result === (i === 0 ? 'yes' : 'no'),
    })),
    tags: catalog.tags,
  }
}
