// A node of the lab's chain that pushes heads, logs, and whole pending transactions. Transport-free: the caller supplies the connection.

import type { LabBlock } from './chain.ts'
import type { Mempool, PendingTransaction } from './mempool.ts'
import { type Call, createAnswers, healthyNode, type NodeFaults } from './rpcHandlers.ts'

export interface NodePeer {
  send(text: string): void
  end(): void
}

export interface PubSubFaults {
  /** Ends every new connection. */
  isAway: boolean
  /** Answers requests but pushes nothing. */
  isMute: boolean
  /** Pushes only transaction hashes, like nodes without full-transaction support. */
  sendsHashesOnly: boolean
  /** Answers nothing. */
  isSilent: boolean
}

const hex = (value: number): string => `0x${value.toString(16)}`
const subscriptionsMax = 100

export class PubSubNode {
  readonly faults: NodeFaults & PubSubFaults
  /** Call counts per method. */
  readonly calls = new Map<string, number>()
  private readonly mempool: Mempool
  private readonly answer: (call: Call) => unknown
  /** Each peer's subscriptions, by the id it was given. */
  private readonly peers = new Map<NodePeer, Map<string, readonly unknown[]>>()
  private ids = 0

  constructor(mempool: Mempool, chainId: number) {
    this.mempool = mempool
    this.faults = { ...healthyNode(chainId), isAway: false, isMute: false, sendsHashesOnly: false, isSilent: false }
    this.answer = createAnswers(mempool.chain, this.faults, this.calls)
    mempool.listeners.add(this)
  }

  get connections(): number {
    return this.peers.size
  }

  /** False: the node is down. */
  connect(peer: NodePeer): boolean {
    if (!this.faults.isAway) this.peers.set(peer, new Map())
    return !this.faults.isAway
  }

  leave(peer: NodePeer): void {
    this.peers.delete(peer)
  }

  receive(peer: NodePeer, text: string): void {
    if (this.faults.isSilent) return
    try {
      peer.send(JSON.stringify(this.replyTo(peer, JSON.parse(text) as Call)))
    } catch {
      peer.send('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}')
    }
  }

  /** Ends every connection. */
  cut(): void {
    for (const peer of [...this.peers.keys()]) peer.end()
  }

  /** Sends the text verbatim to every peer. */
  broadcast(text: string): void {
    for (const peer of this.peers.keys()) peer.send(text)
  }

  stop(): void {
    this.mempool.listeners.delete(this)
    this.faults.isAway = true
    this.cut()
  }

  waiting({ hash, call: { from, to, input, nonce } }: PendingTransaction): void {
    const body = { hash, from, to, input, nonce: hex(nonce), value: '0x0', gas: '0x1e8480', blockNumber: null }
    const { sendsHashesOnly } = this.faults
    this.publish('newPendingTransactions', ([, whole]) => [whole === true && !sendsHashesOnly ? body : hash])
  }

  mined(block: LabBlock): void {
    const { number, hash, parentHash, timestamp } = block
    this.publish('logs', ([, filter]) => logsOf(block, (filter ?? {}) as Filter))
    this.publish('newHeads', () => [{ number: hex(number), hash, parentHash, timestamp: hex(timestamp) }])
  }

  private replyTo(peer: NodePeer, call: Call): unknown {
    const { id, method, params } = call
    if (method !== 'eth_subscribe') return this.answer(call)
    this.calls.set(method, (this.calls.get(method) ?? 0) + 1)
    const mine = this.peers.get(peer)
    if (mine === undefined || mine.size >= subscriptionsMax)
      return { jsonrpc: '2.0', id, error: { code: -32005, message: 'too many subscriptions' } }
    const subscription = hex(++this.ids)
    mine.set(subscription, params)
    return { jsonrpc: '2.0', id, result: subscription }
  }

  private publish(kind: string, resultOf: (params: readonly unknown[]) => unknown[]): void {
    if (this.faults.isMute) return
    for (const [peer, subscriptions] of this.peers)
      for (const [subscription, params] of subscriptions) {
        if (params[0] !== kind) continue
        for (const result of resultOf(params))
          peer.send(JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params: { subscription, result } }))
      }
  }
}

interface Filter {
  address?: readonly string[]
  topics?: readonly (readonly string[])[]
}

function logsOf({ number, hash, transactions }: LabBlock, { address, topics }: Filter): unknown[] {
  return transactions
    .flatMap((transaction) => transaction.logs.map((log) => ({ transaction, log })))
    .map(({ transaction, log }, index) => ({
      ...log,
      blockNumber: hex(number),
      blockHash: hash,
      transactionHash: transaction.hash,
      logIndex: hex(index),
      removed: false,
    }))
    .filter((log) => address?.includes(log.address) !== false && topics?.[0]?.includes(log.topics[0] ?? '') !== false)
}
