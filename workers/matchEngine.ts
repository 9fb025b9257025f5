// The matcher on a thread of its own.
import type { MatchEngine } from '#matching/candidateIndex'
import type { MatchPiece } from '#storage/postgres/matching/index'
import type { MatchMessage, MatchReply } from './matchMarkets.ts'
import { workerFile } from './pool.ts'
import { RpcWorker } from './rpcWorker.ts'

/** `filename`: another worker file, for tests. */
export function startMatchEngine({ filename }: { filename?: string } = {}): MatchEngine {
  return new WorkerMatchEngine(filename ?? workerFile('matchMarkets'))
}

class WorkerMatchEngine implements MatchEngine {
  private readonly thread: RpcWorker<MatchMessage, MatchReply>

  constructor(filename: string) {
    this.thread = new RpcWorker('the matcher', filename)
  }

  get generation(): number {
    return this.thread.generation
  }

  /** The only request that may start a thread. */
  async begin(): Promise<void> {
    await this.thread.ask({ kind: 'begin' })
  }

  async put(markets: Parameters<MatchEngine['put']>[0]): Promise<void> {
    await this.ask({ kind: 'put', markets })
  }

  async drop(keys: readonly string[]): Promise<void> {
    await this.ask({ kind: 'drop', keys })
  }

  async remember(members: Parameters<MatchEngine['remember']>[0]): Promise<void> {
    await this.ask({ kind: 'remember', members })
  }

  async run(request: Parameters<MatchEngine['run']>[0]): Promise<Record<string, number>> {
    const reply = await this.ask({ kind: 'run', ...request })
    return reply.kind === 'ran' ? reply.counts : {}
  }

  async *pieces(): AsyncIterable<MatchPiece> {
    for (;;) {
      const reply = await this.ask({ kind: 'next' })
      if (reply.kind !== 'piece' || reply.piece === null) return
      yield reply.piece
    }
  }

  /** A run whose thread was terminated between two requests fails too: a new thread has none of its markets and no deadline. */
  private async ask(message: MatchMessage): Promise<Exclude<MatchReply, { kind: 'failed' }>> {
    if (!this.thread.isRunning) throw new Error('the thread of the matcher ended during a run')
    return this.thread.ask(message)
  }

  abort(): void {
    this.thread.abort()
  }

  stop(): Promise<void> {
    return this.thread.stop()
  }
}
