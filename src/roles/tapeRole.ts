// The tape role: writes what the bus carries for the tape, for coverage and of the surface to ClickHouse.
import type { Config } from '#config'
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import { startDailyExport } from '#history/files/dailyExportJob'
import { dayFilesIn } from '#history/files/fileStore'
import type { TapeStore } from '#storage/clickhouse/client'
import { startEventWriter } from '#storage/clickhouse/eventWriter'
import { applyRetention } from '#storage/clickhouse/retention'
import { startTapeWriter } from '#storage/clickhouse/writer'
import type { Metrics } from './metrics.ts'
import type { Stores } from './stores.ts'

export interface TapeRoleOptions {
  config: Pick<Config, 'dataDir' | 'history' | 'retention' | 'venues'>
  stores: Stores & { tape: TapeStore }
  metrics: Metrics
  clock: Clock
  log: Log
}

export async function runTape({
  config,
  stores,
  metrics,
  clock,
  log,
}: TapeRoleOptions): Promise<{ stop(): Promise<void> }> {
  await applyRetention(stores.tape, config.retention, log)
  const options = { bus: stores.bus, store: stores.tape, clock, log, mode: stores.busMode }
  const writer = await startTapeWriter(options)
  const coverage = await startEventWriter('coverage', options)
  const records = await startEventWriter('arbitrageRecords', options)
  const withdrawals = await startEventWriter('withdrawals', options)
  const { enabled, files } = config.history
  const keeper =
    enabled && files.days > 0
      ? startDailyExport({
          store: stores.tape,
          root: dayFilesIn(config.dataDir),
          venues: config.venues,
          ...files,
          clock,
          log,
        })
      : null
  const stat =
    (name: 'rowsWritten' | 'inserts' | 'backlogRows' | 'rowsLost' | 'rowsRejected' | 'rowsFenced' | 'failures') =>
    () => [{ value: writer.stats()[name] }]
  metrics.counter('tape_rows_written', 'Rows written to the tape', [], stat('rowsWritten'))
  metrics.counter('tape_inserts', 'Inserts', [], stat('inserts'))
  metrics.gauge('tape_backlog_rows', 'Rows waiting', [], stat('backlogRows'))
  metrics.gauge('tape_lag_seconds', 'Age of the rows being written to the tape', [], () => [
    { value: writer.stats().lagMs / 1_000 },
  ])
  metrics.counter('tape_rows_lost', 'Rows given up; coverage names the gap', [], stat('rowsLost'))
  metrics.counter('tape_rows_rejected', 'Rows left out because they have impossible values', [], stat('rowsRejected'))
  metrics.counter(
    'tape_rows_fenced',
    'Rows left out because their sender no longer fed the venue',
    [],
    stat('rowsFenced'),
  )
  metrics.gauge('tape_failures', 'Failed inserts since the last success', [], stat('failures'))
  return {
    async stop() {
      await keeper?.stop()
      await Promise.all([writer.stop(), coverage.stop(), records.stop(), withdrawals.stop()])
    },
  }
}
