// The surface at a gateway of a cluster: rows and numbers come from the sequencer; filters, first snapshots and repair are the gateway's own. Rows
// that have not been confirmed for too long are not shown.

import { TimeSlicer } from '#actors/runtime/timeSlicer'
import type { SubscriberFilter } from '#arbitrage/filter'
import { Publication, sequenceBlock } from '#arbitrage/publication'
import { FrameStream, type SnapshotFrame } from '#arbitrage/sharding/mergeFrames'
import { readRows } from '#arbitrage/sharding/rowBatch'
import { type ArbitragePeer, Subscribers } from '#arbitrage/subscribers'
import type { Clock, Timer } from '#core/clock'
import type { Log } from '#core/log'
import { type SurfaceFrame, surfaceBeatMs, surfaceTimeoutMs } from '#schemas/topics'
import type { Bus, Stop } from '#storage/bus/bus'

/** Interval between retries of sockets that were behind. */
const retryMs = 25
const rowsPerStep = 200
/** Minimum time between requests for the state. */
const requestIntervalMs = 500
/** Maximum bytes of queued frames; above it the state is requested instead. */
const waitingBytesMax = 64 * 1024 * 1024

export interface SurfaceRelayOptions {
  bus: Pick<Bus, 'publish' | 'subscribe'>
  clock: Clock
  log: Log
  /** Until the first frame reports it. */
  intervalMs: number
  contracts: number
  limit: number
}

export interface SurfaceRelay {
  publication: Publication
  subscribers: Subscribers
  add(peer: ArbitragePeer, topic: string, filter: SubscriberFilter): void
  remove(peer: ArbitragePeer, topic: string): void
  /** The rows must not be shown: nothing was received yet, something was missed, or the sequencer is silent. */
  readonly withheld: boolean
  stop: Stop
}

export async function startSurfaceRelay(options: SurfaceRelayOptions): Promise<SurfaceRelay> {
  const { bus, clock, log, intervalMs, contracts, limit } = options
  const publication = new Publication({ intervalMs, contracts, limit, seq: 0 })
  const subscribers = new Subscribers(publication)
  const stream = new FrameStream()
  const slices = new TimeSlicer(clock)
  let waiting: SnapshotFrame[] = []
  let waitingBytes = 0
  /** The rows are complete: the last state plus every delta since. */
  let whole = false
  let receivedAt = Number.NEGATIVE_INFINITY
  let requestedAt = Number.NEGATIVE_INFINITY
  let retry: Timer | null = null
  let stopped = false

  const withheld = (): boolean => !whole || clock.monotonic() - receivedAt > surfaceTimeoutMs

  function requestState(): void {
    const now = clock.monotonic()
    if (now - requestedAt < requestIntervalMs) return
    requestedAt = now
    bus.publish('surfaceAsks', 'state', { want: 'state', memberId: null })
  }

  function receive(message: SurfaceFrame, lateMs = 0): void {
    // Frames queued while this process slept are outdated, and must not be sent as current.
    if (lateMs > surfaceTimeoutMs) {
      waiting = []
      waitingBytes = 0
      whole = false
      stream.lose()
      requestState()
      return
    }
    const result = stream.receive(message)
    if (result.kind === 'lost') {
      // The queued frames are still valid; what follows them is unknown.
      requestState()
      return
    }
    if (stream.following && message.term === stream.term) receivedAt = clock.monotonic() - lateMs
    if (result.kind === 'wait') return
    waiting.push(result.frame)
    waitingBytes += bytesOf(result.frame)
    if (waitingBytes > waitingBytesMax) {
      waiting = []
      waitingBytes = 0
      whole = false
      stream.lose()
      requestState()
      return
    }
    next()
  }

  function next(): void {
    if (slices.busy || stopped) return
    const frame = waiting.shift()
    if (frame !== undefined) {
      waitingBytes -= bytesOf(frame)
      slices.run(publishing(frame), (error) => {
        if (error !== null) {
          log.error({ err: error }, 'failed to process an arbitrage frame')
          whole = false
          stream.lose()
          requestState()
        }
        next()
      })
    } else if (subscribers.due && !withheld()) {
      slices.run(subscribers.turn(clock.monotonic(), clock.now()), (error) => {
        if (error !== null) log.error({ err: error }, 'failed to send to arbitrage subscribers')
        if (waiting.length > 0) next()
        else if (subscribers.due) soon(retryMs)
      })
    }
  }

  /** Not synchronously: the caller's acknowledgement may still be on its way out. */
  function soon(delayMs: number): void {
    retry?.cancel()
    retry = clock.after(delayMs, next)
  }

  function* publishing({ kind, head, parts }: SnapshotFrame): Generator<void, void, void> {
    // A delta after a frame that could not be sent is useless.
    if (kind === 'delta' && !whole) return
    const { rows } = publication
    const receivedKeys = kind === 'state' ? new Set<string>() : null
    let step = 0
    for (const part of parts) {
      for (const { key, facts, body, from, size } of readRows(part)) {
        rows.put(key, facts, from === 0 ? body : body.subarray(from), size)
        receivedKeys?.add(key)
        if (++step % rowsPerStep === 0) yield
      }
      for (const key of part.removes) rows.remove(key)
    }
    for (const key of receivedKeys === null ? [] : rows.keys()) {
      if (!receivedKeys!.has(key)) rows.remove(key)
      if (++step % rowsPerStep === 0) yield
    }
    const { seq, computedAt, publishedAt } = head
    publication.retune(head)
    if (kind === 'state') {
      publication.seq = seq
      publication.renew({ computedAt, publishedAt })
      subscribers.renew()
    } else {
      publication.seq = seq - sequenceBlock
      const made = yield* publication.publish({ computedAt, publishedAt }, head)
      yield* subscribers.published(made, clock.monotonic())
    }
    whole = true
    if (subscribers.due) soon(0)
  }

  const unsubscribe = await bus.subscribe('surfaceFrames', receive)
  // Until there is a response; afterwards the sequencer's heartbeats show when there is something to request.
  const requestTimer = clock.every(surfaceBeatMs, () => {
    if (!stream.following) requestState()
    if (subscribers.due) next()
  })
  requestState()

  return {
    publication,
    subscribers,
    add(peer, topic, filter) {
      subscribers.add(peer, topic, filter, clock.monotonic())
      soon(0)
    },
    remove: (peer, topic) => subscribers.remove(peer, topic),
    get withheld() {
      return withheld()
    },
    async stop() {
      if (stopped) return
      stopped = true
      requestTimer.cancel()
      retry?.cancel()
      slices.stop()
      await unsubscribe()
    },
  }
}

const bytesOf = ({ parts }: SnapshotFrame): number =>
  parts.reduce((sum, { body, rows, removes }) => sum + body.length + 100 * (rows.length + removes.length), 0)
