// Records the traffic of one ingest with its venue, by wrapping its sockets, HTTP client and bus. Requests' and sockets' headers, tokens
// and credentials are not recorded.

import { type Ingest, type IngestOptions, spawnIngest } from '#actors/ingest/ingestActor'
import type { IngestMessage } from '#actors/ingest/messages'
import type { Supervisor } from '#actors/runtime/supervisor'
import { headersKept } from '#cli/probe/save'
import type { Clock } from '#core/clock'
import { Fault } from '#core/fault'
import { version } from '#core/version'
import { withTimeout } from '#core/withTimeout'
import type { HttpClient } from '#net/http'
import type { OpenSocket } from '#net/socket'
import { demandRenewMs } from '#schemas/topics'
import type { VenueStream } from '#venues/venue'
import { nameOfRun } from './captureFolder.ts'
import { Cleaner } from './cleaner.ts'
import { Findings } from './findings.ts'
import { type CaptureStore, Journal, type JournalFigures } from './journal.ts'
import { captureVersion, type DemandLine, type IngestSettings, payloadOf } from './lines.ts'
import { seededRandom } from './seededRandom.ts'

/** A slow disk delays a stop by at most this long. */
const closeMs = 3_000

/** `onJournal`: of this ingest, for its figures. */
export function spawnCapturedIngest(
  parent: Supervisor,
  given: IngestOptions,
  store: CaptureStore,
  onJournal: (journal: JournalFigures) => void = () => undefined,
): Ingest {
  const { venue, context, bus, clock } = given
  const { stream } = venue.data
  const cleaner = new Cleaner({ urls: context.urls, ownUrls: venue.urls, credentials: context.credentials })
  const settings: IngestSettings = {
    epoch: given.lease.epoch,
    ...(given.lease.part !== undefined && { part: given.lease.part }),
    idleUnwatchMs: given.idleUnwatchMs,
    bookSnapshotMs: given.bookSnapshotMs,
    recordsTraders: given.recordsTraders === true,
    tapesDepth: given.tapesDepth === true,
    seed: Math.floor(given.random() * 2 ** 32),
    streamed: stream !== undefined && stream.connect(context) !== null,
    urls: cleaner.names(),
    credentials: Object.keys(context.credentials ?? {}),
  }
  let pinned: readonly string[] | null = null
  const demands = new Map<string, { line: DemandLine; at: number }>()
  const sockets = new Set<number>()
  const journal = new Journal({
    store,
    venue: venue.slug,
    run: nameOfRun(clock.now(), Math.random()),
    header: () => ({
      version: captureVersion,
      program: version,
      settings,
      pinned,
      demands: current(),
      sockets: [...sockets],
    }),
  })
  /** Requests without an answer yet, by number. */
  const inFlight = new Set<number>()
  const findings = new Findings(journal, clock)
  const stamped = stampedClock(clock)

  onJournal(journal)
  const ingest = spawnIngest(parent, {
    ...given,
    venue:
      stream?.fetchToken === undefined
        ? venue
        : { ...venue, data: { ...venue.data, stream: tokenHidden(stream, context.http) } },
    // A separate addresses object: what a venue's code caches by client or addresses is read within the capture.
    context: { ...context, urls: { ...context.urls }, http: capturedClient(context.http) },
    clock: stamped.clock,
    openSocket: capturedOpener(given.openSocket),
    random: seededRandom(settings.seed),
    bus: {
      deliversOnDemand: bus.deliversOnDemand,
      publish(topic, key, value, inboxes) {
        findings.take(topic, value)
        bus.publish(topic, key, value, inboxes)
      },
      ready: () => bus.ready(),
      interruptions: () => bus.interruptions(),
    },
  })
  const { actor, trades } = ingest
  return {
    ...ingest,
    actor: {
      ...actor,
      send(message) {
        take(message)
        actor.send(message)
      },
    },
    trades: {
      ...trades,
      publish(trade, isLate) {
        journal.event({ type: 'chainTrade', trade, isLate })
        trades.publish(trade, isLate)
      },
    },
    async stop() {
      findings.lastBooks()
      journal.event({ type: 'stopping' })
      await ingest.stop()
      findings.stop()
      journal.note({ type: 'stopped', ...(inFlight.size > 0 && { inFlight: [...inFlight] }) })
      await withTimeout(clock, closeMs, journal.close())
    },
  }

  /** What the ingest is to watch. */
  function take(message: IngestMessage): void {
    if (message.kind === 'pin') {
      journal.event({ type: 'pin', bookIds: message.bookIds })
      pinned = message.bookIds
    }
    if (message.kind !== 'demand') return
    const { gatewayId, marketIds, purpose, near } = message
    const line: DemandLine = {
      type: 'demand',
      gatewayId,
      marketIds,
      ...(purpose && { purpose }),
      ...(near && { near }),
    }
    const isSame = JSON.stringify(demands.get(gatewayId)?.line) === JSON.stringify(line)
    journal.event(isSame ? { type: 'demandAgain', gatewayId } : line)
    demands.set(gatewayId, { line, at: clock.monotonic() })
  }

  /** Of senders that have not fallen silent. */
  function current(): DemandLine[] {
    const before = clock.monotonic() - 3 * demandRenewMs
    for (const [gatewayId, { at }] of demands) if (at < before) demands.delete(gatewayId)
    return [...demands.values()].map(({ line }) => line)
  }

  /** Its request and answer are not recorded. */
  function tokenHidden(of: VenueStream, http: HttpClient): VenueStream {
    return {
      ...of,
      async fetchToken(caller) {
        try {
          const token = await of.fetchToken!({ ...caller, http })
          cleaner.hide(token)
          journal.event({ type: 'token' })
          return token
        } catch (error) {
          journal.event({ type: 'token', error: cleaner.text(error instanceof Error ? error.message : String(error)) })
          throw error
        }
      },
    }
  }

  function capturedOpener(open: OpenSocket): OpenSocket {
    let opened = 0
    return (url, headers, events) => {
      const socket = ++opened
      let isOurs = false
      journal.note({ type: 'connect', socket, url: cleaner.url(url) })
      sockets.add(socket)
      const client = open(url, headers, {
        opened() {
          journal.event({ type: 'open', socket })
          events.opened()
        },
        frame(data) {
          stamped.at = journal.event({ type: 'frame', socket, ...cleaner.payload(payloadOf(data)) })
          try {
            events.frame(data)
          } finally {
            stamped.at = null
          }
        },
        closed(reason) {
          if (isOurs) journal.note({ type: 'close', socket })
          else journal.event({ type: 'closed', socket, reason: cleaner.text(reason) })
          sockets.delete(socket)
          events.closed(reason)
        },
      })
      return {
        send(text) {
          journal.note({ type: 'sent', socket, text: cleaner.text(text) })
          client.send(text)
        },
        bufferedBytes: () => client.bufferedBytes(),
        close() {
          isOurs = true
          client.close()
        },
      }
    }
  }

  function capturedClient(http: HttpClient): HttpClient {
    let requests = 0
    return {
      async request(call) {
        const request = ++requests
        inFlight.add(request)
        const { method = 'GET', url, query, body: sent } = call
        const from = clock.monotonic()
        journal.note({
          type: 'request',
          request,
          method,
          url: cleaner.url(url),
          ...(query === undefined ? {} : { query: cleaner.body(query) }),
          ...(sent === undefined ? {} : { body: cleaner.body(sent) }),
        })
        const pieces: Buffer[] = []
        const { take } = call
        try {
          const answer = await http.request({
            ...call,
            received: (body) => void pieces.push(body),
            ...(take && {
              take(piece) {
                pieces.push(Buffer.from(piece))
                take(piece)
              },
            }),
          })
          // A client that does not expose raw bytes exposes what it parsed.
          if (pieces.length === 0 && answer.body !== undefined) pieces.push(Buffer.from(JSON.stringify(answer.body)))
          const payload = cleaner.payload(payloadOf(Buffer.concat(pieces)))
          const headers = Object.fromEntries(Object.entries(answer.headers).filter(([name]) => headersKept.has(name)))
          const tookMs = Math.round(clock.monotonic() - from)
          journal.event({ type: 'response', request, status: answer.status, headers, tookMs, ...payload })
          return answer
        } catch (error) {
          journal.event({ type: 'failure', request, ...failureOf(error) })
          throw error
        } finally {
          inFlight.delete(request)
        }
      },
    }
  }

  function failureOf(error: unknown) {
    if (!(error instanceof Fault)) return { code: 'NETWORK_ERROR', message: cleaner.text(String(error)) }
    const { code, message, retryAfterSeconds } = error
    return { code, message: cleaner.text(message), ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) }
  }
}

/** While `at` is set it returns that time: a frame is received at the time recorded in the capture. */
function stampedClock(clock: Clock): { at: number | null; clock: Clock } {
  const stamped: { at: number | null; clock: Clock } = {
    at: null,
    clock: {
      now: () => stamped.at ?? clock.now(),
      monotonic: () => clock.monotonic(),
      steady: () => clock.steady(),
      after: (delayMs, run) => clock.after(delayMs, run),
      soon: (run) => clock.soon(run),
      every: (intervalMs, run) => clock.every(intervalMs, run),
    },
  }
  return stamped
}
