// The flow of one venue: markets created on first use, one timer, bounded catch-up, bursts on demand.
import type { Clock, Timer } from '#core/clock'
import { ASK, BID, type Side } from './book.ts'
import { type GridName, grids } from './grid.ts'
import { EngineMarket, type LabStatus, type MarketListener } from './market.ts'
import { OrderManager } from './orderManager.ts'

export interface MarketSpec {
  id: string
  grid: GridName
  anchorMicros: number
  status: LabStatus
  result: 'yes' | 'no' | null
  /** The book starts empty and changes only from outside. */
  recordedId?: string
}

export interface EngineOptions {
  clock: Clock
  seed: string
  /** Messages per second and market. */
  ratePerSecond: number
  /** Flow is generated in batches this often, ms. */
  tickMs?: number
  /** Flow sizes are whole multiples of this many hundredths; 1 by default, 100 at venues that trade whole contracts. */
  lotHundredths?: number
  /** This many markets move from the start; others start moving when they are first read. */
  movingMarkets?: number
  /** Orders and fills of clients are numbered from the next number on; 0 by default. */
  idsAfter?: number
  listener: MarketListener
}

/** Maximum flow to catch up on after a stall, ms. */
const CATCH_UP_MAX_MS = 250
const TICK_MS = 10
const MOVING_MARKETS = 500
/** Upper bound of messages for moving a price: more than there are levels to trade through. */
const moveSteps = 2_000

export class Engine {
  private readonly options: EngineOptions
  private readonly specs: ReadonlyMap<string, MarketSpec>
  private readonly markets = new Map<string, EngineMarket>()
  private readonly timer: Timer
  private readonly startedMs: number
  private lastTickMs: number
  private bursts: { market: EngineMarket; ratePerSecond: number; untilMs: number }[] = []
  /** Accepts clients' orders. */
  readonly orderManager: OrderManager
  /** Messages of flow generated so far. */
  steps = 0
  paused = false

  constructor(specs: readonly MarketSpec[], options: EngineOptions) {
    this.options = options
    this.specs = new Map(specs.map((spec) => [spec.id, spec]))
    this.orderManager = new OrderManager({
      nowMs: () => options.clock.now(),
      listener: options.listener,
      idsAfter: options.idsAfter,
    })
    this.startedMs = options.clock.now()
    this.lastTickMs = this.startedMs
    for (const spec of specs.slice(0, options.movingMarkets ?? MOVING_MARKETS)) this.market(spec.id)
    this.timer = options.clock.every(options.tickMs ?? TICK_MS, () => this.tick())
  }

  /** The market, created on first use; null when the venue has no such id. */
  market(id: string): EngineMarket | null {
    const made = this.markets.get(id)
    if (made !== undefined) return made
    const spec = this.specs.get(id)
    if (spec === undefined) return null
    const market = this.make(spec)
    market.resting = this.orderManager
    this.markets.set(id, market)
    return market
  }

  /** The same market, read-only: an unused one is built and discarded, so that a large catalog costs no memory. */
  glance(id: string): EngineMarket | null {
    const spec = this.specs.get(id)
    return this.markets.get(id) ?? (spec === undefined ? null : this.make(spec))
  }

  /** Read without creating the market. */
  statusOf(id: string): LabStatus {
    return this.markets.get(id)?.status ?? this.specs.get(id)?.status ?? 'closed'
  }

  /** Only markets in use; catalog rows of others come from their spec. */
  touched(id: string): EngineMarket | null {
    return this.markets.get(id) ?? null
  }

  /** Extra flow on one market, up to 50,000 messages a second. */
  burst(id: string, ratePerSecond: number, durationMs: number): void {
    const market = this.need(id)
    this.bursts.push({ market, ratePerSecond, untilMs: this.options.clock.now() + durationMs })
  }

  /** Exactly `count` messages now, whatever the rate. */
  run(id: string, count: number): void {
    this.steps += count
    this.advance(this.need(id), count, this.options.clock.now())
  }

  /** The flow trades its way to another price at once, and continues around it. */
  moveTo(id: string, priceMicros: number): void {
    const market = this.need(id)
    market.aimAt(priceMicros)
    for (let n = 0; n < moveSteps && !market.isAbout(priceMicros); n++) this.run(id, 1)
  }

  /** Stops trading. The book stays as it was. */
  close(id: string): EngineMarket {
    return this.settle(id, 'closed', null)
  }

  /** Stops trading, empties the book, sets the winner. */
  resolve(id: string, result: 'yes' | 'no'): EngineMarket {
    const market = this.settle(id, 'resolved', result)
    const { clock, listener } = this.options
    for (const side of [BID, ASK] as const) {
      for (const [price] of market.book.levels(side)) {
        market.setLevel(side, market.book.grid.indexOf(price), 0, clock.now(), listener)
      }
    }
    listener.flush(market)
    return market
  }

  /** Changes the tick size; levels that no longer fit are removed first, and announced. */
  regrid(id: string, grid: GridName): EngineMarket {
    const market = this.need(id)
    const { clock, listener } = this.options
    const next = grids[grid]
    this.orderManager.cancelAll(market)
    for (const side of [BID, ASK] as const) {
      for (const [price] of market.book.levels(side)) {
        if (next.indexOf(price) >= 0) continue
        market.setLevel(side, market.book.grid.indexOf(price), 0, clock.now(), listener)
      }
    }
    listener.flush(market)
    market.book.regrid(next)
    return market
  }

  /** Removes every second level without announcing it: what a disconnected client missed. */
  dropLevelsSilently(id: string): void {
    const market = this.need(id)
    for (const side of [BID, ASK] as const) {
      const levels = market.book.levels(side)
      levels.forEach(([price], n) => {
        if (n % 2 === 1) market.setLevel(side, market.book.grid.indexOf(price), 0, this.options.clock.now(), null)
      })
    }
  }

  /** Sets a level from outside (tests, recordings); size in contracts. Ignored off the grid. */
  setLevel(id: string, side: Side, priceMicros: number, size: number): boolean {
    const market = this.need(id)
    const index = market.book.grid.indexOf(priceMicros)
    if (index < 0) return false
    market.setLevel(side, index, Math.round(size * 100), this.options.clock.now(), this.options.listener)
    this.options.listener.flush(market)
    return true
  }

  stop(): void {
    this.timer.cancel()
    this.bursts = []
  }

  private make(spec: MarketSpec): EngineMarket {
    const { seed, ratePerSecond, lotHundredths } = this.options
    return new EngineMarket({ ...spec, seed, ratePerSecond, lotHundredths, nowMs: this.startedMs })
  }

  private tick(): void {
    const now = this.options.clock.now()
    const elapsedMs = Math.min(now - this.lastTickMs, CATCH_UP_MAX_MS)
    this.lastTickMs = now
    if (this.paused || elapsedMs <= 0) return
    for (const market of this.markets.values()) {
      if (market.status === 'open' && market.ratePerSecond > 0) this.pay(market, market.ratePerSecond, elapsedMs, now)
    }
    if (this.bursts.length === 0) return
    for (const burst of this.bursts) {
      if (burst.market.status === 'open') this.pay(burst.market, burst.ratePerSecond, elapsedMs, now)
    }
    this.bursts = this.bursts.filter((burst) => burst.untilMs > now)
  }

  private pay(market: EngineMarket, ratePerSecond: number, elapsedMs: number, now: number): void {
    market.backlog += (ratePerSecond * elapsedMs) / 1000
    const count = Math.floor(market.backlog)
    if (count === 0) return
    market.backlog -= count
    this.steps += count
    this.advance(market, count, now)
  }

  private advance(market: EngineMarket, count: number, now: number): void {
    const { listener } = this.options
    for (let n = 0; n < count; n++) market.step(now, listener)
    listener.flush(market)
  }

  private settle(id: string, status: LabStatus, result: 'yes' | 'no' | null): EngineMarket {
    const market = this.need(id)
    this.orderManager.cancelAll(market)
    market.status = status
    market.result = result
    market.statusAtMs = this.options.clock.now()
    return market
  }

  private need(id: string): EngineMarket {
    const market = this.market(id)
    if (market === null) throw new Error(`the lab has no market ${id}`)
    return market
  }
}
