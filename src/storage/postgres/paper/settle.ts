// Pays out positions of resolved markets: by itself where the venue does, otherwise when the account redeems.
import { addDecimals, compareDecimals, multiplyDecimals, roundDecimal, subtractDecimals } from '#core/decimal'
import type { Queryable } from '../pool.ts'
import { lockPaperAccounts } from './accounts.ts'
import { changeCash, changePosition, plain } from './cash.ts'
import type { PaperPositionRow } from './findPaper.ts'
import { lockSubmitted } from './place.ts'

export interface ResolvedPaperMarket {
  venue: string
  marketId: string
  /** Payout of one share, decimal strings, by outcome id. An outcome that is missing is not paid. */
  values: ReadonlyMap<string, string>
  at: Date
}

/** The precision of the portfolio's ledger. */
const places = 18

export type RedeemResult = { kind: 'redeemed'; cash: string } | { kind: 'nothing_held' | 'not_submitted' }

/** Within a transaction. Shares that working sales hold are paid once those have ended. */
export async function settlePaperMarket(db: Queryable, market: ResolvedPaperMarket, limit: number): Promise<number> {
  const { rows } = await db.query<{ account_id: string }>(
    `SELECT DISTINCT account_id FROM paper_positions
     WHERE venue = $1 AND market_id = $2 AND quantity > 0 AND reserved = 0 AND outcome_id = ANY($3) ORDER BY account_id LIMIT $4`,
    [market.venue, market.marketId, [...market.values.keys()], limit],
  )
  const accountIds = rows.map(({ account_id }) => account_id)
  if (accountIds.length === 0) return 0
  await lockPaperAccounts(db, accountIds)
  for (const accountId of accountIds) await payAccount(db, market, { accountId, executionId: null })
  return accountIds.length
}

/** Within a transaction. */
export async function redeemPaper(
  db: Queryable,
  market: ResolvedPaperMarket,
  { accountId, executionId }: { accountId: string; executionId: string },
): Promise<RedeemResult> {
  await lockPaperAccounts(db, [accountId])
  const execution = await lockSubmitted(db, accountId, executionId)
  const before = await findRedeemed(db, executionId)
  if (before !== null) return { kind: 'redeemed', cash: before }
  if (execution?.status !== 'submitted') return { kind: 'not_submitted' }
  const cash = await payAccount(db, market, { accountId, executionId })
  return cash === null ? { kind: 'nothing_held' } : { kind: 'redeemed', cash }
}

/** What a redemption paid; null: nothing was redeemed by it. */
export async function findRedeemed(db: Queryable, executionId: string): Promise<string | null> {
  const { rows } = await db.query<{ cash: string | null }>(
    'SELECT sum(cash) AS cash FROM paper_settlements WHERE execution_id = $1',
    [executionId],
  )
  const cash = rows[0]?.cash ?? null
  return cash === null ? null : plain(cash)
}

async function payAccount(
  db: Queryable,
  { venue, marketId, values, at }: ResolvedPaperMarket,
  { accountId, executionId }: { accountId: string; executionId: string | null },
): Promise<string | null> {
  const { rows } = await db.query<PaperPositionRow>(
    `SELECT account_id, venue, market_id, outcome_id, currency, quantity, reserved FROM paper_positions
     WHERE account_id = $1 AND venue = $2 AND market_id = $3 AND quantity > 0 AND reserved = 0 ORDER BY outcome_id`,
    [accountId, venue, marketId],
  )
  let paid: string | null = null
  for (const { outcome_id: outcomeId, currency, quantity: held } of rows) {
    const value = values.get(outcomeId)
    if (value === undefined) continue
    const quantity = plain(held)
    const cash = roundDecimal(multiplyDecimals(quantity, value), places, 'down')
    await db.query(
      `INSERT INTO paper_settlements (account_id, venue, market_id, outcome_id, currency, quantity, value, cash, execution_id, settled_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [accountId, venue, marketId, outcomeId, currency, quantity, value, cash, executionId, at],
    )
    const place = { accountId, venue, marketId, outcomeId, currency }
    await changePosition(db, place, { quantity: subtractDecimals('0', quantity), reserved: '0' })
    if (compareDecimals(cash, '0') !== 0) await changeCash(db, place, { cash, reserved: '0' })
    paid = addDecimals(paid ?? '0', cash)
  }
  return paid
}
