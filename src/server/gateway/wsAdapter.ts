// Adapts one uWebSockets.js socket to the stream's StreamSocket, and the transport's events to calls on its
// StreamConnection.

import { Fault } from '#core/fault'
import { closeTooBig, messageBytesMost } from '#schemas/stream'
import { failureOf } from '#server/http/errorBody'
import { createRequestIds } from '#server/http/requestId'
import type { SendResult, StreamConnection, StreamServer, StreamSocket } from '#stream/socket'
import { webSocketVersion } from './streamPath.ts'
import type { HttpRequest, HttpResponse, us_socket_context_t, WebSocket, WebSocketBehavior } from './uws.ts'
import { writeBuffered } from './writeResponse.ts'

/** A message above `messageBytesMost` closes its socket with a reason; above this the transport cuts it at the frame header, without one. */
const payloadReadMax = 1024 * 1024 + 1024
/** The hub conflates at 64 KiB; acknowledgements and errors may still pass up to here, then the socket is closed. */
const backpressureBytesMax = 256 * 1024
/**
 * Longer than the hub's patience with a slow reader: pings do not pass backpressure, so a missing pong does not mean a dead peer.
 */
export const idleTimeoutSeconds = 120

/** Data attached to a socket from its upgrade to its end. */
export interface SocketData {
  /** The key from the upgrade; removed as soon as the socket opens. */
  bearer: string | null
  adapter: WsSocket | null
}

class WsSocket implements StreamSocket {
  readonly id: number
  private held: StreamConnection | null = null
  private ws: WebSocket<SocketData> | null

  constructor(id: number, ws: WebSocket<SocketData>) {
    this.id = id
    this.ws = ws
  }

  send(bytes: Buffer): SendResult {
    const result = this.ws === null ? 2 : this.ws.send(bytes, false, false)
    return result === 1 ? 'sent' : result === 0 ? 'buffered' : 'dropped'
  }

  cork(run: () => void): void {
    if (this.ws === null) run()
    else this.ws.cork(run)
  }

  bufferedAmount(): number {
    return this.ws === null ? 0 : this.ws.getBufferedAmount()
  }

  close(code: number, reason: string): void {
    this.ws?.end(code, reason)
  }

  get connection(): StreamConnection | null {
    return this.held
  }

  /** A connection refused while opening is already gone here, and is notified now. */
  attach(connection: StreamConnection): void {
    this.held = connection
    if (this.ws === null) connection.closed()
  }

  /** The transport reclaimed the socket: touching it again would throw. */
  gone(): void {
    this.ws = null
    this.held?.closed()
  }
}

/** Where an upgrade has its key. Clients without any other way put it in the address, which proxies may log. */
export type KeyOf = (request: HttpRequest) => string | null

export const keyOfHeader: KeyOf = (request) => bearerOf(request.getHeader('authorization'))
export const keyOfHeaderOrAddress: KeyOf = (request) => {
  const key = request.getQuery('apiKey')
  return keyOfHeader(request) ?? (key === undefined || key === '' ? null : bearerOf(`Bearer ${key}`))
}

/** Sockets of all paths of one gateway, counted together. */
export class WsAdapter {
  private readonly socketsMax: number
  private opened = 0
  private readonly newRequestId = createRequestIds()
  private open = 0
  private whenEmpty: (() => void) | null = null

  constructor(socketsMax: number) {
    this.socketsMax = socketsMax
  }

  /** Resolves when no socket is open. */
  empty(): Promise<void> {
    if (this.open === 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.whenEmpty = resolve
    })
  }

  behavior(stream: StreamServer, keyOf: KeyOf): WebSocketBehavior<SocketData> {
    return {
      maxPayloadLength: payloadReadMax,
      maxBackpressure: backpressureBytesMax,
      idleTimeout: idleTimeoutSeconds,
      // permessage-deflate costs 2.5 to 14 times the CPU of the frame itself: off.
      compression: 0,
      sendPingsAutomatically: true,
      upgrade: (response, request, context) => this.upgrade(response, request, context, keyOf),
      open: (ws) => {
        const data = ws.getUserData()
        const adapter = new WsSocket(++this.opened, ws)
        data.adapter = adapter
        const { bearer } = data
        data.bearer = null
        this.open++
        adapter.attach(stream.open(adapter, bearer))
      },
      message(ws, message, isBinary) {
        const { adapter } = ws.getUserData()
        if (message.byteLength > messageBytesMost)
          adapter?.close(closeTooBig, `messages may have at most ${messageBytesMost} bytes`)
        else adapter?.connection?.message(Buffer.from(message), isBinary)
      },
      drain: (ws) => ws.getUserData().adapter?.connection?.drained(),
      close: (ws) => {
        this.open--
        ws.getUserData().adapter?.gone()
        if (this.open > 0) return
        this.whenEmpty?.()
        this.whenEmpty = null
      },
    }
  }

  private refuse(response: HttpResponse, fault: Fault, headers: Record<string, string>): void {
    writeBuffered(response, failureOf(fault, this.newRequestId(), headers), false)
  }

  private upgrade(response: HttpResponse, request: HttpRequest, context: us_socket_context_t, keyOf: KeyOf): void {
    if (request.getHeader('sec-websocket-version') !== webSocketVersion) {
      const message = `Sec-WebSocket-Version must be ${webSocketVersion}`
      this.refuse(response, new Fault('VALIDATION_ERROR', message, { status: 426 }), {
        'sec-websocket-version': webSocketVersion,
      })
      return
    }
    if (this.open >= this.socketsMax) {
      this.refuse(
        response,
        new Fault('PLATFORM_UNAVAILABLE', 'no more sockets are available now', { retryAfterSeconds: 5 }),
        {},
      )
      return
    }
    const data: SocketData = { bearer: keyOf(request), adapter: null }
    response.upgrade(
      data,
      request.getHeader('sec-websocket-key'),
      // No subprotocol is supported: none of those offered is accepted.
      '',
      request.getHeader('sec-websocket-extensions'),
      context,
    )
  }
}

/** Null without the header; empty when it carries no bearer key. */
function bearerOf(header: string): string | null {
  if (header === '') return null
  const match = /^Bearer +([\x21-\x7e]{1,256}) *$/i.exec(header)
  return match?.[1] ?? ''
}
