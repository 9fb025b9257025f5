// Armed orders in hosted mode at the lab of a venue, and a lab with the faults of venues.
import { randomUUID } from 'node:crypto'
import { Fault } from '#core/fault'
import type { SimulatedOrder } from '#lab/engine/orderManager'
import type { createPrng } from '#lab/prng'
import { fire } from '#orders/conditional/submitTriggered'
import { withRetry } from '#orders/executions/retryWrite'
import type { Pool } from '#storage/postgres/pool'
import type { Table } from '#test/support/execution/labTable'
import { laneCases } from '#test/support/laneCases'
import { armDirectly, ignoreUnavailable, inBatches } from './killedFires.ts'
import { runRepeatedly } from './manyOrders.ts'
import { openSubmitFixture, type SubmitFixture, sealedText } from './submitFixture.ts'

/** Typed data of a wallet, and a binary permit of a trading key. The orders of both can be queried without credentials. */
export type HostedVenue = 'hyperliquid' | 'pascal'
export type Prng = ReturnType<typeof createPrng>

export interface LabScene extends SubmitFixture {
  table: Table<HostedVenue>
  venue: HostedVenue
  /** Every order of ours that the lab accepted, including those it forgot. */
  taken: SimulatedOrder[]
}

export interface LabOrder {
  id: string
  executionId: string
  /** Unique within its scene. */
  hundredths: number
  group: string | null
}

/** A late order is accepted, too. */
const faultKinds = ['late', 'late', 'late', 'drop', 'drop', 'vanish', 'forget', 'reject'] as const
const statuses = [429, 500, 502, 503] as const
const dayMs = 86_400_000
const otherAccount = 'another account'

export async function openLabScene(pool: Pool, venue: HostedVenue, table: Table<HostedVenue>): Promise<LabScene> {
  // One that blocks while it reserves spend under a cap would block all others.
  await pool.query('DELETE FROM spend_caps WHERE scope_id = $1', [table.accountId])
  const { orderManager } = table.here.lab.engine
  const place = orderManager.place.bind(orderManager)
  const taken: SimulatedOrder[] = []
  orderManager.place = (market, request) => {
    const placed = place(market, request)
    if (typeof placed !== 'string' && request.account !== otherAccount) taken.push(placed)
    return placed
  }
  return { ...(await openSubmitFixture(pool, table.world)), table, venue, taken }
}

/** Half of them in groups of three. Some rest; some match an ask, completely or partly. */
export function armAtLab({ book, deps, venue, table }: LabScene, prng: Prng, count: number): Promise<LabOrder[]> {
  const { here, trader, post } = table
  const hundredths = (20 + prng.int(20 * count)) * 100
  const offered = { account: otherAccount, side: 1, priceMicros: here.ask, clientId: null, life: 'gtc' } as const
  here.lab.engine.orderManager.place(here.market, { ...offered, hundredths })
  const groups = Array.from({ length: count }, () => randomUUID())
  return inBatches([...groups.keys()], async (i) => {
    const size = 50 + i
    const price = prng.chance(0.4) ? { price: String(here.ask / 1e6) } : {}
    const [order, key] = [{ ...laneCases[venue].sized(trader.order, size), ...price }, randomUUID()]
    const { executionId, unsigned } = await withRetry(async () => {
      const { json } = await post('build', order, key)
      if (json.success !== true) throw new Fault(json.error.code, json.error.message)
      return json.data
    })
    const group = i % 6 < 3 ? null : groups[Math.floor(i / 6)]!
    const artifact = sealedText(await trader.send(unsigned))
    const [at, expiresAt] = [new Date(deps.clock.now()), new Date(deps.clock.now() + 30 * dayMs)]
    const id = await armDirectly(book, { executionId, venue, artifact, ocoGroupId: group, at, expiresAt })
    return { id, executionId, hundredths: size * 100, group }
  })
}

/** Until the lab recovers. */
export function injectFaults({ venue, table }: LabScene, prng: Prng, count: number): void {
  const { faults } = table.here.lab
  const pick = <T>(list: readonly T[]): T => list[prng.int(list.length)]!
  for (let i = 0; i < count; i++) faults.order({ fault: pick(faultKinds), delayMs: 1 + prng.int(5) })
  if (prng.chance(0.4))
    faults.http({ status: pick(statuses), count: 1 + prng.int(count / 4), path: laneCases[venue].orderPath })
  if (prng.chance(0.4)) faults.hide({ what: pick(['orders', 'fills'] as const) })
}

/** A live process submits what is due, and the lab's late responses are sent. Returns the stop function. */
export function startLiveProcess({ book, deps, table }: LabScene): () => Promise<void> {
  const { clock } = table.here.world
  const owner = randomUUID()
  const firing = new Set<Promise<void>>()
  const stop = runRepeatedly(async () => {
    clock.advance(1)
    const at = new Date(clock.now())
    const claim = { owner, leaseMs: 60_000, limit: Math.max(0, 6 - firing.size), at }
    for (const row of (await book.store.claimFiring(claim).catch(ignoreUnavailable)) ?? []) {
      const turn = fire(deps, row)
        .then(() => undefined, ignoreUnavailable)
        .finally(() => firing.delete(turn))
      firing.add(turn)
    }
  })
  return async () => {
    await stop()
    await Promise.all(firing)
  }
}
