// JSON-RPC to a chain's nodes over our HTTP client, with its budget, deadlines and pauses. No node is used before it has reported the right
// chain; if one does not answer, the next is tried.
//
//   node ─► right chain? ─► called ─► result | its own refusal (if that can be an answer; else the next node)
//     └─ unreachable, silent, wrong chain, invalid answer ─► the next node, which stays first
import { Fault } from '#core/fault'
import type { HttpClient } from './http.ts'

export interface Rpc {
  /**
   * The call's `result`. Throws NETWORK_ERROR: RpcRefusal for the node's own error, and for anything that is not an answer to this call.
   */
  call(method: string, params: readonly unknown[]): Promise<unknown>
  /** Many calls in one request: results in order. All or nothing, as with `call`. */
  batch(calls: readonly RpcCall[]): Promise<unknown[]>
}

export type RpcCall = readonly [method: string, params: readonly unknown[]]

/** The node's own error: reverted, unknown block, too many results, too wide a range. Providers word them differently. */
export class RpcRefusal extends Fault {
  /** Null: it did not speak JSON-RPC. */
  readonly rpcCode: number | null
  /** Its message. */
  readonly text: string
  readonly data: unknown

  constructor(
    exchange: string,
    method: string,
    { code, text, data }: { code: number | null; text: string; data?: unknown },
  ) {
    super('NETWORK_ERROR', 'the node refuses the call', { exchange, detail: `${method}: ${text.slice(0, 200)}` })
    this.name = 'RpcRefusal'
    this.rpcCode = code
    this.text = text
    this.data = data
  }
}

/** Half of a block range that a node refused: too wide, or with too many results. Rethrows the refusal when it cannot be halved. */
export function bisectBlockRange(blocks: number, refusal: unknown): number {
  if (!(refusal instanceof RpcRefusal) || blocks <= 1) throw refusal
  return Math.ceil(blocks / 2)
}

/** Addresses of nodes as an operator gives them, best first. */
export const nodeUrls = (commaList: string): string[] =>
  commaList
    .split(',')
    .map((url) => url.trim())
    .filter((url) => url !== '')

/** Only the host: providers put their keys into the path. */
export const nodeName = (url: string): string => URL.parse(url)?.host ?? 'a node'

/** The nodes of one chain, and what is known of them: it outlives its readers. */
export class RpcNodes {
  readonly http: HttpClient
  readonly chainId: number
  readonly exchange: string
  private readonly urls: readonly string[]
  private readonly isAnswer: (refusal: RpcRefusal) => boolean
  private readonly rightChain = new Set<string>()
  private first = 0

  /** `isAnswer`: which of a node's own errors count as an answer that another node would give as well; by default those of the protocol itself. */
  constructor(options: {
    http: HttpClient
    urls: readonly string[]
    chainId: number
    exchange: string
    isAnswer?: (refusal: RpcRefusal) => boolean
  }) {
    this.isAnswer = options.isAnswer ?? speaksProtocol
    this.http = options.http
    this.urls = options.urls
    this.chainId = options.chainId
    this.exchange = options.exchange
    if (this.urls.length === 0) throw new Error('a chain without nodes')
  }

  /** Unusable nodes, each with the reason; for the start log. */
  async check(signal: AbortSignal): Promise<{ node: string; error: unknown }[]> {
    const checked = await Promise.allSettled(this.urls.map((url) => this.checkChain(url, signal)))
    return checked.flatMap((result, i) =>
      result.status === 'rejected' ? [{ node: nodeName(this.urls[i]!), error: result.reason }] : [],
    )
  }

  get size(): number {
    return this.urls.length
  }

  /** The node that answered last; until then, the first one. */
  get answered(): number {
    return this.first
  }

  /** Tries the others first from now on: for callers that reject the current first node's answers. */
  rotate(): void {
    this.first = (this.first + 1) % this.urls.length
  }

  /** The node to use first, verified to be on the right chain: for what is sent once. Throws NETWORK_ERROR. */
  verifiedNode(signal: AbortSignal): Promise<string> {
    return this.tryEachNode(async (url) => url, signal)
  }

  /** The first node's answer, as parsed by `read`; a node whose answer it rejects is skipped for the next. */
  send<T>(what: string, body: unknown, read: (answer: unknown) => T, signal: AbortSignal): Promise<T> {
    return this.tryEachNode(async (url) => read(await this.post(url, what, body, signal)), signal)
  }

  private async tryEachNode<T>(use: (url: string) => Promise<T>, signal: AbortSignal): Promise<T> {
    const { urls, first } = this
    let failure: unknown
    for (let n = 0; n < urls.length; n++) {
      const at = (first + n) % urls.length
      const url = urls[at]!
      try {
        await this.checkChain(url, signal)
        const result = await use(url)
        this.first = at
        return result
      } catch (error) {
        if (!this.isNodesFault(error) || signal.aborted) throw error
        failure = error
      }
    }
    throw failure
  }

  /** Another node may do better. */
  private isNodesFault(error: unknown): boolean {
    if (error instanceof RpcRefusal) return !this.isAnswer(error)
    return error instanceof Fault && error.code === 'NETWORK_ERROR'
  }

  private async checkChain(url: string, signal: AbortSignal): Promise<void> {
    if (this.rightChain.has(url)) return
    const method = 'eth_chainId'
    const answer = await this.post(url, method, { jsonrpc: '2.0', id: 0, method, params: [] }, signal)
    const result = resultOf(this.exchange, method, 0, answer)
    const reportedChainId =
      typeof result === 'string' && /^0x[0-9a-f]{1,13}$/i.test(result) ? Number.parseInt(result, 16) : null
    if (reportedChainId !== this.chainId) {
      throw new Fault('NETWORK_ERROR', 'the node reports another chain', {
        exchange: this.exchange,
        detail: `${nodeName(url)} reports chain ${reportedChainId ?? 'unknown'}, wanted is ${this.chainId}`,
      })
    }
    this.rightChain.add(url)
  }

  private async post(url: string, what: string, body: unknown, signal: AbortSignal): Promise<unknown> {
    const { status, body: answer } = await this.http.request({ method: 'POST', url, body, signal })
    if (status >= 400) {
      const text = `HTTP ${status}`
      throw refusalOf(this.exchange, what, answer) ?? new RpcRefusal(this.exchange, what, { code: null, text })
    }
    return answer
  }
}

/** For one reader: its calls end with its signal. */
export function createRpc(nodes: RpcNodes, signal: AbortSignal): Rpc {
  const { exchange } = nodes
  let id = 0
  const requestOf = ([method, params]: RpcCall) => ({ jsonrpc: '2.0', id: ++id, method, params })

  return {
    call(method, params) {
      const request = requestOf([method, params])
      return nodes.send(method, request, (answer) => resultOf(exchange, method, request.id, answer), signal)
    },
    async batch(calls) {
      if (calls.length === 0) return []
      const what = `${calls.length} calls`
      const requests = calls.map(requestOf)
      const read = (answers: unknown): unknown[] => {
        const refusal = refusalOf(exchange, what, answers)
        if (refusal !== null) throw refusal
        if (!Array.isArray(answers)) throw strange(exchange, what)
        // Answers may come in any order.
        const byId = new Map(answers.map((answer) => [fieldsOf(answer).id, answer]))
        return requests.map((request) => resultOf(exchange, request.method, request.id, byId.get(request.id)))
      }
      return nodes.send(what, requests, read, signal)
    },
  }
}

const speaksProtocol = ({ rpcCode }: RpcRefusal): boolean => rpcCode !== null

const strange = (exchange: string, detail: string): Fault =>
  new Fault('NETWORK_ERROR', 'the node answered something else', { exchange, detail })

function resultOf(exchange: string, what: string, requestId: number, answer: unknown): unknown {
  const refusal = refusalOf(exchange, what, answer)
  if (refusal !== null) throw refusal
  const fields = fieldsOf(answer)
  if (fields.id !== requestId || !('result' in fields)) throw strange(exchange, what)
  return fields.result
}

const fieldsOf = (answer: unknown): Readonly<Record<string, unknown>> =>
  typeof answer === 'object' && answer !== null ? (answer as Readonly<Record<string, unknown>>) : {}

function refusalOf(exchange: string, what: string, answer: unknown): RpcRefusal | null {
  const { error } = fieldsOf(answer)
  if (typeof error !== 'object' || error === null) return null
  const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown }
  const text = String(message ?? 'refused')
  return new RpcRefusal(exchange, what, { code: typeof code === 'number' ? code : null, text, data })
}
