// The catalog job of one venue: walks the venue's lists into Postgres, looks up markets that the walk no longer lists, and writes one run-log row per
// run.
import { type Actor, spawnActor } from '#actors/runtime/spawnActor'
import type { Supervisor } from '#actors/runtime/supervisor'
import type { Clock, Timer } from '#core/clock'
import type { Log } from '#core/log'
import type { Catalog } from '#marketData/catalog/catalog'
import type { JobReport } from '#schemas/topics'
import type { VenueManifest } from '#venues/venue'
import type { VenueContext } from '#venues/venueContext'
import { RefetchQueue } from './delistedMarkets.ts'
import {
  type CatalogIngestEffect,
  type CatalogIngestMessage,
  type CatalogIngestPace,
  initialCatalogIngestState,
  stepCatalogIngest,
} from './step.ts'
import { WalkReport } from './walkReport.ts'

/** One finished run, as job events carry it. `counts.error` holds the message when `ok` is false. */
export interface RunLogRow {
  job: string
  startedAt: number
  finishedAt: number
  ok: boolean
  counts: Record<string, number | string>
}

export interface CatalogIngestOptions {
  venue: VenueManifest
  context: VenueContext
  catalog: Catalog
  pace: CatalogIngestPace
  clock: Clock
  log: Log
  recordRun(row: RunLogRow): Promise<void>
  /** Called after every run that wrote something. */
  onWritten(venue: string): void
  /** Health of its walks, updated after each. */
  report?(report: JobReport): void
  /** Called once per walk. */
  countWalk?(outcome: 'ok' | 'failed'): void
}

export interface CatalogIngest {
  actor: Actor<CatalogIngestMessage>
  stop(): Promise<void>
}

export function spawnCatalogIngest(parent: Supervisor, options: CatalogIngestOptions): CatalogIngest {
  const { venue, context, catalog, pace, clock, log } = options
  let timer: Timer | null = null
  let running: Promise<void> = Promise.resolve()
  let stopped = false
  const report = new WalkReport()
  /** One for all walks: venues cache by its identity. */
  const walkContext: VenueContext = {
    ...context,
    leftOut(rows) {
      report.leftOut(rows)
      context.leftOut?.(rows)
    },
    lostField(field) {
      report.lostField(field)
      context.lostField?.(field)
    },
  }
  const rereads = new RefetchQueue({ venue, context, catalog, clock, log })

  async function walk(updatedSinceMs: number | null): Promise<void> {
    const startedAt = clock.now()
    const counts = { venue: venue.slug as string, pages: 0, events: 0, markets: 0, outcomes: 0, reread: 0 }
    let failure: string | null = null
    report.begin()
    try {
      for await (const page of venue.data.walkCatalog(walkContext, { updatedSinceMs })) {
        if (stopped) return
        const written = await catalog.upsertEvents(venue.slug, page.events, page.series, clock.now())
        counts.pages++
        counts.events += written.events
        counts.markets += written.markets
        counts.outcomes += written.outcomes
        if (counts.pages === 1) options.onWritten(venue.slug)
      }
      counts.reread = await rereads.run(startedAt, () => stopped)
      if (updatedSinceMs === null) await catalog.forgetVolumes(venue.slug, clock.now())
      if (stopped) return
    } catch (error) {
      if (stopped) return
      failure = error instanceof Error ? error.message : String(error)
      log.warn({ venue: venue.slug, err: error }, 'catalog walk failed; will retry')
    }
    const ok = failure === null
    const full = updatedSinceMs === null
    const { unreadableRows, lostFields } = report
    if (unreadableRows + lostFields > 0) {
      log.warn(
        { venue: venue.slug, unreadableRows, lostFields },
        'a catalog walk found rows or fields that it could not parse',
      )
    }
    const health = failure === null ? report.succeeded({ markets: counts.markets, full }) : report.failed(failure)
    if (health !== null) options.report?.({ job: 'catalog', venue: venue.slug, ...health, at: clock.now() })
    options.countWalk?.(ok ? 'ok' : 'failed')
    if (counts.markets > 0) options.onWritten(venue.slug)
    try {
      await options.recordRun({
        job: 'ingest',
        startedAt,
        finishedAt: clock.now(),
        ok,
        counts: { ...counts, unreadableRows, lostFields, ...(failure === null ? {} : { error: failure }) },
      })
    } catch (error) {
      log.warn({ venue: venue.slug, err: error }, 'failed to log the run')
    }
    actor.send({ kind: 'finished', ok, startedAt, full })
  }

  function perform(effect: CatalogIngestEffect): void {
    if (stopped) return
    if (effect.kind === 'walk') running = walk(effect.updatedSinceMs)
    else {
      timer?.cancel()
      timer = clock.after(effect.delayMs, () => actor.send({ kind: 'due' }))
    }
  }

  const actor = spawnActor(
    parent,
    {
      name: `catalog ${venue.slug}`,
      initial: initialCatalogIngestState,
      step: (state, message: CatalogIngestMessage, now) => stepCatalogIngest(pace, state, message, now),
      perform,
      start: { kind: 'start' },
      release: () => timer?.cancel(),
    },
    { clock, log },
  )
  return {
    actor,
    async stop() {
      stopped = true
      timer?.cancel()
      actor.stop()
      await running
    },
  }
}
