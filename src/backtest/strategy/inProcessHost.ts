// A TypeScript strategy: the client of the SDK with a transport within the process, the clock of the tape, and seeded random numbers.

import { clientWith } from '#sdk/typescript/src/client'
import type { Client, Socket, SocketConstructor, Strategy, StrategyContext } from '#sdk/typescript/src/index'
import type { VirtualClock } from '../engine/virtualClock.ts'
import type { BacktestServer } from '../server/backtestServer.ts'
import { type ApiAnswer, type ApiRequest, localRequest, requestOf } from '../server/request.ts'
import { type LogLine, neverWaits, StrategyFailure, type StrategyHost, stepsPerTimeMax } from './host.ts'
import { Outbox } from './outbox.ts'

export interface InProcessOptions {
  strategy: Strategy
  server: BacktestServer
  clock: VirtualClock
  random: () => number
  params: Readonly<Record<string, string>>
  markets: StrategyContext['markets']
  owner: string | null
  log(line: LogLine): void
}

const encoder = new TextEncoder()

export class InProcessHost implements StrategyHost {
  private readonly options: InProcessOptions
  private readonly controller = new AbortController()
  private readonly sleepers = new Set<() => void>()
  private readonly streams = new Set<{ close(): void }>()
  private readonly outbox = new Outbox()
  private pending = 0
  private requestsAt = 0
  private requests = 0
  private ended = false
  private failure: StrategyFailure | null = null

  constructor(options: InProcessOptions) {
    this.options = options
  }

  get isBusy(): boolean {
    this.throwFailure()
    return this.pending > 0
  }

  get hasEnded(): boolean {
    this.throwFailure()
    return this.ended
  }

  async start(): Promise<void> {
    const { strategy } = this.options
    const context = this.context()
    void (async () => {
      try {
        await strategy(context)
      } catch (error) {
        this.failure ??= failureOf(error)
      }
      this.ended = true
    })()
  }

  deliver(): boolean {
    this.throwFailure()
    return this.outbox.deliver()
  }

  finish(): void {
    this.controller.abort()
    for (const wake of [...this.sleepers]) wake()
    for (const stream of [...this.streams]) stream.close()
  }

  async stop(): Promise<void> {
    this.finish()
  }

  private throwFailure(): void {
    if (this.failure !== null) throw this.failure
  }

  private context(): StrategyContext {
    const { clock, random, params, markets, owner, log } = this.options
    return {
      client: this.client(),
      clock: { now: () => clock.now(), sleep: (ms) => this.sleep(ms) },
      log: (message, data) =>
        log({ at: clock.now(), message: String(message), ...(data === undefined ? {} : { data }) }),
      signal: this.controller.signal,
      ...{ params, markets, random, owner },
      authorize: async () => ({}),
    }
  }

  private client(): Client {
    const { clock, random } = this.options
    const client = clientWith(
      {
        baseUrl: 'http://backtest',
        apiKey: 'xb_paper_backtest',
        fetch: (input, init) => this.fetch(String(input), init),
        WebSocket: this.socketConstructor(),
      },
      {
        clock: { now: () => clock.now(), after: clock.after },
        random,
        local: ({ name, params, key }) => this.answer(localRequest(name, params, key)),
      },
    )
    return {
      ...client,
      stream: (options) => {
        const stream = client.stream(options)
        this.streams.add(stream)
        return stream
      },
    }
  }

  /** A loop of requests at one time would never end: no answer takes time. */
  private countRequest(): boolean {
    const now = this.options.clock.now()
    if (now !== this.requestsAt) {
      this.requestsAt = now
      this.requests = 0
    }
    this.requests += 1
    if (this.requests > stepsPerTimeMax) this.failure ??= neverWaits(now)
    return this.requests <= stepsPerTimeMax
  }

  /** For what the client reads piece by piece. */
  private async fetch(url: string, init: RequestInit = {}): Promise<Response> {
    const key = (init.headers as Record<string, string> | undefined)?.['idempotency-key'] ?? null
    const text = typeof init.body === 'string' ? init.body : null
    return responseOf(await this.answer(requestOf(init.method ?? 'GET', url, key, text)))
  }

  private answer(request: ApiRequest): ApiAnswer | Promise<ApiAnswer> {
    // The run ends: the strategy gets no answer any more.
    if (!this.countRequest()) return new Promise(() => undefined)
    try {
      const given = this.options.server.handle(request)
      return given instanceof Promise ? this.waitFor(given) : given
    } catch (error) {
      this.failure ??= failureOf(error)
      throw error
    }
  }

  private async waitFor(answer: Promise<ApiAnswer>): Promise<ApiAnswer> {
    this.pending += 1
    try {
      return await answer
    } catch (error) {
      this.failure ??= failureOf(error)
      throw error
    } finally {
      this.pending -= 1
    }
  }

  private sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.controller.signal.aborted) return resolve()
      const wake = (): void => {
        cancel()
        this.sleepers.delete(wake)
        resolve()
      }
      const cancel = this.options.clock.after(Math.max(1, ms), wake)
      this.sleepers.add(wake)
    })
  }

  private socketConstructor(): SocketConstructor {
    const { server } = this.options
    const push = (socket: InProcessSocket, frame: object): void => {
      this.outbox.push(socket, frame)
    }
    return class extends InProcessSocket {
      constructor() {
        super(server, push)
      }
    }
  }
}

/** Calls its handlers only from microtasks and `deliver`, never within the call of a method, as sockets do. */
class InProcessSocket implements Socket {
  readonly deliversFrames = true
  onopen: ((event: never) => void) | null = null
  onmessage: ((event: never) => void) | null = null
  onclose: ((event: never) => void) | null = null
  onerror: ((event: never) => void) | null = null
  private readonly session: ReturnType<BacktestServer['connect']>
  private isOpen = true
  private readonly message: { data: object | null } = { data: null }

  constructor(server: BacktestServer, push: (socket: InProcessSocket, frame: object) => void) {
    this.session = server.connect((frame) => push(this, frame))
    queueMicrotask(() => {
      if (this.isOpen) this.onopen?.({} as never)
    })
  }

  send(text: string): void {
    if (this.isOpen) this.session.receive(JSON.parse(text))
  }

  close(): void {
    this.isOpen = false
    this.session.close()
  }

  deliver(frame: object): void {
    if (!this.isOpen) return
    this.message.data = frame
    this.onmessage?.(this.message as never)
  }
}

/** The members of a response that the client reads: a real one costs more than the answer. */
function responseOf({ status, headers, body }: ApiAnswer): Response {
  let bytes: Uint8Array | undefined = encoder.encode(JSON.stringify(body))
  const read = async () => {
    const value = bytes
    bytes = undefined
    return { done: value === undefined, value }
  }
  const all: Readonly<Record<string, string>> = { 'content-type': 'application/json', ...headers }
  return {
    ok: status < 300,
    status,
    headers: { get: (name: string) => all[name.toLowerCase()] ?? null },
    body: { getReader: () => ({ read }) },
  } as unknown as Response
}

function failureOf(error: unknown): StrategyFailure {
  if (error instanceof StrategyFailure) return error
  const message = error instanceof Error ? error.message : String(error)
  return new StrategyFailure(
    `the strategy failed: ${message}`,
    error instanceof Error ? (error.stack ?? '') : '',
    error,
  )
}
