// Reads who traded on a venue's most active markets, at venues whose stream does not identify traders. One market at a time, with pauses; the market
// that was read longest ago comes first. Trades of the previous read are not reported again; the record's writer skips those it already has.
import { backoffMs } from '#core/backoff'
import type { Clock, Timer } from '#core/clock'
import type { Log } from '#core/log'
import type { Market } from '#schemas/market'
import type { WalletTrade } from '#schemas/topics'
import type { TraderTrade } from '#schemas/traders'
import { isSaneTrade } from '#venues/shared/data/sanityChecks'
import type { VenueTraders } from '#venues/traderData'
import type { VenueContext } from '#venues/venueContext'

/** Rows per read: as many as a venue returns at once. */
const tradesPerRead = 100
/** Between two reads of a venue. */
const readEveryMs = 3_000
/** Minimum interval between reads of one market, however few markets there are. */
const marketEveryMs = 30_000
const marketsEveryMs = 300_000
const failureCapMs = 300_000
/** How often the progress of all markets is reported. */
const reportEveryMs = 10_000

export interface WalletPollerOptions {
  venue: string
  context: VenueContext
  fetchTrades: NonNullable<VenueTraders['fetchTrades']>
  /** Most active first. */
  findMarkets(): Promise<Market[]>
  onTrades(trades: WalletTrade[]): Promise<void>
  /** All trades on any of the markets up to then, epoch ms, were passed to `onTrades` before. */
  onProgress(at: number): void
  random(): number
  clock: Clock
  log: Log
}

export class WalletPoller {
  private markets: Market[] = []
  private marketsAt = Number.NEGATIVE_INFINITY
  /** On the monotonic clock, by market. */
  private readonly readAt = new Map<string, number>()
  /** When a market was last read, epoch ms, with its trades reported. */
  private readonly checkedAt = new Map<string, number>()
  private reportedAt = Number.NEGATIVE_INFINITY
  /** Trades of a market's last read: the next read returns most of them again. */
  private readonly reportedTrades = new Map<string, ReadonlySet<string>>()
  private timer: Timer | null = null
  private polling: Promise<void> = Promise.resolve()
  private stopped = false
  private failures = 0
  private readonly options: WalletPollerOptions

  constructor(options: WalletPollerOptions) {
    this.options = options
    this.scheduleNext()
  }

  async stop(): Promise<void> {
    this.stopped = true
    this.timer?.cancel()
    await this.polling
  }

  private scheduleNext(): void {
    if (this.stopped) return
    const { clock, random } = this.options
    const slower =
      this.failures === 0 ? 0 : backoffMs(this.failures, { baseMs: readEveryMs, capMs: failureCapMs }, random)
    this.timer = clock.after(readEveryMs + slower, () => {
      this.polling = this.poll().then(() => this.scheduleNext())
    })
  }

  /** Never rejects. */
  private async poll(): Promise<void> {
    const { venue, context, fetchTrades, onTrades, clock, log } = this.options
    try {
      await this.refreshMarkets()
      const market = this.next()
      if (market === null) return
      // It was read even when it fails: a market that always fails would block the others.
      this.readAt.set(market.marketId, clock.monotonic())
      const recvTs = clock.now()
      const { rows } = await fetchTrades(context, market, { limit: tradesPerRead, after: null })
      const trades = rows.flatMap((row) => walletTradeOfRow(row, recvTs) ?? [])
      const reported = this.reportedTrades.get(market.marketId)
      if (this.stopped) return
      await onTrades(trades.filter((trade) => reported?.has(keyOf(trade)) !== true))
      this.reportedTrades.set(market.marketId, new Set(trades.map(keyOf)))
      this.checkedAt.set(market.marketId, recvTs)
      this.reportProgress()
      this.failures = 0
    } catch (error) {
      if (this.failures++ === 0 && !this.stopped)
        log.warn({ venue, err: error }, 'failed to read trades with their wallets')
    }
  }

  /** The oldest of them counts; a market never read makes the progress of all unknown. */
  private reportProgress(): void {
    const at = Math.min(...this.markets.map(({ marketId }) => this.checkedAt.get(marketId) ?? Number.NEGATIVE_INFINITY))
    if (!Number.isFinite(at) || at - this.reportedAt < reportEveryMs) return
    this.reportedAt = at
    this.options.onProgress(at)
  }

  private async refreshMarkets(): Promise<void> {
    const now = this.options.clock.monotonic()
    if (this.markets.length > 0 && now - this.marketsAt < marketsEveryMs) return
    this.markets = await this.options.findMarkets()
    this.marketsAt = now
    const ids = new Set(this.markets.map(({ marketId }) => marketId))
    for (const known of [this.readAt, this.checkedAt, this.reportedTrades])
      for (const marketId of known.keys()) if (!ids.has(marketId)) known.delete(marketId)
  }

  /** Null: none is due. */
  private next(): Market | null {
    let due: Market | null = null
    let since = this.options.clock.monotonic() - marketEveryMs
    for (const market of this.markets) {
      const at = this.readAt.get(market.marketId) ?? Number.NEGATIVE_INFINITY
      if (at <= since && (due === null || at < since)) [due, since] = [market, at]
    }
    return due
  }
}

/** Without its time, which a venue may correct later. */
const keyOf = ({ outcomeId, tradeId }: WalletTrade): string => `${outcomeId} ${tradeId}`

/** Null when the row does not prove who traded what. */
export function walletTradeOfRow(trade: TraderTrade, recvTs: number): WalletTrade | null {
  const row = isSaneTrade(trade, recvTs)
  if (row === null) return null
  const { venue, outcomeId, tradeId, ts, wallet, side, price, amount, usdSize } = row
  if (wallet === null || side === null || outcomeId === null || amount === null) return null
  return {
    venue,
    outcomeId,
    tradeId,
    ts,
    recvTs,
    priceMicros: price === null ? null : Math.round(price * 1_000_000),
    size: amount,
    side,
    usd: usdSize,
    wallet,
    counterparty: null,
  }
}
