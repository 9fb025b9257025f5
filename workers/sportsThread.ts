// The sports engine on a thread of its own. A thread that dies fails what was asked of it, and the next request finds a new one.
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import type { SportsPiece, SportsThread, SportsTotals } from '#sports/index'
import type { SportsMessage, SportsReply } from './buildFixtures.ts'
import { LongLivedWorker, workerFile } from './pool.ts'

interface Waiting {
  resolve(reply: SportsReply): void
  reject(error: Error): void
}

/** `filename`: another worker file, for tests. */
export function startSportsThread({ filename }: { filename?: string } = {}): SportsThread {
  return new WorkerSportsThread(filename ?? workerFile('buildFixtures'))
}

class WorkerSportsThread implements SportsThread {
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

  async remember(placed: Parameters<SportsThread['remember']>[0]): Promise<void> {
    await this.ask({ kind: 'remember', placed })
  }

  async put(inputs: Parameters<SportsThread['put']>[0]): Promise<void> {
    await this.ask({ kind: 'put', inputs })
  }

  async drop(keys: readonly string[]): Promise<void> {
    await this.ask({ kind: 'drop', keys })
  }

  async run(today: number): Promise<SportsTotals> {
    const reply = await this.ask({ kind: 'run', today })
    if (reply.kind !== 'ran') throw new Error('the sports engine answered out of turn')
    return reply.totals
  }

  async *pieces(): AsyncIterable<SportsPiece> {
    for (;;) {
      const reply = await this.ask({ kind: 'next' })
      if (reply.kind !== 'piece' || reply.piece === null) return
      yield reply.piece
    }
  }

  async written(): Promise<void> {
    await this.ask({ kind: 'written' })
  }

  async stop(): Promise<void> {
    if (this.stopped) return
    this.stopped = true
    this.port?.postMessage({ kind: 'stop' } satisfies SportsMessage)
    this.drain(new Error('the sports engine was stopped'))
    await this.worker.close()
  }

  private async ask(message: SportsMessage): Promise<SportsReply> {
    if (this.stopped) throw new Error('the sports engine was stopped')
    const port = this.port ?? this.open()
    const reply = await new Promise<SportsReply>((resolve, reject) => {
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
    port1.on('message', (reply: SportsReply) => this.waiting.shift()?.resolve(reply))
    // The process may end while the thread waits.
    port1.unref()
    this.worker.run({ port: port2 }, [port2], (reason) => {
      if (this.port !== port1) return
      port1.close()
      this.port = null
      this.drain(new Error(`the sports engine's thread ended: ${reason ?? 'returned'}`))
    })
    return port1
  }

  private drain(error: Error): void {
    for (const { reject } of this.waiting.splice(0)) reject(error)
  }
}
