// The sports engine on a thread of its own.
import type { SportsPiece, SportsThread, SportsTotals } from '#sports/index'
import type { SportsMessage, SportsReply } from './buildFixtures.ts'
import { workerFile } from './pool.ts'
import { RpcWorker } from './rpcWorker.ts'

/** `filename`: another worker file, for tests. */
export function startSportsThread({ filename }: { filename?: string } = {}): SportsThread {
  return new WorkerSportsThread(filename ?? workerFile('buildFixtures'))
}

class WorkerSportsThread implements SportsThread {
  private readonly thread: RpcWorker<SportsMessage, SportsReply>

  constructor(filename: string) {
    this.thread = new RpcWorker('the sports engine', filename)
  }

  get generation(): number {
    return this.thread.generation
  }

  async begin(): Promise<void> {
    await this.thread.ask({ kind: 'begin' })
  }

  async remember(placed: Parameters<SportsThread['remember']>[0]): Promise<void> {
    await this.thread.ask({ kind: 'remember', placed })
  }

  async put(inputs: Parameters<SportsThread['put']>[0]): Promise<void> {
    await this.thread.ask({ kind: 'put', inputs })
  }

  async drop(keys: readonly string[]): Promise<void> {
    await this.thread.ask({ kind: 'drop', keys })
  }

  async run(today: number): Promise<SportsTotals> {
    const reply = await this.thread.ask({ kind: 'run', today })
    if (reply.kind !== 'ran') throw new Error('the sports engine replied out of order')
    return reply.totals
  }

  async *pieces(): AsyncIterable<SportsPiece> {
    for (;;) {
      const reply = await this.thread.ask({ kind: 'next' })
      if (reply.kind !== 'piece' || reply.piece === null) return
      yield reply.piece
    }
  }

  async written(): Promise<void> {
    await this.thread.ask({ kind: 'written' })
  }

  stop(): Promise<void> {
    return this.thread.stop()
  }
}
