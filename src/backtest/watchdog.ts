// Ends the process when a strategy never gives control back: a loop without await stops every timer of its own thread, so another thread watches.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

export interface Watchdog {
  /** The engine has made progress. */
  progress(): void
  /** The engine waits for something other than the strategy. */
  waiting(isWaiting: boolean): void
  stop(): Promise<void>
}

/** Without a step of the engine for this long, the strategy does not give control back. */
export const stallMsDefault = 60_000

const message =
  'the strategy never waits: it has not given control back for a minute. A loop must await a stream or clock.sleep\n'

const code = `
const { workerData } = require('node:worker_threads')
const { writeSync } = require('node:fs')
const counters = new Int32Array(workerData.shared)
let last = -1
for (;;) {
  const stopped = Atomics.wait(counters, 2, 0, workerData.stallMs)
  if (stopped !== 'timed-out') break
  const now = Atomics.load(counters, 0)
  if (now === last && Atomics.load(counters, 1) === 0) {
    writeSync(2, workerData.message)
    process.kill(process.pid, 'SIGKILL')
  }
  last = now
}`

/** Resolves once it watches: its thread cannot start while this one is blocked. */
export async function startWatchdog(stallMs = stallMsDefault): Promise<Watchdog> {
  const shared = new SharedArrayBuffer(12)
  const counters = new Int32Array(shared)
  const worker = new Worker(code, { eval: true, execArgv: [], workerData: { shared, stallMs, message } })
  await once(worker, 'online')
  worker.unref()
  return {
    progress: () => void Atomics.add(counters, 0, 1),
    waiting(isWaiting) {
      Atomics.store(counters, 1, isWaiting ? 1 : 0)
      // Between two waits the strategy had its turn: at a slow pace, steps alone are too rare.
      Atomics.add(counters, 0, 1)
    },
    async stop() {
      Atomics.store(counters, 2, 1)
      Atomics.notify(counters, 2)
      await worker.terminate()
    },
  }
}
