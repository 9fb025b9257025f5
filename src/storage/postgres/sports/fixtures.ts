// What the sports engine stored, and its state. A pass is written completely or not at all.
import { inTransaction, isStillResting, type Pool, type Queryable } from '../pool.ts'

export type FixturePiece =
  | { kind: 'changed'; records: readonly { head: { fixtureId: string }; entries: unknown }[] }
  | { kind: 'removed'; ids: readonly string[] }

export interface SportsRun {
  /** When its catalog was read, epoch ms. */
  readAt: number
  totals: unknown
}

const transactionMs = 120_000
const goneKept = '1 day'

/** Throws when anything fails; nothing is stored then. Returns the number of the pass. */
export async function writeSportsRun(
  pool: Pool,
  { readAt, totals }: SportsRun,
  pieces: AsyncIterable<FixturePiece>,
  now: () => number,
): Promise<number> {
  return inTransaction(
    pool,
    async (client) => {
      // Serializes the passes of two engines. The row itself stays unlocked until the end, because the engine's heartbeat updates
      // it.
      await client.query("SELECT pg_advisory_xact_lock(hashtext('crossbook.sports'))")
      const { rows } = await client.query<{ pass: string }>(
        'SELECT coalesce(max(pass), 0) + 1 AS pass FROM sports_state',
      )
      const pass = Number(rows[0]!.pass)
      for await (const piece of pieces) {
        if (piece.kind === 'changed') await client.query(writeChanged, [storableJson(piece.records), pass, now()])
        else await client.query(writeRemoved, [piece.ids, pass, now()])
      }
      await client.query(
        `DELETE FROM sports_fixtures WHERE head IS NULL AND built_at < to_timestamp($1::float8 / 1000) - interval '${goneKept}'`,
        [now()],
      )
      await client.query(
        `INSERT INTO sports_state (pass, read_at, heartbeat_at, totals)
         VALUES ($1, to_timestamp($2::float8 / 1000), to_timestamp($3::float8 / 1000), $4)
         ON CONFLICT (only_row) DO UPDATE SET pass = excluded.pass, read_at = excluded.read_at,
           heartbeat_at = excluded.heartbeat_at, totals = excluded.totals`,
        [pass, readAt, now(), JSON.stringify(totals)],
      )
      return pass
    },
    { statementTimeoutMs: transactionMs, settings: isStillResting },
  )
}

/** An unchanged one is not rewritten. */
const writeChanged = `INSERT INTO sports_fixtures (id, pass, built_at, head, entries)
  SELECT r.head->>'fixtureId', $2, to_timestamp($3::float8 / 1000), r.head, r.entries
  FROM jsonb_to_recordset($1::jsonb) AS r(head jsonb, entries jsonb)
  ON CONFLICT (id) DO UPDATE SET pass = excluded.pass, built_at = excluded.built_at, head = excluded.head, entries = excluded.entries
  WHERE sports_fixtures.head IS DISTINCT FROM excluded.head OR sports_fixtures.entries IS DISTINCT FROM excluded.entries`

const writeRemoved = `UPDATE sports_fixtures SET pass = $2, built_at = to_timestamp($3::float8 / 1000), head = NULL, entries = NULL
  WHERE id = ANY($1)`

/** PostgreSQL text does not allow NUL. */
const storableJson = (rows: readonly unknown[]): string => JSON.stringify(rows).replaceAll('\\u0000', '')

/** Heartbeat of the engine, sent even if it has nothing to write. */
export async function heartbeatSports(db: Queryable, now: number): Promise<void> {
  await db.query('UPDATE sports_state SET heartbeat_at = to_timestamp($1::float8 / 1000)', [now])
}

export interface SportsStateRow {
  pass: number
  readAt: number
  heartbeatAt: number
  totals: unknown
}

/** Null before the first pass. */
export async function findSportsState(db: Queryable): Promise<SportsStateRow | null> {
  const { rows } = await db.query<{ pass: string; read_at: Date; heartbeat_at: Date; totals: unknown }>(
    'SELECT pass, read_at, heartbeat_at, totals FROM sports_state',
  )
  const row = rows[0]
  return row === undefined
    ? null
    : {
        pass: Number(row.pass),
        readAt: row.read_at.getTime(),
        heartbeatAt: row.heartbeat_at.getTime(),
        totals: row.totals,
      }
}

/** Number of recent walks searched: a few hours of all venues at the usual pace. */
const walksMax = 300

/** Start of the last completed walk of each venue's catalog, epoch ms. A venue without a recent one is missing. */
export async function findCatalogWalks(db: Queryable): Promise<Map<string, number>> {
  const { rows } = await db.query<{ venue: string; began: Date }>(
    `SELECT venue, max(started_at) AS began
     FROM (SELECT counts->>'venue' AS venue, started_at, ok FROM run_log WHERE job = 'ingest' ORDER BY id DESC LIMIT $1) walks
     WHERE ok AND venue IS NOT NULL GROUP BY venue`,
    [walksMax],
  )
  return new Map(rows.map(({ venue, began }) => [venue, began.getTime()]))
}

export interface FixtureRow {
  id: string
  pass: number
  builtAt: number
  /** Null: gone. */
  head: unknown
}

/** What passes after this one wrote, ordered by pass and id, starting after a given row. */
export async function findFixturesSince(
  db: Queryable,
  { pass, id }: { pass: number; id: string },
  limit: number,
): Promise<FixtureRow[]> {
  const { rows } = await db.query<{ id: string; pass: string; built_at: Date; head: unknown }>(
    `SELECT id, pass, built_at, head FROM sports_fixtures WHERE (pass, id) > ($1, $2) ORDER BY pass, id LIMIT $3`,
    [pass, id, limit],
  )
  return rows.map((row) => ({ id: row.id, pass: Number(row.pass), builtAt: row.built_at.getTime(), head: row.head }))
}

export interface EntriesRow {
  id: string
  builtAt: number
  entries: unknown
}

/** Markets of fixtures by their ids; deleted ones are missing. */
export async function findFixtureEntries(db: Queryable, ids: readonly string[]): Promise<EntriesRow[]> {
  const { rows } = await db.query<{ id: string; built_at: Date; entries: unknown }>(
    'SELECT id, built_at, entries FROM sports_fixtures WHERE id = ANY($1) AND entries IS NOT NULL',
    [ids],
  )
  return rows.map((row) => ({ id: row.id, builtAt: row.built_at.getTime(), entries: row.entries }))
}

export interface PlacedMarkets {
  fixtureId: string
  markets: { venue: string; marketId: string }[]
}

/** Which markets are on which fixture, by its id, after `after`. */
export async function findPlacedMarkets(db: Queryable, after: string, limit: number): Promise<PlacedMarkets[]> {
  const { rows } = await db.query<PlacedMarkets>(
    `SELECT id AS "fixtureId", coalesce((SELECT jsonb_agg(jsonb_build_object('venue', e->'venue', 'marketId', e->'marketId'))
       FROM jsonb_array_elements(entries) e), '[]') AS markets
     FROM sports_fixtures WHERE head IS NOT NULL AND id > $1 ORDER BY id LIMIT $2`,
    [after, limit],
  )
  return rows
}
