// One compute process among several: announces that it is alive, takes its share of the clusters, and sends its changes to the sequencer.

import { TimeSlicer } from '#actors/runtime/timeSlicer'
import type { ClusterInput } from '#arbitrage/cluster'
import { ownerOf } from '#arbitrage/sharding/rendezvousHash'
import { rowBatches } from '#arbitrage/sharding/rowBatch'
import type { Clock, Timer } from '#core/clock'
import type { Log } from '#core/log'
import { type SurfaceRows, surfaceBeatMs, surfaceTimeoutMs } from '#schemas/topics'
import type { Bus, Stop } from '#storage/bus/bus'
import type { Arbitrage } from './arbitrageActor.ts'
import type { SurfaceFeed } from './surfaceInputs.ts'

/** How long it waits for other members to announce themselves before taking a share. */
const settleMs = 2 * surfaceBeatMs + 200
/** A cluster that now belongs to another member is kept this long, until that member has its books. */
const lingerMs = 3_000
/** If more rows than this changed, all rows are sent instead, in slices. */
const changedMax = 1_000
/** Minimum interval of publications without changes. */
const quietMs = 100

export interface SurfaceMemberOptions {
  bus: Pick<Bus, 'publish' | 'subscribe'>
  clock: Clock
  log: Log
  /** Unique per running process. */
  memberId: string
  arbitrage: Pick<Arbitrage, 'publication' | 'publisher'>
  surface: Pick<SurfaceFeed, 'setClusters'>
  /** Maximum rows of all members together. */
  limit: number
  /** Term of its lease while this process is the sequencer. */
  term(): number | null
}

export interface SurfaceMember {
  /** The complete set of the matcher's clusters. */
  setClusters(clusters: readonly ClusterInput[]): void
  /** Called after each publication of this process with the keys of the changed rows. */
  published(changed: readonly string[]): void
  /** The worker is lost: its rows must not be shown until they have been republished. */
  withheld(): void
  /** Processes that sent a heartbeat recently, including this one. */
  members(): string[]
  stop: Stop
}

export async function startSurfaceShard(options: SurfaceMemberOptions): Promise<SurfaceMember> {
  const { bus, clock, log, memberId, arbitrage, surface, limit } = options
  const { publication, publisher } = arbitrage
  const heartbeatAt = new Map<string, number>()
  const slices = new TimeSlicer(clock)
  let all: readonly ClusterInput[] = []
  /** Cluster → when it is dropped; infinite while it is ours. */
  let kept = new Map<string, number>()
  let loaded: readonly ClusterInput[] = []
  let settled = false
  let linger: Timer | null = null
  let n = 0
  let wholeDue = true
  let sentAt = Number.NEGATIVE_INFINITY
  /** State in the last heartbeat. */
  let announcedState: 'up' | 'withheld' | 'leaving' = 'withheld'
  let stopped = false

  const members = (): string[] => [memberId, ...heartbeatAt.keys()]

  function split(): void {
    if (!settled || stopped) return
    const now = clock.monotonic()
    const present = members()
    const next = new Map<string, number>()
    const mine: ClusterInput[] = []
    let nextExpiry = Number.POSITIVE_INFINITY
    for (const cluster of all) {
      const { clusterId } = cluster
      const owned = ownerOf(present, clusterId) === memberId
      const before = kept.get(clusterId)
      const until = owned
        ? Number.POSITIVE_INFINITY
        : before === undefined
          ? Number.NEGATIVE_INFINITY
          : Math.min(before, now + lingerMs)
      if (until <= now) continue
      next.set(clusterId, until)
      nextExpiry = Math.min(nextExpiry, until)
      mine.push(cluster)
    }
    kept = next
    linger?.cancel()
    linger = nextExpiry === Number.POSITIVE_INFINITY ? null : clock.after(nextExpiry - now, split)
    if (mine.length === loaded.length && mine.every((cluster, i) => cluster === loaded[i])) return
    loaded = mine
    surface.setClusters(mine).catch((error: unknown) => {
      // Set again by the next assignment, even if unchanged.
      if (loaded === mine) loaded = []
      log.error({ err: error }, 'failed to load clusters; the surface is unchanged')
    })
  }

  const forgetSilent = (): void => {
    const before = heartbeatAt.size
    for (const [id, at] of heartbeatAt) if (clock.monotonic() - at > surfaceTimeoutMs) heartbeatAt.delete(id)
    if (heartbeatAt.size !== before) split()
  }

  function beat(state: 'up' | 'withheld' | 'leaving' = publisher.withheld ? 'withheld' : 'up'): void {
    if (state !== 'up') wholeDue = true
    announcedState = state
    bus.publish('surfaceBeats', memberId, { memberId, state, term: options.term(), at: clock.now() })
  }

  function send(message: Omit<SurfaceRows, 'memberId' | 'n' | 'computedAt'>): void {
    sentAt = clock.monotonic()
    bus.publish('surfaceRows', memberId, { memberId, n: ++n, computedAt: publisher.computedAt, ...message })
  }

  /** In slices: rows that change meanwhile are sent alongside, and the last one sent wins. */
  function* whole(): Generator<void, void, void> {
    let waiting: ReturnType<typeof batchOf> | null = null
    let first = true
    for (const batch of rowBatches(publication.rows.present(), [])) {
      if (waiting !== null) {
        send({ ...waiting, whole: first ? 'begin' : 'part' })
        first = false
        yield
      }
      waiting = batchOf(batch)
    }
    send({ ...waiting!, whole: first ? 'only' : 'end' })
  }

  function sendWhole(): void {
    if (slices.busy || stopped) return
    wholeDue = false
    slices.run(whole(), (error) => {
      if (error === null) return
      wholeDue = true
      log.error({ err: error }, 'failed to send the surface snapshot')
    })
  }

  const stops = await Promise.all([
    bus.subscribe('surfaceBeats', ({ memberId: id, state }) => {
      if (id === memberId) return
      const known = heartbeatAt.has(id)
      if (state === 'leaving') heartbeatAt.delete(id)
      else heartbeatAt.set(id, clock.monotonic())
      if (known !== heartbeatAt.has(id)) split()
    }),
    bus.subscribe('surfaceAsks', ({ want, memberId: id }) => {
      if (want !== 'rows' || (id !== null && id !== memberId)) return
      wholeDue = true
      if (!publisher.withheld) sendWhole()
    }),
  ])
  beat()
  const beats = clock.every(surfaceBeatMs, () => {
    forgetSilent()
    beat()
  })
  const settling = clock.after(settleMs, () => {
    settled = true
    split()
  })

  return {
    members,
    setClusters(clusters) {
      all = withinLimit(clusters, limit)
      split()
    },
    published(changed) {
      if (stopped) return
      // Before the rows: the sequencer ignores rows of a member that is not up.
      if (announcedState !== 'up') beat()
      if ((wholeDue || changed.length > changedMax) && !slices.busy) {
        sendWhole()
        return
      }
      if (changed.length === 0 && clock.monotonic() - sentAt < quietMs) return
      const present = changed.flatMap((key) => publication.rows.get(key) ?? [])
      const gone = changed.filter((key) => publication.rows.get(key) === undefined)
      for (const batch of rowBatches(present as Iterable<(typeof present)[number] & { bytes: Buffer }>, gone))
        send({ ...batchOf(batch), whole: null })
    },
    withheld() {
      if (!stopped) beat('withheld')
    },
    async stop() {
      if (stopped) return
      stopped = true
      beats.cancel()
      settling.cancel()
      linger?.cancel()
      slices.stop()
      await Promise.all(stops.map((stop) => stop()))
      beat('leaving')
    },
  }
}

const batchOf = ({ rows, removes, body }: Pick<SurfaceRows, 'rows' | 'removes' | 'body'>) => ({ rows, removes, body })

/** The clusters whose rows fit within the limit, in their given order: the same for every process. */
function withinLimit(clusters: readonly ClusterInput[], limit: number): ClusterInput[] {
  let rows = 0
  return clusters.filter(({ pairs }) => {
    if (rows + 2 * pairs.length > limit) return false
    rows += 2 * pairs.length
    return true
  })
}
