// Takes trades with wallets off the bus, batch by batch; what is not written is repeated until it is, or belongs to somebody else.
import { randomUUID } from 'node:crypto'
import type { Clock } from '#lib/clock'
import type { Log } from '#lib/log'
import type { WalletTrade } from '#schemas/topics'
import type { Bus, Stop } from '#storage/bus/bus'
import { untilWritten } from '#storage/clickhouse/retry'
import { flushMs } from '#storage/clickhouse/writer'

/** With so many at once there is no rest: the bus must not fill up. */
const manyTrades = 2_000
/** After a stop, the batch being written has this long. */
const stopDeadlineMs = 5_000

export interface TradeConsumerOptions {
  bus: Pick<Bus, 'consume'>
  /** `local` tokens count from zero in every process, so they are made unique here; `kafka` tokens name offsets and must stay. */
  mode: 'local' | 'kafka'
  random(): number
  clock: Clock
  log: Log
}

export async function consumeTrades(
  { bus, mode, random, clock, log }: TradeConsumerOptions,
  write: (trades: readonly WalletTrade[], token: string) => Promise<void>,
): Promise<Stop> {
  const prefix = mode === 'local' ? `${randomUUID()}:` : ''
  const giveUp = new AbortController()
  let stopping = false
  let endRest: (() => void) | null = null
  /** In one process few of them rest, so that those of the next second go together. */
  const rest = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = clock.after(flushMs, resolve)
      endRest = () => {
        timer.cancel()
        resolve()
      }
    })
  const stopConsuming = await bus.consume('walletTrades', 'crossbook-traders', async ({ token, values, owned }) => {
    const written = await untilWritten(() => write(values, `${prefix}${token}`), {
      clock,
      random,
      signal: giveUp.signal,
      allowed: owned,
      onFailure: (error, attempt) =>
        log.warn({ err: error, attempt }, 'trades of wallets could not be written; it is repeated'),
    })
    if (!written) throw new Error(`the record of traders ${owned() ? 'stopped' : 'slept'} before the batch was written`)
    if (mode === 'local' && values.length < manyTrades && !stopping) await rest()
  })
  return async () => {
    stopping = true
    endRest?.()
    const timer = clock.after(stopDeadlineMs, () => giveUp.abort())
    await stopConsuming()
    timer.cancel()
  }
}
