// Accounts with keys, and meters over one real database.
import { randomUUID } from 'node:crypto'
import { type Clock, ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { createKey } from '#platform/auth/keys'
import type { PlanName, Principal } from '#platform/auth/principal'
import { CreditMeter, type MeterOptions } from '#platform/credits/meter'
import type { Reservation } from '#platform/credits/port'
import { plansWith } from '#platform/plans/plans'
import { insertGrant } from '#storage/postgres/credits/ledger'
import { createCreditStore } from '#storage/postgres/credits/store'
import { inTransaction, type Pool } from '#storage/postgres/pool'

/** Only `builder` includes credits: tests count what they grant. */
export const plans = plansWith({ free: { creditsPerMonth: 0 }, builder: { creditsPerMonth: 500 } })

let made = 0

export async function newAccount(pool: Pool, plan: PlanName = 'free', credits = 0): Promise<Principal> {
  const { accountId, keyId, scopes } = await createKey(pool, { account: `acc-${made++}`, plan, scopes: ['read'] })
  if (credits > 0) await grant(pool, accountId, credits)
  return { accountId, keyId, plan, scopes }
}

export const grant = (pool: Pool, accountId: string, credits: number): Promise<number | null> =>
  inTransaction(pool, (db) => insertGrant(db, { accountId, credits, reason: 'a test', saidBy: 'test' }))

export interface Process {
  meter: CreditMeter
  clock: ManualClock
  holderId: string
}

/** Nothing settles by itself: the test advances the clock, or settles. */
export function startProcess(pool: Pool, over: Partial<MeterOptions> & { clock?: Clock } = {}): Process {
  const clock = new ManualClock(Date.now())
  const holderId = randomUUID()
  const meter = new CreditMeter({ store: createCreditStore(pool), plans, clock, log: silentLog, holderId, ...over })
  return { meter, clock, holderId }
}

/** One answered request. */
export async function spend(
  meter: CreditMeter,
  principal: Principal,
  credits = 1,
  operationId = 'read',
): Promise<void> {
  const reservation: Reservation = await meter.reserve(principal, credits, operationId)
  reservation.keep()
}

/** As if the process had been silent for longer than its leases last. */
export const letLapse = (pool: Pool, holderId: string): Promise<unknown> =>
  pool.query(`UPDATE credit_holders SET expires_at = clock_timestamp() - interval '1 second' WHERE id = $1`, [holderId])
