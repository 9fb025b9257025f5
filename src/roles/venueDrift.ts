// How the venues' answers differ from what is known of them, as this process sees it: counted, logged once, and reported to the gateways.
import { randomUUID } from 'node:crypto'
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import type { DriftKind } from '#schemas/status'
import { type DriftFinding, type DriftReport, driftListedMax, jobReportMs } from '#schemas/topics'
import type { Bus } from '#storage/bus/bus'
import type { Metrics } from './metrics.ts'

/** Different fields counted by name for each venue. Names of new fields are the venue's own, without bound. */
export const driftFieldsMax = 200
/** Longer names are cut off. */
const nameLengthMax = 120
const otherFields = 'other'
/** New findings are logged and reported together. */
const flushMs = 1_000

interface Venue {
  readonly fields: Set<string>
  /** By kind and field. */
  readonly findings: Map<DriftKind, Map<string, DriftFinding>>
  /** Not logged yet. */
  fresh: DriftFinding[]
  reportedAt: number
}

export interface VenueDriftOptions {
  clock: Clock
  log: Log
}

export class VenueDrift {
  private readonly options: VenueDriftOptions
  private readonly venues = new Map<string, Venue>()
  private readonly senderId = randomUUID()

  constructor(options: VenueDriftOptions) {
    this.options = options
  }

  note(venue: string, field: string, kind: DriftKind): void {
    const known = this.venues.get(venue) ?? this.add(venue)
    const found = known.findings.get(kind)?.get(field)
    if (found === undefined) this.find(known, field.slice(0, nameLengthMax), kind)
    else {
      found.count++
      found.lastAt = this.options.clock.now()
    }
  }

  private add(venue: string): Venue {
    const added = { fields: new Set<string>(), findings: new Map(), fresh: [], reportedAt: Number.NEGATIVE_INFINITY }
    this.venues.set(venue, added)
    return added
  }

  private find({ fields, findings, fresh }: Venue, name: string, kind: DriftKind): void {
    const field = fields.has(name) || fields.size < driftFieldsMax ? name : otherFields
    if (field === name) fields.add(name)
    const ofKind = findings.get(kind) ?? new Map<string, DriftFinding>()
    findings.set(kind, ofKind)
    const now = this.options.clock.now()
    const found = ofKind.get(field) ?? { field, kind, count: 0, firstAt: now, lastAt: now }
    if (found.count === 0) fresh.push(found)
    found.count++
    found.lastAt = now
    ofKind.set(field, found)
  }

  /** What cost a field first, then what may; the newest first. */
  listed(venue: string): DriftFinding[] {
    const { findings } = this.venues.get(venue) ?? { findings: new Map<DriftKind, Map<string, DriftFinding>>() }
    return mostImportant([...findings.values()].flatMap((ofKind) => [...ofKind.values()]))
  }

  measure(metrics: Pick<Metrics, 'counter'>): void {
    metrics.counter(
      'venue_drift',
      'Fields of a venue that differ from what is known of them',
      ['venue', 'field', 'kind'],
      () =>
        [...this.venues].flatMap(([venue, { findings }]) =>
          [...findings].flatMap(([kind, ofKind]) =>
            [...ofKind.values()].map(({ field, count }) => ({ labels: { venue, field, kind }, value: count })),
          ),
        ),
    )
  }

  /** Logs what is new, and reports it to the gateways at once and again from time to time. Returns its stop. */
  start(bus: Pick<Bus, 'publish'>): () => void {
    const timer = this.options.clock.every(flushMs, () => this.flush(bus))
    return () => {
      timer.cancel()
      this.flush(bus)
    }
  }

  private flush(bus: Pick<Bus, 'publish'>): void {
    const now = this.options.clock.monotonic()
    for (const [venue, known] of this.venues) {
      const { fresh } = known
      known.fresh = []
      if (fresh.length > 0) this.logFindings(venue, fresh)
      if (fresh.length === 0 && now - known.reportedAt < jobReportMs) continue
      known.reportedAt = now
      const { senderId } = this
      bus.publish('drift', venue, { venue, senderId, findings: this.listed(venue), at: this.options.clock.now() })
    }
  }

  private logFindings(venue: string, fresh: readonly DriftFinding[]): void {
    const { log } = this.options
    for (const [kind, found] of Map.groupBy(fresh, (one) => one.kind)) {
      const fields = found.map(({ field }) => field)
      // New fields cost nothing.
      if (kind === 'unknown') log.info({ venue, kind, fields }, 'a venue sends fields that are not known')
      else log.warn({ venue, kind, fields }, 'fields of a venue differ from what is known of them')
    }
  }
}

const kindOrder: Readonly<Record<DriftKind, number>> = { unreadable: 0, mistyped: 1, missing: 2, unknown: 3 }

export const mostImportant = (findings: DriftFinding[]): DriftFinding[] =>
  findings.sort((a, b) => kindOrder[a.kind] - kindOrder[b.kind] || b.lastAt - a.lastAt).slice(0, driftListedMax)

/** Reports of several processes about one venue as one list. */
export function mergeDrift(reports: Iterable<DriftReport>): DriftFinding[] {
  const merged = new Map<string, DriftFinding>()
  for (const { findings } of reports)
    for (const one of findings) {
      const key = `${one.kind} ${one.field}`
      const before = merged.get(key)
      merged.set(
        key,
        before === undefined
          ? one
          : {
              ...one,
              count: before.count + one.count,
              firstAt: Math.min(before.firstAt, one.firstAt),
              lastAt: Math.max(before.lastAt, one.lastAt),
            },
      )
    }
  return mostImportant([...merged.values()])
}
