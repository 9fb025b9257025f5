// Gives cuts to a process that keeps the record of traders, and kills it with -9 where it is to die.
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { TradesOptions } from './recordWorld.ts'

export interface KeeperWork {
  drawn: TradesOptions
  /** Of the trades drawn, each or each nth; written one after another, each under its token. */
  cuts: readonly { from: number; to: number; step?: number; token: string }[]
  rollsUp: boolean
  /** Number of the statement that is its last; 0: none. */
  dieAt: number
  /** Whether the engine has heard that statement when the process dies: not at all, perhaps, or also answered. */
  moment: 'before' | 'during' | 'after'
}

export type KeeperWord = 'done' | { standsAt: number }

const main = fileURLToPath(new URL('./keeper.main.ts', import.meta.url))

export class Keeper {
  private readonly child: ChildProcessByStdio<Writable, Readable, null>
  private readonly exited: Promise<unknown>

  /** `url`: of the engine. */
  constructor(url: string) {
    this.child = spawn(process.execPath, [main, url], { stdio: ['pipe', 'pipe', 'inherit'] })
    this.exited = once(this.child, 'exit')
  }

  /** Whether it came to its end; else it stands at the statement, or sits on its answer, and waits to be killed. */
  async work(work: KeeperWork): Promise<boolean> {
    this.child.stdin.write(`${JSON.stringify(work)}\n`)
    const lines = createInterface({ input: this.child.stdout })
    for await (const line of lines) {
      lines.close()
      return (JSON.parse(line) as KeeperWord) === 'done'
    }
    throw new Error('the process ended by itself')
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL')
    await this.exited
  }
}
