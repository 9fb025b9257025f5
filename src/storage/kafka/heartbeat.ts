// Whether a topic is really being read, proved by its own messages. A reader can hang in one topic while others continue, and kafkajs reports a fetch
// as done even if it failed; so each reader sends an empty message to every partition and waits for it where the values arrive.
import type { Clock } from '#core/clock'

/** Interval of empty messages per partition. */
export const pulseMs = 2_000
/** A reader that has not read for this long is restarted. */
export const stalledRestartMs = 20_000
/** Maximum delay between restarts: during a long outage the broker is not flooded with new readers. */
const restartCapMs = 160_000

export class Heartbeat {
  /** Partition → how far it was read, by our monotonic clock: later messages may be unread. */
  private readonly readTo: Map<number, number>
  private restartAt: number
  private restarts = 0
  private readonly clock: Pick<Clock, 'monotonic'>

  /** At the start everything sent until now counts as read. */
  constructor(partitions: readonly number[], clock: Pick<Clock, 'monotonic'>) {
    this.clock = clock
    const now = clock.monotonic()
    this.readTo = new Map(partitions.map((partition) => [partition, now]))
    this.restartAt = now + stalledRestartMs
  }

  get partitions(): Iterable<number> {
    return this.readTo.keys()
  }

  /** A message arrived from the partition; `lateMs`: how long it waited. */
  read(partition: number, lateMs: number): void {
    const to = this.clock.monotonic() - lateMs
    if (to > (this.readTo.get(partition) ?? Number.NEGATIVE_INFINITY)) this.readTo.set(partition, to)
  }

  /** Everything sent longer ago than this was read, in every partition. */
  unreadMs(): number {
    return this.clock.monotonic() - Math.min(...this.readTo.values())
  }

  /** True when the reader should be restarted; the delay grows while nothing is read. */
  restartDue(): boolean {
    const now = this.clock.monotonic()
    if (this.unreadMs() < stalledRestartMs) {
      this.restarts = 0
      this.restartAt = now
      return false
    }
    if (now < this.restartAt) return false
    this.restartAt = now + Math.min(restartCapMs, stalledRestartMs * 2 ** this.restarts++)
    return true
  }
}
