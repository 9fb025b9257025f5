// The listening side: one port for HTTP and the stream. What starts here stops here.
//
// The port is taken first, so that a program that cannot have it has no side effects; until there is something to serve, callers get a 503
// with a request to retry.

import { type Clock, systemClock, type Timer } from '#core/clock'
import { Fault } from '#core/fault'
import { type Log, silentLog } from '#core/log'
import { bodyBytesMax, type HttpHandler, type TraitsOf } from '#server/http/contract'
import { failureOf } from '#server/http/errorBody'
import { createRequestIds } from '#server/http/requestId'
import type { StreamServer } from '#stream/socket'
import { HttpAdapter } from './httpAdapter.ts'
import { bindPort } from './listen.ts'
import { nonStreamPath, olderStreamPath, streamPath } from './streamPath.ts'
import { App, us_listen_socket_close, us_socket_local_port } from './uws.ts'
import { keyOfHeader, keyOfHeaderOrAddress, WsAdapter } from './wsAdapter.ts'

/** After `stop`, answers and close frames may take this long; then the rest is cut. */
const drainMs = 3_000
/** Sockets per process; more get a 503 before their upgrade. */
const socketsMaxDefault = 50_000

export interface ListenOptions {
  host: string
  /** 0 picks a free one. */
  port: number
  clock?: Clock
  log?: Log
}

export interface ServeOptions {
  http: HttpHandler
  /** Default: every call may have an effect, and its body is small. */
  traitsOf?: TraitsOf
  /** Null: HTTP only. */
  stream: StreamServer | null
  /** The same stream in the older API family's protocol; absent: its path is not served. */
  olderStream?: StreamServer | undefined
  socketsMax?: number
}

export type GatewayOptions = ListenOptions & ServeOptions

const anything: TraitsOf = () => ({ bodyBytesMax, hasEffect: true })

export interface Gateway {
  url: string
  port: number
  /** Stops accepting, closes sockets with 1001, lets answers finish. Calling it twice is harmless. */
  stop(): Promise<void>
}

/** A port that we hold. */
export interface Listener {
  url: string
  port: number
  /** Call once. */
  serve(options: ServeOptions): Gateway
  /** For a listener that never served. Harmless after a gateway stopped. */
  close(): void
}

/** Throws a readable message when the port is unavailable. Every call gets a 503 until `serve`. */
export async function listen({ host, port, clock = systemClock, log = silentLog }: ListenOptions): Promise<Listener> {
  const app = App()
  let http = new HttpAdapter(startingUp(), anything)
  app.any('/*', (response, request) => http.handle(response, request))
  const listening = await bindPort(app, { host, port }, { clock, log })
  const bound = us_socket_local_port(listening)
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${bound}`
  let closed = false
  const close = (): void => {
    if (closed) return
    closed = true
    app.close()
  }

  return {
    url,
    port: bound,
    close,
    serve({ http: handler, traitsOf = anything, stream, olderStream, socketsMax = socketsMaxDefault }) {
      const paths = [...(stream === null ? [] : [streamPath]), ...(olderStream === undefined ? [] : [olderStreamPath])]
      http = new HttpAdapter(nonStreamPath(handler, paths), traitsOf)
      const sockets = new WsAdapter(socketsMax)
      if (stream !== null) app.ws(streamPath, sockets.behavior(stream, keyOfHeader))
      if (olderStream !== undefined) app.ws(olderStreamPath, sockets.behavior(olderStream, keyOfHeaderOrAddress))
      let stopping: Promise<void> | null = null

      const stop = async (): Promise<void> => {
        us_listen_socket_close(listening)
        const drained = Promise.all([stream?.stop(), http.idle(), sockets.empty()])
        let deadline: Timer | null = null
        const late = new Promise<void>((resolve) => {
          deadline = clock.after(drainMs, resolve)
        })
        try {
          await Promise.race([drained, late])
        } finally {
          ;(deadline as Timer | null)?.cancel()
          // Idle keep-alive connections, and clients that did not leave in time.
          close()
        }
      }

      return {
        url,
        port: bound,
        stop() {
          stopping ??= stop()
          return stopping
        },
      }
    },
  }
}

export const startGateway = async (options: GatewayOptions): Promise<Gateway> => (await listen(options)).serve(options)

function startingUp(): HttpHandler {
  const newRequestId = createRequestIds()
  return () => {
    const requestId = newRequestId()
    const fault = new Fault('PLATFORM_UNAVAILABLE', 'starting: try again shortly', { retryAfterSeconds: 1 })
    return failureOf(fault, requestId, { 'x-request-id': requestId })
  }
}
