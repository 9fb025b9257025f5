// One backtest: a strategy against the tape of its markets, and the report. Nothing is written anywhere.
import { randomUUID } from 'node:crypto'
import type { EmittedFrame } from '#history/paced/sources'
import type { FillModelSettings } from '#paper/model/index'
import type { CoverageGap } from '#schemas/history'
import { fillModelDefaults } from '#schemas/paper'
import type { ExecutionAdapter } from '#venues/lane'
import { Account } from './account/account.ts'
import { Engine } from './engine/engine.ts'
import type { Pace } from './engine/pace.ts'
import { seededBytes, seededRandom, seededUuids } from './engine/random.ts'
import { VirtualClock } from './engine/virtualClock.ts'
import { Builds } from './exchange/builds.ts'
import type { BacktestMarket, Feed } from './markets/market.ts'
import { Recorder } from './report/recorder.ts'
import type { BacktestReport } from './report/report.ts'
import { BacktestServer } from './server/backtestServer.ts'
import type { StrategyHost } from './strategy/host.ts'
import { InProcessHost } from './strategy/inProcessHost.ts'
import type { LoadedStrategy } from './strategy/load.ts'
import { PythonHost } from './strategy/pythonHost.ts'
import { TapeReader, type TapeSource } from './tape/tapeReader.ts'

export interface BacktestOptions {
  strategy: LoadedStrategy
  markets: readonly BacktestMarket[]
  feeds: readonly Feed[]
  /** Books and trades. */
  sources: readonly TapeSource[]
  /** In time order; shown before books and trades of the same time. */
  gaps: readonly { feed: number; frame: EmittedFrame }[]
  /** Epoch ms; both ends included. */
  sinceMs: number
  untilMs: number
  lanes: ReadonlyMap<string, ExecutionAdapter>
  seed?: string
  pace?: Pace
  /** Opening cash per venue, and of single venues; decimal strings. */
  cash?: string
  cashByVenue?: ReadonlyMap<string, string>
  params?: Readonly<Record<string, string>>
  fillModel?: Partial<Omit<FillModelSettings, 'seed'>>
  /** Python that has the SDK. */
  python?: string
  onProgress?(at: number, tapeEvents: number): void
  onWaiting?(isWaiting: boolean): void
}

export const openingCashDefault = '10000'
/** Of no wallet. Venues whose orders have an owner need one to build. */
const owner = '0x000000000000000000000000000000000000dEaD'

/** Why a backtest cannot begin. */
export class BacktestRefusal extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'BacktestRefusal'
  }
}

export async function runBacktest(options: BacktestOptions): Promise<BacktestReport> {
  const { strategy, markets, feeds, sinceMs, untilMs, lanes, params = {}, seed = randomUUID() } = options
  const { cash = openingCashDefault, cashByVenue = new Map<string, string>(), pace = 'asap' } = options
  if (!(untilMs > sinceMs)) throw new BacktestRefusal('the range is empty: --to must be after --from')
  const clock = new VirtualClock(sinceMs)
  const model = { ...fillModelDefaults, ...options.fillModel }
  const newId = seededUuids(seed)
  const now = () => clock.now()
  const builds = new Builds({
    ...{ markets, lanes, now, randomUuid: newId },
    randomBytes: seededBytes(seed, 'build'),
  })
  const account = new Account(cash, cashByVenue)
  const server = new BacktestServer({ account, builds, lanes, markets, feeds, now, newId, model: { ...model, seed } })
  const { exchange } = server
  const tape = new TapeReader([...gapSources(options.gaps, feeds.length), ...(await begun(options.sources))])
  const recorder = new Recorder({ exchange, sinceMs, untilMs })
  for (const { feed, frame } of options.gaps) {
    const { venue, outcomeIds } = feeds[feed]!
    recorder.onGap({ venue, outcomeId: outcomeIds[0]!, ...(frame.data as CoverageGap) })
  }
  const requested = markets.map(({ venue, market: { marketId } }) => ({ venue, marketId }))
  const hostOptions = { server, clock, params, markets: requested, owner, log: recorder.onLog.bind(recorder) }
  const random = seededRandom(seed, 'strategy')
  const host: StrategyHost =
    strategy.kind === 'module'
      ? new InProcessHost({ ...hostOptions, strategy: strategy.run, random })
      : new PythonHost({ ...hostOptions, file: strategy.file, seed, python: options.python ?? 'python3' })
  const engine = new Engine({
    ...{ clock, server, host, tape, sinceMs, untilMs, pace },
    beforeTime: (at) => recorder.beforeTime(at),
    ...(options.onProgress === undefined ? {} : { onProgress: options.onProgress }),
    ...(options.onWaiting === undefined ? {} : { onWaiting: options.onWaiting }),
  })
  const { rows, hasEnded } = await engine.run()
  return recorder.report({
    strategy: { name: strategy.name, sha256: strategy.sha256 },
    settings: {
      from: new Date(sinceMs).toISOString(),
      to: new Date(untilMs).toISOString(),
      markets: markets.map(({ venue, market }) => `${venue}:${market.marketId}`),
      ...{ seed, cash, cashByVenue: Object.fromEntries(cashByVenue), params, fillModel: model },
    },
    executions: server.counts(),
    tapeEvents: rows,
    hasEnded,
    endMs: untilMs,
    warnings: warningsOf(markets, hasEnded, server),
  })
}

function warningsOf(markets: readonly BacktestMarket[], hasEnded: boolean, { exchange }: BacktestServer): string[] {
  const warnings: string[] = []
  if (!hasEnded) warnings.push('the strategy did not return after the end: it was stopped')
  if (exchange.fills.some(({ execution }) => execution.order!.market.fees.taker.kind === 'unknown'))
    warnings.push('some fees are the largest that the venue may charge, or nothing: it publishes no exact rate')
  const currencies = new Set(markets.map(({ currency }) => currency))
  if (currencies.size > 1) warnings.push(`equity adds ${[...currencies].sort().join(', ')} at par`)
  if (exchange.workingCount > 0) warnings.push(`${exchange.workingCount} orders were still open at the end`)
  return warnings
}

/** One source per feed, so that each keeps its order. */
function gapSources(gaps: BacktestOptions['gaps'], feedCount: number): TapeSource[] {
  return Array.from({ length: feedCount }, (_, feed) => feed).flatMap((feed) => {
    const page = gaps.filter((gap) => gap.feed === feed).map(({ frame }) => frame)
    return page.length === 0 ? [] : [{ feed, pages: onePage(page) }]
  })
}

async function* onePage(page: EmittedFrame[]): AsyncGenerator<EmittedFrame[]> {
  yield page
}

/** Reads the first page of each: a range in which the tape has nothing is refused. */
async function begun(sources: readonly TapeSource[]): Promise<TapeSource[]> {
  const all: TapeSource[] = []
  let hasRows = false
  for (const { feed, pages } of sources) {
    const iterator = pages[Symbol.asyncIterator]()
    const first = await iterator.next()
    if (first.done !== true && first.value.length > 0) hasRows = true
    all.push({ feed, pages: continued(first, iterator) })
  }
  if (hasRows) return all
  for (const { pages } of all) await pages[Symbol.asyncIterator]().return?.()
  throw new BacktestRefusal('the tape has nothing of these markets between --from and --to')
}

async function* continued(
  first: IteratorResult<EmittedFrame[]>,
  rest: AsyncIterator<EmittedFrame[]>,
): AsyncGenerator<EmittedFrame[]> {
  try {
    for (let step = first; step.done !== true; step = await rest.next()) yield step.value
  } finally {
    await rest.return?.()
  }
}
