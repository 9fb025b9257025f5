// The monitoring port of a process of any role: `/health`, `/ready` and `/metrics`, for probes and scrapers. No key is needed there.

import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import { defaultPlans } from '#platform/plans/plans'
import { createRateLimiter } from '#platform/rateLimit/limiter'
import type { Gateway, Listener } from '#server/gateway/gateway'
import { createHttpHandler } from '#server/http/pipeline'
import { getHealth } from '#server/http/routes/getHealth'
import { getMetrics } from '#server/http/routes/getMetrics'
import { getReady } from '#server/http/routes/getReady'
import type { SystemPort } from '#server/http/routes/ports'

export interface OperationsOptions {
  listener: Listener
  system: Pick<SystemPort, 'readiness' | 'metrics'>
  clock: Clock
  log: Log
}

export function serveOperations({ listener, system, clock, log }: OperationsOptions): Gateway {
  const http = createHttpHandler<{ system: typeof system; clock: Clock }>([getHealth, getReady, getMetrics], {
    // Every route is public, so these are never called.
    verifier: { verify: () => ({ kind: 'invalid' }) },
    plans: defaultPlans,
    rateLimiter: createRateLimiter(clock),
    families: {},
    system,
    clock,
    log,
  })
  return listener.serve({ http, stream: null })
}
