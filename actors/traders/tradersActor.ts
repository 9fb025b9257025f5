// Keeps the record of wallets: writes trades from the bus, rolls them up, and looks up how markets settled.
//
// bus ─► writer ─► trader_trades ─► roll-up ─► wallets and their scores ─► writer (a wallet's current score)
//              catalog ─► settlements ─┘
import { spawnActor } from '#actors/runtime/spawnActor'
import type { Supervisor } from '#actors/runtime/supervisor'
import type { Clock, Timer } from '#core/clock'
import type { Log } from '#core/log'
import type { Bus } from '#storage/bus/bus'
import { consumeBatches } from '#storage/clickhouse/batchConsumer'
import type { TapeStore } from '#storage/clickhouse/client'
import { type RecordCatalog, RollUp, ScoreCache, settle, TraderWriter } from '#traders/record/index'
import { initialTradersState, stepTraders, type TradersEffect, type TradersMessage, type TradersPace } from './step.ts'

export const defaultPace: TradersPace = { rollUpMs: 2_000, settleMs: 60_000 }
/** A batch of this size is not held for the next one. */
const manyTrades = 2_000

export interface TradersOptions {
  bus: Pick<Bus, 'consume'>
  /** The same as in the tape's writers: it decides what a batch is, see there. */
  mode: 'local' | 'kafka'
  store: TapeStore
  catalog: RecordCatalog
  pace?: TradersPace
  random(): number
  clock: Clock
  log: Log
}

export interface TraderStats {
  written: number
  rolledUp: number
  walletsScored: number
  settled: number
  /** Failed passes since the last success. */
  failures: number
}

export interface Traders {
  stats(): TraderStats
  stop(): Promise<void>
}

export async function startTraders(parent: Supervisor, options: TradersOptions): Promise<Traders> {
  const { store, catalog, pace = defaultPace, clock, log } = options
  const stats: TraderStats = { written: 0, rolledUp: 0, walletsScored: 0, settled: 0, failures: 0 }
  const judgements = new ScoreCache(store)
  const writer = new TraderWriter({ store, catalog, judgements })
  const rollUp = new RollUp(store, (wallets) => judgements.update(wallets))
  const giveUp = new AbortController()
  let timer: Timer | null = null
  let passing: Promise<void> = Promise.resolve()
  let settling: Promise<void> | null = null

  async function pass(): Promise<void> {
    try {
      const { trades, wallets, more } = await rollUp.pass()
      stats.rolledUp += trades
      stats.walletsScored += wallets
      stats.failures = 0
      actor.send({ kind: 'passed', ok: true, more })
    } catch (error) {
      if (stats.failures++ === 0) log.warn({ err: error }, 'failed to roll up traders; will retry')
      actor.send({ kind: 'passed', ok: false })
    }
  }

  function perform(effect: TradersEffect): void {
    if (giveUp.signal.aborted) return
    timer?.cancel()
    if (effect.kind === 'dueIn') timer = clock.after(effect.delayMs, () => actor.send({ kind: 'due' }))
    else passing = pass()
  }

  const actor = spawnActor(
    parent,
    {
      name: 'traders',
      initial: initialTradersState,
      step: (state, message: TradersMessage) => stepTraders(pace, state, message),
      perform,
      start: { kind: 'start' },
      release: () => timer?.cancel(),
    },
    { clock, log },
  )

  const lookForSettled = (): void => {
    settling ??= settle({ store, catalog }, giveUp.signal)
      .then((outcomes) => {
        stats.settled += outcomes
      })
      .catch((error: unknown) => log.warn({ err: error }, 'failed to fetch market settlements'))
      .finally(() => {
        settling = null
      })
  }
  const settleTimer = clock.every(pace.settleMs, lookForSettled)
  lookForSettled()

  const consumer = await consumeBatches({
    topic: 'walletTrades',
    group: 'crossbook-traders',
    bus: options.bus,
    mode: options.mode,
    manyAtOnce: manyTrades,
    async write(trades, token) {
      stats.written += await writer.write(trades, token)
    },
    onFailure: (error, attempt) => log.warn({ err: error, attempt }, 'failed to write trades of wallets; will retry'),
    name: 'the record of traders',
    clock,
    random: options.random,
  })

  let stopped: Promise<void> | undefined
  return {
    stats: () => ({ ...stats }),
    stop() {
      stopped ??= (async () => {
        await consumer.stop()
        giveUp.abort()
        actor.stop()
        timer?.cancel()
        settleTimer.cancel()
        await passing
        await settling
        timer?.cancel()
      })()
      return stopped
    },
  }
}
