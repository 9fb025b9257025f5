// JSON-RPC to one chain's node over a WebSocket: calls and subscriptions. One connection per instance: to reconnect, open another.
// https://geth.ethereum.org/docs/interacting-with-geth/rpc/pubsub
import type { Clock, Timer } from '#core/clock'
import { Fault } from '#core/fault'
import { RpcRefusal } from './rpc.ts'
import type { ClientSocket, OpenSocket } from './socket.ts'

export interface SocketRpcEvents {
  opened(): void
  /** For one subscription, by the id that `eth_subscribe` returned. */
  notified(subscription: string, result: unknown): void
  /** Called exactly once. Pending calls have failed. */
  closed(reason: string): void
}

export interface SocketRpcOptions {
  url: string
  /** Named in faults. */
  exchange: string
  openSocket: OpenSocket
  clock: Clock
  events: SocketRpcEvents
}

const callTimeoutMs = 10_000
const callsMax = 256
/** No block, transaction or receipt is larger; reading more would hold up every caller. */
const frameBytesMax = 2 * 1024 * 1024

interface Waiting {
  method: string
  settle(result: unknown): void
  fail(error: unknown): void
  deadline: Timer
}

export class SocketRpc {
  /** Frames too large to be read, or malformed. */
  unread = 0
  private readonly options: SocketRpcOptions
  private readonly socket: ClientSocket
  private readonly waiting = new Map<number, Waiting>()
  private calls = 0
  private isClosed = false

  constructor(options: SocketRpcOptions) {
    this.options = options
    const { events } = options
    this.socket = options.openSocket(
      options.url,
      {},
      { opened: () => events.opened(), frame: (data) => this.read(data), closed: (reason) => this.end(reason) },
    )
  }

  /** Throws NETWORK_ERROR: RpcRefusal for the node's own error. */
  call(method: string, params: readonly unknown[]): Promise<unknown> {
    const { clock } = this.options
    if (this.isClosed) return Promise.reject(this.failure('the connection is closed'))
    if (this.waiting.size >= callsMax) return Promise.reject(this.failure('too many calls wait'))
    const id = ++this.calls
    return new Promise((settle, fail) => {
      const deadline = clock.after(callTimeoutMs, () => {
        this.waiting.delete(id)
        fail(this.failure(`${method}: no answer`))
      })
      this.waiting.set(id, { method, settle, fail, deadline })
      this.socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    })
  }

  close(): void {
    this.end('closed by us')
    this.socket.close()
  }

  private read(data: Buffer): void {
    if (this.isClosed) return
    const parsed = data.length > frameBytesMax ? null : objectOf(data)
    if (parsed === null) {
      this.unread++
      return
    }
    if (parsed.method === 'eth_subscription') {
      const { subscription, result } = (parsed.params ?? {}) as { subscription?: unknown; result?: unknown }
      if (typeof subscription === 'string') this.options.events.notified(subscription, result)
      return
    }
    const waiting = typeof parsed.id === 'number' ? this.waiting.get(parsed.id) : undefined
    if (waiting === undefined) return
    this.waiting.delete(parsed.id as number)
    waiting.deadline.cancel()
    if ('result' in parsed) waiting.settle(parsed.result)
    else waiting.fail(this.refusal(waiting.method, parsed.error))
  }

  private end(reason: string): void {
    if (this.isClosed) return
    this.isClosed = true
    for (const { deadline, fail } of this.waiting.values()) {
      deadline.cancel()
      fail(this.failure('the connection ended'))
    }
    this.waiting.clear()
    this.options.events.closed(reason)
  }

  private refusal(method: string, error: unknown): RpcRefusal {
    const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
    const text = typeof message === 'string' ? message : 'refused'
    return new RpcRefusal(this.options.exchange, method, { code: typeof code === 'number' ? code : null, text })
  }

  private failure(detail: string): Fault {
    return new Fault('NETWORK_ERROR', 'the node does not answer', { exchange: this.options.exchange, detail })
  }
}

function objectOf(data: Buffer): Readonly<Record<string, unknown>> | null {
  try {
    const parsed: unknown = JSON.parse(data.toString('utf8'))
    return typeof parsed === 'object' && parsed !== null ? (parsed as Readonly<Record<string, unknown>>) : null
  } catch {
    return null
  }
}
