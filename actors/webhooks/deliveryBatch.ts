// A claimed queue: its due deliveries are attempted, each result is written, and the queue is released together with what was learned about
// its receiver.
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import { type AttemptDeps, type AttemptResult, attempt, nextAttemptAt } from '#platform/webhooks/index'
import type { ClaimedEndpoint, DueDelivery } from '#storage/postgres/webhooks/claim'
import type { DeliveryStore, EndpointHealth } from '#storage/postgres/webhooks/store'

/** A queue is held for at most this long; its attempts begin in the first half, so that none outlasts it. */
export const leaseMs = 30_000
const beginsWithinMs = leaseMs / 2
/** Concurrent attempts to one responsive receiver. An unresponsive one gets one at a time. */
const attemptsAtOnce = 4
/** A receiver that takes longer is slow, whatever it answers. */
const slowMs = 2_000

export interface Counts {
  delivered: number
  /** Given up. */
  failed: number
  attempts: number
  attemptsFailed: number
}

export interface SliceDeps {
  store: Pick<DeliveryStore, 'mark' | 'release'>
  attempt: AttemptDeps
  counts: Counts
  clock: Clock
  log: Log
}

export interface TimeSlice {
  endpoint: ClaimedEndpoint
  due: readonly DueDelivery[]
  lease: string
  /** On the monotonic clock. */
  claimedAt: number
}

/** Rejects when the store does; the lease then expires by itself. */
export async function processBatch(deps: SliceDeps, slice: TimeSlice, signal: AbortSignal): Promise<void> {
  const { store, clock } = deps
  const { endpoint, lease, claimedAt } = slice
  const queue = [...slice.due]
  let health: EndpointHealth = endpoint.standing
  const mayBegin = (): boolean => !signal.aborted && clock.monotonic() - claimedAt < beginsWithinMs
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined && mayBegin(); next = queue.shift()) {
      const startedAt = clock.monotonic()
      const result = await attempt(deps.attempt, requestOf(endpoint, next, clock.now()), signal)
      if (result.kind === 'abandoned') return
      health = result.kind === 'delivered' && clock.monotonic() - startedAt < slowMs ? 'good' : 'bad'
      // No longer ours: the endpoint was deleted, paused or has another secret, or another process took over. Nothing more is sent with
      // outdated data.
      if ((await write(deps, endpoint, next, result)) !== endpoint.revision) queue.length = 0
    }
  }
  const workers = health === 'good' ? attemptsAtOnce : 1
  await Promise.all(Array.from({ length: Math.min(workers, slice.due.length) }, work))
  await store.release({
    id: endpoint.id,
    lease,
    standing: health,
    queuedCount: endpoint.queued_count,
    at: new Date(clock.now()),
  })
}

const requestOf = (
  { id, url, secret_sealed, old_secrets_sealed, old_secrets_until }: ClaimedEndpoint,
  delivery: DueDelivery,
  now: number,
) => ({
  deliveryId: delivery.id,
  endpointId: id,
  url,
  secretsSealed: [
    secret_sealed,
    ...old_secrets_sealed.filter((_, i) => old_secrets_until[i]!.getTime() > now),
  ] as const,
  event: delivery.event,
  body: delivery.body,
})

/** The endpoint's current revision; null when there was nothing left to write to. */
async function write(
  { store, counts, clock, log }: SliceDeps,
  endpoint: ClaimedEndpoint,
  { id, event, attempts, attempts_before }: DueDelivery,
  { kind, result }: Exclude<AttemptResult, { kind: 'abandoned' }>,
): Promise<number | null> {
  const now = clock.now()
  const made = attempts + 1
  const nextAt = kind === 'failed' ? nextAttemptAt(made - attempts_before, now) : null
  const status = kind === 'delivered' ? kind : nextAt === null ? 'failed' : 'queued'
  counts.attempts++
  if (kind === 'failed') counts.attemptsFailed++
  const revision = await store.mark({
    id,
    attempts,
    status,
    result,
    deliveredAt: kind === 'delivered' ? new Date(now) : null,
    dueAt: nextAt === null ? null : new Date(nextAt),
  })
  if (revision === null || kind === 'delivered') {
    if (revision !== null) counts.delivered++
    return revision
  }
  if (status === 'failed') counts.failed++
  // Only the host: paths and queries may contain secrets of the owner.
  const where = { endpointId: endpoint.id, deliveryId: id, event, host: new URL(endpoint.url).host }
  const logFields = { ...where, attempt: made, result }
  if (status === 'failed') log.warn(logFields, 'a webhook delivery was given up')
  else log.info(logFields, 'a webhook delivery failed; will retry')
  return revision
}
