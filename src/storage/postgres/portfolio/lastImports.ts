// The last import of each account, to notice new ones.
import type { Queryable } from '../pool.ts'

/** Ids (bigint, as text) by account; accounts without an import are absent. */
export async function findLastImports(
  db: Queryable,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await db.query<{ account_id: string; last: string }>(
    `SELECT a.id AS account_id, i.id AS last FROM unnest($1::uuid[]) AS a (id), LATERAL (
       SELECT p.id FROM portfolio_imports p WHERE p.account_id = a.id ORDER BY p.id DESC LIMIT 1
     ) i`,
    [accountIds],
  )
  return new Map(rows.map(({ account_id, last }) => [account_id, last]))
}
