// Obtains more credits for an account: one request at a time, however many wait for it.
//
//   report losses to the books ─► settle what fills the lease ─► extend ──┬─ granted
//                                                               └─ more to check ─► take: plans, month, leases of the dead
import type { Clock } from '#core/clock'
import { Fault } from '#core/fault'
import type { Allowances } from '#storage/postgres/credits/grantMonthlyAllowance'
import type { CreditStore } from '#storage/postgres/credits/store'
import type { LeaseResult } from '#storage/postgres/credits/takeLease'
import type { Plans } from '../plans/plans.ts'
import type { AccountCredits } from './account.ts'
import { allowancesOf } from './allowances.ts'
import { nextTarget, wantedLease } from './leaseSize.ts'
import type { Settler } from './settler.ts'
import { monthOf } from './usageAccumulator.ts'

export interface LeaserOptions {
  store: Pick<CreditStore, 'takeLease' | 'extendLease' | 'sweep'>
  plans: Plans
  clock: Clock
  holderId: string
  leaseTtlMs: number
  settler: Settler
  /** Everything this process holds. */
  accounts: ReadonlyMap<string, AccountCredits>
}

/** How long a refusal or an outage is remembered before the next attempt. */
const askAgainMs = 1_000
/** An upgraded plan, or a new month, is noticed at most this much later. */
const checkEveryMs = 60_000
/** How long an account stays unlimited after one check. */
export const unlimitedMs = 60_000

export class Leaser {
  private readonly options: LeaserOptions
  private readonly allowances: Allowances
  private outage: { until: number; fault: Fault | null } = { until: 0, fault: null }

  constructor(options: LeaserOptions) {
    this.options = options
    this.allowances = allowancesOf(options.plans)
  }

  /** False while nothing new can be expected. */
  mayRenew(account: AccountCredits): boolean {
    const now = this.options.clock.monotonic()
    return account.renewal === null && now >= account.dryUntil && now >= this.outage.until
  }

  /** Resolves when the account has been given what was available; rejects while the books are unreachable. */
  renew(account: AccountCredits): Promise<void> {
    if (account.renewal !== null) return account.renewal
    const { clock } = this.options
    if (clock.monotonic() < this.outage.until) return Promise.reject(this.outage.fault)
    account.renewals++
    account.renewal = this.run(account)
      .catch((error: unknown) => {
        if (error instanceof Fault) this.outage = { until: clock.monotonic() + askAgainMs, fault: error }
        throw error
      })
      .finally(() => {
        account.renewal = null
      })
    return account.renewal
  }

  private async run(account: AccountCredits): Promise<void> {
    const { settler, clock, store, accounts } = this.options
    settler.dropLapsed(accounts.values())
    await settler.reportLoss()
    const now = clock.monotonic()
    account.target = nextTarget(account.target, now - account.leasedAt)
    account.leasedAt = now
    // Spent but unsettled credits count against the lease: settling early makes room.
    if (account.unsettled * 4 >= account.target || account.givingBack > 0) await settler.settle()
    if (await this.extend(account, now)) return
    this.apply(account, await this.take(account))
    // Before a call is refused: what a dead process held may be enough.
    const short = account.dryUntil > 0 && account.remaining < account.wanted
    if (short && (await store.sweep()) > 0) this.apply(account, await this.take(account))
  }

  /** The common case: more of what was given a moment ago. False when there is more to check. */
  private async extend(account: AccountCredits, now: number): Promise<boolean> {
    if (now - account.checkedAt > checkEveryMs || this.month() !== account.checkedMonth) return false
    const wish = wantedLease(account.available, account)
    if (wish === 0 || wish < account.wanted - account.remaining) return false
    const { holderId, store } = this.options
    const extension = await store.extendLease({ holderId, accountId: account.accountId, wish })
    if (extension === null) return false
    this.apply(account, { kind: 'leased', ...extension })
    return extension.credits === wish
  }

  private async take(account: AccountCredits): Promise<LeaseResult> {
    const { store, clock, settler, holderId, leaseTtlMs, accounts } = this.options
    const requestedAt = clock.monotonic()
    const month = this.month()
    const requestLease = (): Promise<LeaseResult> =>
      store.takeLease({
        holderId,
        ttlMs: leaseTtlMs,
        accountId: account.accountId,
        month,
        allowances: this.allowances,
        size: (available) => wantedLease(available, account),
      })
    let lease = await requestLease()
    if (lease.kind === 'expired') {
      settler.lose(accounts.values())
      await settler.reportLoss()
      lease = await requestLease()
    }
    settler.leased(requestedAt)
    account.checkedAt = requestedAt
    account.checkedMonth = month
    return lease
  }

  private month(): string {
    return monthOf(this.options.clock.now())
  }

  private apply(account: AccountCredits, lease: LeaseResult): void {
    const { clock, settler } = this.options
    const now = clock.monotonic()
    if (lease.kind === 'expired') throw unavailable('leases of this process lapse before they are used')
    if (lease.kind === 'unlimited') {
      account.unlimitedUntil = now + unlimitedMs
      account.releaseRemaining()
      if (account.givingBack > 0) settler.touch(account)
      return
    }
    account.unlimitedUntil = 0
    account.remaining += lease.credits
    account.size = account.remaining
    account.balance = lease.balance
    account.available = lease.available
    account.dryUntil = lease.available === 0 ? now + askAgainMs : 0
  }
}

export const unavailable = (message: string): Fault =>
  new Fault('PLATFORM_UNAVAILABLE', `${message}: try again shortly`, { retryAfterSeconds: 1 })
