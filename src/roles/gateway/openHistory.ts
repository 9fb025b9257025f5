// The tape as this gateway reads it: for replay over HTTP and the stream, for coverage, and for figures of markets.
import type { Config } from '#config'
import type { Clock } from '#core/clock'
import type { CursorCodec } from '#core/cursor'
import type { Log } from '#core/log'
import { createClickhouseTape } from '#history/clickhouseTape'
import { dayFilesIn, FileStore } from '#history/files/fileStore'
import { rememberOutcomes } from '#history/outcomeCache'
import { cacheOutcomeFacts } from '#history/outcomeFactsCache'
import { createOutcomeFacts } from '#history/outcomeStats'
import { type PlaybackDeps, replayChannel } from '#history/paced/channel'
import { cacheReplayPages } from '#history/pageCache'
import type { BookOf } from '#history/recordedOutcomeId'
import { createTapedSince } from '#history/recordingStart'
import { createTapeCoverage } from '#history/tapeCoverage'
import type { Catalog } from '#marketData/catalog/catalog'
import type { TapeStore } from '#storage/clickhouse/client'
import { startHistoryEncoder } from '#workers/rowEncoderWorker'
import type { RouteDeps } from '../routes.ts'

export interface HistoryOptions {
  config: Pick<Config, 'dataDir'>
  tapeStore: TapeStore
  catalog: Catalog
  bookOf: BookOf
  cursors: CursorCodec
  serves(venue: string): boolean
  clock: Clock
  log: Log
}

export function openHistory({ config, tapeStore, catalog, bookOf, cursors, serves, clock, log }: HistoryOptions) {
  const lines = startHistoryEncoder()
  const tape = createClickhouseTape(tapeStore, bookOf, { lines, log })
  const coverage = createTapeCoverage(tapeStore, bookOf)
  const outcomes = rememberOutcomes(catalog)
  const facts = cacheOutcomeFacts(createOutcomeFacts(tapeStore, bookOf), clock)
  const routes: RouteDeps['history'] = {
    tape: { ...tape, ...cacheReplayPages(tape, clock) },
    catalog: outcomes,
    cursors,
    serves,
    tapedSince: createTapedSince({ facts, clock, log }),
    coverage,
    files: new FileStore(dayFilesIn(config.dataDir)),
  }
  return {
    tape,
    facts,
    routes,
    /** The stream's `replay` channel. */
    channel: (options: Pick<PlaybackDeps, 'meant' | 'entitled' | 'floorOf' | 'credits'>) =>
      replayChannel({ ...options, tape, coverage, catalog: outcomes, serves, bookOf, clock, log }),
    stop: () => lines.stop(),
  }
}
