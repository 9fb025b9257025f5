// Takes batches of one topic from the bus and writes them: each is retried until it is written or belongs to another process, while the bus keeps
// the rest in order. In a single process a pause follows a small batch, so that the next second's rows are batched together: the first is never
// delayed.
import { randomUUID } from 'node:crypto'
import type { Clock } from '#core/clock'
import type { TopicValues } from '#schemas/topics'
import type { Bus, SharedTopic } from '#storage/bus/bus'
import { waitForWrite } from './waitForWrite.ts'
import { flushMs } from './writer.ts'

/** After a stop, the batch being written has this long. */
const stopDeadlineMs = 5_000

export interface BatchConsumerOptions<T extends SharedTopic> {
  topic: T
  group: string
  bus: Pick<Bus, 'consume'>
  /**
   * `local` tokens count from zero in every process, so they are made unique here; `kafka` tokens name offsets and must not
   * change.
   */
  mode: 'local' | 'kafka'
  /** No pause after this many at once: the bus must not fill up. */
  manyAtOnce: number
  write(values: readonly TopicValues[T][], token: string, repeated: boolean): Promise<void>
  onFailure(error: unknown, attempt: number): void
  /** For errors: the writer that stopped before a batch was written. */
  name: string
  clock: Clock
  random(): number
}

export async function consumeBatches<T extends SharedTopic>(
  options: BatchConsumerOptions<T>,
): Promise<{ stop(): Promise<void> }> {
  const { topic, group, bus, mode, manyAtOnce, write, onFailure, name, clock, random } = options
  const prefix = mode === 'local' ? `${randomUUID()}:` : ''
  const giveUp = new AbortController()
  let stopping = false
  let endRest: (() => void) | null = null
  const rest = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = clock.after(flushMs, resolve)
      endRest = () => {
        timer.cancel()
        resolve()
      }
    })
  const stopConsuming = await bus.consume(topic, group, async ({ token, values, repeated = false, owned }) => {
    const written = await waitForWrite(() => write(values, `${prefix}${token}`, repeated), {
      clock,
      random,
      signal: giveUp.signal,
      allowed: owned,
      onFailure,
    })
    if (!written) throw new Error(`${name} ${owned() ? 'stopped' : 'slept'} before the batch was written`)
    if (mode === 'local' && values.length < manyAtOnce && !stopping) await rest()
  })
  let stopped: Promise<void> | undefined
  return {
    stop() {
      stopping = true
      endRest?.()
      stopped ??= (async () => {
        const timer = clock.after(stopDeadlineMs, () => giveUp.abort())
        await stopConsuming()
        timer.cancel()
      })()
      return stopped
    },
  }
}
