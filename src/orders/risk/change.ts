// Changes of risk limits by operators, over HTTP and on the command line.
import { compareDecimals } from '#core/decimal'
import { Fault } from '#core/fault'
import { type RiskLimitKind, RiskLimitValue } from '#schemas/riskLimits'
import { executionVenues } from '#schemas/venues'
import type { RiskLimitScope } from '#storage/postgres/risk/limits'
import type { RiskStore } from '#storage/postgres/risk/store'

/** Counts. */
const wholeKinds: readonly RiskLimitKind[] = ['openOrders', 'orderRate']
/** Positions do not belong to keys. */
const accountKinds: readonly RiskLimitKind[] = ['dailyLoss', 'exposure']

/** Throws VALIDATION_ERROR. */
export function checkLimitValue({
  kind,
  keyId,
  value,
}: Pick<RiskLimitScope, 'kind' | 'keyId'> & { value: string }): void {
  const parsed = RiskLimitValue.safeParse(value)
  if (!parsed.success) throw new Fault('VALIDATION_ERROR', `value: ${parsed.error.issues[0]!.message}`)
  if (wholeKinds.includes(kind) && value.includes('.'))
    throw new Fault('VALIDATION_ERROR', `value: ${kind} counts orders, so it must be a whole number`)
  if (kind === 'priceCollar' && compareDecimals(value, '1') > 0)
    throw new Fault('VALIDATION_ERROR', 'value: priceCollar is a distance between two probabilities, 0 to 1')
  if (keyId !== null && accountKinds.includes(kind))
    throw new Fault('VALIDATION_ERROR', `keyId: ${kind} is of the whole account, since positions do not belong to keys`)
}

/** Throws NOT_FOUND for an unknown account, and for a key of another one; VENUE_NOT_SUPPORTED. */
export async function checkLimitScope(
  store: Pick<RiskStore, 'findAccount' | 'findKey'>,
  { accountId, keyId, venue }: Pick<RiskLimitScope, 'accountId' | 'keyId' | 'venue'>,
): Promise<void> {
  if (venue !== null && !(executionVenues as readonly string[]).includes(venue))
    throw new Fault('VENUE_NOT_SUPPORTED', `no execution venue ${venue.slice(0, 40)}`)
  // Independent reads.
  const [account, key] = await Promise.all([store.findAccount(accountId), keyId === null ? null : store.findKey(keyId)])
  if (account === null) throw new Fault('NOT_FOUND', `no account ${accountId}`)
  if (keyId !== null && key?.account_id !== accountId) throw new Fault('NOT_FOUND', `the account has no key ${keyId}`)
}
