// Fires hosted orders that have triggered: leases a few at a time, and processes each.
//
// triggered elsewhere, or left behind: polled ─► claim leases ─► fire: attempt or query ─► settled, or postponed
// triggered here: leased along with its trigger ───────────────►
// triggered here, alone: claimed as well ──────────────────────► fire: sent
//
// A process with firing disabled (its `seal` is null) takes over what was left behind and settles it.
// When a process dies its leases expire; the next process to poll continues from the execution's status.
import { randomUUID } from 'node:crypto'
import { spawnActor } from '#actors/runtime/spawnActor'
import type { Supervisor } from '#actors/runtime/supervisor'
import type { LocalClaims } from '#actors/triggers/triggerDispatcher'
import { backoffMs } from '#core/backoff'
import type { Clock, Timer } from '#core/clock'
import type { Log } from '#core/log'
import { createEarlyAttempts } from '#orders/conditional/earlyAttempts'
import { type FireDeps, type FireResult, fire } from '#orders/conditional/submitTriggered'
import { isStorageUnavailable } from '#orders/executions/retryWrite'
import type { ClaimedTurn } from '#storage/postgres/conditional/claimTriggered'
import type { FiringClaim, FiringRow } from '#storage/postgres/conditional/firing'
import type { ConditionalStore } from '#storage/postgres/conditional/store'
import { SlotPool } from './concurrencyLimits.ts'
import { type FiringEffect, type FiringMessage, type FiringPace, initialFiringState, stepFiring } from './step.ts'

/**
 * On the database's clock. Longer than most relays take; an order whose relay takes longer is found `submitted`, and its status is queried.
 */
export const leaseMs = 20_000
export const defaultPace: FiringPace = { pollMs: 500, atOnce: 32 }
/** After a stop, orders in progress may finish within this time; after that another process takes them over. */
const graceMs = 5_000
const awayBackoff = { baseMs: 250, capMs: 4_000 }

export interface FiringOptions extends FireDeps {
  store: FireDeps['store'] & Pick<ConditionalStore, 'claimFiring'>
  pace?: FiringPace
  leaseMs?: number
  clock: Clock
  log: Log
}

export interface Firing extends LocalClaims {
  /** Finished orders since the start, by outcome, and orders in progress. */
  stats(): Readonly<Record<FireResult | 'troubled' | 'working', number>>
  stop(): Promise<void>
}

export function spawnFiring(parent: Supervisor, options: FiringOptions): Firing {
  const { store, clock, log, pace = defaultPace } = options
  const settlesOnly = options.seal === null
  const leasedMs = options.leaseMs ?? leaseMs
  /** Unique per run: a restart under the same name holds none of its predecessor's leases. */
  const owner = randomUUID()
  const turns = new Set<Promise<void>>()
  const pauses = new Set<() => void>()
  const counts = { fired: 0, fire_failed: 0, postponed: 0, rearmed: 0, lost: 0, troubled: 0 }
  const slots = new SlotPool(pace.atOnce)
  /** Slots reserved for orders whose leases are being requested. */
  let promised = 0
  /** Orders admitted by name, by claim. */
  const admitted = new WeakMap<FiringClaim, { account_id: string; venue: string }[]>()
  const attempts = createEarlyAttempts(options)
  let timer: Timer | null = null
  let looking: Promise<void> = Promise.resolve()
  let stopping = false
  /** Orders of a crashed actor are ignored when they end: its successor counts from zero. */
  let life = 0

  function claim(limit: number, at: Date): FiringClaim | null {
    const free = Math.min(limit, pace.atOnce - turns.size - promised)
    if (stopping || free <= 0) return null
    promised += free
    const taken: { account_id: string; venue: string }[] = []
    const admit: SlotPool['admit'] = (wanted) => {
      const given = slots.admit(wanted)
      taken.push(...given)
      return given
    }
    const made: FiringClaim = {
      owner,
      leaseMs: leasedMs,
      limit: free,
      at,
      capacity: { full: () => slots.full(), admit },
      settlesOnly,
    }
    admitted.set(made, taken)
    return made
  }

  /** Claims that became orders in progress have their own slots by then. */
  const release = (claim: FiringClaim): void => {
    promised -= claim.limit
    for (const one of admitted.get(claim)?.splice(0) ?? []) slots.end(one)
  }

  async function look(limit: number): Promise<void> {
    const wanted = claim(limit, new Date(clock.now()))
    let claimed: FiringRow[] = []
    try {
      if (wanted !== null) claimed = await store.claimFiring(wanted)
      actor.send({ kind: 'looked', ok: true, claimed: claimed.length })
      for (const held of claimed) begin(held)
    } finally {
      if (wanted !== null) release(wanted)
    }
  }

  /** A brief storage outage does not cost the rest of the lease: processing starts from the execution's status. */
  async function fireWhileHeld(held: FiringRow, first: () => Promise<FireResult>): Promise<FireResult> {
    const heldUntil = clock.monotonic() + leasedMs
    for (let tried = 0; ; tried++) {
      try {
        return await (tried === 0 ? first() : fire(options, held))
      } catch (error) {
        const delayMs = backoffMs(tried, awayBackoff, options.random)
        if (!isStorageUnavailable(error) || stopping || clock.monotonic() + delayMs >= heldUntil) throw error
        await pause(delayMs)
      }
    }
  }

  const pause = (delayMs: number): Promise<void> =>
    new Promise((resume) => {
      const pausing = clock.after(delayMs, () => {
        pauses.delete(end)
        resume()
      })
      const end = (): void => {
        pausing.cancel()
        resume()
      }
      pauses.add(end)
    })

  function begin(held: FiringRow, first: () => Promise<FireResult> = () => fire(options, held)): void {
    const bornIn = life
    slots.begin(held)
    const turn = fireWhileHeld(held, first)
      .then((result) => {
        counts[result]++
      })
      .catch((error: unknown) => {
        counts.troubled++
        // Usually the storage is down: the lease expires, and the order is taken again.
        log.warn({ conditionalId: held.id, err: error }, 'failed to fire or settle a conditional order; will retry')
      })
      .then(() => {
        turns.delete(turn)
        slots.end(held)
        if (bornIn === life) actor.send({ kind: 'ended' })
      })
    turns.add(turn)
  }

  /** A turn that was committed after the store had given up. */
  async function fireLate(turn: ClaimedTurn): Promise<FireResult> {
    const held = await attempts.takeBack(turn)
    return stopping ? 'postponed' : fire(options, held)
  }

  function perform(effect: FiringEffect): void {
    if (stopping) return
    timer?.cancel()
    if (effect.kind === 'dueIn') {
      timer = clock.after(effect.delayMs, () => actor.send({ kind: 'due' }))
      return
    }
    looking = look(effect.limit).catch((error: unknown) => {
      log.warn({ err: error }, 'failed to look for orders to fire')
      actor.send({ kind: 'looked', ok: false })
    })
  }

  const actor = spawnActor(
    parent,
    {
      name: 'firing',
      initial: initialFiringState,
      step: (state, message: FiringMessage) => stepFiring(pace, state, message),
      perform,
      start: { kind: 'start' },
      release: () => {
        life++
        timer?.cancel()
      },
    },
    { clock, log },
  )

  return {
    claim,
    release,
    prepare: async (turn) => (stopping ? null : attempts.prepare(turn)),
    begin(leased, { isLate = false } = {}) {
      // Even while stopping: what was claimed is neither sent nor taken back yet, and no other process can do that.
      const begun = stopping ? leased.filter(({ claimed }) => claimed !== null) : leased
      if (begun.length === 0) return
      actor.send({ kind: 'began', turns: begun.length })
      for (const turn of begun) begin(turn.held, () => (isLate ? fireLate(turn) : attempts.fire(turn)))
    },
    wake: () => actor.send({ kind: 'woken' }),
    stats: () => ({ ...counts, working: turns.size }),
    async stop() {
      stopping = true
      for (const end of pauses) end()
      actor.stop()
      timer?.cancel()
      await looking
      await endedWithin(graceMs, [...turns])
      timer?.cancel()
    },
  }

  async function endedWithin(ms: number, work: readonly Promise<void>[]): Promise<void> {
    let grace: Timer | undefined
    const over = new Promise<void>((resolve) => {
      grace = clock.after(ms, resolve)
    })
    await Promise.race([Promise.all(work), over])
    grace?.cancel()
  }
}
