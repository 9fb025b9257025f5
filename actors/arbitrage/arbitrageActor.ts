// The arbitrage surface as an actor: an engine computes, a publisher sends frames, and a pure step decides what happens when.
import { type Actor, spawnActor } from '#actors/runtime/spawnActor'
import type { Supervisor } from '#actors/runtime/supervisor'
import { TimeSlicer } from '#actors/runtime/timeSlicer'
import type { ClusterInput } from '#arbitrage/cluster'
import {
  type CompiledSurface,
  type CompileOptions,
  type DroppedCounts,
  SurfaceCompiler,
} from '#arbitrage/compileSurface'
import type { CreateEngine } from '#arbitrage/engine'
import { firstSeq, Publication } from '#arbitrage/publication'
import type { Clock, Timer } from '#core/clock'
import type { Log } from '#core/log'
import { Publisher } from './publisher.ts'
import { type ArbitrageEffect, type ArbitrageMessage, initialArbitrageState, stepArbitrage } from './step.ts'

/** Cadence of full passes, milliseconds. */
export const intervalMsMin = 100
export const intervalMsMax = 3_000

export interface ArbitrageOptions {
  /** 100 to 3000. Deltas of changed books do not wait for it. */
  intervalMs: number
  /** Contracts bought on each side of every row. */
  contracts: number
  /** Maximum rows published. */
  limit: number
  createEngine: CreateEngine
  slotOf: CompileOptions['slotOf']
  clock: Clock
  log: Log
  /** Another process receives every row as it changes. */
  isFollowed?: boolean
  /**
   * Called after each publication with the keys of the changed rows, for records. Iterated in slices. A row without followers that could not be
   * executed may be left out.
   */
  onRows?(changed: readonly string[]): Iterable<void>
  /** Rows that were shown no longer are, because the worker was lost. */
  onWithheld?(): void
}

export interface Arbitrage {
  actor: Actor<ArbitrageMessage>
  publication: Publication
  publisher: Publisher
  /**
   * The complete set of the matcher's clusters: replaces the previous one. Resolves once the engine has them; if it rejects, the surface stays
   * as it is.
   */
  setClusters(clusters: readonly ClusterInput[]): Promise<DroppedCounts>
  /** A book in shared memory changed; sent to the worker at the next `flush`. */
  touch(slot: number): void
  /** At once if urgent or while there are subscribers or followers, else within `unfollowedFlushMs`. */
  flush(isUrgent?: boolean): void
  stop(): Promise<void>
}

const clustersPerStep = 4
/**
 * Without subscribers, changed books wake the engine at most this often: a wake and the publication it leads to cost more than the pricing
 * itself. The books in shared memory stay current.
 */
export const unfollowedFlushMs = 25

export function spawnArbitrage(parent: Supervisor, options: ArbitrageOptions): Arbitrage {
  const { clock, log, contracts, limit } = options
  const intervalMs = Math.min(intervalMsMax, Math.max(intervalMsMin, Math.trunc(options.intervalMs)))
  const publication = new Publication({ intervalMs, contracts, limit, seq: firstSeq(clock.now()) })
  const engine = options.createEngine({
    passed(full) {
      publisher.computedAt = clock.now()
      actor.send({ kind: 'passed', full })
    },
    failed: (reason) => actor.send({ kind: 'failed', reason }),
  })
  const publisher = new Publisher({
    publication,
    engine: () => engine,
    clock,
    log,
    published: (ok) => actor.send({ kind: 'published', ok }),
    isFollowed: options.isFollowed ?? false,
    onRows: options.onRows,
    onWithheld: options.onWithheld,
  })
  const compiling = new TimeSlicer(clock)
  /** The newest clusters, published or not. */
  let compiled: CompiledSurface | null = null
  let next: {
    clusters: readonly ClusterInput[]
    loaded: (dropped: DroppedCounts) => void
    failed: (error: unknown) => void
  } | null = null
  let ticker: Timer | null = null
  let restart: Timer | null = null
  /** A flush that is delayed while the rows have no subscriber. */
  let flushTimer: Timer | null = null
  let flushedAt = Number.NEGATIVE_INFINITY
  let stopped = false

  function perform(effect: ArbitrageEffect): void {
    if (stopped) return
    switch (effect.kind) {
      case 'startEngine':
        publisher.forget()
        engine.start()
        break
      case 'requestPass':
        engine.requestPass()
        break
      case 'publish':
        publisher.publish(effect)
        break
      case 'withhold':
        log.warn({ reason: effect.reason }, 'surface worker stopped; rows are withheld until its next full pass')
        publisher.forget()
        break
      case 'restartLater':
        restart = clock.after(effect.delayMs, () => actor.send({ kind: 'restart' }))
        break
    }
  }

  function* compile(clusters: readonly ClusterInput[], done: (surface: CompiledSurface) => void) {
    const compiler = new SurfaceCompiler({ contracts, limit, slotOf: options.slotOf, previous: compiled })
    for (let i = 0; i < clusters.length; i++) {
      compiler.add(clusters[i]!)
      if (i % clustersPerStep === 0) yield
    }
    const surface = yield* compiler.finish()
    yield
    done(surface)
  }

  function flushNow(): void {
    flushTimer?.cancel()
    flushTimer = null
    flushedAt = clock.monotonic()
    engine.flush()
  }

  function flush(isUrgent = false): void {
    if (stopped) return
    const isAtOnce = isUrgent || options.isFollowed === true || publication.groups.size > 0
    const leftMs = isAtOnce ? 0 : flushedAt + unfollowedFlushMs - clock.monotonic()
    if (leftMs <= 0) flushNow()
    else flushTimer ??= clock.after(leftMs, flushNow)
  }

  /** One compilation at a time; of several waiting sets the newest is taken. */
  function compileNext(): void {
    const work = next
    if (work === null || compiling.busy || stopped) return
    next = null
    const load = (surface: CompiledSurface): void => {
      compiled = surface
      publisher.load(surface)
      engine.load(surface.plan)
      work.loaded(surface.dropped)
    }
    compiling.run(compile(work.clusters, load), (error) => {
      if (error !== null) work.failed(error)
      compileNext()
    })
  }

  const actor = spawnActor(
    parent,
    {
      name: 'arbitrage',
      initial: initialArbitrageState,
      step: (state, message: ArbitrageMessage) =>
        stepArbitrage({ intervalMs, heartbeatMs: publication.heartbeatMs }, state, message),
      perform,
      start: { kind: 'start' },
      release: () => restart?.cancel(),
    },
    { clock, log },
  )
  ticker = clock.every(intervalMs, () => actor.send({ kind: 'tick' }))

  return {
    actor,
    publication,
    publisher,
    setClusters: (clusters) =>
      new Promise((loaded, failed) => {
        next?.loaded({ hidden: 0, invalidMatchScore: 0, members: 0, overLimit: 0 })
        next = { clusters, loaded, failed }
        compileNext()
      }),
    touch: (slot) => engine.touch(slot),
    flush,
    async stop() {
      if (stopped) return
      stopped = true
      ticker?.cancel()
      restart?.cancel()
      flushTimer?.cancel()
      compiling.stop()
      publisher.stop()
      actor.stop()
      await engine.stop()
    },
  }
}
