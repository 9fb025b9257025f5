// `crossbook backtest`: runs a strategy against the tape, and writes the report as JSON and as one HTML file.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type BacktestData,
  type BacktestReport,
  filesData,
  gatewayData,
  htmlOf,
  loadMarkets,
  loadStrategy,
  readMarketNames,
  readPace,
  runBacktest,
  StrategyFailure,
  startWatchdog,
  storesData,
} from '#backtest/index'
import { readConfig } from '#config'
import { systemClock } from '#core/clock'
import { createPostgresCatalog } from '#marketData/catalog/postgresCatalog'
import type { ExecutionAdapter } from '#venues/lane'
import { lanes, manifests } from '#venues/registry'
import { withDatabase } from './database.ts'
import { type ClientSettings, connectionOf, type GatewayOptions, type JsonOption } from './options.ts'
import { print, printError, printJson } from './output.ts'
import { showProgress } from './progress.ts'
import { factsOf } from './table.ts'

export interface BacktestCliOptions extends GatewayOptions, JsonOption {
  strategy: string
  from: string
  to: string
  markets: string
  seed?: string
  pace: string
  out?: string
  cash: string[]
  param: string[]
  files?: string
  catalog?: string
  latencyMs?: string
  python?: string
}

const bySlug = new Map(manifests.map((manifest) => [manifest.slug as string, manifest] as const))
const laneBySlug = new Map<string, ExecutionAdapter>(Object.entries(lanes))

export async function backtest(options: BacktestCliOptions, settings: ClientSettings): Promise<void> {
  const window = { sinceMs: timeOf('--from', options.from), untilMs: timeOf('--to', options.to) }
  const names = readMarketNames(options.markets)
  const pace = readPace(options.pace)
  const cash = readCash(options.cash)
  const params = Object.fromEntries(options.param.map(readParam))
  const latency = options.latencyMs === undefined ? null : readLatency(options.latencyMs)
  const stopping = new AbortController()
  try {
    const strategy = await loadStrategy(options.strategy)
    const report = await withData(options, settings, stopping.signal, async (data) => {
      const loaded = await loadMarkets(data, bySlug, names, window, stopping.signal)
      const progress = showProgress()
      const watchdog = await startWatchdog()
      let shownAt = 0
      try {
        return await runBacktest({
          ...{ strategy, ...loaded, ...window, lanes: laneBySlug, pace, params, ...cash },
          ...(options.seed === undefined ? {} : { seed: options.seed }),
          ...(options.python === undefined ? {} : { python: options.python }),
          ...(latency === null ? {} : { fillModel: { latencyMedianMs: latency } }),
          onProgress(at, events) {
            watchdog.progress()
            const now = systemClock.monotonic()
            if (now - shownAt < 200) return
            shownAt = now
            progress.show(`${new Date(at).toISOString()}  ${events} events`)
          },
          onWaiting: watchdog.waiting,
        })
      } finally {
        progress.done()
        await watchdog.stop()
      }
    })
    await finish(report, options)
  } catch (error) {
    if (!(error instanceof StrategyFailure)) throw error
    printError(error.message)
    if (error.strategyStack !== '') printError(error.strategyStack)
    process.exitCode = 1
  } finally {
    stopping.abort()
  }
}

async function finish(report: BacktestReport, { out, json }: BacktestCliOptions): Promise<void> {
  const folder = out ?? `backtest-${report.hash.slice(0, 12)}`
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'report.json'), `${JSON.stringify(report, null, 1)}\n`)
  await writeFile(join(folder, 'report.html'), htmlOf(report))
  const { summary, calibration, warnings, hash, tapeEvents, settings } = report
  if (json === true) {
    printJson(JSON.stringify({ ...summary, brier: calibration.brier, tapeEvents, seed: settings.seed, hash, folder }))
    return
  }
  const facts = factsOf({
    'profit and loss': summary.pnl,
    equity: summary.equity,
    'largest drawdown': summary.maxDrawdown.toFixed(6),
    turnover: summary.turnover,
    fees: summary.fees,
    fills: `${summary.fills}, ${summary.makerFills} as maker`,
    orders: `${summary.orders}, ${summary.rejected} rejected`,
    'Brier score': calibration.brier === null ? 'none' : calibration.brier.toFixed(6),
    'events of the tape': tapeEvents,
    seed: settings.seed,
    hash,
    report: join(folder, 'report.html'),
  })
  print(...facts, ...warnings.map((warning) => `note: ${warning}`))
}

/** Files of days, else the stores named by CLICKHOUSE_URL, else a gateway. A given --url always means that gateway. */
async function withData<T>(
  options: BacktestCliOptions,
  settings: ClientSettings,
  signal: AbortSignal,
  run: (data: BacktestData) => Promise<T>,
): Promise<T> {
  const gateway = () => gatewayData(connectionOf(options, settings), signal)
  if (options.files !== undefined) return using(await filesData(options.files, options.catalog, bySlug, gateway), run)
  const { clickhouseUrl, dataDir } = readConfig()
  if (clickhouseUrl === undefined || options.url !== undefined) return using(gateway(), run)
  return withDatabase(async (pool) => {
    const catalog = createPostgresCatalog(pool, { clock: systemClock })
    return using(await storesData({ clickhouseUrl, dataDir, catalog, manifests: bySlug }), run)
  })
}

async function using<T>(data: BacktestData, run: (data: BacktestData) => Promise<T>): Promise<T> {
  try {
    return await run(data)
  } finally {
    await data.close()
  }
}

/** ISO time, a day, or epoch ms. */
function timeOf(option: string, text: string): number {
  const at = /^\d+$/.test(text) ? Number(text) : Date.parse(text)
  if (!Number.isSafeInteger(at)) throw new Error(`${option} takes an ISO time, a day, or epoch milliseconds`)
  return at
}

export function readParam(text: string): [string, string] {
  const equals = text.indexOf('=')
  if (equals < 1) throw new Error('--param takes name=value')
  return [text.slice(0, equals), text.slice(equals + 1)]
}

const amount = /^\d{1,12}(\.\d{1,6})?$/

/** An amount for every venue, and `venue=amount` for single ones. */
function readCash(given: readonly string[]): { cash?: string; cashByVenue: Map<string, string> } {
  const cashByVenue = new Map<string, string>()
  let cash: string | undefined
  for (const text of given) {
    const [name, value] = text.includes('=') ? readParam(text) : [null, text]
    if (!amount.test(value)) throw new Error('--cash takes an amount, or venue=amount')
    if (name === null) cash = value
    else cashByVenue.set(name, value)
  }
  return { ...(cash === undefined ? {} : { cash }), cashByVenue }
}

function readLatency(text: string): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= 0 && value <= 60_000)) throw new Error('--latency-ms takes 0 to 60000')
  return value
}
