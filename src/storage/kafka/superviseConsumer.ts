// Keeps a consumer alive. kafkajs restarts one after some errors and gives up permanently after others: a process that stays up while its consumer
// is gone would lose the tape or serve old books without any sign.
import type { Consumer } from 'kafkajs'
import type { Clock, Timer } from '#core/clock'
import type { Log } from '#core/log'

const restartMs = 1_000

export interface KeepRunningOptions {
  consumer: Consumer
  /** Gives the consumer its `run` options; called again after each end. */
  run(): Promise<void>
  clock: Clock
  log: Log
}

/** Connects and runs. The returned function lets the current batch finish, leaves the group and disconnects. */
export async function keepRunning({ consumer, run, clock, log }: KeepRunningOptions): Promise<() => Promise<void>> {
  let stopping = false
  let timer: Timer | null = null

  function again(): void {
    if (stopping) return
    timer = clock.after(restartMs, () => {
      consumer
        .connect()
        .then(async () => {
          if (stopping) await consumer.disconnect()
          else await run()
        })
        .catch((error: unknown) => {
          log.warn({ err: error }, 'a kafka consumer failed to start; retrying')
          again()
        })
    })
  }

  consumer.on(consumer.events.CRASH, ({ payload: { error, groupId, restart } }) => {
    log.warn({ err: error, groupId }, 'a kafka consumer ended; restarting from the committed offset')
    if (!restart) again()
  })
  await consumer.connect()
  await run()
  return async () => {
    stopping = true
    timer?.cancel()
    await consumer.disconnect()
  }
}
