// Starts ingests whose conversations with their venues are captured, if the operator wants that.
import { type Ingest, type IngestOptions, spawnIngest } from '#actors/ingest/ingestActor'
import type { Supervisor } from '#actors/runtime/supervisor'
import type { Config } from '#config'
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import { spawnCapturedIngest } from '#rawCapture/captureIngest'
import type { CaptureStore, JournalFigures } from '#rawCapture/journal'
import type { Metrics } from './metrics.ts'

/** Of all venues together; what the disk does not take in time beyond it is dropped. */
const queueChars = 64 * 1024 * 1024

/** The same function as `spawnIngest`, and that itself when nothing is captured. */
export function captureIngests(
  wanted: Config['rawCapture'],
  { metrics, clock, log }: { metrics: Pick<Metrics, 'counter' | 'gauge'>; clock: Clock; log: Log },
): (parent: Supervisor, options: IngestOptions) => Ingest {
  if (wanted === undefined) return spawnIngest
  const { folder, venues, ...limits } = wanted
  const store: CaptureStore = { folder, limits: { ...limits, queueChars }, queued: 0, inUse: new Set(), clock, log }
  /** By venue: of its ingest, and what earlier ones of this process have written and dropped. */
  const figures = new Map<string, JournalFigures[]>()
  const sum = (name: keyof JournalFigures) => () =>
    [...figures].map(([venue, all]) => ({
      labels: { venue },
      value: all.reduce((total, each) => total + each[name], 0),
    }))
  metrics.counter('raw_capture_bytes', 'Compressed bytes of captured messages written', ['venue'], sum('bytes'))
  metrics.counter('raw_capture_lines_dropped', 'Captured lines that the disk did not take', ['venue'], sum('dropped'))
  log.info({ folder, venues }, 'raw messages of venues are captured')
  return (parent, options) => {
    const { slug } = options.venue
    if (!venues.includes(slug)) return spawnIngest(parent, options)
    return spawnCapturedIngest(parent, options, store, (journal) => {
      figures.set(slug, [...earlier(figures.get(slug)), journal])
    })
  }
}

/** One figure for all ingests before: a venue may change hands any number of times. */
function earlier(journals: readonly JournalFigures[] = []): JournalFigures[] {
  const total = { bytes: 0, dropped: 0 }
  for (const { bytes, dropped } of journals) {
    total.bytes += bytes
    total.dropped += dropped
  }
  return [total]
}
