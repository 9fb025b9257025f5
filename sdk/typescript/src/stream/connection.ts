// A reconnecting WebSocket. Handles authentication and timing; its owner handles subscriptions.
//
//   idle ─ open() ─► opening ─► authenticating ─► up ─┐
//                      ▲                              │ closed, or silent
//                      └────────── waiting ◄──────────┘        over: close(), or the key is refused; rest() leads back to idle
import { type Backoff, backoffMs, type Clock } from '../clock.ts'
import { ConnectionError, StreamError } from '../errors.ts'

/** The WebSocket members used here: those of browsers, Node and `ws` have them. */
export interface Socket {
  /** The `data` of its messages is a frame that is already parsed: a connection without a network, such as that of a backtest. */
  readonly deliversFrames?: true
  send(text: string): void
  close(code?: number, reason?: string): void
  onopen: ((event: never) => void) | null
  onmessage: ((event: never) => void) | null
  onclose: ((event: never) => void) | null
  onerror: ((event: never) => void) | null
}
export type SocketConstructor = new (url: string) => Socket

export interface ConnectionOptions {
  /** Delay between connection attempts; doubles from the first to the second. */
  reconnect: Backoff
  /** Consecutive failed attempts before it gives up; unlimited by default. */
  attemptsMax: number
  /** After this long without a frame, the connection is probed. */
  silenceMs: number
  /** Time limit for a response, and for connecting and authenticating. */
  answerMs: number
}

export interface Edges {
  clock: Clock
  random: () => number
  WebSocket: SocketConstructor
}

export interface Owner {
  up(): void
  /** `willRetry` in this many milliseconds. */
  down(reason: string, retryInMs: number): void
  over(error: Error | null): void
  frame(frame: Record<string, unknown>): void
}

const closeUnauthorized = 4001
/** Minimum delay by close code, milliseconds: too many messages or sockets; the key could not be verified. */
const leastWaitMs: Readonly<Record<number, number>> = { 4029: 10_000, 1013: 1_000 }
/** WebSocket hides the response of a rejected upgrade, so this assumes the service's Retry-After of 5 s. */
const refusedWaitMs = 5_000
/** Maximum time from an error to the `close` that follows it. */
const closeFollowsMs = 100
/** After this uptime the backoff starts over. */
const stableMs = 10_000
/** Unsubscribes from a topic that is never subscribed to: the error response proves that the service is there. */
const probe = { op: 'unsubscribePrice', venue: 'none', marketId: 'heartbeat' } as const

export class Connection {
  private readonly url: string
  private readonly apiKey: string
  private readonly options: ConnectionOptions
  private readonly edges: Edges
  private readonly owner: Owner
  private socket: Socket | null = null
  private state: 'idle' | 'opening' | 'authenticating' | 'up' | 'waiting' | 'over' = 'idle'
  private attempt = 0
  private upAt = 0
  private lastFrameAt = 0
  private cancelTimer: () => void = () => undefined

  constructor(url: string, apiKey: string, options: ConnectionOptions, edges: Edges, owner: Owner) {
    this.url = url
    this.apiKey = apiKey
    this.options = options
    this.edges = edges
    this.owner = owner
  }

  get isUp(): boolean {
    return this.state === 'up'
  }

  open(): void {
    if (this.state === 'idle') this.connect()
  }

  /** Closes the socket without ending the connection: `open` creates another. Leaves nothing that keeps a program running. */
  rest(): void {
    if (this.state === 'over') return
    this.state = 'idle'
    this.attempt = 0
    this.releaseSocket()
  }

  /** Only while it is up. */
  send(op: object): void {
    if (this.isUp) this.socket?.send(JSON.stringify(op))
  }

  close(error: Error | null = null): void {
    if (this.state === 'over') return
    this.state = 'over'
    this.releaseSocket()
    this.owner.over(error)
  }

  private connect() {
    const { answerMs } = this.options
    this.state = 'opening'
    let socket: Socket
    try {
      socket = new this.edges.WebSocket(this.url)
    } catch (cause) {
      return this.close(new ConnectionError('cannot connect to the stream', { cause }))
    }
    this.socket = socket
    // A socket that was released may still emit events: they are ignored.
    const mine = (run: () => void) => (): void => {
      if (this.socket === socket) run()
    }
    socket.onopen = mine(() => {
      this.state = 'authenticating'
      socket.send(JSON.stringify({ op: 'auth', apiKey: this.apiKey }))
    })
    socket.onmessage = (event: { data: unknown }) => {
      if (this.socket !== socket) return
      this.read(socket.deliversFrames === true ? (event.data as Record<string, unknown>) : parse(event.data))
    }
    socket.onclose = (event: { code?: number; reason?: string }) =>
      mine(() => this.ended(event.code ?? 1006, event.reason ?? ''))()
    // `close` follows with the reason, except in Node's own WebSocket for a connection that never opened.
    socket.onerror = mine(() => {
      if (this.state === 'opening') this.await(closeFollowsMs, () => this.ended(1006, 'the connection failed'))
    })
    this.await(answerMs, () => this.ended(0, 'no answer'))
  }

  private read(frame: Record<string, unknown> | null) {
    if (frame === null) return this.ended(0, 'a frame that is not JSON')
    this.lastFrameAt = this.edges.clock.now()
    if (this.state === 'authenticating') return this.readAuth(frame)
    if (frame.code !== 'NOT_SUBSCRIBED' || frame.marketId !== probe.marketId) this.owner.frame(frame)
  }

  private readAuth(frame: Record<string, unknown>): void {
    if (frame.type !== 'auth') {
      // The close that follows determines the delay.
      if (frame.code === 'UNAUTHORIZED') this.close(new StreamError('UNAUTHORIZED', String(frame.message)))
      return
    }
    this.state = 'up'
    this.upAt = this.edges.clock.now()
    this.listen()
    this.owner.up()
  }

  /** Probes a silent socket, and ends it if there is no response. */
  private listen() {
    const { silenceMs, answerMs } = this.options
    const quietMs = this.edges.clock.now() - this.lastFrameAt
    if (quietMs < silenceMs) return this.await(silenceMs - quietMs, () => this.listen())
    const probedAt = this.lastFrameAt
    this.send(probe)
    this.await(answerMs, () => (this.lastFrameAt === probedAt ? this.ended(0, 'silent') : this.listen()))
  }

  private ended(code: number, reason: string) {
    const { clock, random } = this.edges
    const { reconnect, attemptsMax } = this.options
    const wasUp = this.state === 'up'
    const wasOpened = this.state !== 'opening'
    const closeReason = reason === '' ? `closed with ${code}` : reason
    this.releaseSocket()
    if (code === closeUnauthorized) return this.close(new StreamError('UNAUTHORIZED', closeReason))
    if (wasUp && clock.now() - this.upAt >= stableMs) this.attempt = 0
    if (this.attempt >= attemptsMax) return this.close(new ConnectionError(`the stream is unavailable: ${closeReason}`))
    const refused = !wasOpened && this.attempt > 0 ? refusedWaitMs : 0
    const least = Math.max(leastWaitMs[code] ?? 0, refused)
    const waitMs = least + backoffMs(this.attempt++, reconnect, random)
    this.state = 'waiting'
    this.await(waitMs, () => this.connect())
    this.owner.down(closeReason, waitMs)
  }

  private releaseSocket(): void {
    const { socket } = this
    this.socket = null
    this.cancelTimer()
    if (socket === null) return
    try {
      socket.close()
    } catch {
      // A socket that never opened need not be closed.
    }
  }

  /** One timer at a time: each state waits for one thing. */
  private await(ms: number, run: () => void): void {
    this.cancelTimer()
    this.cancelTimer = this.edges.clock.after(ms, run)
  }
}

function parse(data: unknown): Record<string, unknown> | null {
  try {
    const frame: unknown = typeof data === 'string' ? JSON.parse(data) : null
    return typeof frame === 'object' && !Array.isArray(frame) ? (frame as Record<string, unknown> | null) : null
  } catch {
    // Returns null: the frame is not one of the stream's.
    return null
  }
}
