// Turns results into frames on the main thread without blocking it for long: copies changed clusters, encodes changed rows, publishes them, and
// serves the rest.

import { TimeSlicer } from '#actors/runtime/timeSlicer'
import type { CompiledSurface } from '#arbitrage/compileSurface'
import { RowEncoder } from '#arbitrage/encodeRow'
import type { SurfaceEngine } from '#arbitrage/engine'
import type { SubscriberFilter } from '#arbitrage/filter'
import { rowExecutable } from '#arbitrage/flags'
import { nearMoneyLegs } from '#arbitrage/priorityBooks'
import type { Publication, Round, RowMeta } from '#arbitrage/publication'
import { type ArbitragePeer, Subscribers } from '#arbitrage/subscribers'
import { copyCluster, ownedTable, type SurfaceTable, spreadMicros } from '#arbitrage/table'
import { heartbeatMs } from '#arbitrage/updateIntervals'
import type { Clock, Timer } from '#core/clock'
import type { Log } from '#core/log'

/** Interval between retries of sockets that were behind. */
const retryMs = 25
const clustersPerDrain = 64
const clustersPerStep = 500

export interface PublisherOptions {
  publication: Publication
  engine(): SurfaceEngine
  clock: Clock
  log: Log
  published(ok: boolean): void
  /** Another process reads the bytes of every row: all must be written. */
  isFollowed: boolean
  /** Called after each publication, in slices, with the rows changed since the last. */
  onRows?(changed: readonly string[]): Iterable<void>
  /** Rows that were shown no longer are. */
  onWithheld?(): void
}

export class Publisher {
  readonly subscribers: Subscribers
  /** Rows must not be shown: nothing was computed yet, or the worker is gone. */
  withheld = true
  /** When the newest results were reported, epoch ms. */
  computedAt = 0
  private readonly options: PublisherOptions
  private readonly slices: TimeSlicer
  /** The surface of the published rows; null before the first. */
  surface: CompiledSurface | null = null
  private nextSurface: CompiledSurface | null = null
  private encoder: RowEncoder | null = null
  private local: SurfaceTable | null = null
  /** Per row: the sum of its sides' versions when last written. */
  private encoded = new Float64Array(0)
  /** Rows of publications that were made but not announced, because the worker was lost meanwhile. */
  private unannounced: string[] = []
  /** Clusters that the worker was writing at every attempt to read. */
  private again: number[] = []
  /** Incremented when the worker is lost: work in progress then rests on invalid results. */
  private epoch = 0
  private waiting: (Round & { isRequested: boolean }) | null = null
  private readonly beat: Timer
  private retry: Timer | null = null

  constructor(options: PublisherOptions) {
    this.options = options
    this.subscribers = new Subscribers(options.publication)
    this.slices = new TimeSlicer(options.clock)
    this.beat = options.clock.every(heartbeatMs, () => {
      if (options.publication.beats && !this.withheld && !this.slices.busy)
        this.queue({ snapshot: false, pass: false }, false)
    })
  }

  /** The engine was given another plan: from the next publication on, its results refer to that one. */
  load(surface: CompiledSurface): void {
    this.nextSurface = surface
  }

  /** The engine's table was restarted. */
  forget(): void {
    this.epoch++
    this.encoded.fill(-1)
    this.encoder?.forget()
    this.again = []
    if (!this.withheld) this.options.onWithheld?.()
    this.withheld = true
  }

  publish(round: Round): void {
    this.queue(round, true)
  }

  add(peer: ArbitragePeer, topic: string, filter: SubscriberFilter): void {
    this.subscribers.add(peer, topic, filter, this.options.clock.monotonic())
    this.soon(0)
  }

  remove(peer: ArbitragePeer, topic: string): void {
    this.subscribers.remove(peer, topic)
  }

  /** Per venue, the books of executable and nearly executable rows as last published, nearest first. */
  *nearLegs(): Generator<void, Map<string, string[]>, void> {
    const { surface, local } = this
    return surface === null || local === null ? new Map() : yield* nearMoneyLegs(surface, local)
  }

  stop(): void {
    this.beat.cancel()
    this.slices.stop()
    this.retry?.cancel()
  }

  /** `asked`: a caller waits for the publication. */
  private queue({ snapshot, pass }: Round, isRequested: boolean): void {
    const { waiting } = this
    this.waiting = {
      snapshot: snapshot || waiting?.snapshot === true,
      pass: pass || waiting?.pass === true,
      isRequested: isRequested || waiting?.isRequested === true,
    }
    this.next()
  }

  private next(): void {
    if (this.slices.busy) return
    const { waiting } = this
    if (waiting !== null) {
      this.waiting = null
      this.slices.run(this.publishing(waiting), (error) => {
        if (error !== null) this.options.log.error({ err: error }, 'arbitrage publication failed')
        if (waiting.isRequested) this.options.published(error === null)
        this.next()
      })
    } else if (this.subscribers.due && !this.withheld) {
      this.slices.run(this.subscribers.turn(this.options.clock.monotonic(), this.options.clock.now()), (error) => {
        if (error !== null) this.options.log.error({ err: error }, 'failed to send to arbitrage subscribers')
        if (this.waiting !== null) this.next()
        else if (this.subscribers.due) this.soon(retryMs)
      })
    }
  }

  /** Not synchronously: the caller's acknowledgement may still be on its way out. */
  private soon(delayMs: number): void {
    this.retry?.cancel()
    this.retry = this.options.clock.after(delayMs, () => this.next())
  }

  private *publishing(round: Round): Generator<void, void, void> {
    const { publication, clock, onRows } = this.options
    const { epoch } = this
    yield* this.adopt()
    yield* this.encode()
    const at = { computedAt: this.computedAt, publishedAt: clock.now() }
    const changed = onRows === undefined ? [] : publication.rows.changes.map((id) => publication.rows.rows[id]!.key)
    const made = yield* publication.publish(at, round)
    // The next message is then a snapshot, from a living worker.
    if (epoch !== this.epoch) {
      this.unannounced = [...new Set([...this.unannounced, ...changed])]
      return
    }
    this.withheld = false
    yield* this.subscribers.published(made, clock.monotonic())
    const { unannounced } = this
    this.unannounced = []
    if (onRows !== undefined)
      yield* onRows(unannounced.length === 0 ? changed : [...new Set([...unannounced, ...changed])])
  }

  /** Starts with the plan loaded last; rows that it no longer has are removed. */
  private *adopt(): Generator<void, void, void> {
    const surface = this.nextSurface
    if (surface === null) return
    this.nextSurface = null
    for (const key of yield* goneRows(this.surface, surface)) this.options.publication.remove(key)
    yield
    const local = ownedTable(surface.plan)
    yield
    // Rows left unwritten have the numbers of the previous plan.
    yield* this.options.publication.rows.writeAll()
    this.local = local
    this.encoder = new RowEncoder(surface, local)
    this.options.publication.rows.source = this.encoder
    this.surface = surface
    this.encoded = new Float64Array(surface.plan.rows).fill(-1)
    this.again = []
  }

  private *encode(): Generator<void, void, void> {
    const engine = this.options.engine()
    const { surface } = this
    if (surface === null) return
    const clusters = this.again
    this.again = []
    const visit = (cluster: number): void => {
      clusters.push(cluster)
    }
    // At most one round: changes during encoding are left to the next publication.
    for (let left = surface.plan.clusters; left > 0; ) {
      // Numbers of another plan mean other clusters; its first pass brings them all.
      if (this.nextSurface !== null) return
      const found = engine.drain(visit, Math.min(left, clustersPerDrain))
      left -= found
      for (const cluster of clusters) {
        if (this.nextSurface !== null) return
        if (this.cluster(surface, engine, cluster)) yield
      }
      clusters.length = 0
      if (found === 0) return
    }
  }

  private cluster(surface: CompiledSurface, engine: SurfaceEngine, cluster: number): boolean {
    const { plan, rowFacts, sideFacts } = surface
    const { publication, isFollowed } = this.options
    const { local, encoder, encoded } = this
    const { table } = engine
    if (local === null || encoder === null || table === null) return false
    if (!copyCluster(table, local, plan, cluster)) {
      this.again.push(cluster)
      return false
    }
    for (let row = plan.clusterRow[cluster]!; row < plan.clusterRow[cluster + 1]!; row++) {
      const yes = plan.rowYes[row]!
      const no = plan.rowNo[row]!
      const version = local.version[yes]! + local.version[no]!
      if (encoded[row] === version) continue
      const { key, verified, pair } = rowFacts[row]!
      const meta: RowMeta = {
        executable: rowExecutable(local.flags[yes]!, local.flags[no]!, verified),
        venueA: sideFacts[yes]!.member.venue,
        venueB: sideFacts[no]!.member.venue,
        netMicros: local.net[row]!,
        spreadMicros: spreadMicros(local, yes, no),
        matchBand: pair.matchBand,
        matchScore: pair.matchScore,
      }
      encoded[row] = version
      if (!isFollowed && publication.putLater(key, meta, row)) continue
      const size = encoder.encode(row)
      publication.put(key, meta, encoder.scratch, size)
    }
    return true
  }
}

/** Keys of rows that only `before` has. The published rows are those of `before`; clusters that are unchanged in both are skipped. */
function* goneRows(before: CompiledSurface | null, now: CompiledSurface): Generator<void, Set<string>, void> {
  const gone = new Set<string>()
  if (before === null) return gone
  let step = 0
  for (const [input, cluster] of before.clusters) {
    if (now.clusters.get(input) !== cluster) for (const { key } of cluster.rows) gone.add(key)
    if (++step % clustersPerStep === 0) yield
  }
  for (const [input, cluster] of now.clusters) {
    if (before.clusters.get(input) !== cluster) for (const { key } of cluster.rows) gone.delete(key)
    if (++step % clustersPerStep === 0) yield
  }
  return gone
}
