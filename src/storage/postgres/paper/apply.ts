// Records what happened to working paper orders: fills, ends, cash, positions, and the executions behind them. One transaction for a batch:
//
//   the exchange's lease ─► accounts ─► executions ─► orders: events that belong to their present version ─► cash, positions, fills ─► moves
//
// An event of an order that was modified or ended since is dropped: its reservation belongs to what the order is now. A batch must not be
// repeated: a fill that leaves its order working would be recorded twice. After a failure the exchange reads its orders again instead.
import { addDecimals, compareDecimals, subtractDecimals } from '#core/decimal'
import type { JsonObject } from '#schemas/executions'
import type { PaperEvidence, PaperOrderState } from '#schemas/paper'
import { type ExecutionRow, executionColumns } from '../executions/executionRow.ts'
import type { Move } from '../executions/moveExecution.ts'
import { moveReserved } from '../executions/moveReserved.ts'
import type { Queryable } from '../pool.ts'
import { lockPaperAccounts } from './accounts.ts'
import { changeCash, changePosition, plain } from './cash.ts'
import { type PaperOrderRow, paperOrderColumns } from './orderRow.ts'
import type { MoveUnplaced } from './unplaced.ts'

export interface PaperFillEvent {
  kind: 'fill'
  /** Of the outcome, decimal strings. */
  price: string
  size: string
  liquidity: 'taker' | 'maker'
  evidence: PaperEvidence
  at: Date
}

export type PaperOrderEvent =
  | PaperFillEvent
  /** It began to rest, or traded at once. */
  | { kind: 'accepted'; queueAhead: string; at: Date }
  | { kind: 'ended'; state: Exclude<PaperOrderState, 'working'>; reason: string | null; at: Date }

export interface OrderEvents {
  executionId: string
  accountId: string
  /** Of the order, when the events happened. */
  version: number
  events: readonly PaperOrderEvent[]
}

/** The outcome of an order, for its execution. */
export interface PaperOutcome {
  /** The state of the order after the events. */
  state: PaperOrderState
  reason: string | null
  /** New ones. */
  fills: readonly { key: string; fill: JsonObject; filledAt: Date }[]
  /** Of all fills, contracts. */
  filled: string
  at: Date
}

/** Of an order, decimal strings. */
export interface OrderMoney {
  filled: string
  reserved: string
  /** Sum of its fees before rounding. */
  feeExact: string
  fee: string
}

export interface FillMoney {
  after: OrderMoney
  cash: string
  fee: string
}

/** Rules that are not the storage's. */
export interface PaperRules {
  /** What a fill brings or costs, and what its order holds and has paid after it. Throws for a fill that exceeds its order. */
  takeFill(
    order: PaperOrderRow,
    before: OrderMoney,
    fill: Pick<PaperFillEvent, 'price' | 'size' | 'liquidity'>,
  ): FillMoney
  /** The fill as the execution stores it. */
  storedFill(order: PaperOrderRow, fill: RecordedFill): JsonObject
  /** Null: nothing changes. */
  moveOf(row: ExecutionRow, outcome: PaperOutcome): Move | null
  moveUnplaced: MoveUnplaced
}

export interface RecordedFill extends PaperFillEvent {
  number: number
  cash: string
  fee: string
}

export interface Applied {
  /** Orders of which events were dropped. */
  dropped: string[]
  fills: number
  /** Executions that were moved. */
  moved: number
}

/** Within a transaction that has checked the exchange's lease, where the exchange calls it. */
export async function applyPaperEvents(
  db: Queryable,
  rules: PaperRules,
  batch: readonly OrderEvents[],
): Promise<Applied> {
  const applied: Applied = { dropped: [], fills: 0, moved: 0 }
  if (batch.length === 0) return applied
  const ids = batch.map(({ executionId }) => executionId)
  await lockPaperAccounts(
    db,
    batch.map(({ accountId }) => accountId),
  )
  const executions = await lockExecutions(db, ids)
  const orders = await findOrders(db, ids)
  for (const { executionId, version, events } of batch) {
    const order = orders.get(executionId)
    const execution = executions.get(executionId)
    if (order === undefined || execution === undefined || order.state !== 'working' || order.version !== version) {
      applied.dropped.push(executionId)
      continue
    }
    const outcome = await record(db, rules, order, events)
    applied.fills += outcome.fills.length
    applied.moved += await follow(db, rules, execution, outcome)
  }
  return applied
}

async function lockExecutions(db: Queryable, ids: readonly string[]): Promise<Map<string, ExecutionRow>> {
  const { rows } = await db.query<ExecutionRow>(
    `SELECT ${executionColumns} FROM executions e WHERE e.id = ANY($1::uuid[]) ORDER BY e.id FOR NO KEY UPDATE`,
    [ids],
  )
  return new Map(rows.map((row) => [row.id, row]))
}

async function findOrders(db: Queryable, ids: readonly string[]): Promise<Map<string, PaperOrderRow>> {
  const { rows } = await db.query<PaperOrderRow>(
    `SELECT ${paperOrderColumns} FROM paper_orders o WHERE o.execution_id = ANY($1::uuid[])`,
    [ids],
  )
  return new Map(rows.map((row) => [row.execution_id, row]))
}

/** The order's numbers, updated event by event. */
interface Totals extends OrderMoney {
  fills: number
  cash: string
  state: PaperOrderState
  reason: string | null
  queueAhead: string | null
  at: Date
}

async function record(
  db: Queryable,
  rules: PaperRules,
  order: PaperOrderRow,
  events: readonly PaperOrderEvent[],
): Promise<PaperOutcome> {
  const { totals, fills } = foldEvents(rules, order, events)
  await writeOrder(db, order, totals)
  await writeFills(db, order, fills)
  await writeHoldings(db, order, totals)
  return {
    state: totals.state,
    reason: totals.reason,
    fills: fills.map((fill) => ({
      key: `paper:${fill.number}`,
      fill: rules.storedFill(order, fill),
      filledAt: fill.at,
    })),
    filled: totals.filled,
    at: totals.at,
  }
}

/** What an order is after its events. */
export function foldEvents(
  rules: Pick<PaperRules, 'takeFill'>,
  order: PaperOrderRow,
  events: readonly PaperOrderEvent[],
): { totals: Totals; fills: RecordedFill[] } {
  const totals: Totals = {
    filled: plain(order.filled),
    reserved: plain(order.reserved),
    feeExact: plain(order.fee_exact),
    fee: plain(order.fee),
    fills: order.fills,
    cash: '0',
    state: 'working',
    reason: null,
    queueAhead: order.queue_ahead,
    at: order.updated_at,
  }
  const fills: RecordedFill[] = []
  for (const event of events) {
    if (totals.state !== 'working') break
    totals.at = event.at
    if (event.kind === 'accepted') totals.queueAhead = event.queueAhead
    else if (event.kind === 'fill') fills.push(take(rules, order, totals, event))
    else Object.assign(totals, { state: event.state, reason: event.reason })
    if (compareDecimals(totals.filled, plain(order.size)) === 0) totals.state = 'filled'
  }
  // What an order that ended still holds is free again.
  if (totals.state !== 'working') totals.reserved = '0'
  return { totals, fills }
}

/** What that adds to the account's cash and to its position, and to the reserved part of each. Null: nothing. */
export function changeOf(
  order: PaperOrderRow,
  totals: Totals,
): { cash: { cash: string; reserved: string } | null; position: { quantity: string; reserved: string } | null } {
  const reserved = subtractDecimals(totals.reserved, plain(order.reserved))
  const filled = subtractDecimals(totals.filled, plain(order.filled))
  if (order.is_buy) {
    const position = compareDecimals(filled, '0') > 0 ? { quantity: filled, reserved: '0' } : null
    return { cash: { cash: totals.cash, reserved }, position }
  }
  return {
    cash: compareDecimals(totals.cash, '0') === 0 ? null : { cash: totals.cash, reserved: '0' },
    position: compareDecimals(reserved, '0') === 0 ? null : { quantity: subtractDecimals('0', filled), reserved },
  }
}

function take(
  rules: Pick<PaperRules, 'takeFill'>,
  order: PaperOrderRow,
  totals: Totals,
  event: PaperFillEvent,
): RecordedFill {
  const { after, cash, fee } = rules.takeFill(order, totals, event)
  Object.assign(totals, after)
  totals.fills += 1
  totals.cash = order.is_buy
    ? subtractDecimals(totals.cash, addDecimals(cash, fee))
    : addDecimals(totals.cash, subtractDecimals(cash, fee))
  return { ...event, number: totals.fills, cash, fee }
}

async function writeOrder(db: Queryable, order: PaperOrderRow, totals: Totals): Promise<void> {
  await db.query(
    `UPDATE paper_orders SET state = $2, filled = $3, fills = $4, fee_exact = $5, fee = $6, reserved = $7, queue_ahead = $8, reason = $9,
       updated_at = greatest(updated_at, $10)
     WHERE execution_id = $1`,
    [
      order.execution_id,
      totals.state,
      totals.filled,
      totals.fills,
      totals.feeExact,
      totals.fee,
      totals.reserved,
      totals.queueAhead,
      totals.reason,
      totals.at,
    ],
  )
}

async function writeFills(db: Queryable, order: PaperOrderRow, fills: readonly RecordedFill[]): Promise<void> {
  if (fills.length === 0) return
  await db.query(
    `INSERT INTO paper_fills (execution_id, number, account_id, venue, market_id, outcome_id, currency, is_buy, price, size, cash, fee,
       liquidity, evidence, filled_at)
     SELECT $1, f.number, $2, $3, $4, $5, $6, $7, f.price, f.size, f.cash, f.fee, f.liquidity, f.evidence, f.at
     FROM unnest($8::int[], $9::numeric[], $10::numeric[], $11::numeric[], $12::numeric[], $13::text[], $14::jsonb[], $15::timestamptz[])
       AS f (number, price, size, cash, fee, liquidity, evidence, at) ORDER BY f.number`,
    [
      order.execution_id,
      order.account_id,
      order.venue,
      order.market_id,
      order.outcome_id,
      order.currency,
      order.is_buy,
      fills.map(({ number }) => number),
      fills.map(({ price }) => price),
      fills.map(({ size }) => size),
      fills.map(({ cash }) => cash),
      fills.map(({ fee }) => fee),
      fills.map(({ liquidity }) => liquidity),
      fills.map(({ evidence }) => JSON.stringify(evidence)),
      fills.map(({ at }) => at),
    ],
  )
}

async function writeHoldings(db: Queryable, order: PaperOrderRow, totals: Totals): Promise<void> {
  const { account_id: accountId, venue, currency, market_id: marketId, outcome_id: outcomeId } = order
  const place = { accountId, venue, marketId, outcomeId, currency }
  const { cash, position } = changeOf(order, totals)
  if (cash !== null) await changeCash(db, place, cash)
  if (position !== null) await changePosition(db, place, position)
}

/** Moves the execution, and the modifications of the order, which end with it. */
async function follow(
  db: Queryable,
  rules: PaperRules,
  execution: ExecutionRow,
  outcome: PaperOutcome,
): Promise<number> {
  const move = rules.moveOf(execution, outcome)
  if (move !== null && (await moveReserved(db, move)) === null) {
    throw new Error('a locked execution was not moved')
  }
  if (outcome.state === 'working') return move === null ? 0 : 1
  const { rows } = await db.query<ExecutionRow>(
    `SELECT ${executionColumns} FROM executions e
     WHERE e.account_id = $1 AND e.venue = $2 AND e.venue_ref = $3 AND e.intent = 'modify' AND e.status = 'acked'`,
    [execution.account_id, execution.venue, execution.venue_ref],
  )
  for (const row of rows) {
    const end = rules.moveOf(row, { ...outcome, fills: [] })
    if (end !== null) await moveReserved(db, end)
  }
  return (move === null ? 0 : 1) + rows.length
}
