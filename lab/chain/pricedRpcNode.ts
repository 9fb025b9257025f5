// The node for reading a venue's contracts and for wallets' transactions, on the venue's own port and subject to its faults. A transaction is
// executed and mined at once.
import type { Faults } from '../faults.ts'
import { type LabReply, type LabRoute, ok } from '../venueServer.ts'
import type { LabChain } from './chain.ts'
import { type Call, createAnswers, errorOf, healthyNode, Refusal } from './rpcHandlers.ts'
import { readSigned, settle } from './wallets.ts'

const sending = 'eth_sendRawTransaction'
const noFunds = new Refusal(-32000, 'insufficient funds for gas * price + value')

export interface PricedNodeOptions {
  chain: LabChain
  chainId: number
  /** Selectors of calls that place orders: only these are subject to `order` faults. */
  ordering: readonly string[]
  /** First topics of logs that report fills, besides those of the transaction that made them. */
  filling?: readonly string[]
}

export function rpcRoute(
  { chain, chainId, ordering, filling = [] }: PricedNodeOptions,
  faults: () => Faults,
): LabRoute {
  const sound = createAnswers(chain, healthyNode(chainId), new Map())

  /** A lagging node does not know what wallets sent. */
  function answer(call: Call): unknown {
    const { id, method } = call
    const hides = (what: 'orders' | 'fills'): boolean => faults().hides(what)
    if (hides('orders') && ['eth_getTransactionReceipt', 'eth_getTransactionByHash'].includes(method)) {
      return { jsonrpc: '2.0', id, result: null }
    }
    if (hides('orders') && method === 'eth_getTransactionCount') return { jsonrpc: '2.0', id, result: '0x0' }
    const answered = sound(call) as { result?: unknown }
    if (method !== 'eth_getLogs' || !hides('fills') || !Array.isArray(answered.result)) return answered
    const shown = answered.result.filter(({ topics }) => !filling.includes(topics[0]))
    return { ...answered, result: shown }
  }

  async function send({ id, params }: Call): Promise<LabReply> {
    const respond = (more: object): LabReply => ok({ jsonrpc: '2.0', id, ...more })
    try {
      const signed = await readSigned(chain, params[0], chainId)
      const isOrder = ordering.includes(signed.call.input.slice(0, 10))
      const fault = isOrder ? faults().orderFault() : null
      if (fault?.outcome === 'vanish') return { status: 500, body: '', cut: true }
      if (fault?.outcome === 'reject') throw noFunds
      // Dropped before any block included it.
      if (fault?.outcome !== 'forget') settle(chain, signed)
      const reply = respond({ result: signed.hash })
      if (fault?.outcome === 'drop') return { ...reply, cut: true }
      return fault?.outcome === 'late' ? { ...reply, lateMs: fault.delayMs } : reply
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return respond({ error: errorOf(error) })
    }
  }

  return {
    method: 'POST',
    path: '/rpc',
    faultPath: (text) => (text.includes(sending) ? `/rpc/${sending}` : '/rpc'),
    handle({ body }) {
      const request = body as Call | Call[]
      if (Array.isArray(request)) return ok(request.map(answer))
      return request.method === sending ? send(request) : ok(answer(request))
    },
  }
}
