// One host of a venue, process-wide: how often it is requested, and whether requests must pause. Shared by all callers: ingest, walks,
// lanes, funding. An order is never held up: it is counted, and reads wait for what it cost.
//
//   our read ───────► rest over? ──► turn ──► sent ──► 429 ──► rest: no reads at all
//   a caller's read ─► rest over? ──► turn ──► sent ──► 429 ──► rest: no reads for callers
//   an order ───────────────────────────────► sent, counted ──► 429 ──► its caller's concern
import { type Clock, systemClock } from '#core/clock'
import { Fault } from '#core/fault'
import { type Pace, type QueueSlot, RequestQueue } from './requestQueue.ts'

/** The budget in a venue's manifest for its hosts, below the venue's own limits. */
export interface RequestBudget extends Pace {
  /** For requests with callers' own keys, if the venue counts those separately per key. */
  callersPerSecond?: number
  /** Assumed duration of a 429 that names no time. */
  restSeconds?: number
}

/** The allowance a request is charged to. */
export type CreditBudget = 'ours' | 'callers'

export interface RpcRequest {
  weight?: number | undefined
  /** Waits ahead of others: an order depends on it. */
  urgent?: boolean | undefined
  /** Waits for the end of a rest up to this long; refused at once by default. */
  patienceMs?: number | undefined
  /** Refused at once if its turn would come later than that. */
  lineMs?: number | undefined
  purse?: CreditBudget | undefined
  signal?: AbortSignal | undefined
}

const usualRestSeconds = 10
/** Upper bound on the header's value. */
const restSecondsMax = 120
/** Requests that may wait for their turn; more are refused at once. */
const waitingMax = 1_000

interface Waiting extends QueueSlot {
  allowance: RequestQueue
  purse: CreditBudget
  patienceMs: number
  refuse(error: unknown): void
}

export class HostBudget {
  private readonly venue: string
  private readonly clock: Clock
  private readonly restSeconds: number
  private readonly purses: Record<CreditBudget, RequestQueue>
  /** Until when reads for callers rest, on the monotonic clock. */
  private callersRestUntil = Number.NEGATIVE_INFINITY
  /** In both purses. */
  private readonly waiting = new Set<Waiting>()

  constructor(venue: string, { callersPerSecond, restSeconds, ...pace }: RequestBudget, clock: Clock = systemClock) {
    this.venue = venue
    this.clock = clock
    this.restSeconds = restSeconds ?? usualRestSeconds
    const ours = new RequestQueue(pace, clock)
    const callers = callersPerSecond === undefined ? ours : new RequestQueue({ perSecond: callersPerSecond }, clock)
    this.purses = { ours, callers }
  }

  /** Resolves when it is the caller's turn. Throws NETWORK_ERROR while the venue rests, or when too many wait, or too long; the signal's reason. */
  take({ weight = 1, urgent = false, patienceMs = 0, lineMs, purse = 'ours', signal }: RpcRequest = {}): Promise<void> {
    signal?.throwIfAborted()
    const allowance = this.purses[purse]
    const heldMs = this.heldMs(purse)
    if (heldMs > patienceMs) throw this.resting(heldMs)
    if (this.waiting.size >= waitingMax) throw this.fault(`${this.venue}: too many requests are waiting`)
    const waitMs = lineMs === undefined ? 0 : allowance.lineMs(weight)
    if (lineMs !== undefined && waitMs > lineMs)
      throw this.fault(`too many requests to ${this.venue} from here`, Math.ceil(waitMs / 1_000))
    return new Promise<void>((resolve, reject) => {
      const end = (): void => {
        this.waiting.delete(turn)
        signal?.removeEventListener('abort', left)
      }
      const turn: Waiting = {
        allowance,
        purse,
        weight,
        urgent,
        patienceMs,
        go() {
          end()
          resolve()
        },
        refuse(error) {
          end()
          allowance.leave(turn)
          reject(error)
        },
      }
      const left = (): void => turn.refuse(signal?.reason)
      signal?.addEventListener('abort', left, { once: true })
      this.waiting.add(turn)
      allowance.enter(turn)
    })
  }

  /** Counts what was sent without waiting: an order, a cancellation, a retried read. */
  spend(weight = 1, purse: CreditBudget = 'ours'): void {
    this.purses[purse].spend(weight)
  }

  /** Returns what was taken and not used. */
  refund(weight: number, purse: CreditBudget = 'ours'): void {
    this.purses[purse].refund(weight)
  }

  /**
   * The venue answered 429 to a read from this purse. Returns the seconds of rest: for all reads, but after a read for a caller only for those
   * for callers, so that one caller's key cannot stop everyone's data. If the limit concerns all of us, our own next read gets a 429 as well.
   */
  rest(retryAfter: string | undefined, purse: CreditBudget = 'ours'): number {
    const seconds = Math.min(restSecondsMax, this.secondsOf(retryAfter) || this.restSeconds)
    if (purse === 'callers') this.callersRestUntil = this.clock.monotonic() + seconds * 1_000
    else for (const allowance of new Set(Object.values(this.purses))) allowance.hold(seconds * 1_000)
    for (const turn of [...this.waiting]) {
      const heldMs = this.heldMs(turn.purse)
      if (heldMs > turn.patienceMs) turn.refuse(this.resting(heldMs))
    }
    return seconds
  }

  private heldMs(purse: CreditBudget): number {
    const { heldMs } = this.purses[purse]
    return purse === 'ours' ? heldMs : Math.max(heldMs, this.callersRestUntil - this.clock.monotonic())
  }

  /** Both forms of the header, rounded up to whole seconds; 0 when it is neither. */
  private secondsOf(retryAfter: string | undefined): number {
    if (retryAfter === undefined) return 0
    const seconds = Number(retryAfter)
    const named = Number.isNaN(seconds) ? (Date.parse(retryAfter) - this.clock.now()) / 1_000 : seconds
    return named > 0 ? Math.ceil(named) : 0
  }

  private resting(heldMs: number): Fault {
    return this.fault(`${this.venue} limits our requests`, Math.max(1, Math.ceil(heldMs / 1_000)))
  }

  private fault(message: string, retryAfterSeconds?: number): Fault {
    return new Fault('NETWORK_ERROR', message, { exchange: this.venue, detail: 'no request sent', retryAfterSeconds })
  }
}

/** The budgets of one venue, created as its hosts are first used. */
export class VenueBudgets {
  private readonly hosts = new Map<string, HostBudget>()
  private readonly make: () => HostBudget

  constructor(venue: string, budget: RequestBudget, clock?: Clock) {
    this.make = () => new HostBudget(venue, budget, clock)
  }

  of(url: string): HostBudget {
    const { origin } = new URL(url)
    const known = this.hosts.get(origin) ?? this.make()
    this.hosts.set(origin, known)
    return known
  }
}
