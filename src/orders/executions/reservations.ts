// Reservations: the short-lived right to submit one execution, held by one attempt at a time, used once, released or
// expired.
import { z } from 'zod'
import { Fault } from '#core/fault'
import { findOwned } from './cancelOrModify.ts'
import { rejectIfConditional } from './conditionalGuard.ts'
import { halted, tradesAt } from './halts.ts'
import type { Caller, ExecutionsDeps } from './ports.ts'
import { nextStatus } from './transitions.ts'

export const reservationMs = 60_000

export interface Reservation {
  reservationId: string
  executionId: string
  expiresAt: string
}

export async function reserveSubmit(
  deps: Pick<ExecutionsDeps, 'store' | 'clock' | 'newId'>,
  caller: Caller,
  venue: string,
  executionId: string,
): Promise<Reservation> {
  const row = await findOwned(deps, caller, venue, executionId)
  if (nextStatus(row.status, 'submit') === null) throw new Fault('EXECUTION_TERMINAL', `the execution is ${row.status}`)
  const at = new Date(deps.clock.now())
  const wanted = {
    id: deps.newId(),
    executionId,
    accountId: caller.accountId,
    at,
    expiresAt: new Date(at.getTime() + reservationMs),
  }
  const made = await deps.store.reserve(wanted, tradesAt(row))
  if (made.kind === 'behind') throw rejectIfConditional(made.why)
  if (made.kind === 'held')
    throw new Fault('CONDITIONAL_ATTEMPT_CONFLICT', 'another attempt holds the right to submit this execution')
  if (made.kind === 'halted') throw halted(made.halt)
  return { reservationId: made.row.id, executionId, expiresAt: made.row.expires_at.toISOString() }
}

export async function releaseReservation(
  deps: Pick<ExecutionsDeps, 'store' | 'clock'>,
  caller: Caller,
  { venue, executionId, reservationId }: { venue: string; executionId: string; reservationId: string },
): Promise<void> {
  await findOwned(deps, caller, venue, executionId)
  const row = await deps.store.findReservation(caller.accountId, reservationId)
  if (row === null || row.execution_id !== executionId) throw mismatch()
  if (row.state === 'consumed') throw new Fault('RESERVATION_CONSUMED', 'the reservation has been used')
  await deps.store.releaseReservation(reservationId, new Date(deps.clock.now()))
}

/** Null: none was given. The claim decides whether one is needed. */
export async function checkReservation(
  deps: Pick<ExecutionsDeps, 'store' | 'clock'>,
  caller: Caller,
  executionId: string,
  reservationId: unknown,
): Promise<string | null> {
  if (reservationId === undefined) return null
  const id = z.uuid().safeParse(reservationId)
  if (!id.success) throw new Fault('VALIDATION_ERROR', 'reservationId: is not a reservation id')
  const row = await deps.store.findReservation(caller.accountId, id.data)
  if (row === null || row.execution_id !== executionId) throw mismatch()
  if (row.state === 'consumed') throw new Fault('RESERVATION_CONSUMED', 'the reservation has been used')
  if (row.state === 'released') throw new Fault('RESERVATION_RELEASED', 'the reservation has been released')
  const leftMs = row.expires_at.getTime() - deps.clock.now()
  if (leftMs <= 0 || leftMs >= 2 * reservationMs) throw new Fault('RESERVATION_EXPIRED', 'the reservation has expired')
  return id.data
}

const mismatch = (): Fault => new Fault('RESERVATION_MISMATCH', 'the reservation belongs to another execution')
