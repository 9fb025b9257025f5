// JSON-RPC of a chain's node over the HTTP door, with the door's budget, deadlines and rests.
import { Fault } from '#lib/fault'
import type { HttpClient } from './http.ts'

export interface Rpc {
  /** The call's `result`. Throws RpcRefusal for the node's own error, Fault `NETWORK_ERROR` for anything that is no answer to this call. */
  call(method: string, params: readonly unknown[]): Promise<unknown>
  /** Many calls in one request: results in their order. All or nothing, as with `call`. */
  batch(calls: readonly RpcCall[]): Promise<unknown[]>
}

export type RpcCall = readonly [method: string, params: readonly unknown[]]

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

  async function ask(what: string, body: unknown): Promise<unknown> {
    const { status, body: answer } = await http.request({ method: 'POST', url, body, signal })
    if (status >= 400) throw refusalOf(what, answer) ?? new RpcRefusal(what, null, `HTTP ${status}`)
    return answer
  }
  const requestOf = ([method, params]: RpcCall) => ({ jsonrpc: '2.0', id: ++id, method, params })
  const strange = (detail: string): Fault =>
    new Fault('NETWORK_ERROR', 'the node answered something else', { exchange, detail })

  function resultOf(what: string, asked: number, answer: unknown): unknown {
    const refusal = refusalOf(what, answer)
    if (refusal !== null) throw refusal
    const fields = fieldsOf(answer)
    if (fields.id !== asked || !('result' in fields)) throw strange(what)
    return fields.result
  }

  return {
    async call(method, params) {
      const request = requestOf([method, params])
      return resultOf(method, request.id, await ask(method, request))
    },
    async batch(calls) {
      if (calls.length === 0) return []
      const what = `${calls.length} calls`
      const requests = calls.map(requestOf)
      const answers = await ask(what, requests)
      const refusal = refusalOf(what, answers)
      if (refusal !== null) throw refusal
      if (!Array.isArray(answers)) throw strange(what)
      // In whatever order the node likes.
      const byId = new Map(answers.map((answer) => [fieldsOf(answer).id, answer]))
      return requests.map((request) => resultOf(request.method, request.id, byId.get(request.id)))
    },
  }
}

const fieldsOf = (answer: unknown): Readonly<Record<string, unknown>> =>
  typeof answer === 'object' && answer !== null ? (answer as Readonly<Record<string, unknown>>) : {}

function refusalOf(what: string, answer: unknown): RpcRefusal | null {
  const { error } = fieldsOf(answer)
  if (typeof error !== 'object' || error === null) return null
  const { code, message } = error as { code?: unknown; message?: unknown }
  return new RpcRefusal(what, typeof code === 'number' ? code : null, String(message ?? 'refused'))
}
