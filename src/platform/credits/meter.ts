// Charges requests without a query: each process holds a lease per account, spends it in memory, and settles about every second. What it
// holds is still in the account's balance, so a dying process only loses what it spent unsettled. The ledger is append-only and its sum is
// the balance, which the table itself keeps from falling below zero. Sizes of leases: docs/accounts.md, "What a gateway holds".
//
// Credits are reserved before the body is parsed, and returned if the request is refused, fails, or repeats an earlier response. Credits that
// another gateway holds can make a balance look spent for a moment; the refused gateway returns what it holds, so the next call succeeds.
//
//   reserve ──lease lasts──► at once                      every second: settle what was spent, return what is idle
//      └─────dry──► renew (one per account at a time) ──► granted | INSUFFICIENT_CREDITS | PLATFORM_UNAVAILABLE
import { randomUUID } from 'node:crypto'
import type { Clock, Timer } from '#core/clock'
import { Fault } from '#core/fault'
import type { Log } from '#core/log'
import type { UsageEntry } from '#storage/postgres/credits/settleUsage'
import type { CreditStore } from '#storage/postgres/credits/store'
import type { Principal } from '../auth/principal.ts'
import type { Plans } from '../plans/plans.ts'
import { AccountCredits } from './account.ts'
import { Leaser, unavailable, unlimitedMs } from './leaser.ts'
import type { CreditsPort, Reservation } from './port.ts'
import { type Ends, MeteredRequest } from './reservation.ts'
import { Settler } from './settler.ts'

export interface MeterOptions {
  store: Pick<CreditStore, 'takeLease' | 'extendLease' | 'settle' | 'sweep'>
  plans: Plans
  clock: Clock
  log: Log
  /** Names this process in the books. */
  holderId?: string
  settleEveryMs?: number
  /** Silence of this process after which its leases are free again. */
  leaseTtlMs?: number
  /** Accounts held concurrently. */
  accountsMax?: number
}

const settleEveryDefaultMs = 1_000
export const leaseTtlDefaultMs = 5 * 60_000
/** Memory: some 300 bytes each. */
const accountsMaxDefault = 50_000
/** An account idle for this long returns its lease. */
const idleMs = 30_000
const sweepEveryMs = 30_000
/** Others may be faster with what was just leased, but not for ever. */
const renewalsMax = 8

/** Answered and not settled. */
export interface Unsettled {
  spent: number
  usage: UsageEntry[]
}

export interface MeterTotals {
  /** Held and not spent. */
  leased: number
  /** Spent and not yet in the books. */
  unsettled: number
  /** Given up and not yet in the books. */
  returning: number
  /** Since the start, including unlimited accounts. */
  spent: number
  /** Requests refused for lack of credits. */
  refused: number
  /** Spent after a lease was lost and never paid. */
  writtenOff: number
  accounts: number
}

export class CreditMeter implements CreditsPort, Ends {
  private readonly store: MeterOptions['store']
  private readonly plans: Plans
  private readonly clock: Clock
  private readonly log: Log
  private readonly accountsMax: number
  private readonly accounts = new Map<string, AccountCredits>()
  private readonly settler: Settler
  private readonly leaser: Leaser
  private readonly timer: Timer
  private sweptAt: number
  private stopping: Promise<void> | null = null
  private spentTotal = 0
  private refusedTotal = 0

  constructor(options: MeterOptions) {
    const { store, plans, clock, log, holderId = randomUUID(), leaseTtlMs = leaseTtlDefaultMs } = options
    this.store = store
    this.plans = plans
    this.clock = clock
    this.log = log
    this.accountsMax = options.accountsMax ?? accountsMaxDefault
    this.settler = new Settler({ store, clock, log, holderId, leaseTtlMs })
    const { accounts, settler } = this
    this.leaser = new Leaser({ store, plans, clock, holderId, leaseTtlMs, settler, accounts })
    this.sweptAt = clock.monotonic()
    this.timer = clock.every(options.settleEveryMs ?? settleEveryDefaultMs, () => this.tick())
  }

  reserve(
    { plan, accountId, keyId }: Principal,
    credits: number,
    operationId: string,
  ): Reservation | Promise<Reservation> {
    const now = this.clock.monotonic()
    const request = new MeteredRequest(this, accountId, keyId, operationId, credits, this.clock.now())
    if (this.plans[plan].creditsPerMonth === null) return request
    const account = this.accountOf(accountId, now)
    return this.canTake(account, credits, now) ? this.take(account, request, now) : this.wait(account, request)
  }

  balanceOf({ plan, accountId }: Principal): number | null {
    if (this.plans[plan].creditsPerMonth === null) return null
    const account = this.accounts.get(accountId)
    return account === undefined || account.unlimitedUntil > 0 ? null : account.known
  }

  /** The part of an account that is not in the books yet. */
  unsettledOf(accountId: string): Unsettled {
    return {
      spent: this.accounts.get(accountId)?.unsettled ?? 0,
      usage: this.settler.unsettledUsage().filter((entry) => entry.accountId === accountId),
    }
  }

  /** What `read` finds in the books about an account, and what was missing from them at that moment. */
  readWithUnsettled<T>(accountId: string, read: () => Promise<T>): Promise<[T, Unsettled]> {
    return this.settler.readWith(read, () => this.unsettledOf(accountId))
  }

  totals(): MeterTotals {
    let leased = 0
    let unsettled = 0
    let returning = 0
    for (const account of this.accounts.values()) {
      leased += account.remaining + account.reserved
      unsettled += account.unsettled
      returning += account.givingBack
    }
    return {
      leased,
      unsettled,
      returning,
      spent: this.spentTotal,
      refused: this.refusedTotal,
      writtenOff: this.settler.writtenOff,
      accounts: this.accounts.size,
    }
  }

  /** Now instead of with the next tick. */
  settle(): Promise<void> {
    return this.settler.settle()
  }

  /** Settles and returns everything, once no request is in progress any more. Calling it twice is harmless. */
  stop(): Promise<void> {
    this.stopping ??= this.drain()
    return this.stopping
  }

  keep(request: MeteredRequest): void {
    const { account, credits } = request
    this.spentTotal += credits
    this.settler.usage.add(request, request.at)
    if (account === null) return
    account.reserved -= credits
    account.spent += credits
    this.settler.touch(account)
  }

  release({ account, credits, generation }: MeteredRequest): void {
    if (account === null) return
    account.reserved -= credits
    if (generation === this.settler.generation && this.stopping === null) {
      account.remaining += credits
      return
    }
    // The lease it came from is gone, or this process no longer spends.
    account.givingBack += credits
    this.settler.touch(account)
  }

  private canTake(account: AccountCredits, credits: number, now: number): boolean {
    if (account.unlimitedUntil > now) return true
    return account.remaining >= credits && this.settler.isAlive(now) && this.stopping === null
  }

  private take(account: AccountCredits, request: MeteredRequest, now: number): Reservation {
    account.lastUsedAt = now
    if (account.unlimitedUntil > now) {
      if (account.unlimitedUntil - now < unlimitedMs / 2) this.renewAhead(account)
      return request
    }
    account.remaining -= request.credits
    account.reserved += request.credits
    if (account.remaining * 2 < account.size) this.renewAhead(account)
    request.account = account
    request.generation = this.settler.generation
    return request
  }

  private async wait(account: AccountCredits, request: MeteredRequest): Promise<Reservation> {
    const { credits } = request
    for (let renewals = 0; renewals <= renewalsMax; renewals++) {
      const now = this.clock.monotonic()
      if (this.canTake(account, credits, now)) return this.take(account, request, now)
      if (this.stopping !== null) throw unavailable('the service is stopping')
      if (now < account.dryUntil) throw this.refusal(account, credits)
      account.wanted += credits
      account.wantedMost = Math.max(account.wantedMost, credits)
      try {
        await this.leaser.renew(account)
      } finally {
        account.wanted -= credits
        if (account.wanted === 0) account.wantedMost = 0
      }
    }
    throw unavailable('too many requests of this account are waiting for credits')
  }

  private refusal(account: AccountCredits, credits: number): Fault {
    this.refusedTotal++
    return new Fault(
      'INSUFFICIENT_CREDITS',
      `this call costs ${credits} credits and the account has ${account.known} to spend: see GET /v1/account`,
    )
  }

  /** Before it runs dry, so that no call waits. */
  private renewAhead(account: AccountCredits): void {
    if (this.stopping !== null || !this.leaser.mayRenew(account)) return
    this.leaser
      .renew(account)
      .catch((error: unknown) =>
        this.log.warn({ err: error, accountId: account.accountId }, 'credits were not renewed ahead of need'),
      )
  }

  private accountOf(accountId: string, now: number): AccountCredits {
    const known = this.accounts.get(accountId)
    if (known !== undefined) return known
    if (this.accounts.size >= this.accountsMax) this.evictIdle()
    const account = new AccountCredits(accountId, now)
    this.accounts.set(accountId, account)
    return account
  }

  /** Drops the longest-held account that has nothing here. */
  private evictIdle(): void {
    for (const account of this.accounts.values()) {
      if (!account.idle || !account.empty) continue
      this.accounts.delete(account.accountId)
      return
    }
    throw unavailable('too many accounts are calling at once')
  }

  private tick(): void {
    const now = this.clock.monotonic()
    for (const account of this.accounts.values()) {
      if (!account.idle || now - account.lastUsedAt < idleMs) continue
      if (account.empty) this.accounts.delete(account.accountId)
      if (account.remaining === 0) continue
      account.releaseRemaining()
      this.settler.touch(account)
    }
    if (now - this.sweptAt >= sweepEveryMs) {
      this.sweptAt = now
      this.store
        .sweep()
        .catch((error: unknown) => this.log.warn({ err: error }, 'leases of dead processes could not be looked up'))
    }
    const due = this.settler.pending || (this.accounts.size > 0 && this.settler.needsSignOfLife(now))
    if (this.settler.busy || !due) return
    this.settler.dropLapsed(this.accounts.values())
    this.settler
      .settle()
      .catch((error: unknown) =>
        this.log.warn({ err: error }, 'credits could not be settled: trying again in a second'),
      )
  }

  private async drain(): Promise<void> {
    this.timer.cancel()
    await Promise.allSettled([...this.accounts.values()].map(({ renewal }) => renewal))
    for (const account of this.accounts.values()) {
      account.releaseRemaining()
      this.settler.touch(account)
    }
    try {
      while (this.settler.pending) await this.settler.settle()
    } catch (error) {
      this.log.warn({ err: error }, 'the last credits could not be settled: their leases expire by themselves')
    }
  }
}
