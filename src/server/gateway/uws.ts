// The only import of uWebSockets.js. Adapters and the gateway take its values and types from here.

import './uwsLimits.ts'
import type { TemplatedApp, us_listen_socket } from 'uWebSockets.js'

export {
  App,
  type HttpRequest,
  type HttpResponse,
  type TemplatedApp,
  type us_listen_socket,
  us_listen_socket_close,
  type us_socket_context_t,
  us_socket_local_port,
  type WebSocket,
  type WebSocketBehavior,
} from 'uWebSockets.js'

/** LIBUS_LISTEN_EXCLUSIVE_PORT. */
const exclusivePort = 1

/** The library accepts options with a host; its types do not. */
interface ListensAt {
  listen(host: string, port: number, options: number, then: (socket: us_listen_socket | false) => void): unknown
}

/** Takes a port exclusively. False: it is unavailable. */
export const listenExclusive = (app: TemplatedApp, host: string, port: number): Promise<us_listen_socket | false> =>
  new Promise((resolve) => (app as unknown as ListensAt).listen(host, port, exclusivePort, resolve))
