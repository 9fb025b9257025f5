// Delivers events to endpoints: fans the outbox out into queues, processes the queues that are due, and deletes what ended long ago.
//
// outbox ─fan out─► deliveries ─claim a queue─► batch: attempt, mark … ─► release
import { randomUUID } from 'node:crypto'
import { spawnActor } from '#actors/runtime/spawnActor'
import type { Supervisor } from '#actors/runtime/supervisor'
import type { Clock, Timer } from '#core/clock'
import type { Log } from '#core/log'
import type { AttemptDeps } from '#platform/webhooks/index'
import type { WebhookEvent } from '#schemas/webhooks'
import type { DueDelivery } from '#storage/postgres/webhooks/claim'
import type { DeliveryStore, EndpointHealth } from '#storage/postgres/webhooks/store'
import { type Counts, leaseMs, processBatch, type TimeSlice } from './deliveryBatch.ts'
import {
  type DeliveryEffect,
  type DeliveryMessage,
  type DeliveryPace,
  initialDeliveryState,
  stepDeliveries,
} from './step.ts'

/** Outbox events per poll, and deliveries of one queue at a time. */
const eventsPerLook = 500
/** When nothing is sent, emptying the outbox is not urgent. */
const idlePollMs = 2_000
const deliveriesPerSlice = 20
/** An attempt this old no longer occupies a slot. */
const agedAfterMs = 100
const countEveryMs = 5_000
const pruneEveryMs = 600_000
const rowsPerPrune = 5_000
const dayMs = 86_400_000
/** Ended deliveries stay readable for this long; processed events serve only operators. */
const deliveriesKeptMs = 7 * dayMs
const eventsKeptMs = dayMs
/** After a stop, attempts in progress may finish within this time; then they are aborted and repeated by another process. */
const graceMs = 3_000

export const defaultPace: DeliveryPace = {
  pollMs: 100,
  slots: {
    good: { young: 64, total: 256 },
    new: { young: 128, total: 512 },
    bad: { young: 32, total: 512 },
  },
}

export interface DeliveriesOptions {
  store: DeliveryStore
  /** Null: nothing is sent, but the outbox is still emptied. */
  attempt: AttemptDeps | null
  /** Events delivered here. Others are removed from the outbox without delivery. */
  deliverable: readonly WebhookEvent[]
  pace?: DeliveryPace
  clock: Clock
  log: Log
}

export interface DeliveryStats extends Counts {
  /** Waiting deliveries, as of a few seconds ago. */
  queued: number
  /** Queues being processed. */
  working: number
}

export interface Deliveries {
  stats(): DeliveryStats
  stop(): Promise<void>
}

export function spawnDeliveries(parent: Supervisor, options: DeliveriesOptions): Deliveries {
  const { store, deliverable, clock, log } = options
  const pace = options.pace ?? (options.attempt === null ? { ...defaultPace, pollMs: idlePollMs } : defaultPace)
  const counts: Counts = { delivered: 0, failed: 0, attempts: 0, attemptsFailed: 0 }
  const slices = new Set<Promise<void>>()
  const chores = new Set<Promise<void>>()
  const abort = new AbortController()
  let queued = 0
  let eventsAtOnce = eventsPerLook
  let timer: Timer | null = null
  let looking: Promise<void> = Promise.resolve()
  let stopping = false
  /** Slices of a crashed actor are ignored when they end: its successor counts from zero. */
  let life = 0

  async function look(wanted: readonly { standing: EndpointHealth; count: number }[]): Promise<void> {
    const more = await fanOut()
    const claimed = options.attempt === null || stopping ? [] : await claim(wanted, options.attempt)
    actor.send({ kind: 'looked', ok: true, claimed, more })
  }

  /** True when there was more than one poll takes. What stays in the outbox does not delay what is queued already. */
  async function fanOut(): Promise<boolean> {
    const limit = eventsAtOnce
    try {
      const { taken } = await store.fanOut({ at: new Date(clock.now()), limit, deliverable })
      eventsAtOnce = Math.min(eventsPerLook, limit * 2)
      return taken === limit
    } catch (error) {
      // Too many endpoints may want them for the statement to finish in time: the next statement takes fewer, down to one.
      eventsAtOnce = Math.max(1, limit >> 2)
      log.warn({ err: error, events: limit }, 'failed to queue events for their webhooks; they stay in the outbox')
      return false
    }
  }

  async function claim(
    wanted: readonly { standing: EndpointHealth; count: number }[],
    attempt: AttemptDeps,
  ): Promise<EndpointHealth[]> {
    const some = wanted.filter(({ count }) => count > 0)
    if (some.length === 0) return []
    const claimedAt = clock.monotonic()
    const at = new Date(clock.now())
    const lease = randomUUID()
    const endpoints = await store.claim({ wanted: some, at, lease, until: new Date(at.getTime() + leaseMs) })
    if (endpoints.length === 0) return []
    const endpointIds = endpoints.map(({ id }) => id)
    const due = groupByEndpoint(await store.findDue({ endpointIds, at, limit: deliveriesPerSlice }))
    for (const endpoint of endpoints) begin({ endpoint, due: due.get(endpoint.id) ?? [], lease, claimedAt }, attempt)
    return endpoints.map(({ standing: health }) => health)
  }

  function begin(slice: TimeSlice, attempt: AttemptDeps): void {
    const { standing: health, id: endpointId } = slice.endpoint
    const bornIn = life
    let aged = false
    const send = (message: DeliveryMessage): void => {
      if (bornIn === life) actor.send(message)
    }
    const aging = clock.after(agedAfterMs, () => {
      aged = true
      send({ kind: 'aged', health })
    })
    const work = processBatch({ store, attempt, counts, clock, log }, slice, abort.signal)
      .catch((error: unknown) =>
        log.warn({ endpointId, err: error }, 'failed to write results of webhook deliveries; will retry'),
      )
      .then(() => {
        aging.cancel()
        slices.delete(work)
        send({ kind: 'ended', health, aged })
      })
    slices.add(work)
  }

  function perform(effect: DeliveryEffect): void {
    if (stopping) return
    timer?.cancel()
    if (effect.kind === 'dueIn') {
      timer = clock.after(effect.delayMs, () => actor.send({ kind: 'due' }))
      return
    }
    looking = look(effect.wanted).catch((error: unknown) => {
      log.warn({ err: error }, 'failed to poll webhook deliveries')
      actor.send({ kind: 'looked', ok: false })
    })
  }

  const actor = spawnActor(
    parent,
    {
      name: 'webhooks',
      initial: initialDeliveryState,
      step: (state, message: DeliveryMessage) => stepDeliveries(pace, state, message),
      perform,
      start: { kind: 'start' },
      release: () => {
        life++
        timer?.cancel()
      },
    },
    { clock, log },
  )

  /** One of a kind at a time; failures are logged and ignored. */
  const chore = (what: string, work: () => Promise<void>) => {
    let running = false
    return (): void => {
      if (running || stopping) return
      running = true
      const done = work()
        .catch((error: unknown) => log.warn({ err: error }, what))
        .then(() => {
          running = false
          chores.delete(done)
        })
      chores.add(done)
    }
  }
  const count = chore('failed to count queued webhook deliveries', async () => {
    queued = await store.countQueued()
  })
  const prune = chore('failed to delete ended webhook deliveries', async () => {
    const now = clock.now()
    const before = { deliveriesBefore: new Date(now - deliveriesKeptMs), eventsBefore: new Date(now - eventsKeptMs) }
    await store.pruneOldSecrets(new Date(now))
    let removed = rowsPerPrune
    while (removed >= rowsPerPrune && !stopping) removed = await store.prune({ ...before, limit: rowsPerPrune })
  })
  const timers = [clock.every(countEveryMs, count), clock.every(pruneEveryMs, prune)]
  count()
  prune()

  return {
    stats: () => ({ ...counts, queued, working: slices.size }),
    async stop() {
      stopping = true
      actor.stop()
      timer?.cancel()
      for (const each of timers) each.cancel()
      const grace = clock.after(graceMs, () => abort.abort())
      await looking
      await Promise.all([...slices, ...chores])
      grace.cancel()
      // A poll that had just ended may have set it.
      timer?.cancel()
    },
  }
}

function groupByEndpoint(rows: readonly DueDelivery[]): Map<string, DueDelivery[]> {
  const groups = new Map<string, DueDelivery[]>()
  for (const row of rows) {
    const group = groups.get(row.endpoint_id)
    if (group === undefined) groups.set(row.endpoint_id, [row])
    else group.push(row)
  }
  return groups
}
