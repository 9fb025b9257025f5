// What /ready answers: whether requests should be sent to this process.
//
//   gateway   not ready ── every part serves at once ──► ready, whatever happens to a part afterwards
//   others    ready while every part serves
//
// A store or Kafka is shared by every gateway: if its loss made them unready, a load balancer would remove all of them, although each still
// serves what does not need it. No load balancer routes to the other roles: there, 503 says that the process cannot do its work.

import type { Clock } from '#core/clock'
import type { Readiness } from '#server/http/routes/ports'

const lookEveryMs = 1_000

export interface ReadinessOptions {
  /** Also with other roles in the same process. */
  isGateway: boolean
  /** By name: true while it serves. */
  parts(): Readonly<Record<string, boolean>>
}

export function createReadiness({ isGateway, parts }: ReadinessOptions): () => Readiness {
  let hasServed = false
  return () => {
    const now = parts()
    const serves = Object.values(now).every((part) => part)
    hasServed ||= serves
    return { ready: serves || (isGateway && hasServed), parts: now }
  }
}

/** A gateway becomes ready for good also when no one asks before a part is lost. Returns what gives it up. */
export function lookUntilReady(readiness: () => Readiness, clock: Pick<Clock, 'every'>): () => void {
  if (readiness().ready) return () => undefined
  const looking = clock.every(lookEveryMs, () => {
    if (readiness().ready) looking.cancel()
  })
  return () => looking.cancel()
}
