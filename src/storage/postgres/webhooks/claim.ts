// Which process works on which endpoint's queue. A queue is leased as a whole, so that no delivery is sent by two; when a process dies, its lease
// expires and its deliveries are sent again under the same ids.
import type { Queryable } from '../pool.ts'

/** How an endpoint's last attempt went. */
export type EndpointHealth = 'new' | 'good' | 'bad'

export interface ClaimedEndpoint {
  id: string
  url: string
  secret_sealed: Buffer
  /** Previous secrets that still sign, each until its expiry. */
  old_secrets_sealed: Buffer[]
  old_secrets_until: Date[]
  /** If it differs from a mark's, the endpoint has changed and this copy is outdated. */
  revision: number
  standing: EndpointHealth
  /** bigint, as text: number of deliveries queued for it when it was claimed. */
  queued_count: string
}

export interface DueDelivery {
  id: string
  endpoint_id: string
  event: string
  /** Previous attempts. */
  attempts: number
  /** Of these, before it was last resent. */
  attempts_before: number
  /** The payload as stored: identical bytes at every attempt. */
  body: string
}

/** The longest waiting endpoints of each `standing`, up to its limit. */
export async function claimEndpoints(
  db: Queryable,
  {
    wanted,
    at,
    lease,
    until,
  }: { wanted: readonly { standing: EndpointHealth; count: number }[]; at: Date; lease: string; until: Date },
): Promise<ClaimedEndpoint[]> {
  const { rows } = await db.query<ClaimedEndpoint>(
    `WITH picked AS (
       SELECT e.id FROM unnest($1::text[], $2::int[]) AS w (standing, count) CROSS JOIN LATERAL (
         SELECT id FROM webhook_endpoints
         WHERE standing = w.standing AND due_at <= $3 AND (leased_until IS NULL OR leased_until <= $3)
         ORDER BY due_at LIMIT w.count FOR NO KEY UPDATE SKIP LOCKED) e
     )
     UPDATE webhook_endpoints e SET lease = $4, leased_until = $5 FROM picked p WHERE e.id = p.id
     RETURNING e.id, e.url, e.secret_sealed, e.old_secrets_sealed, e.old_secrets_until, e.revision, e.standing, e.queued_count`,
    [wanted.map(({ standing }) => standing), wanted.map(({ count }) => count), at, lease, until],
  )
  return rows
}

/** Up to `limit` for each endpoint, longest due first. */
export async function findDue(
  db: Queryable,
  { endpointIds, at, limit }: { endpointIds: readonly string[]; at: Date; limit: number },
): Promise<DueDelivery[]> {
  const { rows } = await db.query<DueDelivery>(
    `SELECT d.id, d.endpoint_id, d.event, d.attempts, d.attempts_before, d.payload::text AS body
     FROM unnest($1::uuid[]) AS e (id) CROSS JOIN LATERAL (
       SELECT * FROM webhook_deliveries WHERE endpoint_id = e.id AND status = 'queued' AND due_at <= $2
       ORDER BY due_at, seq LIMIT $3) d`,
    [endpointIds, at, limit],
  )
  return rows
}

export interface Release {
  id: string
  lease: string
  standing: EndpointHealth
  queuedCount: string
  at: Date
}

/**
 * Releases queues and sets when each is due again: not before now, so that a long queue goes behind those that wait. Deliveries queued
 * meanwhile are not in this statement's snapshot; the count reveals them, and then the queue is due immediately. A paused one is never
 * due. Rows are locked in the order in which the fan-out locks them.
 */
export async function releaseEndpoints(db: Queryable, releases: readonly Release[]): Promise<void> {
  await db.query(
    `WITH given AS (
       SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[], $5::timestamptz[]) AS g (id, lease, standing, queued_count, at)
     ), locked AS (
       SELECT id FROM webhook_endpoints WHERE id IN (SELECT id FROM given) ORDER BY id FOR NO KEY UPDATE
     )
     UPDATE webhook_endpoints e SET lease = NULL, leased_until = NULL, standing = g.standing,
       due_at = CASE WHEN NOT e.active THEN NULL WHEN e.queued_count <> g.queued_count THEN g.at ELSE
         (SELECT greatest(min(d.due_at), g.at) FROM webhook_deliveries d WHERE d.endpoint_id = g.id AND d.status = 'queued' HAVING count(*) > 0) END
     FROM given g JOIN locked l ON l.id = g.id
     WHERE e.id = g.id AND e.lease = g.lease`,
    [
      releases.map(({ id }) => id),
      releases.map(({ lease }) => lease),
      releases.map(({ standing }) => standing),
      releases.map(({ queuedCount }) => queuedCount),
      releases.map(({ at }) => at),
    ],
  )
}
