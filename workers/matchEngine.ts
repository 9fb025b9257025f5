// The matcher on a thread of its own. A thread that dies fails what was asked of it, and the next request finds a new one.
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import type { MatchEngine } from '#matching/index'
import type { MatchPiece } from '#storage/postgres/matching/index'
import type { MatchMessage, MatchReply } from './matchMarkets.ts'
import { LongLivedWorker, workerFile } from './pool.ts'

interface Waiting {
  resolve(reply: MatchReply): void
  reject(error: Error): void
}

/** `filename`: another worker file, for tests. */
export function startMatchEngine({ filename }: { filename?: string } = {}): MatchEngine {
  return new WorkerMatchEngine(filename ?? workerFile('matchMarkets'))
}

class WorkerMatchEngine implements MatchEngine {
  generation = 0
  private readonly worker: LongLivedWorker
  private port: MessagePort | null = null
  /** In the order asked, which is the order of the replies. */
  private waiting: Waiting[] = []
  private stopped = false

  constructor(filename: string) {
    this.worker = new LongLivedWorker({ filename })
  }

  async begin(): Promise<void> {
    await this.ask({ kind: 'begin' })
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

  async stop(): Promise<void> {
    if (this.stopped) return
    this.stopped = true
    this.port?.postMessage({ kind: 'stop' } satisfies MatchMessage)
    this.drain(new Error('the matcher was stopped'))
    await this.worker.close()
  }

  private async ask(message: MatchMessage): Promise<MatchReply> {
    if (this.stopped) throw new Error('the matcher was stopped')
    const port = this.port ?? this.open()
    const reply = await new Promise<MatchReply>((resolve, reject) => {
      this.waiting.push({ resolve, reject })
      port.postMessage(message)
    })
    if (reply.kind === 'failed') throw new Error(reply.message)
    return reply
  }

  private open(): MessagePort {
    const { port1, port2 } = new MessageChannel()
    this.port = port1
    this.generation++
    port1.on('message', (reply: MatchReply) => this.waiting.shift()?.resolve(reply))
    // The process may end while the thread waits.
    port1.unref()
    this.worker.run({ port: port2 }, [port2], (reason) => {
      if (this.port !== port1) return
      port1.close()
      this.port = null
      this.drain(new Error(`the matcher's thread ended: ${reason ?? 'returned'}`))
    })
    return port1
  }

  private drain(error: Error): void {
    for (const { reject } of this.waiting.splice(0)) reject(error)
  }
}
