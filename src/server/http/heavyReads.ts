// Reads of many rows: each holds the event loop and a database connection for as long as dozens of small reads. Few of one key run at once,
// so that a caller that sends many at once delays only itself.
import { type FairGateLimits, FairSemaphore } from '#core/fairSemaphore'

/** Of one key. */
export const heavyReadsAtOnce = 2
/** Of one key; the next is refused. More than a client's usual number of connections. */
export const heavyReadsWaiting = 100

const limits: FairGateLimits = {
  // Keys do not wait for each other: one whose reads are slow must not hold back the others.
  inAll: Number.POSITIVE_INFINITY,
  perKey: heavyReadsAtOnce,
  waitingInAll: 10_000,
  waitingPerKey: heavyReadsWaiting,
  refusal: `of the routes that read many rows, ${heavyReadsAtOnce} requests of a key run at once; too many others of this key are waiting`,
}

export const createHeavyReads = (): FairSemaphore => new FairSemaphore(limits)
