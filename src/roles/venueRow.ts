// One row of the status for a venue whose parts are fed by several owners. Pure.
import type { StaleReason } from '#schemas/staleReason'
import type { VenueHealth, VenueStatus } from '#schemas/topics'

/** The later, the worse. A part without books says nothing of the others. */
const worsening: readonly VenueStatus['connection'][] = [
  'idle',
  'polling',
  'connected',
  'connecting',
  'degraded',
  'unreachable',
]

export function newest(times: readonly (number | null | undefined)[]): number | null {
  const known = times.filter((time) => time !== null && time !== undefined)
  return known.length === 0 ? null : Math.max(...known)
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0)

function sumReasons(counts: readonly VenueHealth['staleReasons'][]): Partial<Record<StaleReason, number>> {
  const sums: Partial<Record<StaleReason, number>> = {}
  for (const count of counts)
    for (const [reason, books] of Object.entries(count ?? {}) as [StaleReason, number][])
      sums[reason] = (sums[reason] ?? 0) + books
  return sums
}

/** `reports`: of the owners that report, in the order of their parts. `silent`: parts whose owner does not. Undefined when none reports. */
export function mergeParts(reports: readonly VenueHealth[], silent: readonly string[]): VenueStatus | undefined {
  const [first] = reports
  if (first === undefined) return undefined
  if (reports.length === 1 && silent.length === 0) return first
  const each = <K extends keyof VenueHealth>(name: K): VenueHealth[K][] => reports.map((report) => report[name])
  const ranks = each('connection').map((connection) => worsening.indexOf(connection))
  // Its books are stale, whatever the others do.
  if (silent.length > 0) ranks.push(worsening.indexOf('degraded'))
  const reasons = [
    ...(silent.length === 0
      ? []
      : [`no ingest process reports ${silent.length === 1 ? 'part' : 'parts'} ${silent.join(', ')}`]),
    ...reports.flatMap(({ reason, part }) => (reason === null ? [] : [`part ${part}: ${reason}`])),
  ]
  const latency = reports.find(({ tradesLatencyMs }) => tradesLatencyMs !== undefined)
  return {
    venue: first.venue,
    connection: worsening[Math.max(...ranks)]!,
    lastMessageAt: newest(each('lastMessageAt')),
    lagMs: newest(each('lagMs')),
    watchedBooks: sum(each('watchedBooks')),
    staleBooks: sum(each('staleBooks')),
    staleReasons: sumReasons(each('staleReasons')),
    sockets: sum(each('sockets')),
    reason: reasons.length === 0 ? null : reasons.join('; '),
    legProofMs: Math.max(...each('legProofMs')),
    provenWithinMs: newest(each('provenWithinMs')),
    oldestProofMs: newest(each('oldestProofMs')),
    ...(latency?.tradesLatencyMs !== undefined && { tradesLatencyMs: latency.tradesLatencyMs }),
    at: Math.min(...each('at')),
  }
}
