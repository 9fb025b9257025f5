// The only module that uses piscina: threads are started, given their task, and terminated here.
//
// run(task) ─► thread ─► returns or throws ─► ended(reason)      the thread stays warm for the next run
// kill() ─► terminated, whatever it was doing ─► ended(…)     a fresh thread is already being started
import { fileURLToPath } from 'node:url'
import type { Transferable } from 'node:worker_threads'
import { Piscina } from 'piscina'

/** A worker file in this folder, by its name without extension. */
export const workerFile = (name: string): string =>
  fileURLToPath(new URL(`./${name}${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url))

export interface LongLivedOptions {
  /** Default-exports a function of the task that runs until it is stopped. */
  filename: string
  workerData?: unknown
}

/** One thread for one endless task. */
export class LongLivedWorker {
  private readonly pool: Piscina
  private abort: AbortController | null = null
  private closed = false

  constructor({ filename, workerData }: LongLivedOptions) {
    this.pool = new Piscina({ filename, minThreads: 1, maxThreads: 1, workerData: workerData ?? null })
  }

  /** `ended` is called once: with null when the task returned, otherwise with why it threw or that it was killed. */
  run(task: unknown, transfer: readonly Transferable[], ended: (reason: string | null) => void): void {
    const abort = new AbortController()
    this.abort = abort
    this.pool.run(task, { signal: abort.signal, transferList: transfer as never }).then(
      () => this.settled(abort, ended, null),
      (error: unknown) => this.settled(abort, ended, error instanceof Error ? error.message : String(error)),
    )
  }

  /** Terminates the thread, even in an endless loop. The run's `ended` is still called. */
  kill(): void {
    this.abort?.abort()
  }

  async close(): Promise<void> {
    if (this.closed) return
    this.closed = true
    await this.pool.destroy()
  }

  private settled(abort: AbortController, ended: (reason: string | null) => void, reason: string | null): void {
    if (this.abort === abort) this.abort = null
    if (!this.closed) ended(reason)
  }
}
