// The producer in use. One that brokers no longer accept, or that has failed for some seconds, is replaced: kafkajs does not recover from either.
import type { Producer } from 'kafkajs'
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'

export type SendingProducer = Pick<Producer, 'sendBatch' | 'disconnect'>

/** A producer whose sends to some partition fail for this long is replaced: a broker failure is resolved sooner. */
export const replaceAfterMs = 10_000

/** The broker knows another history of this producer than the producer does: no send will be accepted again. */
const spoilingTypes: ReadonlySet<unknown> = new Set([
  'OUT_OF_ORDER_SEQUENCE_NUMBER',
  'DUPLICATE_SEQUENCE_NUMBER',
  'UNKNOWN_PRODUCER_ID',
  'INVALID_PRODUCER_EPOCH',
  'INVALID_PRODUCER_ID_MAPPING',
  'PRODUCER_FENCED',
])

/** An answer that cannot belong to what was sent. */
export class UnacknowledgedError extends Error {}

/** The producer did not answer at all. */
export class LateError extends Error {}

export function isSpoiled(error: unknown): boolean {
  if (error instanceof UnacknowledgedError || error instanceof LateError) return true
  const { type, cause } = error as { type?: unknown; cause?: unknown }
  return spoilingTypes.has(type) || (cause !== undefined && cause !== null && isSpoiled(cause))
}

export interface ProducersOptions {
  /** Resolves with a new one that is connected. */
  open(): Promise<SendingProducer>
  clock: Pick<Clock, 'monotonic'>
  log: Log
}

export class Producers {
  /** Replaced so far. */
  replaced = 0
  private opened: Promise<SendingProducer> | null = null
  private inUse: SendingProducer | null = null
  private openedAt = 0
  private readonly options: ProducersOptions

  constructor(options: ProducersOptions) {
    this.options = options
  }

  /** Rejects if none can be opened now; the next call tries again. */
  current(): Promise<SendingProducer> {
    this.opened ??= this.open()
    return this.opened
  }

  /** A send failed, as all to that partition have since `failingSince` (monotonic). */
  failed(producer: SendingProducer, error: unknown, failingSince: number): void {
    const { clock, log } = this.options
    if (producer !== this.inUse) return
    const failedForMs = clock.monotonic() - Math.max(failingSince, this.openedAt)
    if (!isSpoiled(error) && failedForMs < replaceAfterMs) return
    log.warn({ err: error, failedForMs: Math.round(failedForMs) }, 'replacing a kafka producer')
    this.replaced++
    this.opened = null
    this.inUse = null
    this.leave(producer)
  }

  async close(): Promise<void> {
    await this.inUse?.disconnect()
  }

  private async open(): Promise<SendingProducer> {
    try {
      const producer = await this.options.open()
      this.inUse = producer
      this.openedAt = this.options.clock.monotonic()
      return producer
    } catch (error) {
      this.opened = null
      throw error
    }
  }

  /** Its connections may be dead: not awaited. */
  private leave(producer: SendingProducer): void {
    producer
      .disconnect()
      .catch((error: unknown) => this.options.log.debug({ err: error }, 'failed to disconnect a former producer'))
  }
}
