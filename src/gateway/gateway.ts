// The listening side: one port for HTTP and the stream. What starts here stops here.
import { bodyBytesMax, type HttpHandler, type TraitsOf } from '#http/contract'
import { type Clock, systemClock, type Timer } from '#lib/clock'
import { type Log, silentLog } from '#lib/log'
import type { StreamServer } from '#stream/socket'
import { HttpAdapter } from './httpAdapter.ts'
import { takePort } from './port.ts'
import { App, us_listen_socket_close, us_socket_local_port } from './uws.ts'
import { WsAdapter } from './wsAdapter.ts'

/** Answers and goodbyes may take this long after `stop`; then what is left is cut. */
const drainMs = 3_000
/** Sockets of one process; more are told 503 before their upgrade. */
const socketsMaxDefault = 50_000

export interface GatewayOptions {
  host: string
  /** 0 takes a free one. */
  port: number
  http: HttpHandler
  /** Left out: every call may have an effect, and its body is small. */
  traitsOf?: TraitsOf
  stream: StreamServer
  clock?: Clock
  log?: Log
  socketsMax?: number
}

const anything: TraitsOf = () => ({ bodyBytesMax, hasEffect: true })

export interface Gateway {
  url: string
  port: number
  /** Stops accepting, says 1001 to sockets, lets answers finish. Calling it twice is harmless. */
  stop(): Promise<void>
}

export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { host, port, stream, clock = systemClock, log = silentLog, socketsMax = socketsMaxDefault } = options
  const http = new HttpAdapter(options.http, options.traitsOf ?? anything)
  const sockets = new WsAdapter(stream, socketsMax)
  const app = App()
  app.ws('/v1/stream', sockets.behavior)
  app.any('/*', http.handle)
  const listening = await takePort(app, { host, port }, { clock, log })
  const bound = us_socket_local_port(listening)
  let stopping: Promise<void> | null = null

  const stop = async (): Promise<void> => {
    us_listen_socket_close(listening)
    const drained = Promise.all([stream.stop(), http.idle(), sockets.empty()])
    let deadline: Timer | null = null
    const late = new Promise<void>((resolve) => {
      deadline = clock.after(drainMs, resolve)
    })
    try {
      await Promise.race([drained, late])
    } finally {
      ;(deadline as Timer | null)?.cancel()
      // Keep-alive connections without a call, and whoever did not go in time.
      app.close()
    }
  }

  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    port: bound,
    stop() {
      stopping ??= stop()
      return stopping
    },
  }
}
