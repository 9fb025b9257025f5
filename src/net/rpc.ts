// JSON-RPC of a chain's node over the HTTP door, with the door's budget, deadlines and rests. One call a request: providers count calls, not
// requests, and one answer that is too large then costs nobody else theirs.
import { Fault } from '#lib/fault'
import type { HttpClient } from './http.ts'

export interface Rpc {
  /** The call's `result`. Throws RpcRefusal for the node's own error, Fault `NETWORK_ERROR` for anything that is no answer to this call. */
  call(method: string, params: readonly unknown[]): Promise<unknown>
}

/** The node's own words: unknown block, too many results, too wide a range. Which of them, no two providers say alike. */
export class RpcRefusal extends Error {
  readonly code: number | null

  constructor(method: string, code: number | null, message: string) {
    super(`${method}: ${message.slice(0, 200)}`)
    this.name = 'RpcRefusal'
    this.code = code
  }
}

export function createRpc(options: { http: HttpClient; url: string; exchange: string; signal: AbortSignal }): Rpc {
  const { http, url, exchange, signal } = options
  let id = 0
  return {
    async call(method, params) {
      const mine = ++id
      const { status, body } = await http.request({
        method: 'POST',
        url,
        body: { jsonrpc: '2.0', id: mine, method, params },
        signal,
      })
      const answer = typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>) : {}
      const { error } = answer
      if (typeof error === 'object' && error !== null) {
        const { code, message } = error as { code?: unknown; message?: unknown }
        throw new RpcRefusal(method, typeof code === 'number' ? code : null, String(message ?? 'refused'))
      }
      if (status >= 400) throw new RpcRefusal(method, null, `HTTP ${status}`)
      if (answer.id !== mine || !('result' in answer))
        throw new Fault('NETWORK_ERROR', 'the node answered something else', { exchange, detail: method })
      return answer.result
    },
  }
}
