// A thread that processes one request after another and responds in that order. If it dies, pending requests fail and the next request
// starts a new one.
import { MessageChannel, type MessagePort, type Transferable } from 'node:worker_threads'
import { LongLivedWorker } from './pool.ts'

interface Waiting<Reply> {
  resolve(reply: Reply): void
  reject(error: Error): void
}

/** Requests that wait for the thread; more are refused. */
export const waitingMax = 1_000

export type Failed = { kind: 'failed'; message: string }

/** The thread takes `{ kind: 'stop' }` in addition to its messages. */
export class RpcWorker<Message extends object, Reply extends { kind: string }> {
  /** Increases with each thread started. */
  generation = 0
  private readonly worker: LongLivedWorker
  /** Used in errors. */
  private readonly name: string
  private port: MessagePort | null = null
  /** In request order, which is the order of the replies. */
  private waiting: Waiting<Reply | Failed>[] = []
  private stopped = false

  constructor(name: string, filename: string) {
    this.name = name
    this.worker = new LongLivedWorker({ filename })
  }

  /** Whether the next request goes to a thread that earlier ones started. */
  get isRunning(): boolean {
    return this.port !== null
  }

  /** `given`: memory of the message whose ownership passes to the thread. */
  async ask(message: Message, given: readonly Transferable[] = []): Promise<Exclude<Reply, Failed>> {
    if (this.stopped) throw new Error(`${this.name} was stopped`)
    if (this.waiting.length >= waitingMax) throw new Error(`${this.name} has ${waitingMax} requests waiting`)
    const port = this.port ?? this.open()
    const reply = await new Promise<Reply | Failed>((resolve, reject) => {
      this.waiting.push({ resolve, reject })
      port.postMessage(message, given)
    })
    if (reply.kind === 'failed') throw new Error((reply as Failed).message)
    return reply as Exclude<Reply, Failed>
  }

  /** Terminates the thread, even in an endless loop: pending requests fail, the next one starts a new thread. */
  abort(): void {
    if (this.port !== null) this.worker.kill()
  }

  async stop(): Promise<void> {
    if (this.stopped) return
    this.stopped = true
    this.port?.postMessage({ kind: 'stop' })
    this.drain(new Error(`${this.name} was stopped`))
    await this.worker.close()
  }

  private open(): MessagePort {
    const { port1, port2 } = new MessageChannel()
    this.port = port1
    this.generation++
    port1.on('message', (reply: Reply) => this.waiting.shift()?.resolve(reply))
    // Lets the process end while the thread waits.
    port1.unref()
    this.worker.run({ port: port2 }, [port2], (reason) => {
      if (this.port !== port1) return
      port1.close()
      this.port = null
      this.drain(new Error(`the thread of ${this.name} ended: ${reason ?? 'returned'}`))
    })
    return port1
  }

  private drain(error: Error): void {
    for (const { reject } of this.waiting.splice(0)) reject(error)
  }
}
