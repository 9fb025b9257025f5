// Spend reservations under caps: how many of the day's dollars an execution holds, from its build to its end.
//
//   build ─ takes ─► held ─ sent within ten minutes ─► held until it ends without a fill, or the day is over
//                     └─ not sent: given back when needed elsewhere; a late submit reserves it again

import type { Queryable } from '../pool.ts'
import { prepared } from '../preparedStatements.ts'
import type { ExecutionRow } from './executionRow.ts'
import { acceptedReservation, familyOf } from './orderChain.ts'

/** How long an unsent build keeps its spend reservation. */
export const unsentReservationMs = 10 * 60_000

/** Dollars that a change of execution `targetId` need not reserve again. Decimal string. */
export async function findTargetReservation(db: Queryable, targetId: string): Promise<string> {
  const { rows } = await db.query<{ usd: string }>(
    `WITH ${familyOf} SELECT trim_scale(usd)::text AS usd FROM ${acceptedReservation('NULL')} AS accepted`,
    [targetId],
  )
  return rows[0]?.usd ?? '0'
}

/**
 * Reserves the dollars an execution lacks when it is sent. Runs after the move, in its transaction: throws with constraint `spend_cap`,
 * rolling everything back, if the cap does not allow it.
 */
export async function reserveShortfall(db: Queryable, row: ExecutionRow, at: Date): Promise<void> {
  if (row.intent !== 'order' && row.intent !== 'modify') return
  if (row.notional_usd !== null && Number(row.notional_usd) <= Number(row.held_usd)) return
  await db.query(missingReservation([row.id, at]))
}

const missingReservation = prepared(
  `WITH ${familyOf}, own AS (
       SELECT f.*, coalesce(f.spend_day, ($2::timestamptz AT TIME ZONE 'UTC')::date) AS day FROM family f WHERE f.id = $1
     ), lacking AS (
       SELECT coalesce(own.notional_usd, 'Infinity') - own.held_usd
         - CASE WHEN own.intent = 'modify' THEN accepted.usd ELSE 0 END AS usd
       FROM own, ${acceptedReservation('$1')} AS accepted
     ), taken AS (
       INSERT INTO spend_reserved (scope_id, day, reserved, cap)
       SELECT c.scope_id, own.day, lacking.usd, c.daily_usd
       FROM own, lacking, spend_caps c WHERE c.scope_id IN (own.account_id, own.key_id) AND lacking.usd > 0 ORDER BY c.scope_id
       ON CONFLICT (scope_id, day) DO UPDATE SET reserved = spend_reserved.reserved + EXCLUDED.reserved, cap = EXCLUDED.cap
       RETURNING 1
     )
     UPDATE executions e SET held_usd = e.held_usd + lacking.usd, spend_day = own.day
     FROM own, lacking WHERE e.id = own.id AND EXISTS (SELECT FROM taken)`,
)

/**
 * Reserves again what an execution released at an end that was wrong, as far as its caps allow: what happened at the venue cannot be
 * rejected any more. Runs after the move, in its transaction.
 */
export async function reReserve(db: Queryable, row: ExecutionRow, at: Date): Promise<void> {
  if (row.notional_usd === null || Number(row.notional_usd) <= Number(row.held_usd)) return
  const scopes = `FROM spend_caps c WHERE c.scope_id IN ($1::uuid, $2::uuid)`
  await db.query(
    `INSERT INTO spend_reserved (scope_id, day, reserved, cap)
     SELECT c.scope_id, ($3::timestamptz AT TIME ZONE 'UTC')::date, 0, c.daily_usd ${scopes} ORDER BY c.scope_id ON CONFLICT DO NOTHING`,
    [row.account_id, row.key_id, at],
  )
  await db.query(
    `WITH rooms AS (
       SELECT r.scope_id, r.day, r.cap - r.reserved AS free FROM spend_reserved r
       WHERE r.day = ($3::timestamptz AT TIME ZONE 'UTC')::date AND r.scope_id IN (SELECT c.scope_id ${scopes})
       ORDER BY r.scope_id FOR UPDATE
     ), again AS (
       SELECT day, least($5::numeric - $6::numeric, min(free)) AS usd FROM rooms GROUP BY day HAVING min(free) > 0
     ), taken AS (
       UPDATE spend_reserved s SET reserved = s.reserved + again.usd FROM rooms, again
       WHERE s.scope_id = rooms.scope_id AND s.day = again.day
     )
     UPDATE executions e SET held_usd = e.held_usd + again.usd, spend_day = again.day FROM again WHERE e.id = $4`,
    [row.account_id, row.key_id, at, row.id, row.notional_usd, row.held_usd],
  )
}

/**
 * Releases what an order can no longer cost, once the venue has accepted its change to fewer contracts. Only where the venue changes the
 * order in place: it then counts fills itself, and nothing was filled at worse than the most expensive terms ever sent. Runs after the
 * move; if one of the rows is locked, everything stays as it is.
 */
export async function releaseExcess(db: Queryable, change: ExecutionRow): Promise<void> {
  if (change.intent !== 'modify') return
  await db.query(
    `WITH ${familyOf}, sent AS (
       SELECT * FROM family WHERE intent IN ('order', 'modify') AND status NOT IN ('built', 'signed')
         AND last_event NOT IN ('rejected', 'discard')
     ), need AS (
       SELECT ceil(max(notional_usd / (terms->>'size')::numeric) * max((terms->>'size')::numeric) FILTER (WHERE id = $1) * 1e6) / 1e6 AS usd,
         count(*) AS members
       FROM sent HAVING bool_and(status = 'acked' AND venue_ref = $2 AND notional_usd IS NOT NULL AND (terms->>'size')::numeric > 0)
     ), locked AS (
       SELECT x.* FROM executions x WHERE x.id IN (SELECT id FROM sent) FOR UPDATE SKIP LOCKED
     ), kept AS (
       SELECT locked.id, account_id, key_id, spend_day, locked.held_usd AS held,
         greatest(0, least(locked.held_usd, need.usd - sum(locked.held_usd) OVER (ORDER BY seq) + locked.held_usd)) AS keeps
       FROM locked, need WHERE need.members = (SELECT count(*) FROM locked)
     ), excess AS (
       SELECT id, account_id, key_id, spend_day, held - keeps AS held_usd FROM kept WHERE held > keeps
     ), shrunk AS (
       UPDATE executions x SET held_usd = x.held_usd - excess.held_usd FROM excess WHERE x.id = excess.id
     )
     ${releaseCredits('excess')}`,
    [change.id, change.venue_ref],
  )
}

/** For these accounts: releases reservations of builds that were not sent in time. True if there were any. */
export async function releaseUnsentReservations(
  db: Queryable,
  accountIds: readonly string[],
  now: Date,
): Promise<boolean> {
  const { rows } = await db.query<{ n: number }>({
    text: `WITH unsent AS (
       -- A build that is being sent has its row locked, and keeps its reservation.
       SELECT id, account_id, key_id, spend_day, held_usd FROM executions
       WHERE status IN ('built', 'signed') AND spend_day IS NOT NULL AND account_id = ANY($1)
         -- Dated after now: the clock was set back since.
         AND (updated_at <= $2 OR updated_at > $2 + $3 * interval '1 millisecond' + interval '1 minute')
       ORDER BY id LIMIT 10000 FOR UPDATE SKIP LOCKED
     ), cleared AS (
       UPDATE executions e SET spend_day = NULL, held_usd = 0 FROM unsent WHERE e.id = unsent.id RETURNING e.id
     ), freed AS (
       ${releaseCredits('unsent')}
     )
     SELECT count(*)::integer AS n FROM cleared`,
    values: [accountIds, new Date(now.getTime() - unsentReservationMs), unsentReservationMs],
  })
  return rows[0]!.n > 0
}

/** `reservations`: rows with account_id, key_id, spend_day and held_usd. Caps are locked in the order in which builds lock them. */
export const releaseCredits = (
  reservations: string,
): string => `UPDATE spend_reserved s SET reserved = greatest(0, s.reserved - back.usd)
       FROM (
         SELECT r.scope_id, r.day, back.usd FROM spend_reserved r JOIN (
           SELECT scope_id, spend_day, sum(held_usd) AS usd
           FROM ${reservations}, LATERAL (SELECT account_id UNION SELECT key_id) AS scope (scope_id) GROUP BY scope_id, spend_day
         ) back ON back.scope_id = r.scope_id AND back.spend_day = r.day ORDER BY r.scope_id, r.day FOR UPDATE OF r
       ) back WHERE s.scope_id = back.scope_id AND s.day = back.day`
