// A record of traders on the real engine, and trades for it whose sums are easy to compute separately.
import { createPrng } from '#lab/prng'
import type { WalletTrade } from '#schemas/topics'
import type { TapeStore } from '#storage/clickhouse/client'
import { insertSettlements } from '#storage/clickhouse/traderInsert'
import { type RecordCatalog, RollUp, ScoreCache, TraderWriter } from '#traders/record/index'

export const begun = Date.UTC(2026, 10, 1)
export const dayMs = 86_400_000

/** Outcome ids are `<market>-yes` and `<market>-no`. */
export const placesOf = (closesAt: number | null = null): RecordCatalog => ({
  findPlace: async (_venue, outcomeId) => ({ marketId: outcomeId.replace(/-(yes|no)$/, ''), outcomeId, closesAt }),
  findMarkets: async () => [],
})

export const trade = (tradeId: string, more: Partial<WalletTrade> = {}): WalletTrade => ({
  venue: 'rain',
  outcomeId: 'm1-yes',
  tradeId,
  ts: begun,
  recvTs: (more.ts ?? begun) + 1_000,
  priceMicros: 500_000,
  size: 10,
  side: 'buy',
  usd: 5,
  wallet: '0xa',
  counterparty: null,
  ...more,
})

export interface TradesOptions {
  seed: string
  count: number
  wallets: number
  markets: number
  spanMs: number
}

/** In order of time; some with two wallets, some without a value in USD or without a price. */
export function drawTrades({ seed, count, wallets, markets, spanMs }: TradesOptions): WalletTrade[] {
  const prng = createPrng(seed)
  const name = (): string => `0x${prng.int(wallets).toString(16).padStart(4, '0')}`
  return Array.from({ length: count }, (_, n) => {
    const ts = begun + Math.floor((n * spanMs) / count)
    const priceMicros = prng.chance(0.002) ? null : 10_000 * (1 + prng.int(99))
    const size = (1 + prng.int(100_000)) / 100
    const wallet = name()
    return trade(`t${n}`, {
      venue: prng.chance(0.5) ? 'rain' : 'polymarket',
      outcomeId: `m${prng.int(markets)}-${prng.chance(0.5) ? 'yes' : 'no'}`,
      ts,
      recvTs: ts + prng.int(3_000),
      priceMicros,
      size,
      side: prng.chance(0.7) ? 'buy' : 'sell',
      usd: priceMicros === null ? null : Math.round(priceMicros * size) / 1_000_000,
      wallet,
      counterparty: prng.chance(0.5) ? name() : null,
    })
  })
}

/** Yes or no by the number of the market. */
export const settlementsOf = (markets: number) =>
  Array.from({ length: markets }, (_, n) => n).flatMap((n) =>
    ['rain', 'polymarket'].flatMap((venue) =>
      (['yes', 'no'] as const).map((side) => ({
        venue,
        marketId: `m${n}`,
        outcomeId: `m${n}-${side}`,
        payoutMicros: n % 2 === (side === 'yes' ? 0 : 1) ? 1_000_000 : 0,
      })),
    ),
  )

let tokens = 0
export const newToken = (): string => `test ${tokens++}`

export async function settleMarkets(store: TapeStore, markets: number): Promise<void> {
  await insertSettlements(store, settlementsOf(markets), ++tokens, newToken())
}

export interface TraderPipeline {
  judgements: ScoreCache
  writer: TraderWriter
  rollUp: RollUp
}

/** Like a process that has just started. */
export function startPipeline(
  store: Pick<TapeStore, 'rows' | 'command' | 'insert'>,
  catalog = placesOf(),
): TraderPipeline {
  const judgements = new ScoreCache(store)
  const writer = new TraderWriter({ store, catalog, judgements })
  return { judgements, writer, rollUp: new RollUp(store, (wallets) => judgements.update(wallets)) }
}

export async function rollUpAll(rollUp: RollUp): Promise<void> {
  while ((await rollUp.pass()).more);
}

const tables = [
  'trader_trades',
  'trader_feed',
  'trader_told',
  'trader_days',
  'trader_wallets',
  'trader_settlements',
  'trader_progress',
  'trader_looks',
]
export async function forgetAll(store: TapeStore): Promise<void> {
  for (const table of [...tables, 'withdrawn_trades']) await store.command(`TRUNCATE TABLE ${table}`)
}

/** Every stored wallet, without its refresh time. */
export const walletsKept = (store: TapeStore): Promise<Record<string, unknown>[]> =>
  store.rows('SELECT * EXCEPT (refreshed_at) FROM trader_wallets FINAL ORDER BY venue, wallet FORMAT JSONEachRow')
