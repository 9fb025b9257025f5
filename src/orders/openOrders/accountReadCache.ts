// Reads of accounts at their venues, for callers. One answer serves all requests for the same account within seconds, and all concurrent
// ones. Callers share a small part of each venue's allowance, so that they cannot take it from the tape's books.
//
//   cached? ─yes─► returned again
//     └─no─► in flight? ─yes─► shared
//              └─no─► allowance left? ─no─► refused for some seconds
//                        └─yes─► venue
import type { Clock } from '#core/clock'
import { Fault } from '#core/fault'
import { TokenBucket } from '#core/tokenBucket'
import { withTimeout } from '#core/withTimeout'
import type { PublicOpenOrders } from '#venues/venue'
import type { VenueContext } from '#venues/venueContext'
import { sorted } from './order.ts'
import type { AccountOrders, AccountReadsOptions, OrdersVenue } from './ports.ts'

/** A walk over a few pages is one read. */
export const keptMs = 5_000
/** Maximum wait for a venue. A later answer is cached for the next caller. */
export const readWithinMs = 15_000
/** A read that takes longer is aborted. */
export const abandonAfterMs = 60_000
/** Concurrent reads per venue. */
const readingMax = 4
/** Orders cached, over all accounts; the oldest answers are evicted first. An empty account counts as one. */
const ordersKeptMax = 20_000

interface Kept {
  answer: Omit<AccountOrders, 'cached'>
  untilMs: number
}

export class AccountReads {
  private readonly options: AccountReadsOptions
  /** Oldest first. */
  private readonly kept = new Map<string, Kept>()
  private keptOrders = 0
  private readonly running = new Map<string, Promise<Omit<AccountOrders, 'cached'>>>()
  private readonly allowances = new Map<string, VenueAllowance>()

  constructor(options: AccountReadsOptions) {
    this.options = options
  }

  /** For a venue with such reads. Throws NETWORK_ERROR. */
  async read(venue: string, account: string): Promise<AccountOrders> {
    const key = `${venue} ${account}`
    this.forget()
    const before = this.kept.get(key)
    if (before !== undefined) return { ...before.answer, cached: true }
    const running = this.running.get(key) ?? this.start(key, venue, account)
    const answer = await withTimeout(this.options.clock, readWithinMs, running)
    if (answer === null) throw tooLate(venue)
    return { ...answer, cached: false }
  }

  private start(key: string, venue: string, account: string): Promise<Omit<AccountOrders, 'cached'>> {
    const { data, context } = this.options.venues.get(venue) as OrdersVenue
    const { openOrders } = data
    if (openOrders === undefined) throw new Error(`${venue} shows no open orders`)
    const allowance = this.allowances.get(venue) ?? new VenueAllowance(openOrders.readsPerMinute, this.options.clock)
    this.allowances.set(venue, allowance)
    const waitSeconds = allowance.take()
    if (waitSeconds !== null) {
      throw new Fault('NETWORK_ERROR', `too many accounts of ${venue} are being read`, {
        exchange: venue,
        detail: 'no request sent',
        retryAfterSeconds: waitSeconds,
      })
    }
    const started = this.readFromVenue(openOrders, context, account)
      .then((answer) => {
        this.keep(key, answer)
        return answer
      })
      .finally(() => {
        allowance.done()
        this.running.delete(key)
      })
    this.running.set(key, started)
    return started
  }

  private async readFromVenue(
    { fetch }: PublicOpenOrders,
    context: VenueContext,
    account: string,
  ): Promise<Omit<AccountOrders, 'cached'>> {
    const late = new AbortController()
    const timer = this.options.clock.after(abandonAfterMs, () => late.abort())
    try {
      const { orders, asOfMs } = await fetch(
        { ...context, signal: AbortSignal.any([context.signal, late.signal]) },
        account,
      )
      return { orders: sorted(orders), asOfMs }
    } catch (cause) {
      throw late.signal.aborted ? tooLate(context.venue, cause) : cause
    } finally {
      timer.cancel()
    }
  }

  private keep(key: string, answer: Omit<AccountOrders, 'cached'>): void {
    const before = this.kept.get(key)
    if (before !== undefined) this.keptOrders -= weightOf(before.answer)
    this.kept.delete(key)
    this.kept.set(key, { answer, untilMs: this.options.clock.monotonic() + keptMs })
    this.keptOrders += weightOf(answer)
    this.forget()
  }

  private forget(): void {
    const now = this.options.clock.monotonic()
    for (const [key, { answer, untilMs }] of this.kept) {
      if (untilMs > now && this.keptOrders <= ordersKeptMax) return
      this.kept.delete(key)
      this.keptOrders -= weightOf(answer)
    }
  }
}

const tooLate = (venue: string, cause?: unknown): Fault =>
  new Fault('NETWORK_ERROR', `${venue} did not answer in time`, { exchange: venue, cause })

const weightOf = ({ orders }: Pick<AccountOrders, 'orders'>): number => Math.max(1, orders.length)

/** A rate per minute, with a tenth of it as burst; and a few concurrent reads. */
class VenueAllowance {
  private readonly bucket: TokenBucket
  private readonly clock: Clock
  private reading = 0

  constructor(readsPerMinute: number, clock: Clock) {
    const burst = Math.max(readingMax, readsPerMinute / 10)
    this.bucket = new TokenBucket({ perSecond: readsPerMinute / 60, burst }, clock.monotonic())
    this.clock = clock
  }

  /** Null: proceed, and report the end. Otherwise whole seconds to wait. */
  take(): number | null {
    this.bucket.fill(this.clock.monotonic())
    if (this.reading >= readingMax) return 1
    const waitMs = this.bucket.waitMs(1)
    if (waitMs > 0) return Math.ceil(waitMs / 1_000)
    this.bucket.spend(1)
    this.reading++
    return null
  }

  done(): void {
    this.reading--
  }
}
