// Reports to the books about every second what this process spent and returns. An unacknowledged settlement is resent unchanged, under its
// number, until it is acknowledged.
//
//   alive ──settled──► alive            no acknowledgement for the lease's time ──► lost: everything left is given up, reported, and leased again
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import type { SettledAccount, Settlement, UsageEntry } from '#storage/postgres/credits/settleUsage'
import type { CreditStore } from '#storage/postgres/credits/store'
import type { AccountCredits } from './account.ts'
import { leaseExcess } from './leaseSize.ts'
import { UsageAccumulator } from './usageAccumulator.ts'

export interface SettlerOptions {
  store: Pick<CreditStore, 'settle'>
  clock: Clock
  log: Log
  holderId: string
  /** Silence after which the books give this process' leases to others. */
  leaseTtlMs: number
}

/** How often a read is repeated because a settlement began meanwhile. */
const readsMax = 5
/** Given up this much before others may have it. */
const marginMs = 1_000

interface Batch {
  settlement: Settlement
  /** `renewals`: how many there had been; null when one was in progress. */
  accounts: readonly { account: AccountCredits; renewals: number | null; spent: number }[]
  generation: number
}

export class Settler {
  readonly usage = new UsageAccumulator()
  /** Increments whenever leases were lost. */
  generation = 0
  writtenOff = 0
  private readonly options: SettlerOptions
  private readonly dirty = new Set<AccountCredits>()
  /** Resent until it is known to be settled. */
  private batch: Batch | null = null
  private settlements = 0
  /** Settlements begun, resent ones included. */
  private begun = 0
  private running: Promise<void> | null = null
  /** Our leases are ours until then; 0 while there are none. */
  private aliveUntil = 0
  private settledAt = Number.NEGATIVE_INFINITY
  /** The last loss reported to the books. */
  private reportedGeneration = 0

  constructor(options: SettlerOptions) {
    this.options = options
  }

  get busy(): boolean {
    return this.running !== null
  }

  get pending(): boolean {
    return this.batch !== null || this.dirty.size > 0 || this.usage.size > 0
  }

  isAlive(now: number): boolean {
    return now < this.aliveUntil
  }

  needsSignOfLife(now: number): boolean {
    return this.aliveUntil > 0 && now - this.settledAt >= this.options.leaseTtlMs / 5
  }

  /** What is not in the books yet. */
  unsettledUsage(): UsageEntry[] {
    return [...(this.batch?.settlement.usage ?? []), ...this.usage.list()]
  }

  touch(account: AccountCredits): void {
    this.dirty.add(account)
  }

  /** A first lease was taken, requested at `requestedAt`. */
  leased(requestedAt: number): void {
    if (this.aliveUntil === 0) this.aliveUntil = requestedAt + this.options.leaseTtlMs - marginMs
  }

  /** Gives up what may belong to others by now. */
  dropLapsed(accounts: Iterable<AccountCredits>): void {
    if (this.aliveUntil > 0 && !this.isAlive(this.options.clock.monotonic())) this.lose(accounts)
  }

  lose(accounts: Iterable<AccountCredits>): void {
    this.generation++
    this.aliveUntil = 0
    for (const account of accounts) {
      account.releaseRemaining()
      this.dirty.add(account)
    }
  }

  /** Nothing new may be held before the books know what was lost, otherwise they would confuse the two. */
  async reportLoss(): Promise<void> {
    while (this.reportedGeneration < this.generation) await this.settle()
  }

  /** Rejects when the books are unreachable; nothing is lost then. */
  settle(): Promise<void> {
    this.running ??= this.run().finally(() => {
      this.running = null
    })
    return this.running
  }

  /**
   * What the books hold, and `local`, which is not in them yet, as of one moment: a settlement in between would be missing from both, or be in both.
   * When settlements never pause for that long, as of nearly one moment.
   */
  async readWith<T, U>(books: () => Promise<T>, local: () => U): Promise<[T, U]> {
    for (let reads = 1; ; reads++) {
      // Its caller reports a failure.
      await Promise.allSettled([this.running])
      const { begun } = this
      const found = await books()
      if (begun === this.begun || reads === readsMax) return [found, local()]
    }
  }

  private async run(): Promise<void> {
    this.begun++
    const startedAt = this.options.clock.monotonic()
    this.batch ??= this.cut()
    const { settlement, accounts, generation } = this.batch
    const settled = await this.options.store.settle(settlement)
    this.batch = null
    this.settledAt = startedAt
    this.aliveUntil = startedAt + this.options.leaseTtlMs - marginMs
    this.reportedGeneration = Math.max(this.reportedGeneration, generation)
    const truths = new Map(settled?.map((truth) => [truth.accountId, truth]))
    for (const { account, renewals, spent } of accounts) {
      account.settling = 0
      const truth = truths.get(account.accountId)
      // Settled before with its answer lost: the current amount is unknown, the amount spent is known.
      if (truth === undefined) account.balance -= spent
      else this.learn(account, truth, account.renewal === null && account.renewals === renewals)
    }
    for (const { accountId, writtenOff } of settled ?? []) {
      if (writtenOff === 0) continue
      this.writtenOff += writtenOff
      this.options.log.warn({ accountId, writtenOff }, 'credits spent on a lease that had lapsed could not be paid')
    }
  }

  /** `quiet`: no lease was requested meanwhile, so that the books' figures and ours are comparable. */
  private learn(account: AccountCredits, { balance, available, leased }: SettledAccount, quiet: boolean): void {
    account.balance = balance
    account.available = available
    if (available > 0) account.dryUntil = 0
    if (!quiet) return
    // After a loss the books may hold more or less for us than we think: they are right.
    const drift = leased - (account.remaining + account.reserved + account.spent + account.givingBack)
    if (drift > 0) account.givingBack += drift
    else account.remaining = Math.max(0, account.remaining + drift)
    const excess = leaseExcess(available, account.remaining, account.target)
    account.remaining -= excess
    account.givingBack += excess
    if (excess > 0) account.size = account.remaining
    if (account.givingBack > 0) this.dirty.add(account)
  }

  private cut(): Batch {
    const rows: Settlement['accounts'][number][] = []
    const accounts: Batch['accounts'][number][] = []
    for (const account of this.dirty) {
      const { accountId, spent, givingBack, renewal, renewals } = account
      rows.push({ accountId, spent, givenBack: givingBack })
      accounts.push({ account, renewals: renewal === null ? renewals : null, spent })
      account.settling = spent
      account.spent = 0
      account.givingBack = 0
    }
    this.dirty.clear()
    const settlement: Settlement = {
      holderId: this.options.holderId,
      number: ++this.settlements,
      ttlMs: this.options.leaseTtlMs,
      accounts: rows,
      usage: this.usage.drain(),
    }
    return { settlement, accounts, generation: this.generation }
  }
}
