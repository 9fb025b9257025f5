// Settings that a deployment stores about itself. Every process of the deployment reads the same value.
import { randomBytes } from 'node:crypto'
import type { Queryable } from './pool.ts'

/** Random bytes made by whichever process asks first; the same ever after. */
export async function loadSecret(db: Queryable, name: string, bytes = 32): Promise<Buffer> {
  await db.query('INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING', [
    name,
    randomBytes(bytes),
  ])
  const { rows } = await db.query<{ value: Buffer }>('SELECT value FROM settings WHERE name = $1', [name])
  return rows[0]!.value
}

/** What is kept here comes from lab venues, for good. */
export async function markAsLab(db: Queryable): Promise<void> {
  await db.query(`INSERT INTO settings (name, value) VALUES ('lab', '\\x01') ON CONFLICT (name) DO NOTHING`)
}

export async function isLab(db: Queryable): Promise<boolean> {
  const { rowCount } = await db.query(`SELECT 1 FROM settings WHERE name = 'lab'`)
  return rowCount === 1
}

/** Signs cursors; a cursor minted by one gateway opens at another. */
export const loadCursorSecret = (db: Queryable): Promise<Buffer> => loadSecret(db, 'cursor')
