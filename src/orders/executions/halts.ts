// Trading halts as callers meet them. A halt stops everything that could trade: orders, modifications, reservations, and fires of
// conditional orders. Cancels, settlement and anything that sends nothing continue.
import { Fault } from '#core/fault'
import type { Intent } from '#schemas/executions'
import type { Halt } from '#schemas/halts'
import { executionVenues } from '#schemas/venues'
import type { HaltRow } from '#storage/postgres/halts/halts'
import type { Caller, ExecutionsDeps } from './ports.ts'

export interface HaltRequest {
  scope: Halt['scope']
  venue?: string | undefined
  reason: string
}

export interface Halted {
  /** False: the state was already so. */
  changed: boolean
  halts: Halt[]
}

/**
 * The venue whose halts stop an execution; null for a cancellation, and for what a wallet sends to the contracts that hold its shares. A
 * modification counts as a trade, even one to less.
 */
export const tradesAt = ({ intent, venue }: { intent: Intent; venue: string }): string | null =>
  intent === 'order' || intent === 'modify' ? venue : null

/** 403 and not retryable: a decision made before a halt must not be sent by a retry loop the moment it is lifted. */
export function halted(row: HaltRow): Fault {
  const { venue, by, reason, since } = haltOfRow(row)
  const where = venue === null ? '' : ` at ${venue}`
  const subject = row.account_id === null ? 'all trading' : 'trading of this account'
  const lifted = by === 'operator' ? 'only the operator lifts it' : 'DELETE /v1/exec/halt lifts it'
  return new Fault(
    'PERMISSION_DENIED',
    `${subject}${where} is halted since ${since} by ${by === 'operator' ? 'the operator' : 'the account'}: ${reason}; ${lifted}; nothing was sent`,
  )
}

export async function haltAccount(deps: ExecutionsDeps, caller: Caller, request: HaltRequest): Promise<Halted> {
  const word = wordOf(deps, caller, request)
  const changed = await deps.store.halt(word)
  if (changed) deps.log.warn({ accountId: caller.accountId, venue: word.venue }, 'an account has halted its trading')
  return { changed, halts: await haltsOf(deps, caller) }
}

export async function resumeAccount(deps: ExecutionsDeps, caller: Caller, request: HaltRequest): Promise<Halted> {
  const word = wordOf(deps, caller, request)
  const changed = await deps.store.resume(word)
  if (changed) deps.log.warn({ accountId: caller.accountId, venue: word.venue }, 'an account has resumed its trading')
  return { changed, halts: await haltsOf(deps, caller) }
}

export const haltsOf = async ({ store }: Pick<ExecutionsDeps, 'store'>, { accountId }: Caller): Promise<Halt[]> =>
  (await store.listHalts(accountId)).map(haltOfRow)

function wordOf({ clock }: Pick<ExecutionsDeps, 'clock'>, caller: Caller, { scope, venue, reason }: HaltRequest) {
  if (scope === 'all')
    throw new Fault(
      'PERMISSION_DENIED',
      'a key can halt and resume its own account only; anything else is up to the operator',
    )
  if ((scope === 'venue') !== (venue !== undefined))
    throw new Fault('VALIDATION_ERROR', 'venue: is used with the scope venue only')
  if (venue !== undefined && !(executionVenues as readonly string[]).includes(venue))
    throw new Fault('VENUE_NOT_SUPPORTED', `no execution venue ${venue.slice(0, 40)}`)
  const { accountId, keyId } = caller
  return {
    accountId,
    venue: venue ?? null,
    setBy: 'account',
    setByName: keyId,
    reason,
    at: new Date(clock.now()),
  } as const
}

const haltOfRow = ({ account_id, venue, set_by, reason, since }: HaltRow): Halt => ({
  scope: venue !== null ? 'venue' : account_id === null ? 'all' : 'account',
  venue,
  by: set_by,
  reason,
  since: since.toISOString(),
})
