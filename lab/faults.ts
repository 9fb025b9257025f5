// A venue's active faults. Frames and responses check here what happens to them; tests and the control endpoint set the faults.
import type { Clock, Timer } from '#core/clock'
import type { Engine } from './engine/engine.ts'
import type { EngineMarket, MarketTruth } from './engine/market.ts'
import { type FaultKind, type FaultOptions, type FaultParsed, faultShapes } from './faultCommands.ts'

export type FrameFault = 'send' | 'drop' | 'duplicate' | 'hold'

/** What faults need from the venue. Market ids are public ones here, engine ids inside the engine. */
export interface FaultTarget {
  clock: Clock
  engine: Engine
  engineId(publicId: string): string | null
  closeSockets(options: { closeFrame: boolean; code: number }): void
  /** Ends muting and releases held frames. */
  unmuteSockets(): void
  muteSockets(): void
  broadcastRaw(text: string): void
  /** Notifies subscribers of a market's event, in the venue's format. */
  announce(kind: 'tickSize' | 'closed' | 'resolved', market: EngineMarket, oldStepMicros: number): void
  /** Which snapshots `staleSnapshot` affects by default. */
  staleVia: 'rest' | 'both'
  /** The frame that ends a slow subscription; null when the venue has none. */
  overflowFrame: string | null
}

interface DeltaRule {
  fault: Exclude<FrameFault, 'send'>
  market: string | null
  left: number
  positions: Set<number> | null
  seen: number
}

interface HttpRule {
  status: number
  left: number
  retryAfterSeconds: number | null
  path: string | null
}

const garbageFrames = [
  '{"type":"orderbook_delta","sid":1,"seq":',
  '<html><body>502 Bad Gateway</body></html>',
  '{"event_type":"price_change","price_changes":[{"asset_id":null,"price":"NaN","size":"-1"}]}',
  '[]',
  'null',
  '\u0000\u0001\u0002',
  '{"type":"no_such_type","msg":{}}',
]

export class Faults {
  private readonly target: FaultTarget
  private rules: DeltaRule[] = []
  private httpRules: HttpRule[] = []
  private readonly mutedMarkets = new Set<string>()
  private readonly unnumbered = new Set<string>()
  private readonly unknown = new Map<string, 'snapshot' | 'error'>()
  private readonly stale = new Map<string, { truth: MarketTruth; left: number; via: 'rest' | 'ws' | 'both' }>()
  private venueMuted = false
  private changesOnly = false
  private refuseUntilMs = 0
  private orderRules: (FaultParsed<'order'> & { left: number })[] = []
  private readonly hidden = new Set<FaultParsed<'hide'>['what']>()
  private reportedTradeStatus: FaultParsed<'tradeStatus'>['status'] = 'CONFIRMED'
  private garbageSent = 0
  private unmuteTimer: Timer | null = null
  httpDelayMs = 0
  wsDelayMs = 0

  constructor(target: FaultTarget) {
    this.target = target
  }

  /** Parses and applies; throws a ZodError for invalid options. */
  apply(kind: FaultKind, options: unknown): void {
    const method = this[kind] as (options: never) => void
    method.call(this, faultShapes[kind].parse(options) as never)
  }

  mute(options: FaultOptions<'mute'> = {}): void {
    const { market, scope, forMs, numbered, changesOnly } = faultShapes.mute.parse(options)
    this.changesOnly = changesOnly
    if (market !== undefined) {
      this.mutedMarkets.add(this.need(market))
      if (!numbered) this.unnumbered.add(this.need(market))
    } else if (scope === 'venue') this.venueMuted = true
    else this.target.muteSockets()
    this.unmuteTimer?.cancel()
    if (forMs !== undefined) this.unmuteTimer = this.target.clock.after(forMs, () => this.unmute())
  }

  gap(options: FaultOptions<'gap'>): void {
    const { market, drop, positions } = faultShapes.gap.parse(options)
    const marked = positions === undefined ? null : new Set(positions)
    this.rule('drop', market, marked === null ? (drop ?? 1) : Math.max(...marked), marked)
  }

  duplicate(options: FaultOptions<'duplicate'> = {}): void {
    const { market, count } = faultShapes.duplicate.parse(options)
    this.rule('duplicate', market, count, null)
  }

  reorder(options: FaultOptions<'reorder'> = {}): void {
    const { market, count } = faultShapes.reorder.parse(options)
    this.rule('hold', market, count, null)
  }

  disconnect(options: FaultOptions<'disconnect'> = {}): void {
    const { closeFrame, code, refuseMs } = faultShapes.disconnect.parse(options)
    this.refuseUntilMs = this.target.clock.now() + refuseMs
    this.target.closeSockets({ closeFrame, code })
  }

  http(options: FaultOptions<'http'>): void {
    const { status, count, retryAfterSeconds, path } = faultShapes.http.parse(options)
    this.httpRules.push({
      status,
      left: count ?? Number.POSITIVE_INFINITY,
      retryAfterSeconds: retryAfterSeconds ?? null,
      path: path ?? null,
    })
  }

  slow(options: FaultOptions<'slow'>): void {
    const { delayMs, where } = faultShapes.slow.parse(options)
    if (where !== 'ws') this.httpDelayMs = delayMs
    if (where !== 'http') this.wsDelayMs = delayMs
  }

  garbage(options: FaultOptions<'garbage'> = {}): void {
    const { count } = faultShapes.garbage.parse(options)
    for (let n = 0; n < count; n++) this.target.broadcastRaw(garbageFrames[this.garbageSent++ % garbageFrames.length]!)
  }

  overflow(): void {
    const { overflowFrame } = this.target
    if (overflowFrame === null) throw new Error('this venue has no overflow message')
    this.target.broadcastRaw(overflowFrame)
  }

  staleSnapshot(options: FaultOptions<'staleSnapshot'>): void {
    const { market, count, via } = faultShapes.staleSnapshot.parse(options)
    const id = this.need(market)
    this.stale.set(id, { truth: this.target.engine.market(id)!.truth(), left: count, via: via ?? this.target.staleVia })
  }

  ghost(options: FaultOptions<'ghost'>): void {
    const { market, refuseMs } = faultShapes.ghost.parse(options)
    const id = this.need(market)
    this.disconnect({ closeFrame: false, refuseMs })
    this.target.engine.dropLevelsSilently(id)
  }

  tickSize(options: FaultOptions<'tickSize'>): void {
    const { market, grid } = faultShapes.tickSize.parse(options)
    const id = this.need(market)
    const oldStepMicros = this.target.engine.market(id)!.book.grid.stepMicros
    this.target.announce('tickSize', this.target.engine.regrid(id, grid), oldStepMicros)
  }

  close(options: FaultOptions<'close'>): void {
    const closed = this.target.engine.close(this.need(faultShapes.close.parse(options).market))
    this.target.announce('closed', closed, closed.book.grid.stepMicros)
  }

  resolve(options: FaultOptions<'resolve'>): void {
    const { market, result } = faultShapes.resolve.parse(options)
    const resolved = this.target.engine.resolve(this.need(market), result)
    this.target.announce('resolved', resolved, resolved.book.grid.stepMicros)
  }

  unknownMarket(options: FaultOptions<'unknownMarket'>): void {
    const { market, reply } = faultShapes.unknownMarket.parse(options)
    this.unknown.set(this.need(market), reply)
  }

  order(options: FaultOptions<'order'>): void {
    const parsed = faultShapes.order.parse(options)
    this.orderRules.push({ ...parsed, left: parsed.count })
  }

  hide(options: FaultOptions<'hide'>): void {
    this.hidden.add(faultShapes.hide.parse(options).what)
  }

  tradeStatus(options: FaultOptions<'tradeStatus'>): void {
    this.reportedTradeStatus = faultShapes.tradeStatus.parse(options).status
  }

  move(options: FaultOptions<'move'>): void {
    const { market, price } = faultShapes.move.parse(options)
    this.target.engine.moveTo(this.need(market), Math.round(price * 1_000_000))
  }

  burst(options: FaultOptions<'burst'>): void {
    const { market, ratePerSecond, durationMs } = faultShapes.burst.parse(options)
    this.target.engine.burst(this.need(market), ratePerSecond, durationMs)
  }

  /** Ends all faults. Changes to markets are not undone. */
  recover(): void {
    this.rules = []
    this.httpRules = []
    this.orderRules = []
    this.hidden.clear()
    this.reportedTradeStatus = 'CONFIRMED'
    this.stale.clear()
    this.unknown.clear()
    this.refuseUntilMs = 0
    this.httpDelayMs = 0
    this.wsDelayMs = 0
    this.unmute()
  }

  stop(): void {
    this.unmuteTimer?.cancel()
  }

  /** The fault applied to one book delta of a market, the same for every socket that gets it. */
  deltaFault(engineId: string): FrameFault {
    for (const rule of this.rules) {
      if (rule.market !== null && rule.market !== engineId) continue
      rule.seen++
      rule.left--
      if (rule.left <= 0) this.rules = this.rules.filter((other) => other !== rule)
      if (rule.positions === null || rule.positions.has(rule.seen)) return rule.fault
    }
    return 'send'
  }

  isMuted(engineId: string): boolean {
    return this.venueMuted || this.mutedMarkets.has(engineId)
  }

  /** Muted, and so are the books that a client requests or gets first. */
  withholdsBooks(engineId: string): boolean {
    return !this.changesOnly && this.isMuted(engineId)
  }

  /** Muted without consuming sequence numbers of the feed. */
  isUnnumbered(engineId: string): boolean {
    return this.unnumbered.has(engineId)
  }

  refusesConnections(): boolean {
    return this.target.clock.now() < this.refuseUntilMs
  }

  /** How the venue denies a market, null when it does not. */
  denies(engineId: string): 'snapshot' | 'error' | null {
    return this.unknown.get(engineId) ?? null
  }

  /** The old book to serve instead of the current one. Each call uses one up. */
  staleTruth(engineId: string, via: 'rest' | 'ws'): MarketTruth | null {
    const stale = this.stale.get(engineId)
    if (stale === undefined || (stale.via !== 'both' && stale.via !== via)) return null
    if (--stale.left <= 0) this.stale.delete(engineId)
    return stale.truth
  }

  /** The refusal for this request, null when it is served. */
  httpRefusal(path: string): { status: number; retryAfterSeconds: number | null } | null {
    const rule = this.httpRules.find((candidate) => candidate.path === null || path.includes(candidate.path))
    if (rule === undefined) return null
    if (--rule.left <= 0) this.httpRules = this.httpRules.filter((other) => other !== rule)
    return { status: rule.status, retryAfterSeconds: rule.retryAfterSeconds }
  }

  /** The fault applied to this order, null when it is treated normally. Each call uses one up. */
  orderFault(): { outcome: FaultParsed<'order'>['fault']; delayMs: number } | null {
    const rule = this.orderRules[0]
    if (rule === undefined) return null
    if (--rule.left <= 0) this.orderRules.shift()
    return { outcome: rule.fault, delayMs: rule.delayMs }
  }

  /** Private reads omit these. */
  hides(what: FaultParsed<'hide'>['what']): boolean {
    return this.hidden.has(what)
  }

  /** The status of every trade, as polymarket names it. */
  get tradeStage(): string {
    return this.reportedTradeStatus
  }

  /** The active faults, for `GET /lab/state`. */
  state(): Record<string, unknown> {
    return {
      venueMuted: this.venueMuted,
      mutedMarkets: [...this.mutedMarkets],
      unknownMarkets: [...this.unknown.keys()],
      staleSnapshots: [...this.stale.keys()],
      deltaRules: this.rules.map(({ fault, market, left }) => ({ fault, market, left })),
      http: this.httpRules.map(({ status, left, path }) => ({
        status,
        left: Number.isFinite(left) ? left : null,
        path,
      })),
      orders: this.orderRules.map(({ fault, left, delayMs }) => ({ fault, left, delayMs })),
      hidden: [...this.hidden],
      tradeStatus: this.reportedTradeStatus,
      httpDelayMs: this.httpDelayMs,
      wsDelayMs: this.wsDelayMs,
      refusesConnections: this.refusesConnections(),
    }
  }

  private unmute(): void {
    this.venueMuted = false
    this.changesOnly = false
    this.mutedMarkets.clear()
    this.unnumbered.clear()
    this.target.unmuteSockets()
  }

  private rule(
    fault: DeltaRule['fault'],
    market: string | undefined,
    left: number,
    positions: Set<number> | null,
  ): void {
    this.rules.push({ fault, market: market === undefined ? null : this.need(market), left, positions, seen: 0 })
  }

  private need(publicId: string): string {
    const id = this.target.engineId(publicId)
    if (id === null) throw new Error(`the lab has no market ${publicId}`)
    return id
  }
}

export type { FaultKind, FaultOptions, FaultParsed }
