// Gives cuts to a process that writes the record of traders, and kills it with -9 where it should stop.
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { TradesOptions } from './recordWorld.ts'

export interface KeeperWork {
  drawn: TradesOptions
  /** Ranges of the drawn trades, all or every nth; written one after another, each under its token. */
  cuts: readonly { from: number; to: number; step?: number; token: string }[]
  rollsUp: boolean
  /** Number of the statement at which it blocks; 0: none. */
  dieAt: number
  /** Whether the engine has received that statement when the process is killed: no, perhaps, or with a response. */
  moment: 'before' | 'during' | 'after'
}

export type KeeperReport = 'done' | { stoppedAt: number }

const main = fileURLToPath(new URL('./keeper.main.ts', import.meta.url))

export class Keeper {
  private readonly child: ChildProcessByStdio<Writable, Readable, null>
  private readonly exited: Promise<unknown>

  /** `url`: of the engine. */
  constructor(url: string) {
    this.child = spawn(process.execPath, [main, url], { stdio: ['pipe', 'pipe', 'inherit'] })
    this.exited = once(this.child, 'exit')
  }

  /** True if the work ended; false if it is blocked at the statement, and waits to be killed. */
  async work(work: KeeperWork): Promise<boolean> {
    this.child.stdin.write(`${JSON.stringify(work)}\n`)
    const lines = createInterface({ input: this.child.stdout })
    for await (const line of lines) {
      lines.close()
      return (JSON.parse(line) as KeeperReport) === 'done'
    }
    throw new Error('the process ended early')
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL')
    await this.exited
  }
}
