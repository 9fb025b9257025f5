// Centrifugo's JSON protocol, server side, over a WebSocket, from its documentation: connecting, channels, positions, pings, disconnects.
// https://centrifugal.dev/docs/transports/client_protocol https://centrifugal.dev/docs/server/codes
import type { Clock, Timer } from '#core/clock'
import type { LabSocket } from './socket.ts'
import type { SocketHandler } from './venueServer.ts'

export interface CentrifugoError {
  code: number
  message: string
  temporary?: true
}

export const unknownChannel: CentrifugoError = { code: 102, message: 'unknown channel' }
export const tokenExpired: CentrifugoError = { code: 109, message: 'token expired' }
const alreadySubscribed: CentrifugoError = { code: 105, message: 'already subscribed' }
const limitExceeded: CentrifugoError = { code: 106, message: 'limit exceeded' }

export interface CentrifugoHandler {
  /** Null accepts the subscription. */
  subscribe(channel: string): CentrifugoError | null
  /** The client has been acknowledged: the channel's first message may follow. */
  subscribed?(channel: string): void
  unsubscribe(channel: string): void
  closed(): void
}

export interface CentrifugoOptions {
  clock: Clock
  /** 25 s and 8 s by default, like the real server. */
  pingEveryMs?: number
  pongWithinMs?: number
  /** 128 by default, like the real server. */
  channelsMax?: number
  /** Why a connection is refused; null accepts it. */
  refuse?(token: string | undefined): CentrifugoError | null
  open(socket: LabSocket): CentrifugoHandler
}

/** `offset`: for channels that count their publications. */
export const centrifugoPublication = (channel: string, data: unknown, offset?: number): string =>
  JSON.stringify({ push: { channel, pub: { data, ...(offset === undefined ? {} : { offset }) } } })

interface Command {
  id?: number
  connect?: { token?: string }
  subscribe?: { channel: string }
  unsubscribe?: { channel: string }
}

export function centrifugoServer(options: CentrifugoOptions): (socket: LabSocket) => SocketHandler {
  const { clock, pingEveryMs = 25_000, pongWithinMs = 8_000, channelsMax = 128 } = options
  let sockets = 0
  return (socket) => {
    let handler: CentrifugoHandler | null = null
    let pings: Timer | null = null
    let overdue: Timer | null = null
    const channels = new Set<string>()
    const client = `lab${++sockets}`

    const reply = (id: number | undefined, answer: object): void => socket.control(JSON.stringify({ id, ...answer }))
    function connect(id: number | undefined, token: string | undefined): void {
      const refusal = options.refuse?.(token) ?? null
      if (refusal !== null) {
        reply(id, { error: refusal })
        return
      }
      handler = options.open(socket)
      reply(id, { connect: { client, version: 'lab', ping: pingEveryMs / 1_000, pong: true } })
      pings = clock.every(pingEveryMs, () => {
        socket.control('{}')
        overdue ??= clock.after(pongWithinMs, () => socket.close(3012, 'no pong'))
      })
    }
    function subscribe(id: number | undefined, channel: string, floor: CentrifugoHandler): void {
      const full = channels.size >= channelsMax ? limitExceeded : null
      const refusal = channels.has(channel) ? alreadySubscribed : (full ?? floor.subscribe(channel))
      reply(id, refusal === null ? { subscribe: {} } : { error: refusal })
      if (refusal !== null) return
      channels.add(channel)
      floor.subscribed?.(channel)
    }
    function take({ id, connect: hello, subscribe: wanted, unsubscribe: left }: Command): void {
      if (hello !== undefined && handler === null) connect(id, hello.token)
      else if (handler === null) socket.close(3501, 'bad request')
      else if (wanted !== undefined) subscribe(id, wanted.channel, handler)
      else if (left !== undefined) {
        if (channels.delete(left.channel)) handler.unsubscribe(left.channel)
        reply(id, { unsubscribe: {} })
      } else if (id === undefined) {
        overdue?.cancel()
        overdue = null
      } else reply(id, { error: { code: 104, message: 'method not found' } })
    }

    return {
      message(text) {
        for (const line of text.split('\n')) {
          const command = line === '' ? null : commandOf(line)
          if (command === undefined) socket.close(3501, 'bad request')
          else if (command !== null) take(command)
        }
      },
      closed() {
        pings?.cancel()
        overdue?.cancel()
        handler?.closed()
      },
    }
  }
}

/** Undefined for an invalid command. */
function commandOf(line: string): Command | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Command) : undefined
  } catch {
    return undefined
  }
}
