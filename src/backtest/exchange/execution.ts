// Executions of a backtest: the rows behind the execution routes, and their public forms.
import { fromUnits } from '#core/decimal'
import type { Execution, ExecutionStatus, JsonObject, Summary } from '#schemas/executions'
import type { OrderOverview } from '#schemas/orders'
import type { OrderState } from '#schemas/stream'
import type { BacktestMarket, BacktestOutcome } from '../markets/market.ts'

/** An order as the account understands it. Prices in micros, sizes in millionths of a contract. */
export interface OrderDetails {
  market: BacktestMarket
  outcome: BacktestOutcome
  isBuy: boolean
  price: number
  size: number
  timeInForce: 'GTC' | 'GTD' | 'FOK' | 'IOC'
  /** Epoch ms; null: it does not expire. */
  expiresAt: number | null
  postOnly: boolean
  filled: number
  /** Cash held back for the rest of it. */
  heldCash: bigint
  /** Contracts held back for the rest of it. */
  heldSize: number
  /** Paid or received for what filled, before fees; dollars × 10¹². */
  traded: bigint
  /** Fees of what filled: their sum before rounding, and as charged. Decimal strings. */
  feeExact: string
  fee: string
}

export interface BacktestExecution {
  id: string
  seq: number
  venue: string
  intent: 'order' | 'cancel' | 'modify'
  status: ExecutionStatus
  unsigned: JsonObject
  buildVersion: number
  submittedArtifact: JsonObject | null
  venueRef: string | null
  notionalUsd: number | null
  feeEstimate: JsonObject | null
  warnings: readonly string[]
  collateral: JsonObject | undefined
  summary: Summary | null
  /** Of orders and modifications. */
  order: OrderDetails | null
  /** Of cancels and modifications. */
  target: BacktestExecution | null
  error: string | null
  /** Epoch ms. */
  createdAt: number
  updatedAt: number
  statusSince: number
}

/** Nothing has filled, and nothing is held back. */
export const unfilled = { filled: 0, heldCash: 0n, heldSize: 0, traded: 0n, feeExact: '0', fee: '0' } as const

export const isInFlight = ({ status }: Pick<BacktestExecution, 'status'>): boolean =>
  status === 'submitted' || status === 'acked'

let lastMs = Number.NaN
let lastIso = ''
let lastMinute = Number.NaN
/** Of the last minute, up to its seconds. */
let minutePrefix = ''
/** Of whole milliseconds. Many times of one answer are the same, and most are in the minute of the one before. */
export function isoOf(ms: number): string {
  if (ms === lastMs) return lastIso
  const minute = Math.floor(ms / 60_000)
  if (minute !== lastMinute) {
    minutePrefix = new Date(ms).toISOString().slice(0, -'00.000Z'.length)
    lastMinute = minute
  }
  const rest = ms - minute * 60_000
  // One more digit in front gives both numbers their zeros.
  const digits = String(100_000 + rest)
  lastIso = `${minutePrefix}${digits.slice(1, 3)}.${digits.slice(3)}Z`
  lastMs = ms
  return lastIso
}

/** Micros of a dollar, or millionths of a contract. */
export function decimalOfMicros(units: number): string {
  if (units < 0) return `-${decimalOfMicros(-units)}`
  const rest = units % 1_000_000
  const whole = String((units - rest) / 1_000_000)
  if (rest === 0) return whole
  let places = 6
  let digits = rest
  for (; digits % 10 === 0; digits /= 10) places -= 1
  return `${whole}.${String(digits).padStart(places, '0')}`
}

const matchedOf = ({ order }: BacktestExecution): string | null =>
  order === null || order.filled === 0 ? null : decimalOfMicros(order.filled)

export function executionRow(execution: BacktestExecution): Execution {
  const { collateral, warnings, target } = execution
  const row = {
    executionId: execution.id,
    venue: execution.venue,
    intent: execution.intent,
    status: execution.status,
    unsigned: execution.unsigned,
    buildVersion: execution.buildVersion,
    submittedArtifact: execution.submittedArtifact,
    venueRef: execution.venueRef,
    matchedSize: matchedOf(execution),
    notionalUsd: execution.notionalUsd,
    feeEstimate: execution.feeEstimate,
    error: execution.error,
  } as Execution
  if (collateral !== undefined) row.collateral = collateral
  if (warnings.length > 0) row.warnings = [...warnings]
  if (target !== null) row.targetExecutionId = target.id
  row.createdAt = isoOf(execution.createdAt)
  row.updatedAt = isoOf(execution.updatedAt)
  return row
}

/** As a build answers. */
export function builtRow(execution: BacktestExecution): Execution {
  const row = executionRow(execution)
  row.summary = execution.summary
  return row
}

export function orderState(execution: BacktestExecution): OrderState {
  const { order, target } = execution
  return {
    executionId: execution.id,
    venue: execution.venue,
    intent: execution.intent,
    status: execution.status,
    venueRef: execution.venueRef,
    targetExecutionId: target?.id ?? null,
    marketId: order?.market.market.marketId ?? null,
    outcomeId: order?.outcome.outcomeId ?? null,
    side: order === null ? null : order.isBuy ? 'buy' : 'sell',
    price: order === null ? null : decimalOfMicros(order.price),
    size: order === null ? null : decimalOfMicros(order.size),
    matchedSize: matchedOf(execution),
    error: execution.error,
    createdAt: isoOf(execution.createdAt),
    updatedAt: isoOf(execution.updatedAt),
  }
}

const timesInForce = {
  GTC: 'good-til-cancel',
  GTD: 'good-til-date',
  FOK: 'fill-or-kill',
  IOC: 'immediate-or-cancel',
} as const

export function orderOverview(execution: BacktestExecution, targetOf: readonly BacktestExecution[]): OrderOverview {
  const order = execution.order!
  const { filled, size, traded } = order
  // Twelve digits of the money and six of the size leave six of the price, and three more.
  const average = filled === 0 ? null : fromUnits((traded * 1_000n) / BigInt(filled), 9)
  return {
    executionId: execution.id,
    venue: execution.venue,
    intent: execution.intent === 'modify' ? 'modify' : 'order',
    status: execution.status,
    marketId: order.market.market.marketId,
    outcomeId: order.outcome.outcomeId,
    market: order.market.market.title,
    label: order.outcome.label,
    side: order.isBuy ? 'buy' : 'sell',
    price: decimalOfMicros(order.price),
    size: decimalOfMicros(size),
    matchedSize: matchedOf(execution),
    remainingSize: decimalOfMicros(size - filled),
    averagePrice: average,
    timeInForce: timesInForce[order.timeInForce],
    expiresAt: order.expiresAt === null ? null : isoOf(order.expiresAt),
    venueRef: execution.venueRef,
    conditionalId: null,
    groupId: null,
    targetExecutionId: execution.target?.id ?? null,
    targetOf: targetOf.map(({ id }) => id),
    error: execution.error,
    createdAt: isoOf(execution.createdAt),
    updatedAt: isoOf(execution.updatedAt),
    statusSince: isoOf(execution.statusSince),
  }
}
