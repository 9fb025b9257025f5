// Structures at a gateway: rows come from the one process that searches; filters, first snapshots and repair are the gateway's own. Rows that have
// not been confirmed for too long are not shown.
import { TimeSlicer } from '#actors/runtime/timeSlicer'
import { StructureListeners } from '#arbitrage/structures/listeners'
import type { StructureState, StructureView } from '#arbitrage/structures/view'
import type { Clock, Timer } from '#core/clock'
import type { Log } from '#core/log'
import type { StructureCounts, StructureRow } from '#schemas/structures'
import { type StructureFrame, structuresReadMs, surfaceBeatMs, surfaceTimeoutMs } from '#schemas/topics'
import type { Bus, Stop } from '#storage/bus/bus'

/** Interval between retries of sockets that were behind. */
const retryMs = 25
/** Minimum time between requests for the state. */
const requestIntervalMs = 500

export interface StructureRelayOptions {
  bus: Pick<Bus, 'publish' | 'subscribe'>
  clock: Clock
  log: Log
  memberId: string
}

export interface StructureRelay extends StructureView {
  stop: Stop
}

export async function startStructureRelay(options: StructureRelayOptions): Promise<StructureRelay> {
  const { bus, clock, log, memberId } = options
  const rows = new Map<string, StructureRow>()
  const listeners = new StructureListeners(() => clock.now())
  const slices = new TimeSlicer(clock)
  let followed: { term: number; memberId: string; n: number } | null = null
  /** Ids received since a state began; null while none is in progress. */
  let receivedIds: Set<string> | null = null
  /** The rows are complete: the last state plus every delta since. */
  let whole = false
  let up = false
  let counts: StructureCounts | null = null
  let computedAt: number | null = null
  let receivedAt = Number.NEGATIVE_INFINITY
  let requestedAt = Number.NEGATIVE_INFINITY
  let retry: Timer | null = null
  let stopped = false
  let readAt = Number.NEGATIVE_INFINITY

  /** The search pauses while there are no readers. */
  const reportReading = (): void => {
    if (listeners.any || clock.monotonic() - readAt < structuresReadMs)
      bus.publish('structureAsks', memberId, { memberId, reading: true })
  }
  function read(): void {
    const isNews = !listeners.any && clock.monotonic() - readAt >= structuresReadMs
    readAt = clock.monotonic()
    if (isNews) reportReading()
  }

  const currentState = (): StructureState | null =>
    !whole || !up || counts === null || clock.monotonic() - receivedAt > surfaceTimeoutMs
      ? null
      : { rows: rows.values(), computedAt, counts }

  const isComplete = (): boolean => counts?.complete === true

  function requestState(): void {
    if (clock.monotonic() - requestedAt < requestIntervalMs) return
    requestedAt = clock.monotonic()
    bus.publish('structureAsks', memberId, { memberId })
  }

  function lose(): void {
    whole = false
    receivedIds = null
    requestState()
  }

  function receive(frame: StructureFrame, lateMs = 0): void {
    if (followed !== null && frame.term < followed.term) return
    const isNext = followed?.term === frame.term && followed.memberId === frame.memberId && frame.n === followed.n + 1
    followed = { term: frame.term, memberId: frame.memberId, n: frame.n }
    const begins = frame.kind === 'state' && frame.part.i === 1
    if (!isNext && !begins) lose()
    up = frame.up
    const wasComplete = isComplete()
    counts = frame.counts
    receivedAt = clock.monotonic() - lateMs
    computedAt = frame.computedAt
    if (begins) receivedIds = new Set()
    if (receivedIds === null && !whole) {
      requestState()
      return
    }
    for (const row of frame.rows) {
      rows.set(row.id, row)
      receivedIds?.add(row.id)
    }
    for (const id of frame.removes) rows.delete(id)
    const isNews = frame.rows.length + frame.removes.length > 0 || frame.counts.complete !== wasComplete
    if (whole && isNews) listeners.changed(frame.rows, frame.removes, { computedAt, complete: frame.counts.complete })
    if (frame.kind === 'state' && frame.part.last && receivedIds !== null) ended(receivedIds)
    if (listeners.due) soon(0)
  }

  function ended(all: ReadonlySet<string>): void {
    receivedIds = null
    const gone = [...rows.keys()].filter((id) => !all.has(id))
    for (const id of gone) rows.delete(id)
    if (whole) listeners.changed([], gone, { computedAt, complete: isComplete() })
    else listeners.renew()
    whole = true
  }

  function turn(): void {
    retry = null
    if (slices.busy || stopped || !listeners.due) return
    const state = currentState() === null ? null : { rows: () => rows.values(), computedAt, complete: isComplete() }
    slices.run(listeners.turn(state), (error) => {
      if (error !== null) log.error({ err: error }, 'failed to send structures to subscribers')
      if (listeners.due) soon(retryMs)
    })
  }

  /** Not synchronously: the caller's acknowledgement may still be on its way out. */
  function soon(delayMs: number): void {
    if (stopped) return
    retry?.cancel()
    retry = clock.after(delayMs, turn)
  }

  const unsubscribe = await bus.subscribe('structureFrames', receive)
  const requestTimer = clock.every(surfaceBeatMs, () => {
    if (!whole) requestState()
    reportReading()
  })
  requestState()

  return {
    state() {
      read()
      return currentState()
    },
    add(peer, topic, filter) {
      read()
      listeners.add(peer, topic, filter)
      soon(0)
    },
    remove: (peer, topic) => listeners.remove(peer, topic),
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
