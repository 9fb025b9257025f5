// One socket to the stream, made anew when it ends. It knows the key and time; what is subscribed is its owner's matter.
//
//   idle ─ open() ─► opening ─► authenticating ─► up ─┐
//                      ▲                              │ closed, or silent
//                      └────────── waiting ◄──────────┘        over: close(), or the key is refused; rest() leads back to idle
import { type Backoff, backoffMs, type Clock } from '../clock.ts'
import { ConnectionError, StreamError } from '../errors.ts'

/** What of a WebSocket is used here: the browser's, Node's own and that of `ws` have it. */
export interface Socket {
  send(text: string): void
  close(code?: number, reason?: string): void
  onopen: ((event: never) => void) | null
  onmessage: ((event: never) => void) | null
  onclose: ((event: never) => void) | null
  onerror: ((event: never) => void) | null
}
export type SocketConstructor = new (url: string) => Socket

export interface ConnectionOptions {
  /** Between tries to connect; doubled from the first to the second. */
  reconnect: Backoff
  /** Tries in a row that lead nowhere before it is given up; without end unless told. */
  attemptsMax: number
  /** Without a frame for so long, the service is asked whether it is there. */
  silenceMs: number
  /** How long it has for an answer, and for opening and the key. */
  answerMs: number
}

export interface Edges {
  clock: Clock
  random: () => number
  WebSocket: SocketConstructor
}

export interface Owner {
  up(): void
  /** `willRetry` in so many milliseconds. */
  down(reason: string, retryInMs: number): void
  over(error: Error | null): void
  frame(frame: Record<string, unknown>): void
}

const closeUnauthorized = 4001
/** What the service wants to be left alone for, milliseconds: too many messages or sockets; no answer about the key. */
const leastWaitMs: Readonly<Record<number, number>> = { 4029: 10_000, 1013: 1_000 }
/** An upgrade that is refused says so where no WebSocket lets us read it; the service asks for five seconds then. */
const refusedWaitMs = 5_000
/** How long `close` may take to follow an error. */
const closeFollowsMs = 100
/** A connection that lived so long owes nothing to the tries before it. */
const stableMs = 10_000
/** Subscribed to by nobody: the refusal to end it proves that somebody reads and answers. */
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
  private heardAt = 0
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

  /** Closes the socket, without an end: `open` makes another. Nothing is left that keeps a program running. */
  rest(): void {
    if (this.state === 'over') return
    this.state = 'idle'
    this.attempt = 0
    this.letGo()
  }

  /** Only while it is up. */
  send(op: object): void {
    if (this.isUp) this.socket?.send(JSON.stringify(op))
  }

  close(error: Error | null = null): void {
    if (this.state === 'over') return
    this.state = 'over'
    this.letGo()
    this.owner.over(error)
  }

  private connect() {
    const { answerMs } = this.options
    this.state = 'opening'
    let socket: Socket
    try {
      socket = new this.edges.WebSocket(this.url)
    } catch (cause) {
      return this.close(new ConnectionError('the stream cannot be connected to', { cause }))
    }
    this.socket = socket
    // A socket that was let go may still speak: it is not listened to.
    const mine = (run: () => void) => (): void => {
      if (this.socket === socket) run()
    }
    socket.onopen = mine(() => {
      this.state = 'authenticating'
      socket.send(JSON.stringify({ op: 'auth', apiKey: this.apiKey }))
    })
    socket.onmessage = (event: { data: unknown }) => mine(() => this.read(event.data))()
    socket.onclose = (event: { code?: number; reason?: string }) =>
      mine(() => this.ended(event.code ?? 1006, event.reason ?? ''))()
    // `close` follows and says more, except in Node's own WebSocket for a connection that never opened.
    socket.onerror = mine(() => {
      if (this.state === 'opening') this.await(closeFollowsMs, () => this.ended(1006, 'the connection failed'))
    })
    this.await(answerMs, () => this.ended(0, 'no answer'))
  }

  private read(data: unknown) {
    const frame = parse(data)
    if (frame === null) return this.ended(0, 'a frame that is not JSON')
    this.heardAt = this.edges.clock.now()
    if (this.state === 'authenticating') return this.readAuth(frame)
    if (frame.code !== 'NOT_SUBSCRIBED' || frame.marketId !== probe.marketId) this.owner.frame(frame)
  }

  private readAuth(frame: Record<string, unknown>): void {
    if (frame.type !== 'auth') {
      // The close that follows says how long to stay away.
      if (frame.code === 'UNAUTHORIZED') this.close(new StreamError('UNAUTHORIZED', String(frame.message)))
      return
    }
    this.state = 'up'
    this.upAt = this.edges.clock.now()
    this.listen()
    this.owner.up()
  }

  /** Silence is asked, and ends the socket when it does not answer. */
  private listen() {
    const { silenceMs, answerMs } = this.options
    const quietMs = this.edges.clock.now() - this.heardAt
    if (quietMs < silenceMs) return this.await(silenceMs - quietMs, () => this.listen())
    const asked = this.heardAt
    this.send(probe)
    this.await(answerMs, () => (this.heardAt === asked ? this.ended(0, 'silent') : this.listen()))
  }

  private ended(code: number, reason: string) {
    const { clock, random } = this.edges
    const { reconnect, attemptsMax } = this.options
    const wasUp = this.state === 'up'
    const wasOpened = this.state !== 'opening'
    const said = reason === '' ? `closed with ${code}` : reason
    this.letGo()
    if (code === closeUnauthorized) return this.close(new StreamError('UNAUTHORIZED', said))
    if (wasUp && clock.now() - this.upAt >= stableMs) this.attempt = 0
    if (this.attempt >= attemptsMax) return this.close(new ConnectionError(`the stream is away: ${said}`))
    const refused = !wasOpened && this.attempt > 0 ? refusedWaitMs : 0
    const least = Math.max(leastWaitMs[code] ?? 0, refused)
    const waitMs = least + backoffMs(this.attempt++, reconnect, random)
    this.state = 'waiting'
    this.await(waitMs, () => this.connect())
    this.owner.down(said, waitMs)
  }

  private letGo(): void {
    const { socket } = this
    this.socket = null
    this.cancelTimer()
    if (socket === null) return
    try {
      socket.close()
    } catch {
      // One that never opened need not be closed.
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
    // Told to the caller as null: the socket is not one of the stream's.
    return null
  }
}
