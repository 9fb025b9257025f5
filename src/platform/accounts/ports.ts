// External dependencies of the account routes. Every ledger read includes the usage that this process has not settled yet.
import type { Clock } from '#core/clock'
import type { KeySummary } from '#platform/auth/keys'
import type { Unsettled } from '#platform/credits/meter'
import type { Plans } from '#platform/plans/plans'
import type { CreditState } from '#storage/postgres/credits/store'
import type { KeyUsageRow, UsageQuery, UsageRow } from '#storage/postgres/credits/usage'
import type { AccountKeysQuery } from '#storage/postgres/keys/listAccountKeys'

export interface AccountsPort {
  find(accountId: string): Promise<{ name: string; createdAt: Date } | null>
  /** Grants the month's included credits first. */
  creditState(accountId: string): Promise<[CreditState, Unsettled]>
  usage(query: UsageQuery): Promise<[{ lines: UsageRow[]; byKey: KeyUsageRow[] }, Unsettled]>
  /** A page, newest first. Null: `after` is not a key of the account. */
  keys(query: AccountKeysQuery): Promise<KeySummary[] | null>
  /** Of the account and the key, on the day (UTC) that `now` is in. */
  caps(
    scopeIds: readonly string[],
    now: number,
  ): Promise<{ scope: 'account' | 'key'; dailyUsd: string; reservedUsd: string }[]>
}

export interface AccountsDeps {
  accounts: AccountsPort
  plans: Plans
  clock: Clock
}
