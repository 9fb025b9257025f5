// The environment of an ingest in a replay: the venue's real adapter, on sockets, a client, tokens and a clock that follow the capture.
import { type Ingest, type IngestOptions, spawnIngest } from '#actors/ingest/ingestActor'
import { start, stop } from '#actors/system'
import { silentLog } from '#core/log'
import type { VenueManifest } from '#venues/venue'
import { Cleaner, unreachableUrls } from '../cleaner.ts'
import type { DemandLine, HeaderLine, StampedLine } from '../lines.ts'
import { seededRandom } from '../seededRandom.ts'
import { ReplayClient } from './replayClient.ts'
import { ReplayClock } from './replayClock.ts'
import { ReplaySockets } from './replaySockets.ts'
import { ReplayTokens } from './replayTokens.ts'

/** So much that every change is published at once. */
const replayTickMs = 60_000
/** In place of credentials and tokens. */
const placeholder = 'not in the capture'

export interface World {
  clock: ReplayClock
  client: ReplayClient
  sockets: ReplaySockets
  tokens: ReplayTokens
  ingest: Ingest
  /** By sender, to be repeated. */
  demands: Map<string, DemandLine>
  stop(): Promise<void>
}

/** As the header describes it. `publish`: takes what the ingest publishes. */
export function startWorld(
  manifest: VenueManifest,
  header: StampedLine & HeaderLine,
  publish: IngestOptions['bus']['publish'],
): World {
  const { settings } = header
  const clock = new ReplayClock(header.at, header.mono)
  const urls = unreachableUrls(settings.urls)
  const cleaner = new Cleaner({ urls, ownUrls: urls, credentials: null })
  const client = new ReplayClient(manifest.slug, cleaner, clock)
  const sockets = new ReplaySockets((run) => queueMicrotask(run))
  const tokens = new ReplayTokens(placeholder)
  const credentials = Object.fromEntries(settings.credentials.map((name) => [name, placeholder]))
  const system = start()
  const ingest = spawnIngest(system, {
    venue: connected(manifest, settings.streamed, tokens),
    context: {
      venue: manifest.slug,
      http: client,
      clock,
      log: silentLog,
      urls,
      credentials: settings.credentials.length === 0 ? null : credentials,
      signal: new AbortController().signal,
    },
    bus: { publish, ready: async () => undefined, deliversOnDemand: false, interruptions: () => 0 },
    clock,
    log: silentLog,
    openSocket: sockets.open,
    random: seededRandom(settings.seed),
    tickMs: replayTickMs,
    idleUnwatchMs: settings.idleUnwatchMs,
    bookSnapshotMs: settings.bookSnapshotMs,
    recordsTraders: settings.recordsTraders,
    tapesDepth: settings.tapesDepth,
    lease: { epoch: settings.epoch, part: settings.part, holds: () => true, over: new Promise(() => undefined) },
  })
  for (const socket of header.sockets) sockets.connectOpen(socket)
  if (header.pinned !== null) ingest.actor.send({ kind: 'pin', bookIds: header.pinned })
  for (const { type: _, ...demand } of header.demands) ingest.actor.send({ kind: 'demand', ...demand })
  return {
    clock,
    client,
    sockets,
    tokens,
    ingest,
    demands: new Map(header.demands.map((line) => [line.gatewayId, line])),
    async stop() {
      await ingest.stop()
      stop(system)
    },
  }
}

/** The venue's own code, connected to the capture. */
function connected(manifest: VenueManifest, isStreamed: boolean, tokens: ReplayTokens): VenueManifest {
  const { stream } = manifest.data
  if (stream === undefined) return manifest
  const connect = () => (isStreamed ? { url: 'wss://capture.invalid', headers: {} } : null)
  const token = stream.fetchToken === undefined ? {} : { fetchToken: () => tokens.fetch() }
  return { ...manifest, data: { ...manifest.data, stream: { ...stream, connect, ...token } } }
}
