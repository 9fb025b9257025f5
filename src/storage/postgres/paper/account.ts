// Deposits to a paper account, and its reset.
import { compareDecimals, subtractDecimals } from '#core/decimal'
import type { Queryable } from '../pool.ts'
import { countReset, lockPaperAccounts } from './accounts.ts'
import { applyPaperEvents, type PaperRules } from './apply.ts'
import { enterForfeit, enterTransfer, grantStart, plain } from './cash.ts'
import { listBalances, listPositions } from './findPaper.ts'

export interface PaperDeposit {
  /** Of this deposit. */
  id: string
  accountId: string
  keyId: string
  venue: string
  /** Empty: unknown. */
  currency: string
  amount: string
  key: string
  bodySha256: Buffer
  /** Cash that the account may have there. */
  cashMax: string
  startCash: string
  at: Date
}

export type DepositResult = { kind: 'deposited' | 'replayed' | 'key_taken' } | { kind: 'too_much'; cash: string }

/** Within a transaction. */
export async function depositPaper(db: Queryable, deposit: PaperDeposit): Promise<DepositResult> {
  const { accountId, keyId, venue, currency, amount, key, bodySha256, at } = deposit
  await lockPaperAccounts(db, [accountId])
  const idempotencyKey = `paper:deposit:${key}`
  const { rows: known } = await db.query<{ body_sha256: Buffer }>(
    'SELECT body_sha256 FROM portfolio_imports WHERE account_id = $1 AND idempotency_key = $2',
    [accountId, idempotencyKey],
  )
  if (known[0] !== undefined) return { kind: known[0].body_sha256.equals(bodySha256) ? 'replayed' : 'key_taken' }
  await grantStart(db, { accountId, venue, currency }, deposit)
  const { rowCount } = await db.query(
    `UPDATE paper_balances SET cash = cash + $4::numeric
     WHERE account_id = $1 AND venue = $2 AND currency = $3 AND cash + $4::numeric <= $5::numeric`,
    [accountId, venue, currency, amount, deposit.cashMax],
  )
  if (rowCount !== 1) return { kind: 'too_much', cash: await cashAt(db, deposit) }
  const ref = `paper:deposit:${deposit.id}`
  const transfer = { accountId, keyId, venue, currency, bodySha256, idempotencyKey, ref, cash: amount, at }
  await enterTransfer(db, transfer)
  return { kind: 'deposited' }
}

async function cashAt(db: Queryable, { accountId, venue, currency }: PaperDeposit): Promise<string> {
  const { rows } = await db.query<{ cash: string }>(
    'SELECT cash FROM paper_balances WHERE account_id = $1 AND venue = $2 AND currency = $3',
    [accountId, venue, currency],
  )
  return plain(rows[0]?.cash ?? '0')
}

export interface PaperReset {
  accountId: string
  keyId: string
  /** Of this reset. */
  id: string
  startCash: string
  at: Date
}

/**
 * Within a transaction: every working order is canceled, every position is given up for nothing, and the cash everywhere is the start amount
 * again. What happened before stays in the account's history.
 */
export async function resetPaperAccount(db: Queryable, rules: PaperRules, reset: PaperReset): Promise<void> {
  const { accountId, keyId, id, startCash, at } = reset
  await lockPaperAccounts(db, [accountId])
  await cancelAllOf(db, rules, reset)
  const bodySha256 = Buffer.alloc(32)
  const held = await listPositions(db, accountId)
  for (const [n, { venue, market_id: marketId, outcome_id: outcomeId, currency, quantity }] of held.entries()) {
    const ref = `paper:reset:${id}:position:${n}`
    await enterForfeit(db, {
      ...{ accountId, keyId, venue, marketId, outcomeId, currency, bodySha256, at, ref },
      quantity: plain(quantity),
      idempotencyKey: ref,
    })
  }
  await db.query('UPDATE paper_positions SET quantity = 0 WHERE account_id = $1', [accountId])
  const balances = await listBalances(db, accountId)
  for (const [n, { venue, currency, cash: before }] of balances.entries()) {
    const cash = subtractDecimals(startCash, plain(before))
    if (compareDecimals(cash, '0') === 0) continue
    const ref = `paper:reset:${id}:cash:${n}`
    await enterTransfer(db, { accountId, keyId, venue, currency, bodySha256, at, ref, cash, idempotencyKey: ref })
  }
  await db.query('UPDATE paper_balances SET cash = $2 WHERE account_id = $1', [accountId, startCash])
  await countReset(db, accountId)
}

async function cancelAllOf(db: Queryable, rules: PaperRules, { accountId, at }: PaperReset): Promise<void> {
  const { rows } = await db.query<{ execution_id: string; version: number }>(
    `SELECT execution_id, version FROM paper_orders WHERE account_id = $1 AND state = 'working' ORDER BY execution_id`,
    [accountId],
  )
  const reason = 'the paper account was reset'
  await applyPaperEvents(
    db,
    rules,
    rows.map(({ execution_id: executionId, version }) => ({
      ...{ executionId, accountId, version },
      events: [{ kind: 'ended', state: 'canceled', reason, at }],
    })),
  )
}
