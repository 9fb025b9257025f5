// A Python strategy: a separate process that runs `python -m crossbook.strategy`. It and the engine take turns on one loopback connection:
//
//   engine ─► now, answers, frames ─► the strategy runs until it waits ─► requests, messages, its next timer ─► engine
//
// A turn is the acknowledgement: time does not move before the reply, and the process does nothing between its replies.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createServer, type Server, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { systemClock } from '#core/clock'
import type { StrategyContext } from '#sdk/typescript/src/index'
import type { VirtualClock } from '../engine/virtualClock.ts'
import type { BacktestServer } from '../server/backtestServer.ts'
import { requestOf } from '../server/request.ts'
import { type LogLine, neverWaits, StrategyFailure, type StrategyHost, stepsPerTimeMax } from './host.ts'

export interface PythonOptions {
  /** Absolute path. */
  file: string
  python: string
  seed: string
  server: BacktestServer
  clock: VirtualClock
  params: Readonly<Record<string, string>>
  markets: StrategyContext['markets']
  owner: string | null
  log(line: LogLine): void
}

/** What a strategy may compute between two replies. */
const replyWithinMs = 60_000
const connectWithinMs = 30_000
/** Of standard error, kept for the message of a failure. */
const outputMax = 16_384

interface Reply {
  requests: { id: number; method: string; url: string; key: string | null; body: string | null }[]
  /** New sockets, messages and ends, in order. */
  sockets: ({ id: number } & ({ open: true } | { send: string } | { close: true }))[]
  /** Seconds of the strategy's clock, epoch ms; null: no timer. */
  wakeAt: number | null
  log: { message: string; data?: Readonly<Record<string, unknown>> }[]
  /** The strategy has returned. */
  ended: boolean
  /** Traceback of a strategy that failed. */
  failure: string | null
}

export class PythonHost implements StrategyHost {
  private readonly options: PythonOptions
  private readonly sessions = new Map<number, ReturnType<BacktestServer['connect']>>()
  private readonly token = randomBytes(24).toString('hex')
  private child: ChildProcess | null = null
  private listener: Server | null = null
  private socket: Socket | null = null
  private received: ((line: string) => void) | null = null
  private failed: ((error: Error) => void) | null = null
  /** Why the process or its connection ended, also between two turns. */
  private broken: Error | null = null
  private output = ''
  private answers: object[] = []
  private frames: [socket: number, text: string][] = []
  private cancelWake: () => void = () => undefined
  private isDue = true
  private isOver = false
  private ended = false
  private stopped = false
  private requestsAt = 0
  private requests = 0

  constructor(options: PythonOptions) {
    this.options = options
  }

  readonly isBusy = false

  get hasEnded(): boolean {
    return this.ended
  }

  async start(): Promise<void> {
    const { file, python, seed, params, markets, owner, clock } = this.options
    const connected = this.listen()
    const port = await connected.port
    const args = ['-m', 'crossbook.strategy', file, '--backtest', `127.0.0.1:${port}`]
    // What it prints must not mix with the results on standard output.
    const child = spawn(python, args, { stdio: ['pipe', 2, 'pipe'] })
    this.child = child
    // The token is visible neither in the arguments nor in the environment.
    child.stdin!.on('error', () => undefined)
    child.stdin!.end(`${JSON.stringify({ token: this.token, seed, params, markets, owner, now: clock.now() })}\n`)
    child.stderr!.on('data', (bytes: Buffer) => {
      this.output = (this.output + bytes.toString()).slice(-outputMax)
    })
    const gone = new Promise<never>((_, reject) => {
      child.once('error', (error) => reject(this.failureOf(`cannot start ${python}: ${error.message}`)))
      child.once('close', () => reject(this.failureOf('the process of the strategy ended')))
    })
    gone.catch((error: Error) => this.fail(error))
    const late = timeout(connectWithinMs, () => this.failureOf('the process of the strategy did not connect'))
    try {
      this.socket = await Promise.race([connected.socket, gone, late.promise])
    } finally {
      late.cancel()
    }
    const lines = createInterface({ input: this.socket, crlfDelay: Number.POSITIVE_INFINITY })
    lines.on('line', (line) => this.received?.(line))
    this.socket.on('error', (error) => this.fail(this.failureOf(error.message)))
  }

  deliver(): boolean | Promise<void> {
    if (this.ended || (this.answers.length === 0 && this.frames.length === 0 && !this.isDue)) return false
    return this.turn()
  }

  finish(): void {
    this.isOver = true
    this.isDue = true
  }

  async stop(): Promise<void> {
    if (this.stopped) return
    this.stopped = true
    this.cancelWake()
    for (const session of this.sessions.values()) session.close()
    this.socket?.destroy()
    this.listener?.close()
    const { child } = this
    if (child === null || child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
    const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
    child.kill('SIGKILL')
    await closed
  }

  private async turn(): Promise<void> {
    const { clock, log } = this.options
    const { answers, frames, isOver } = this
    this.answers = []
    this.frames = []
    this.isDue = false
    this.cancelWake()
    const reply = await this.exchange({ now: clock.now(), answers, frames, isOver })
    for (const { message, data } of reply.log)
      log({ at: clock.now(), message, ...(data === undefined ? {} : { data }) })
    if (reply.failure !== null) {
      const last = reply.failure.trim().split('\n').at(-1) ?? ''
      throw new StrategyFailure(`the strategy failed: ${last}`, reply.failure)
    }
    for (const change of reply.sockets) this.change(change)
    for (const request of reply.requests) this.answers.push(await this.answer(request))
    if (reply.wakeAt !== null) {
      this.cancelWake = clock.after(reply.wakeAt - clock.now(), () => {
        this.isDue = true
      })
    }
    this.ended = reply.ended
  }

  private change(change: Reply['sockets'][number]): void {
    const { id } = change
    if ('open' in change) {
      const { server } = this.options
      this.sessions.set(
        id,
        server.connect((frame) => this.frames.push([id, JSON.stringify(frame)])),
      )
      return
    }
    const session = this.sessions.get(id)
    if ('send' in change) session?.receive(JSON.parse(change.send))
    else {
      session?.close()
      this.sessions.delete(id)
    }
  }

  private async answer({ id, method, url, key, body }: Reply['requests'][number]): Promise<object> {
    const { clock, server } = this.options
    if (clock.now() !== this.requestsAt) {
      this.requestsAt = clock.now()
      this.requests = 0
    }
    this.requests += 1
    if (this.requests > stepsPerTimeMax) throw neverWaits(clock.now())
    const { status, headers, body: answer } = await server.handle(requestOf(method, url, key, body))
    return { id, status, headers, body: JSON.stringify(answer) }
  }

  private fail(error: Error): void {
    this.broken ??= error
    this.failed?.(error)
  }

  private async exchange(message: object): Promise<Reply> {
    if (this.broken !== null) throw this.broken
    const late = timeout(
      replyWithinMs,
      () =>
        new StrategyFailure(
          `the strategy never waits: no reply within ${replyWithinMs / 1_000} s at ${new Date(this.options.clock.now()).toISOString()}`,
          this.output,
        ),
    )
    const reply = new Promise<string>((resolve, reject) => {
      this.received = resolve
      this.failed = reject
    })
    try {
      this.socket!.write(`${JSON.stringify(message)}\n`)
      return JSON.parse(await Promise.race([reply, late.promise])) as Reply
    } finally {
      late.cancel()
      this.received = null
      this.failed = null
      reply.catch(() => undefined)
    }
  }

  /** Accepts one connection, from the process that has the token. */
  private listen(): { port: Promise<number>; socket: Promise<Socket> } {
    const listener = createServer()
    this.listener = listener
    const socket = new Promise<Socket>((resolve) => {
      listener.on('connection', (candidate) => {
        candidate.setNoDelay(true)
        candidate.on('error', () => candidate.destroy())
        let text = ''
        const read = (bytes: Buffer): void => {
          text += bytes.toString('latin1')
          if (text.length > this.token.length + 1) candidate.destroy()
          else if (text === `${this.token}\n`) {
            candidate.off('data', read)
            resolve(candidate)
          }
        }
        candidate.on('data', read)
      })
    })
    const port = new Promise<number>((resolve, reject) => {
      listener.once('error', reject)
      listener.listen(0, '127.0.0.1', () => {
        const address = listener.address()
        resolve(typeof address === 'object' && address !== null ? address.port : 0)
      })
    })
    return { port, socket }
  }

  private failureOf(message: string): StrategyFailure {
    return new StrategyFailure(`${message}${this.output === '' ? '' : `\n${this.output.trimEnd()}`}`, this.output)
  }
}

function timeout(ms: number, failure: () => Error): { promise: Promise<never>; cancel(): void } {
  let give: (error: Error) => void
  const promise = new Promise<never>((_, reject) => {
    give = reject
  })
  promise.catch(() => undefined)
  const timer = systemClock.after(ms, () => give(failure()))
  return { promise, cancel: () => timer.cancel() }
}
