// A backtest of one binary market with one book, from a tape in memory.
import { marketOf } from '#backtest/data/loadMarkets'
import type { BacktestReport } from '#backtest/report/report'
import { type BacktestOptions, runBacktest } from '#backtest/runBacktest'
import type { TapeLevel } from '#backtest/tape/books'
import type { EmittedFrame } from '#history/paced/sources'
import { type Market, noPriceChanges } from '#schemas/market'
import type { TradeData } from '#schemas/topics'
import type { Strategy } from '#sdk/typescript/src/index'
import type { ExecutionAdapter } from '#venues/lane'
import { lanes, registry } from '#venues/registry'

export const startMs = Date.parse('2026-11-01T00:00:00Z')
export const marketId = 'KXTEST-26-A'
export const noId = `${marketId}-NO`

export const row = (over: Partial<Market> = {}): Market => ({
  ...{ marketId, eventId: null, title: 'Does it happen?', description: '' },
  outcomes: [
    { outcomeId: marketId, marketId, label: 'Yes', price: 1, ...noPriceChanges, coverage: null },
    { outcomeId: noId, marketId, label: 'No', price: 0, ...noPriceChanges, coverage: null },
  ],
  ...{ volume24h: 12, volume: 34, liquidity: null, openInterest: null, url: '', tickSize: 0.01 },
  status: 'active',
  sourceExchange: 'kalshi',
  sourceMetadata: {
    marketType: 'binary',
    result: 'yes',
    fees: { feeType: 'quadratic', multiplier: 1, takerRate: 0.07, makerRate: 0 },
  },
  ...over,
})

export const level = (price: number, size: number): TapeLevel => ({ price, size })

export const book = (afterMs: number, bid: number, ask: number, size = 100): EmittedFrame => ({
  at: startMs + afterMs,
  kind: 'book',
  data: { bids: [level(bid, size)], asks: [level(ask, size)], timestamp: startMs + afterMs },
})

export const trade = (afterMs: number, price: number, shares: number, type: TradeData['type']): EmittedFrame => {
  const at = startMs + afterMs
  const data: TradeData = {
    ...{ id: `t${afterMs}`, time: new Date(at).toISOString(), timestamp: at, type, usd: null, outcome: null },
    ...{ outcomeIndex: null, shares, price, maker: null, transactionHash: null, wallet: null, counterparty: null },
  }
  return { at, kind: 'trade', data }
}

export const gap = (fromMs: number, toMs: number | null, reason = 'disconnected'): EmittedFrame => ({
  at: startMs + fromMs,
  kind: 'gap',
  data: {
    kind: 'gap',
    from: new Date(startMs + fromMs).toISOString(),
    to: toMs === null ? null : new Date(startMs + toMs).toISOString(),
    reason,
  },
})

export interface World extends Partial<Omit<BacktestOptions, 'strategy' | 'gaps'>> {
  tape: readonly EmittedFrame[]
  gaps?: readonly EmittedFrame[]
  market?: Partial<Market>
  lastMs?: number
}

export const laneBySlug: ReadonlyMap<string, ExecutionAdapter> = new Map(Object.entries(lanes))

export function optionsOf(world: World, run: Strategy): BacktestOptions {
  const { tape, gaps = [], market, lastMs = 60_000, ...given } = world
  const feeds: BacktestOptions['feeds'][number][] = []
  const markets = [marketOf(registry.kalshi, marketId, row(market), feeds)]
  return {
    strategy: { kind: 'module', name: 'test.ts', sha256: '0'.repeat(64), run },
    ...{ markets, feeds, lanes: laneBySlug, seed: 'seed', sinceMs: startMs, untilMs: startMs + lastMs },
    sources: [{ feed: 0, pages: pages(tape) }],
    gaps: gaps.map((frame) => ({ feed: 0, frame })),
    fillModel: { latencyMedianMs: 10, latencySigma: 0 },
    ...given,
  }
}

export const backtest = (world: World, run: Strategy): Promise<BacktestReport> => runBacktest(optionsOf(world, run))

async function* pages(frames: readonly EmittedFrame[]): AsyncGenerator<EmittedFrame[]> {
  for (let i = 0; i < frames.length; i += 500) yield frames.slice(i, i + 500)
}

/** A market that moves by cents: the same numbers for the same arguments. */
export function wanderingTape(rows: number, everyMs = 1_000): EmittedFrame[] {
  let seed = 12_345
  const next = (): number => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
    return seed / 0x7fffffff
  }
  let cents = 50
  return Array.from({ length: rows }, (_, i) => {
    const draw = next()
    if (draw < 0.05) cents = Math.min(90, cents + 1)
    else if (draw > 0.95) cents = Math.max(10, cents - 1)
    const at = i * everyMs
    const frames = [book(at, (cents - 1) / 100, (cents + 1) / 100, 50 + Math.floor(next() * 50))]
    if (next() < 0.1) {
      const buys = next() < 0.5
      frames.push(trade(at + 1, (buys ? cents + 2 : cents - 2) / 100, 80, buys ? 'Buy' : 'Sell'))
    }
    return frames
  }).flat()
}

/** Builds and submits; returns the execution id. */
export async function placeOrder(
  { client }: Parameters<Strategy>[0],
  order: { outcome?: string; isBuy: boolean; price: string; size: number; postOnly?: boolean },
): Promise<string> {
  const path = { venue: 'kalshi' }
  const { data } = await client.api.buildExecution({ path, body: { outcome: marketId, ...order } as never })
  const { executionId } = data
  await client.api.submitExecution({ path: { ...path, executionId }, body: {} as never })
  return executionId
}
