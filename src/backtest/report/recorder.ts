// Follows a run, and makes its report.
import { createHash } from 'node:crypto'
import { canonicalJson } from '#core/canonicalJson'
import { fromUnits } from '#core/decimal'
import type { Position } from '../account/account.ts'
import { dollars, moneyText, notional } from '../account/money.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { decimalOfMicros, isoOf } from '../exchange/execution.ts'
import type { BacktestFill } from '../exchange/fill.ts'
import type { BacktestOutcome } from '../markets/market.ts'
import { type LogLine, logJson } from '../strategy/host.ts'
import { QuoteSamples } from './calibration.ts'
import {
  type BacktestReport,
  type DayRow,
  type EquityPoint,
  type GapRow,
  type InventoryPoint,
  reportVersion,
} from './report.ts'

/** Points of a chart. */
const samplesMax = 2_000
const sampleEveryMsMin = 1_000
export const listedFillsMax = 20_000
const logLinesMax = 5_000

export interface RecorderOptions {
  exchange: Exchange
  sinceMs: number
  untilMs: number
}

interface ListedOutcome {
  venue: string
  marketId: string
  outcomeId: string
  label: string
  outcome: BacktestOutcome
}

export class Recorder {
  readonly sampleEveryMs: number
  private readonly exchange: Exchange
  private readonly outcomes: readonly ListedOutcome[]
  private readonly outcomeOf = new Map<Position, BacktestOutcome | null>()
  private readonly quotes = new QuoteSamples()
  private readonly equity: EquityPoint[] = []
  private readonly inventory: InventoryPoint[] = []
  private readonly gaps: GapRow[] = []
  private readonly log: LogLine[] = []
  private logged = 0
  private nextSampleAt: number
  private highest = Number.NEGATIVE_INFINITY
  private maxDrawdown = 0
  private fillsSeen = 0

  constructor({ exchange, sinceMs, untilMs }: RecorderOptions) {
    this.exchange = exchange
    this.sampleEveryMs = Math.max(sampleEveryMsMin, Math.ceil((untilMs - sinceMs) / samplesMax))
    this.nextSampleAt = sinceMs
    this.outcomes = exchange.markets.flatMap(({ venue, market: { marketId }, outcomes }) =>
      outcomes.map((outcome) => ({ venue, marketId, outcomeId: outcome.outcomeId, label: outcome.label, outcome })),
    )
  }

  /** Time moves to `at`: samples until then are taken of the state as it is. */
  beforeTime(at: number): void {
    if (this.fillsSeen < this.exchange.fills.length) this.drawdownNow()
    while (this.nextSampleAt <= at) {
      this.sample(this.nextSampleAt)
      this.nextSampleAt += this.sampleEveryMs
    }
  }

  onGap(gap: GapRow): void {
    this.gaps.push(gap)
  }

  onLog(line: LogLine): void {
    this.logged += 1
    if (this.log.length < logLinesMax) this.log.push(plain(line))
  }

  report(
    about: Pick<BacktestReport, 'strategy' | 'tapeEvents' | 'warnings'> & {
      settings: Omit<BacktestReport['settings'], 'sampleEveryMs'>
      executions: { orders: number; cancels: number; rejected: number }
      hasEnded: boolean
      endMs: number
    },
  ): BacktestReport {
    this.sample(about.endMs)
    const { exchange } = this
    const { fills } = exchange
    const equity = this.exactEquity()
    const opening = openingOf(exchange)
    const positions = exchange.account.positions.filter(({ bought, sold }) => bought + sold > 0)
    const body: Omit<BacktestReport, 'hash'> = {
      version: reportVersion,
      strategy: about.strategy,
      settings: { ...about.settings, sampleEveryMs: this.sampleEveryMs },
      summary: {
        openingEquity: moneyText(opening),
        equity: moneyText(equity),
        pnl: moneyText(equity - opening),
        realizedPnl: moneyText(positions.reduce((sum, { realized }) => sum + realized, 0n)),
        fees: moneyText(positions.reduce((sum, { fees }) => sum + fees, 0n)),
        inexactFees: fills.filter(({ execution }) => execution.order!.market.fees.taker.kind === 'unknown').length,
        maxDrawdown: this.maxDrawdown,
        turnover: moneyText(fills.reduce((sum, { cash }) => sum + cash, 0n)),
        fills: fills.length,
        makerFills: fills.filter(({ liquidity }) => liquidity === 'maker').length,
        ...about.executions,
        ended: about.hasEnded ? 'returned' : 'stopped',
      },
      cash: exchange.account.cash().map(({ venue, currency, cash }) => ({ venue, currency, cash: moneyText(cash) })),
      outcomes: this.outcomes.map(({ venue, marketId, outcomeId, label }) => ({ venue, marketId, outcomeId, label })),
      positions: positions.map((position) => {
        const { venue, marketId, outcomeId, quantity, cost, realized } = position
        const mark = this.markOf(position)
        return {
          ...{ venue, marketId, outcomeId, quantity: decimalOfMicros(quantity) },
          ...{ costBasis: moneyText(cost), realizedPnl: moneyText(realized) },
          value: mark === null ? null : moneyText(notional(mark, quantity)),
        }
      }),
      equity: this.equity,
      inventory: this.inventory,
      days: daysOf(fills),
      fills: fills.slice(0, listedFillsMax).map(fillLine),
      fillsOmitted: Math.max(0, fills.length - listedFillsMax),
      calibration: this.quotes.calibration(),
      gaps: this.gaps,
      log: this.log,
      logOmitted: this.logged - this.log.length,
      tapeEvents: about.tapeEvents,
      warnings: about.warnings,
    }
    return { ...body, hash: createHash('sha256').update(canonicalJson(body)).digest('hex') }
  }

  private sample(at: number): void {
    const equity = this.drawdownNow()
    const { account } = this.exchange
    const cash = account.cash().reduce((sum, purse) => sum + dollars(purse.cash), 0)
    this.equity.push({ at, equity, cash, drawdown: this.highest - equity })
    this.inventory.push({ at, held: this.outcomes.map((outcome) => account.quantity(outcome) / 1e6) })
    this.quotes.sample(this.exchange.workingOrders())
  }

  private drawdownNow(): number {
    this.fillsSeen = this.exchange.fills.length
    const equity = dollars(this.exactEquity())
    this.highest = Math.max(this.highest, equity)
    this.maxDrawdown = Math.max(this.maxDrawdown, this.highest - equity)
    return equity
  }

  /** Positions without a mark count at their cost. */
  private exactEquity(): bigint {
    const { account, markets } = this.exchange
    for (const { venue, currency } of markets) account.purse(venue, currency)
    let equity = 0n
    for (const { cash } of account.cash()) equity += cash
    for (const position of account.positions) {
      const { quantity, cost } = position
      if (quantity === 0) continue
      const mark = this.markOf(position)
      equity += mark === null ? cost : notional(mark, quantity)
    }
    return equity
  }

  /** Micros; null: unknown. */
  private markOf(position: Position): number | null {
    let outcome = this.outcomeOf.get(position)
    if (outcome === undefined) {
      const { venue, outcomeId } = position
      outcome = this.outcomes.find((each) => each.venue === venue && each.outcomeId === outcomeId)?.outcome ?? null
      this.outcomeOf.set(position, outcome)
    }
    return outcome === null ? null : this.exchange.markOf(outcome)
  }
}

/** As it is written to the report. */
const plain = (line: LogLine): LogLine => JSON.parse(logJson(line)) as LogLine

/** Opening cash of every venue and currency of the run. */
function openingOf({ markets, account }: Exchange): bigint {
  const purses = new Map(markets.map(({ venue, currency }) => [`${venue}\n${currency}`, venue]))
  return [...purses.values()].reduce((sum, venue) => sum + account.openingCash(venue), 0n)
}

const dayMs = 86_400_000

function daysOf(fills: readonly BacktestFill[]): DayRow[] {
  const sums = new Map<string, { row: DayRow; contracts: bigint; turnover: bigint; fees: bigint }>()
  for (const { at, execution, size, cash, fee, liquidity } of fills) {
    const { venue, market } = execution.order!.market
    const day = Math.floor(at / dayMs) * dayMs
    const key = `${day}\n${venue}\n${market.marketId}`
    let sum = sums.get(key)
    if (sum === undefined) {
      const date = new Date(day).toISOString().slice(0, 10)
      const row = { date, venue, marketId: market.marketId, fills: 0, makerFills: 0 }
      sum = { row: { ...row, contracts: '0', turnover: '0', fees: '0' }, contracts: 0n, turnover: 0n, fees: 0n }
      sums.set(key, sum)
    }
    sum.row.fills += 1
    sum.row.makerFills += liquidity === 'maker' ? 1 : 0
    sum.contracts += BigInt(size)
    sum.turnover += cash
    sum.fees += fee
  }
  const rows = Array.from(sums.values(), ({ row, contracts, turnover, fees }) => ({
    ...row,
    contracts: fromUnits(contracts, 6),
    turnover: moneyText(turnover),
    fees: moneyText(fees),
  }))
  return rows.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}

const keyOf = ({ date, venue, marketId }: DayRow): string => `${date} ${venue} ${marketId}`

const fillLine = ({
  at,
  execution,
  price,
  size,
  fee,
  liquidity,
  evidence,
}: BacktestFill): BacktestReport['fills'][number] => {
  const { market, outcome, isBuy } = execution.order!
  return {
    ...{ at: isoOf(at), venue: market.venue, marketId: market.market.marketId, outcomeId: outcome.outcomeId },
    side: isBuy ? 'buy' : 'sell',
    ...{ price: decimalOfMicros(price), size: decimalOfMicros(size) },
    fee: moneyText(fee),
    ...{ liquidity, bookSeq: evidence.bookSeq, tradeIds: [...evidence.tradeIds] },
  }
}
