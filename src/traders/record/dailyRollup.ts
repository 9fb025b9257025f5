// The roll-up: new rows since the last pass cause days of wallets to be recomputed, and from those the wallets. Nothing is added incrementally, so a
// pass may be repeated, split differently or killed, with the same result (docs/decisions/0045).
//
//   trades by batch, readings ─► days they touch ─► wallets of those days ─┐
//   settlements ───────────────────────────────────► wallets in them ──────┴─► scores
import { randomUUID } from 'node:crypto'
import type { TapeStore } from '#storage/clickhouse/client'
import { insertWallets, type WalletRow } from '#storage/clickhouse/traderInsert'
import {
  type Backfilled,
  backfilledDaysSql,
  countWalletsSql,
  daysWithdrawnSql,
  type Fresh,
  findBatchesSql,
  progressSql,
  reportedDaysSql,
  saveProgressSql,
  walletsOfDays,
  walletsSettledSql,
} from './statements/arrivals.ts'
import { rollDaysSql } from './statements/days.ts'
import { findWalletSumsSql, type WalletLine, walletOf } from './statements/wallets.ts'

/**
 * Rows may appear this long after their time stamp, which an insert takes when it begins. Ten times the maximum duration of
 * a request.
 */
export const marginMs = 300_000
/** Trades per step. A batch is never split. */
export const tradesPerStep = 40_000
/** Wallets per statement, approximately. */
export const walletsPerStatement = 20_000

const quietSaveMs = 60_000

export interface RolledUp {
  trades: number
  wallets: number
  /** More rows are left than one step reads: call again immediately. */
  more: boolean
}

export type RollUpStore = Pick<TapeStore, 'rows' | 'command' | 'insert'>

interface Progress {
  now: number
  readUntil: number
  withdrawn: number
}

interface Batch {
  batch: number
  rows: number
  writtenAt: number
}

export class RollUp {
  /** Batches read, and when they were written: kept until no batch of that time can appear any more. */
  private readonly read = new Map<string, number>()
  /** Up to when everything was read, on the engine's clock; null: not read yet. */
  private readUntil: number | null = null
  private savedAt = 0
  /** Reverted trades already removed from the days; null: not counted yet. */
  private withdrawn: number | null = null
  private readonly store: RollUpStore
  private readonly onWallets: (wallets: readonly WalletRow[]) => void

  /** `onWallets`: called with the rows just written. */
  constructor(store: RollUpStore, onWallets: (wallets: readonly WalletRow[]) => void = () => undefined) {
    this.store = store
    this.onWallets = onWallets
  }

  /** One step. Rejects when the store does; nothing counts as read in that case. */
  async pass(): Promise<RolledUp> {
    const progress = (await this.store.rows<Progress>(progressSql))[0]!
    const since = Math.max(0, (this.readUntil ?? progress.readUntil) - marginMs)
    const [trades, reported, settlements] = await Promise.all([
      this.unread('trader_trades', since),
      this.unread('trader_told', since),
      this.unread('trader_settlements', since),
    ])
    const [step, readings] = [firstOf(trades), firstOf(reported)]
    const wallets =
      (await this.rollTrades(freshOf(since, step), freshOf(since, readings), progress.withdrawn)) +
      (await this.rollSettlements(freshOf(since, settlements)))
    this.remember('trader_trades', step)
    this.remember('trader_told', readings)
    this.remember('trader_settlements', settlements)
    this.withdrawn = progress.withdrawn
    this.readUntil ??= progress.readUntil
    const more = step.length < trades.length || readings.length < reported.length
    if (!more) await this.readAllUntil(progress.now, wallets > 0)
    return { trades: step.reduce((sum, { rows }) => sum + rows, 0), wallets, more }
  }

  private async unread(table: Backfilled, since: number): Promise<Batch[]> {
    const batches = await this.store.rows<Batch>(findBatchesSql(table), { since })
    return batches.filter(({ batch }) => !this.read.has(`${table} ${batch}`))
  }

  private remember(table: Backfilled, batches: readonly Batch[]): void {
    for (const { batch, writtenAt } of batches) this.read.set(`${table} ${batch}`, writtenAt)
  }

  private async rollTrades(trades: Fresh, reported: Fresh, withdrawn: number): Promise<number> {
    const sources = [
      ...(trades.batches.length === 0 ? [] : [backfilledDaysSql(trades)]),
      ...(reported.batches.length === 0 ? [] : [reportedDaysSql(reported)]),
      ...(withdrawn === (this.withdrawn ?? 0) ? [] : [daysWithdrawnSql]),
    ]
    if (sources.length === 0) return 0
    const days = sources.join(' UNION ALL ')
    await this.store.command(rollDaysSql(days))
    return this.rollWallets(walletsOfDays(days))
  }

  private async rollSettlements(fresh: Fresh): Promise<number> {
    return fresh.batches.length === 0 ? 0 : this.rollWallets(walletsSettledSql(fresh))
  }

  /** `wallets`: a statement of (venue, wallet). */
  private async rollWallets(wallets: string): Promise<number> {
    const [counted] = await this.store.rows<{ wallets: number }>(countWalletsSql(wallets))
    const parts = Math.ceil((counted?.wallets ?? 0) / walletsPerStatement)
    let rolled = 0
    for (let part = 0; part < parts; part++) {
      const lines = await this.store.rows<WalletLine>(findWalletSumsSql(wallets, part, parts))
      const rows = lines.map(walletOf)
      await insertWallets(this.store, rows, `roll-up ${randomUUID()}`)
      this.onWallets(rows)
      rolled += rows.length
    }
    return rolled
  }

  /** A pass without new rows is not always recorded: a restart may read a minute again. */
  private async readAllUntil(now: number, hasRolled: boolean): Promise<void> {
    this.readUntil = now
    for (const [name, writtenAt] of this.read) if (writtenAt < now - 2 * marginMs) this.read.delete(name)
    if (!hasRolled && now - this.savedAt < quietSaveMs) return
    await this.store.command(saveProgressSql(now))
    this.savedAt = now
  }
}

const freshOf = (since: number, batches: readonly Batch[]): Fresh => ({
  since,
  batches: batches.map(({ batch }) => batch),
})

function firstOf(batches: readonly Batch[]): Batch[] {
  let rows = 0
  const step: Batch[] = []
  for (const batch of batches) {
    if (step.length > 0 && rows + batch.rows > tradesPerStep) break
    step.push(batch)
    rows += batch.rows
  }
  return step
}
