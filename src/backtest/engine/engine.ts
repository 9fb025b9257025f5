// The loop of a backtest: delivers what the strategy is waiting for, lets it run until it waits again, then moves time to the next event.
//
//   deliver ─► strategy runs ─► waits ─► next of: tape, fill model, timers ─► time moves ─► deliver …
import { systemClock } from '#core/clock'
import type { EmittedFrame } from '#history/paced/sources'
import type { CoverageGap } from '#schemas/history'
import type { TradeData } from '#schemas/topics'
import type { BacktestServer } from '../server/backtestServer.ts'
import { neverWaits, type StrategyHost, stepsPerTimeMax } from '../strategy/host.ts'
import type { TapeBook } from '../tape/books.ts'
import type { TapeReader } from '../tape/tapeReader.ts'
import { type Pace, waiter } from './pace.ts'
import type { VirtualClock } from './virtualClock.ts'

export interface EngineOptions {
  clock: VirtualClock
  server: BacktestServer
  host: StrategyHost
  tape: TapeReader
  sinceMs: number
  untilMs: number
  pace: Pace
  /** Before time moves there. */
  beforeTime(at: number): void
  /** Now and then, for a watchdog and progress. */
  onProgress?(at: number, rows: number): void
  /** The engine waits for the tape, the pace or a process: no progress is due. */
  onWaiting?(isWaiting: boolean): void
}

export interface EngineResult {
  /** Events of the tape. */
  rows: number
  /** False: the strategy had not returned soon after the end. */
  hasEnded: boolean
}

/** Turns of the event loop that are planned at once: each costs less than one of its own. */
const burst = 128
/** Events that nothing is subscribed to, per turn. */
const silentMax = 2_000
/** Turns that a strategy gets to return after the end. */
const finishTurnsMax = 1_000
const progressEvery = 64

type Step = 'again' | 'done' | Promise<unknown>

export class Engine {
  private readonly options: EngineOptions
  private readonly waitFor: (at: number) => number
  private rows = 0
  private stepsAtTime = 0
  private steps = 0
  /** Turns since the end; null: not there yet. */
  private finishing: number | null = null

  constructor(options: EngineOptions) {
    this.options = options
    this.waitFor = waiter(options.pace, options.sinceMs)
  }

  async run(): Promise<EngineResult> {
    const { host, tape } = this.options
    try {
      await host.start()
      await this.loop()
      return { rows: this.rows, hasEnded: host.hasEnded }
    } finally {
      await tape.close()
      await host.stop()
    }
  }

  private loop(): Promise<void> {
    return new Promise((resolve, reject) => {
      let planned = 0
      let isOver = false
      let isWaiting = false
      const end = (settle: () => void): void => {
        isOver = true
        settle()
      }
      const wait = async (work: Promise<unknown>): Promise<void> => {
        isWaiting = true
        this.options.onWaiting?.(true)
        try {
          await work
          isWaiting = false
          this.options.onWaiting?.(false)
          if (planned === 0) plan()
        } catch (error) {
          end(() => reject(error))
        }
      }
      const turn = (): void => {
        planned -= 1
        if (isOver) return
        if (!isWaiting) {
          try {
            const next = this.step()
            if (next === 'done') {
              end(resolve)
              return
            }
            if (next !== 'again') void wait(next)
          } catch (error) {
            end(() => reject(error))
            return
          }
        }
        if (planned === 0 && !isWaiting) plan()
      }
      const plan = (): void => {
        for (let i = 0; i < burst; i++) setImmediate(turn)
        planned += burst
      }
      plan()
    })
  }

  private step(): Step {
    const { host } = this.options
    this.steps += 1
    if (this.steps % progressEvery === 0) this.options.onProgress?.(this.options.clock.now(), this.rows)
    const handed = host.deliver()
    if (handed !== false) return handed === true ? this.countStep() : handed
    if (host.isBusy) return 'again'
    if (this.finishing !== null) return this.finish(this.finishing)
    return this.advance()
  }

  private advance(): Step {
    const { clock, server, tape, untilMs, host } = this.options
    for (let silent = 0; silent < silentMax; silent++) {
      const tapeAt = tape.nextAt()
      if (typeof tapeAt !== 'number') return tapeAt
      const exchangeAt = server.exchange.nextAt()
      const timerAt = clock.nextAt() ?? Number.POSITIVE_INFINITY
      const at = Math.max(clock.now(), Math.ceil(Math.min(tapeAt, exchangeAt, timerAt)))
      if (at > untilMs) return this.end()
      const waitMs = this.waitFor(at)
      if (waitMs >= 1)
        return new Promise((resolve) => systemClock.after(Math.min(waitMs, 1_000), () => resolve(undefined)))
      this.moveTo(at)
      if (tapeAt <= at) this.takeTape(at)
      // What is due at the time of a book is applied after that book.
      if (server.exchange.nextAt() <= at) server.exchange.advance(at)
      const fired = timerAt <= at && clock.fireDue()
      const handed = host.deliver()
      if (handed instanceof Promise) return handed
      if (fired || handed) return this.countStep()
    }
    return 'again'
  }

  private moveTo(at: number): void {
    const { clock, beforeTime } = this.options
    if (at <= clock.now()) return
    beforeTime(at)
    clock.moveTo(at)
    this.stepsAtTime = 0
  }

  private countStep(): 'again' {
    this.stepsAtTime += 1
    if (this.stepsAtTime > stepsPerTimeMax) throw neverWaits(this.options.clock.now())
    return 'again'
  }

  /** Everything received at that time, or as much as has been read. */
  private takeTape(at: number): void {
    const { tape, server } = this.options
    for (let next = tape.nextAt(); typeof next === 'number' && next <= at; next = tape.nextAt()) {
      const frame = tape.take()
      this.take(server, tape.feed, frame, at)
    }
  }

  private take(server: BacktestServer, feed: number, { kind, data }: EmittedFrame, at: number): void {
    switch (kind) {
      case 'book':
        this.rows += 1
        server.onBook(feed, data as TapeBook, at)
        return
      case 'trade':
        this.rows += 1
        server.onTrade(feed, data as TradeData, at)
        return
      case 'gap':
        server.onGap(feed, data as CoverageGap, at)
    }
  }

  private end(): 'again' {
    this.moveTo(this.options.untilMs)
    this.finishing = 0
    this.options.host.finish()
    return 'again'
  }

  private finish(turns: number): Step {
    const { host, clock } = this.options
    if (host.hasEnded || turns >= finishTurnsMax) return 'done'
    this.finishing = turns + 1
    clock.fireDue()
    return 'again'
  }
}
