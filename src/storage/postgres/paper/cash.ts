// Cash of paper accounts, within transactions that hold the account's lock. What is paid in is also entered in the portfolio, as a transfer,
// so that the cash of its ledger is the account's.
import { compareDecimals, readDecimal, subtractDecimals } from '#core/decimal'
import type { Queryable } from '../pool.ts'
import { insertImport } from '../portfolio/imports.ts'

interface CashPlace {
  accountId: string
  venue: string
  /** Empty: unknown. */
  currency: string
}

interface Transfer extends CashPlace {
  keyId: string
  /** Above zero: paid in. */
  cash: string
  /** Unique in the account. */
  ref: string
  idempotencyKey: string
  bodySha256: Buffer
  at: Date
}

/** In place of a hash, for transfers without a request body. */
const noBody = Buffer.alloc(32)

/** The start amount, unless the account has or had cash there. */
export async function grantStart(
  db: Queryable,
  { accountId, venue, currency }: CashPlace,
  grant: { startCash: string; keyId: string; at: Date },
): Promise<void> {
  const { rowCount } = await db.query(
    `INSERT INTO paper_balances (account_id, venue, currency, cash) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
    [accountId, venue, currency, grant.startCash],
  )
  if (rowCount === 0 || compareDecimals(grant.startCash, '0') === 0) return
  const ref = `paper:start:${currency}`
  await enterTransfer(db, {
    ...{ accountId, venue, currency, ref },
    ...{ keyId: grant.keyId, cash: grant.startCash, at: grant.at },
    idempotencyKey: `${ref}:${venue}`,
    bodySha256: noBody,
  })
}

export async function enterTransfer(db: Queryable, transfer: Transfer): Promise<void> {
  const row = await insertImport(db, {
    ...importBase(transfer),
    kind: 'transfer',
    market_id: null,
    outcome_id: null,
    size: null,
    cost: null,
    cash: transfer.cash,
  })
  // Its key or its ref is taken.
  if (row === null) throw new Error('a transfer was not entered in the portfolio')
}

/** Shares that the account gives up: they leave its portfolio for nothing. */
export async function enterForfeit(
  db: Queryable,
  position: Omit<Transfer, 'cash'> & { marketId: string; outcomeId: string; quantity: string },
): Promise<void> {
  const row = await insertImport(db, {
    ...importBase(position),
    kind: 'position',
    market_id: position.marketId,
    outcome_id: position.outcomeId,
    size: subtractDecimals('0', position.quantity),
    cost: '0',
    cash: null,
  })
  if (row === null) throw new Error('a position that was given up was not entered in the portfolio')
}

const importBase = ({
  accountId,
  keyId,
  idempotencyKey,
  bodySha256,
  venue,
  ref,
  currency,
  at,
}: Omit<Transfer, 'cash'>) => ({
  ...{ accountId, keyId, idempotencyKey, bodySha256, venue, ref, at },
  currency: currency === '' ? null : currency,
  created_at: at,
})

/** Adds to cash and to its reserved part; either may be negative. Fails when the account would have less than nothing. */
export async function changeCash(
  db: Queryable,
  { accountId, venue, currency }: CashPlace,
  change: { cash: string; reserved: string },
): Promise<void> {
  const { rowCount } = await db.query(
    `UPDATE paper_balances SET cash = cash + $4::numeric, reserved = reserved + $5::numeric
     WHERE account_id = $1 AND venue = $2 AND currency = $3`,
    [accountId, venue, currency, change.cash, change.reserved],
  )
  if (rowCount !== 1) throw new Error('a paper account has no cash at this venue')
}

/** Null: reserved. Otherwise what is available, which is less. */
export async function reserveCash(db: Queryable, place: CashPlace, amount: string): Promise<string | null> {
  const { accountId, venue, currency } = place
  const { rowCount } = await db.query(
    `UPDATE paper_balances SET reserved = reserved + $4::numeric
     WHERE account_id = $1 AND venue = $2 AND currency = $3 AND cash - reserved >= $4::numeric`,
    [accountId, venue, currency, amount],
  )
  if (rowCount === 1) return null
  const { rows } = await db.query<{ available: string }>(
    'SELECT cash - reserved AS available FROM paper_balances WHERE account_id = $1 AND venue = $2 AND currency = $3',
    [accountId, venue, currency],
  )
  return plain(rows[0]?.available ?? '0')
}

interface HeldPlace {
  accountId: string
  venue: string
  marketId: string
  outcomeId: string
}

/** Null: reserved. Otherwise what is available, which is less. */
export async function reservePosition(db: Queryable, place: HeldPlace, size: string): Promise<string | null> {
  const { accountId, venue, marketId, outcomeId } = place
  const of = [accountId, venue, marketId, outcomeId]
  const where = 'account_id = $1 AND venue = $2 AND market_id = $3 AND outcome_id = $4'
  const { rowCount } = await db.query(
    `UPDATE paper_positions SET reserved = reserved + $5::numeric WHERE ${where} AND quantity - reserved >= $5::numeric`,
    [...of, size],
  )
  if (rowCount === 1) return null
  const { rows } = await db.query<{ available: string }>(
    `SELECT quantity - reserved AS available FROM paper_positions WHERE ${where}`,
    of,
  )
  return plain(rows[0]?.available ?? '0')
}

/** Adds to a position and to its reserved part; either may be negative. */
export async function changePosition(
  db: Queryable,
  { accountId, venue, marketId, outcomeId, currency }: HeldPlace & { currency: string },
  change: { quantity: string; reserved: string },
): Promise<void> {
  await db.query(
    `INSERT INTO paper_positions AS p (account_id, venue, market_id, outcome_id, currency, quantity, reserved)
     VALUES ($1, $2, $3, $4, $5, greatest($6::numeric, 0), greatest($7::numeric, 0))
     ON CONFLICT (account_id, venue, market_id, outcome_id) DO UPDATE SET
       quantity = p.quantity + $6::numeric, reserved = p.reserved + $7::numeric`,
    [accountId, venue, marketId, outcomeId, currency, change.quantity, change.reserved],
  )
}

/** A `numeric` as canonical decimal text. */
export function plain(text: string): string {
  const value = readDecimal(text)
  if (value === null) throw new Error('the database holds an amount with too many digits')
  return value
}
