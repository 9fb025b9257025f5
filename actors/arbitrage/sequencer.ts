// The single sequence of the surface: the compute process that holds the lease merges the rows of all compute processes, numbers them and sends them
// to every gateway.
//
// waiting ──lease──► gathering ──all have sent their rows──► publishing ──lease lost──► waiting

import { TimeSlicer } from '#actors/runtime/timeSlicer'
import { type Round, sequenceBlock } from '#arbitrage/publication'
import { type RowBatch, rowBatches } from '#arbitrage/sharding/rowBatch'
import { ShardRows } from '#arbitrage/sharding/shardRows'
import { heartbeatMs, heartbeatOf } from '#arbitrage/updateIntervals'
import type { Clock, Timer } from '#core/clock'
import type { Log } from '#core/log'
import {
  ownerTimeoutMs,
  type SurfaceFrame,
  type SurfaceHeartbeat,
  type SurfaceRows,
  surfaceBeatMs,
  surfaceTimeoutMs,
} from '#schemas/topics'
import type { Bus, Stop } from '#storage/bus/bus'

/** The persistent state of the sequence. */
export interface SequenceLease {
  /** Acquires or renews the lease. Null: another process has it. `seqFrom`: under a new term, only numbers above it may be used. */
  hold(memberId: string, seq: number): Promise<{ term: number; seqFrom: number; seqTo: number } | null>
  release(memberId: string): Promise<void>
}

const renewMs = 1_000
/** A member that has not sent its rows by then is added when it does. */
const gatherMaxMs = 3_000
/** Changes within this time are sent together. */
const gatherMs = 2
const requestAgainMs = 1_000
const stateEveryMs = 300
/** Maximum member messages queued while a frame goes out. */
const backlogMax = 5_000

export interface SequencerOptions {
  bus: Pick<Bus, 'publish' | 'subscribe' | 'unreadMs'>
  clock: Clock
  log: Log
  memberId: string
  lease: SequenceLease
  intervalMs: number
  contracts: number
  limit: number
}

export interface Sequencer {
  /** Term of the lease while it is held. */
  term(): number | null
  stop: Stop
}

export async function startSequencer(options: SequencerOptions): Promise<Sequencer> {
  const { bus, clock, log, memberId, lease, intervalMs, contracts, limit } = options
  const ticksPerSnapshot = heartbeatOf(intervalMs) / intervalMs
  const heartbeats = new Map<string, { state: SurfaceHeartbeat['state']; at: number }>()
  const requestedAt = new Map<string, number>()
  const slices = new TimeSlicer(clock)
  /** Member messages received while a multi-part frame is sent. */
  const backlog: SurfaceRows[] = []
  let rows = new ShardRows()
  let term: number | null = null
  let seq = 0
  let seqTo = 0
  let since = 0
  let isPublishing = false
  let ticks = 0
  let stateAt = Number.NEGATIVE_INFINITY
  let stateTimer: Timer | null = null
  let gathering: Timer | null = null
  let renewing = false
  let stopped = false

  /** Processes whose rows are valid. */
  const up = (): string[] => {
    // Heartbeats prove nothing about rows that have not arrived.
    if (bus.unreadMs('surfaceRows') > ownerTimeoutMs) return []
    const now = clock.monotonic()
    return [...heartbeats].flatMap(([id, { state, at }]) =>
      state === 'up' && now - at <= surfaceTimeoutMs ? [id] : [],
    )
  }

  function lead(granted: { term: number; seqFrom: number }): void {
    log.info({ term: granted.term }, 'this process is now the arbitrage sequencer')
    term = granted.term
    seq = granted.seqFrom
    rows = new ShardRows()
    requestedAt.clear()
    isPublishing = false
    since = clock.monotonic()
    bus.publish('surfaceAsks', memberId, { want: 'rows', memberId: null })
  }

  function resign(why: string): void {
    if (term === null) return
    log.info({ term, why }, 'this process is no longer the arbitrage sequencer')
    term = null
    isPublishing = false
    rows = new ShardRows()
  }

  function renew(): void {
    if (renewing || stopped) return
    // A member that does not receive its own messages does not reach gateways either: another process must get the lease, even though the
    // storage is reachable.
    if (clock.monotonic() - (heartbeats.get(memberId)?.at ?? Number.NEGATIVE_INFINITY) > surfaceTimeoutMs) {
      resign('its own messages do not come back from the bus')
      return
    }
    renewing = true
    lease
      .hold(memberId, seq)
      .then(
        (granted) => {
          if (stopped) return
          if (granted === null) {
            resign('another process has the lease')
            return
          }
          seqTo = granted.seqTo
          if (granted.term !== term) lead(granted)
        },
        // While the storage is down no other process can acquire it; otherwise the new holder has a higher term, which gateways and we
        // receive.
        (error: unknown) => log.debug({ err: error }, 'failed to renew the lease'),
      )
      .finally(() => {
        renewing = false
      })
  }

  function requestRows(id: string): void {
    const now = clock.monotonic()
    if (now - (requestedAt.get(id) ?? Number.NEGATIVE_INFINITY) < requestAgainMs) return
    requestedAt.set(id, now)
    bus.publish('surfaceAsks', id, { want: 'rows', memberId: id })
  }

  function send(
    kind: SurfaceFrame['kind'],
    prev: number,
    { snapshot, pass }: Round,
    i: number,
    last: boolean,
    batch: RowBatch,
  ) {
    const publishedAt = clock.now()
    bus.publish('surfaceFrames', memberId, {
      term: term!,
      kind,
      seq,
      prev,
      snapshot,
      pass,
      part: { i, last },
      computedAt: rows.computedAt ?? publishedAt,
      publishedAt,
      intervalMs,
      contracts,
      limit,
      ...batch,
    })
  }

  /** In slices; member messages wait meanwhile, so that all parts are of one moment and consecutive. */
  function* parts(kind: 'delta' | 'state', prev: number, round: Round, batches: Generator<RowBatch>) {
    const begunIn = term
    let i = 0
    for (let batch = batches.next(); batch.done !== true; ) {
      if (term !== begunIn) return
      const following = batches.next()
      send(kind, prev, round, ++i, following.done === true, batch.value)
      batch = following
      yield
    }
  }

  function run(work: Generator<void, void, void>, done: () => void): void {
    slices.run(work, (error) => {
      if (error !== null) log.error({ err: error }, 'failed to send an arbitrage frame')
      done()
      for (const message of backlog.splice(0)) take(message)
      if (rows.merged.changes.length > 0) soon()
    })
  }

  function soon(): void {
    gathering ??= clock.after(gatherMs, () => publishFrame('changes'))
  }

  /** A heartbeat serves gateways whose subscribers are notified between passes. `then`: runs once this has been sent. */
  function publishFrame(what: 'changes' | 'beat' | 'pass', then: () => void = () => undefined): void {
    const pass = what === 'pass'
    gathering?.cancel()
    gathering = null
    if (term === null || !isPublishing || slices.busy) return
    const { merged } = rows
    // With no member up there is nothing to confirm: removed rows are sent, and then the silence makes gateways withhold the rest.
    if (merged.changes.length === 0 && (what === 'changes' || up().length === 0)) {
      then()
      return
    }
    if (seq + sequenceBlock > seqTo) {
      resign('out of sequence numbers: the storage was unavailable for too long')
      return
    }
    const snapshot = pass && ++ticks >= ticksPerSnapshot
    if (snapshot) ticks = 0
    const removes: string[] = []
    const changed = merged.changes.flatMap((id) => {
      const row = merged.rows[id]!
      if (row.bytes !== null) return [row as typeof row & { bytes: Buffer }]
      removes.push(row.key)
      return []
    })
    const prev = seq
    seq += sequenceBlock
    run(parts('delta', prev, { snapshot, pass }, rowBatches(changed, removes)), () => {
      merged.commit()
      then()
    })
  }

  function publishState(): void {
    stateTimer = null
    if (term === null || !isPublishing || up().length === 0) return
    if (slices.busy) {
      requestState()
      return
    }
    publishFrame('changes', () => {
      stateAt = clock.monotonic()
      run(parts('state', seq, quiet, rowBatches(rows.merged.present(), [])), () => undefined)
    })
  }

  /** Many gateways starting together get one response. */
  function requestState(): void {
    stateTimer ??= clock.after(Math.max(gatherMs, stateAt + stateEveryMs - clock.monotonic()), publishState)
  }

  function take(message: SurfaceRows): void {
    if (term === null) return
    if (slices.busy) {
      // A message beyond the limit is a gap: its sender must resend everything.
      if (backlog.length < backlogMax) backlog.push(message)
      return
    }
    if (!rows.take(message)) requestRows(message.memberId)
    if (!isPublishing) begin()
    else if (rows.merged.changes.length > 0) soon()
  }

  /** The first frames of a new term, once every member that is up has sent its rows. */
  function begin(): void {
    const present = up()
    if (present.length === 0) return
    if (!present.every((id) => rows.complete(id)) && clock.monotonic() - since < gatherMaxMs) return
    isPublishing = true
    ticks = 0
    seq++
    rows.merged.commit()
    publishState()
  }

  function watch(): void {
    if (term === null || slices.busy) return
    const present = new Set(up())
    for (const id of rows.ids) if (!present.has(id)) rows.drop(id)
    for (const id of present) if (!rows.complete(id)) requestRows(id)
    if (!isPublishing) {
      begin()
      return
    }
    if (present.size > 0) send('beat', seq, quiet, 1, true, { rows: [], removes: [], body: nothing })
    if (rows.merged.changes.length > 0) publishFrame('changes')
  }

  const stops = await Promise.all([
    bus.subscribe('surfaceBeats', (beat) => {
      if (beat.state === 'leaving') heartbeats.delete(beat.memberId)
      else heartbeats.set(beat.memberId, { state: beat.state, at: clock.monotonic() })
      if (term !== null && beat.memberId !== memberId && beat.term !== null && beat.term > term)
        resign('another process has a later term')
      // A lost worker is reported at once.
      if (beat.state !== 'up' && term !== null && rows.ids.includes(beat.memberId)) watch()
    }),
    bus.subscribe('surfaceRows', take),
    bus.subscribe('surfaceAsks', ({ want }) => {
      if (want === 'state' && term !== null && isPublishing) requestState()
    }),
  ])
  const timers = [
    clock.every(renewMs, renew),
    clock.every(surfaceBeatMs, watch),
    clock.every(intervalMs, () => publishFrame('pass')),
    clock.every(heartbeatMs, () => publishFrame('beat')),
  ]
  renew()

  return {
    term: () => term,
    async stop() {
      if (stopped) return
      stopped = true
      for (const timer of timers) timer.cancel()
      gathering?.cancel()
      stateTimer?.cancel()
      slices.stop()
      const led = term !== null
      term = null
      await Promise.all(stops.map((stop) => stop()))
      if (led)
        await lease
          .release(memberId)
          .catch((error: unknown) => log.debug({ err: error }, 'failed to release the lease; it will expire'))
    },
  }
}

const nothing = Buffer.alloc(0)
const quiet: Round = { snapshot: false, pass: false }
