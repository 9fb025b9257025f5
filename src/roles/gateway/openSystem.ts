// What the system routes report, and how long responses take.
import type { Durations } from '#core/durationHistogram'
import { isSandbox } from '#schemas/venues'
import type { SystemPort } from '#server/http/routes/ports'
import type { GatewayRoleOptions } from './options.ts'

export const openSystem = ({
  config,
  version,
  readiness,
  dependencies,
  metrics,
  status,
}: Pick<
  GatewayRoleOptions,
  'config' | 'version' | 'readiness' | 'dependencies' | 'metrics' | 'status'
>): SystemPort => ({
  version,
  lab: config.lab,
  readiness,
  dependencies,
  metrics: () => metrics.text(),
  venueHealth: () => status.venues().filter(({ venue }) => !isSandbox(venue)),
  job: (job, venue) => status.job(job, venue),
  drift: (venue) => status.drift(venue),
})

/** With tracing, the operation also names the request's trace. */
export function measureResponses({
  metrics,
  tracing,
}: Pick<GatewayRoleOptions, 'metrics' | 'tracing'>): Pick<Durations, 'observe'> {
  const about = 'Time until the response was ready; a stream continues afterwards'
  const durations = metrics.durations('http_answer', about, ['operation', 'status'])
  if (tracing === null) return durations
  return {
    observe(operation, status, ms) {
      tracing.named(operation)
      durations.observe(operation, status, ms)
    },
  }
}
